/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A result holds, in this order: the workload's own metrics (the headline first), what was measured
 * from the trace, what the engine and the simulation counted, and the memory traffic by class of
 * lines; without feedback also counts a wake-up.
 */
#include "lab/job.h"

#include "base/check.h"
#include "base/hash.h"
#include "lab/build_id.h"
#include "lab/paired.h"
#include "measure/measure.h"
#include "sim/sim.h"
#include "trace/text.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { MAX_COUNTERS = 512 };

/* Ten simulated minutes: beyond it something is wrong with the workload, not with its speed. */
static const uint64_t LIMIT_NS = 600ull * 1000 * 1000 * 1000;

struct figures {
	struct arena *arena;
	struct stored_metric *metric;
	uint32_t count;
};

static void add(struct figures *f, const char *name, const char *unit, const char *better,
		double value)
{
	CHECK(f->count < STORE_MAX_METRICS);
	f->metric[f->count++] =
		(struct stored_metric){ arena_strdup(f->arena, name), arena_strdup(f->arena, unit),
					arena_strdup(f->arena, better), value };
}

static void add_workload(struct figures *f, const struct workload *w,
			 const struct workload_run *run)
{
	struct workload_metric metric[WORKLOAD_MAX_METRICS];
	uint32_t count = workload_metrics(w, run, metric, WORKLOAD_MAX_METRICS);

	for (uint32_t i = 0; i < count; i++)
		add(f, metric[i].name, metric[i].unit, metric[i].better, metric[i].value);
}

/* What the trace tells, then what engine and simulation counted. */
static void add_measured(struct figures *f, const struct measure *measure, const struct sim *sim)
{
	struct measure_counter *counter =
		ARENA_ARRAY(f->arena, struct measure_counter, MAX_COUNTERS);
	struct engine_counter engine;
	struct sim_counter own;
	struct metrics metrics;
	uint32_t n = 0;

	for (uint32_t i = 0; n < MAX_COUNTERS && sim_engine_counter(sim, i, &engine); i++)
		counter[n++] = (struct measure_counter){ engine.name, engine.phrase, engine.value };
	for (uint32_t i = 0; n < MAX_COUNTERS && sim_counter(sim, i, &own); i++)
		counter[n++] = (struct measure_counter){ own.name, own.phrase, own.value };
	metrics = measure_metrics(measure, f->arena, counter, n);
	for (uint32_t i = 0; i < metrics.nr; i++)
		add(f, metrics.metric[i].name, metrics.metric[i].unit, metrics.metric[i].better,
		    metrics.metric[i].value);
}

/* Lines that the simulation touches itself: what user programs wait on and move. */
static bool is_users(const char *class)
{
	return strcmp(class, "futex") == 0 || strcmp(class, "stream") == 0;
}

/* Misses of lines that are not the users' are added to *kernel_misses. */
static void add_memory(struct figures *f, const struct memory *mem, uint64_t *kernel_misses)
{
	for (uint32_t i = 0; i < memory_nr_classes(mem); i++) {
		const struct memory_counts *counts = memory_class_counts(mem, i);
		const char *name = memory_class_name(mem, i);
		uint64_t misses = 0;

		for (size_t tie = 0; tie < NR_TIES; tie++)
			misses += counts->misses[tie];
		if (!is_users(name))
			*kernel_misses += misses;
		add(f, arena_printf(f->arena, "memory.%s.accesses", name), "", "",
		    (double)(counts->reads + counts->writes + counts->atomics));
		add(f, arena_printf(f->arena, "memory.%s.misses", name), "", "", (double)misses);
		add(f, arena_printf(f->arena, "memory.%s.transfer_ns", name), "ns", "",
		    (double)counts->transfer_ns);
		add(f, arena_printf(f->arena, "memory.%s.wait_ns", name), "ns", "",
		    (double)(counts->busy_wait_ns + counts->lock_wait_ns));
	}
}

/* Without feedback nothing else is of use, so they are there only then. */
static void add_paired(struct figures *f)
{
	struct stored_result result = { .nr_metrics = f->count, .metric = f->metric };

	for (uint32_t i = 0; i < paired_nr_rows(); i++) {
		double value = paired_value(i, &result);

		if (isfinite(value))
			add(f, paired_name(i), "", "lower", value);
	}
}

static bool ended_well(const struct sim *sim, const struct sim_result *result, struct err *err)
{
	char why[400];

	switch (result->status) {
	case SIM_DONE: return true;
	case SIM_DEADLOCK:
		return err_set(err, "the workload hangs after %.6f s: %s",
			       (double)result->end_ns / 1e9,
			       sim_explain_deadlock(sim, why, sizeof(why)));
	case SIM_TIME_LIMIT:
		return err_set(err, "the workload has not ended after %.0f simulated seconds",
			       (double)result->end_ns / 1e9);
	case SIM_LOST:
		return err_set(err, "a task that could run was forgotten: %s",
			       sim_explain_deadlock(sim, why, sizeof(why)));
	case SIM_FAILED: return err_set(err, "%s", sim_failure(sim));
	case SIM_EVENT_LIMIT: break;
	}
	return err_set(err, "the workload has not ended after %llu events",
		       (unsigned long long)result->nr_events);
}

static const char *role_name(void *context, uint32_t task)
{
	const struct program_set *programs = context;

	return programs->program[programs->task[task].program].name;
}

