/* SPDX-License-Identifier: GPL-2.0-only */
#include "conform/scene.h"

#include "machine/read.h"
#include "measure/check.h"
#include "measure/measure.h"

#include <string.h>

bool scene_open(struct scene *scene, const struct conform_subject *subject, const char *machine,
		struct err *err)
{
	memset(scene, 0, sizeof(*scene));
	arena_init(&scene->arena);
	scene->err = err;
	scene->machine = machine_read(&scene->arena, machine, err);
	if (!scene->machine)
		return false;
	scene->b = program_builder_new(&scene->arena, &scene->machine->online);
	scene->config = (struct sim_config){ .machine = scene->machine,
					     .engine = subject->engine,
					     .profile = subject->profile,
					     .variant = "base",
					     .image = subject->image,
					     .seed = 1 };
	return true;
}

void scene_close(struct scene *scene)
{
	if (scene->sim)
		sim_release(scene->sim);
	arena_release(&scene->arena);
}

void scene_op(struct scene *scene, enum op_kind kind, uint64_t a, uint32_t resource)
{
	program_op(scene->b, (struct op){ .kind = (uint8_t)kind, .a = a, .resource = resource });
}

uint32_t scene_burner(struct scene *scene)
{
	uint32_t program = program_begin(scene->b, "burner");

	scene_op(scene, OP_COMPUTE, 1000000ull * 1000 * 1000, 0);
	scene_op(scene, OP_EXIT, 0, 0);
	return program;
}

uint32_t scene_cpus(struct scene *scene, uint32_t first, uint32_t last)
{
	struct cpuset set = cpuset_new(&scene->arena, scene->machine->nr_cpus);

	for (uint32_t cpu = first; cpu <= last; cpu++)
		cpuset_add(&set, cpu);
	return program_cpus(scene->b, &set);
}

uint64_t scene_user_ns(const struct scene *scene, uint32_t task)
{
	return sim_task_times(scene->sim, task).user_ns;
}

static bool ended_as_expected(struct scene *scene, bool ends)
{
	char why[400];

	switch (scene->result.status) {
	case SIM_DONE: return true;
	case SIM_TIME_LIMIT:
		return !ends || err_set(scene->err, "the tasks have not ended after %.3f s",
					(double)scene->result.end_ns / 1e9);
	case SIM_FAILED: return err_set(scene->err, "%s", sim_failure(scene->sim));
	case SIM_EVENT_LIMIT: return err_set(scene->err, "too many events");
	case SIM_DEADLOCK:
	case SIM_LOST: break;
	}
	return err_set(scene->err, "a task was forgotten: %s",
		       sim_explain_deadlock(scene->sim, why, sizeof(why)));
}

static struct measure_config measured(struct scene *scene, const struct program_set *programs)
{
	uint32_t *set = ARENA_ARRAY(&scene->arena, uint32_t, programs->nr_tasks);

	for (uint32_t i = 0; i < programs->nr_tasks; i++)
		set[i] = programs->task[i].set;
	return (struct measure_config){ .machine = scene->machine,
					.max_tasks = programs->nr_tasks,
					.nr_sets = programs->nr_sets,
					.set = programs->set,
					.task_set = set };
}

/* Between ticks and balance a cpu may well idle for a while: only "for ever" is wrong. */
bool scene_run(struct scene *scene, uint64_t max_ns, bool ends)
{
	static const uint64_t FORGOTTEN_NS = 2000000000;
	const struct program_set *programs = program_finish(scene->b, scene->err);
	struct measure_config config;
	struct trace_check *check;
	struct measure *measure;
	struct metrics metrics;
	const struct metric *waste;

	scene->config.programs = programs;
	scene->config.max_ns = max_ns;
	scene->sim = programs ? sim_new(&scene->arena, &scene->config, scene->err) : NULL;
	if (!scene->sim)
		return false;
	config = measured(scene, programs);
	check = trace_check_new(&scene->arena, &config, FORGOTTEN_NS);
	measure = measure_new(&scene->arena, &config);
	trace_add_sink(sim_trace(scene->sim), trace_check_sink, check);
	trace_add_sink(sim_trace(scene->sim), measure_sink, measure);
	scene->result = sim_run(scene->sim);
	if (!ended_as_expected(scene, ends))
		return false;
	if (trace_check_violation(check))
		return err_set(scene->err, "%s", trace_check_violation(check));
	metrics = measure_metrics(measure, &scene->arena, NULL, 0);
	waste = metrics_find(&metrics, "wasted_core_time");
	scene->wasted_ns = waste ? (uint64_t)(waste->value * 1e9) : 0;
	return true;
}

bool scene_within(struct scene *scene, const char *what, uint64_t value, uint64_t low,
		  uint64_t high)
{
	if (value >= low && value <= high)
		return true;
	return err_set(scene->err, "%s: %llu (allowed: %llu to %llu)", what,
		       (unsigned long long)value, (unsigned long long)low,
		       (unsigned long long)high);
}
