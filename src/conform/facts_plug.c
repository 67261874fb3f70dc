/* SPDX-License-Identifier: GPL-2.0-only */
/* Cpus that go off and come. That nothing happens on one that is off, the trace checker says. */
#include "base/random.h"
#include "conform/facts.h"
#include "conform/scene.h"

enum { MS = 1000000 };

static void use_events(struct scene *scene, const struct hotplug_event *event, uint32_t nr)
{
	scene->config.hotplug = event;
	scene->config.nr_hotplug = nr;
}

static bool time_is_conserved(struct scene *scene)
{
	cpuset_for_each (cpu, &scene->machine->present) {
		struct sim_cpu_times t = sim_cpu_times(scene->sim, cpu);

		if (!scene_within(scene, "ns of user, kernel, idle and off time of a cpu",
				  t.user_ns + t.kernel_ns + t.idle_ns + t.off_ns,
				  scene->result.end_ns, scene->result.end_ns))
			return false;
	}
	return true;
}

/* 16 burners on 8 cpus, one of which is off from 100 to 500 ms of 900. */
bool fact_a_cpu_that_goes_off_is_left_and_used_again(const struct conform_subject *subject,
						     struct err *err)
{
	static const struct hotplug_event event[] = { { 100 * MS, 3, false },
						      { 500 * MS, 3, true } };
	struct scene s;
	uint64_t sum = 0;
	bool holds = scene_open(&s, subject, "numa:2 core:4 pu:1", err);

	if (holds) {
		uint32_t burner = scene_burner(&s);

		for (uint32_t i = 0; i < 16; i++)
			program_task(s.b, (struct task_spec){ .program = burner,
							      .at_start = true,
							      .address_space = i });
		use_events(&s, event, 2);
		holds = scene_run(&s, 900 * MS, false) && time_is_conserved(&s) &&
			scene_within(&s, "ns that a cpu was off, of 400 ms",
				     sim_cpu_times(s.sim, 3).off_ns, 399 * MS, 400 * MS) &&
			scene_within(&s, "ns of user time of a cpu that was on for 500 ms",
				     sim_cpu_times(s.sim, 3).user_ns, 400 * MS, 501 * MS);
	}
	for (uint32_t i = 0; holds && i < 16; i++) {
		sum += scene_user_ns(&s, i);
		holds = scene_within(&s, "ns that one of 16 tasks ran on 8 cpus in 900 ms",
				     scene_user_ns(&s, i), 250 * MS, 700 * MS);
	}
	holds = holds && scene_within(&s, "ns that 16 tasks ran on 6800 ms of cpus", sum,
				      6500ull * MS, 6800ull * MS);
	scene_close(&s);
	return holds;
}

/* A task that may run on cpu 3 alone goes on elsewhere, awake or asleep when that goes off. */
bool fact_a_task_whose_cpus_are_off_runs_elsewhere(const struct conform_subject *subject,
						   struct err *err)
{
	static const struct hotplug_event event[] = { { 100 * MS, 3, false } };
	struct scene s;
	bool holds = scene_open(&s, subject, "numa:2 core:2 pu:1", err);

	if (holds) {
		uint32_t set = scene_cpus(&s, 3, 3), burner = scene_burner(&s);
		uint32_t sleeper = program_begin(s.b, "sleeper");

		scene_op(&s, OP_LOOP, 100, 0);
		scene_op(&s, OP_SLEEP, 3 * MS, 0);
		scene_op(&s, OP_COMPUTE, 1 * MS, 0);
		scene_op(&s, OP_END, 0, 0);
		scene_op(&s, OP_EXIT, 0, 0);
		program_task(s.b,
			     (struct task_spec){ .program = burner, .at_start = true, .set = set });
		program_task(s.b, (struct task_spec){
					  .program = sleeper, .at_start = true, .set = set });
		program_until(s.b, 1);
		use_events(&s, event, 1);
		holds = scene_run(&s, 2000ull * MS, true) && time_is_conserved(&s) &&
			scene_within(&s, "ns of user time of a bound task", scene_user_ns(&s, 0),
				     s.result.end_ns / 2, s.result.end_ns);
	}
	scene_close(&s);
	return holds;
}

/* One of the machine's cpus at a time, each for up to 4 ms, with up to 2 ms between them. */
static void draw_events(struct hotplug_event *event, uint32_t nr, uint32_t nr_cpus)
{
	struct random r = random_stream(7, RANDOM_WORKLOAD, 0);
	uint64_t t = 0;

	for (uint32_t i = 0; i < nr; i++) {
		event[i].up = i % 2;
		event[i].cpu = i % 2 ? event[i - 1].cpu : (uint32_t)random_below(&r, nr_cpus);
		t += 1 + random_below(&r, i % 2 ? 4 * MS : 2 * MS);
		event[i].time_ns = t;
	}
}

static bool run_pairs(struct scene *scene)
{
	uint32_t ping = program_begin(scene->b, "sleeper");

	scene_op(scene, OP_LOOP, 400, 0);
	scene_op(scene, OP_COMPUTE_EXP, 100000, 0);
	scene_op(scene, OP_SLEEP_EXP, 100000, 0);
	scene_op(scene, OP_END, 0, 0);
	scene_op(scene, OP_EXIT, 0, 0);
	for (uint32_t i = 0; i < 24; i++)
		program_task(scene->b, (struct task_spec){ .program = ping,
							   .at_start = true,
							   .address_space = i });
	return scene_run(scene, 20000ull * MS, true) && time_is_conserved(scene);
}

bool fact_cpus_come_and_go_under_load(const struct conform_subject *subject, struct err *err)
{
	enum { EVENTS = 60 };
	struct hotplug_event event[EVENTS];
	uint64_t hash[2] = { 0 };
	bool holds = true;

	for (uint32_t run = 0; run < 2 && holds; run++) {
		struct scene s;

		holds = scene_open(&s, subject, "numa:2 core:3 pu:2", err);
		if (holds) {
			draw_events(event, EVENTS, s.machine->nr_cpus);
			use_events(&s, event, EVENTS);
			holds = run_pairs(&s);
			hash[run] = s.result.trace_hash;
		}
		scene_close(&s);
	}
	return holds && (hash[0] == hash[1] ||
			 err_set(err, "two equal runs with cpus that go off have hashes %llx, %llx",
				 (unsigned long long)hash[0], (unsigned long long)hash[1]));
}