static void trace_to(struct arena *arena, const struct job *job, struct sim *sim,
		     const struct program_set *programs)
{
	struct trace_text *text =
		trace_text_new(arena, job->trace_out, job->machine->nr_cpus, programs->nr_tasks,
			       role_name, (void *)(uintptr_t)programs);

	trace_add_sink(sim_trace(sim), trace_print_text, text);
}

static uint64_t wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static struct measure *new_measure(struct arena *arena, const struct job *job,
				   const struct program_set *programs)
{
	uint32_t *task_set = ARENA_ARRAY(arena, uint32_t, programs->nr_tasks);
	struct measure_config config = { .machine = job->machine,
					 .max_tasks = programs->nr_tasks,
					 .nr_sets = programs->nr_sets,
					 .set = programs->set,
					 .task_set = task_set };

	for (uint32_t task = 0; task < programs->nr_tasks; task++)
		task_set[task] = programs->task[task].set;
	return measure_new(arena, &config);
}

static void add_profile(struct arena *arena, const struct engine *engine, struct job_profile *p)
{
	p->nr_lines = kernel_profile_lines(engine, arena, p->line, JOB_PROFILE_ROWS);
	p->nr_functions = kernel_profile_functions(engine, arena, p->function, JOB_PROFILE_ROWS);
}

static bool run_in(struct arena *arena, const struct job *job, struct sim *sim,
		   struct job_outcome *outcome, struct err *err)
{
	struct measure *measure = new_measure(arena, job, workload_programs(outcome->workload));
	struct figures figures = { .arena = arena };
	struct sim_result result;
	uint64_t kernel_misses = 0;
	uint64_t start = wall_ns();

	trace_add_sink(sim_trace(sim), measure_sink, measure);
	if (job->trace_out)
		trace_to(arena, job, sim, workload_programs(outcome->workload));
	result = sim_run(sim);
	outcome->wall_ns = wall_ns() - start;
	outcome->nr_events = result.nr_events;
	if (!ended_well(sim, &result, err))
		return false;
	memcpy(outcome->run.mark_ns, result.mark_ns, sizeof(outcome->run.mark_ns));
	outcome->run.end_ns = result.end_ns;
	figures.metric = ARENA_ARRAY(arena, struct stored_metric, STORE_MAX_METRICS);
	add_workload(&figures, outcome->workload, &outcome->run);
	add_measured(&figures, measure, sim);
	add_memory(&figures, sim_memory(sim), &kernel_misses);
	if (job->variant->counted)
		add(&figures, "kernel.misses", "", "", (double)kernel_misses);
	if (job->no_feedback)
		add_paired(&figures);
	if (job->profile)
		add_profile(arena, sim_engine(sim), &outcome->profile);
	outcome->result = (struct stored_result){ .trace_hash = result.trace_hash,
						  .nr_metrics = figures.count,
						  .metric = figures.metric };
	return true;
}

bool job_run(struct arena *arena, const struct job *job, struct job_outcome *outcome,
	     struct err *err)
{
	struct sim_config config = { .machine = job->machine,
				     .engine = job->variant->engine,
				     .profile = job->variant->profile,
				     .variant = job->variant->features,
				     .image = job->variant->image,
				     .no_feedback = job->no_feedback,
				     .profile_lines = job->profile,
				     .seed = job->seed,
				     .max_ns = LIMIT_NS };
	const struct machine *reach = job->hotplug ? job->hotplug->reach : job->machine;
	struct workload *workload = workload_build(arena, job->command, reach, err);
	struct sim *sim;
	bool good;

	*outcome = (struct job_outcome){ .workload = workload };
	if (!workload)
		return false;
	if (job->hotplug) {
		config.nr_hotplug = job->hotplug->nr;
		config.hotplug = job->hotplug->event;
	}
	config.programs = workload_programs(workload);
	sim = sim_new(arena, &config, err);
	if (!sim)
		return false;
	good = run_in(arena, job, sim, outcome, err);
	sim_release(sim);
	return good;
}

static uint64_t hash_text(uint64_t h, const char *text)
{
	return hash_bytes(h, text, strlen(text));
}

static uint64_t hash_hotplug(uint64_t h, const struct hotplug *hotplug)
{
	for (uint32_t i = 0; hotplug && i < hotplug->nr; i++) {
		const struct hotplug_event *event = &hotplug->event[i];

		h = hash_u64(h, event->time_ns);
		h = hash_u64(h, (uint64_t)event->cpu << 1 | event->up);
	}
	return h;
}

void job_key(const struct job *job, const char *machine_json, uint64_t key[2])
{
	const struct variant *variant = job->variant;

	for (uint64_t half = 0; half < 2; half++) {
		uint64_t h = hash_u64(hash_u64(HASH_START, half), build_id());

		h = hash_text(h, machine_json);
		h = hash_text(h, variant->profile);
		h = hash_text(h, variant->features);
		h = hash_text(h, variant->content);
		h = hash_u64(h, job->no_feedback);
		h = hash_hotplug(h, job->hotplug);
		for (uint32_t i = 0; i < job->command->argc; i++)
			h = hash_text(h, job->command->argv[i]);
		key[half] = hash_u64(h, job->seed);
	}
}

const char *job_command_text(struct arena *arena, const struct workload_command *command)
{
	const char *text = "";

	for (uint32_t i = 0; i < command->argc; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? " " : "", command->argv[i]);
	return text;
}
