/* SPDX-License-Identifier: GPL-2.0-only */
/* Where tasks run. */
#include "conform/facts.h"
#include "conform/scene.h"

enum { MS = 1000000 };

/* Task 0 forks `count` burners, sleeps for length_ns and ends the run. */
static bool run_forks(struct scene *scene, uint32_t count, uint64_t length_ns)
{
	uint32_t burner = scene_burner(scene);
	uint32_t forker = program_begin(scene->b, "forker");

	program_op(scene->b, (struct op){ .kind = OP_SPAWN, .a = 1, .b = count });
	scene_op(scene, OP_SLEEP, length_ns, 0);
	scene_op(scene, OP_EXIT, 0, 0);
	program_task(scene->b, (struct task_spec){ .program = forker, .at_start = true });
	for (uint32_t i = 1; i <= count; i++)
		program_task(scene->b, (struct task_spec){ .program = burner, .address_space = i });
	program_until(scene->b, 0);
	return scene_run(scene, 20000ull * MS, true);
}

/* As many tasks as cores: each has one nearly all the time. */
bool fact_forks_spread_over_all_cores(const struct conform_subject *subject, struct err *err)
{
	struct scene s;
	bool holds = scene_open(&s, subject, "numa:2 l3:2 core:3 pu:2", err) &&
		     run_forks(&s, 12, 300ull * MS);

	for (uint32_t i = 1; holds && i <= 12; i++)
		holds = scene_within(&s, "ns that one of 12 tasks ran on 12 cores in 300 ms",
				     scene_user_ns(&s, i), 280ull * MS, 301ull * MS);
	scene_close(&s);
	return holds;
}

/* Who forked waits for a cpu too before it can end the run: with a tick of 10 ms that shows. */
bool fact_more_tasks_than_cpus_share_them(const struct conform_subject *subject, struct err *err)
{
	struct scene s;
	uint64_t sum = 0;
	bool holds = scene_open(&s, subject, "numa:2 core:4 pu:1", err) &&
		     run_forks(&s, 24, 3000ull * MS);

	for (uint32_t i = 1; holds && i <= 24; i++) {
		sum += scene_user_ns(&s, i);
		holds = scene_within(&s, "ns that one of 24 tasks ran on 8 cpus in 3 s",
				     scene_user_ns(&s, i), 600ull * MS, 1400ull * MS);
	}
	holds = holds && scene_within(&s, "ns that all of 24 tasks ran on 8 cpus in 3 s", sum,
				      8 * 2940ull * MS, 8 * s.result.end_ns);
	scene_close(&s);
	return holds;
}

bool fact_a_task_runs_only_where_it_may(const struct conform_subject *subject, struct err *err)
{
	struct scene s;
	bool holds = scene_open(&s, subject, "numa:2 core:2 pu:1", err);

	if (holds) {
		uint32_t set = scene_cpus(&s, 3, 3), hops = program_begin(s.b, "hops");

		scene_op(&s, OP_LOOP, 50, 0);
		scene_op(&s, OP_COMPUTE, 200000, 0);
		scene_op(&s, OP_SLEEP, 100000, 0);
		scene_op(&s, OP_END, 0, 0);
		scene_op(&s, OP_EXIT, 0, 0);
		for (uint32_t i = 0; i < 5; i++)
			program_task(s.b, (struct task_spec){
						  .program = hops, .at_start = true, .set = set });
		holds = scene_run(&s, 10000ull * MS, true);
	}
	for (uint32_t cpu = 0; holds && cpu < 3; cpu++)
		holds = scene_within(&s, "ns of user time on a cpu that no task may use",
				     sim_cpu_times(s.sim, cpu).user_ns, 0, 0);
	scene_close(&s);
	return holds;
}

/* 16 tasks of 10 ms on cpu 0, then free to go anywhere: both nodes are full soon. */
bool fact_unpinned_tasks_spread(const struct conform_subject *subject, struct err *err)
{
	struct scene s;
	uint64_t busy[2] = { 0 };
	bool holds = scene_open(&s, subject, "numa:2 core:4 pu:1", err);

	if (holds) {
		uint32_t set = scene_cpus(&s, 0, 0), unpins = program_begin(s.b, "unpins");

		scene_op(&s, OP_COMPUTE, 10 * MS, 0);
		scene_op(&s, OP_AFFINITY, 0, 0);
		scene_op(&s, OP_COMPUTE, 10000ull * MS, 0);
		scene_op(&s, OP_EXIT, 0, 0);
		for (uint32_t i = 0; i < 16; i++)
			program_task(s.b, (struct task_spec){ .program = unpins,
							      .at_start = true,
							      .set = set });
		holds = scene_run(&s, 2000ull * MS, false);
	}
	for (uint32_t cpu = 0; holds && cpu < 8; cpu++)
		busy[cpu / 4] += sim_cpu_times(s.sim, cpu).user_ns;
	for (uint32_t node = 0; holds && node < 2; node++)
		holds = scene_within(&s, "ns of user time on a node of 4 cpus in 2 s", busy[node],
				     4 * 1600ull * MS, 4 * 2000ull * MS);
	scene_close(&s);
	return holds;
}

/* Half as many tasks as cpus, that run and sleep: waits while a cpu idles are below one percent. */
bool fact_cores_are_not_wasted(const struct conform_subject *subject, struct err *err)
{
	struct scene s;
	bool holds = scene_open(&s, subject, "numa:2 core:8 pu:1", err);

	if (holds) {
		uint32_t sleeper = program_begin(s.b, "sleeper");

		scene_op(&s, OP_LOOP, 1000, 0);
		scene_op(&s, OP_COMPUTE_EXP, 100000, 0);
		scene_op(&s, OP_SLEEP_EXP, 100000, 0);
		scene_op(&s, OP_END, 0, 0);
		scene_op(&s, OP_EXIT, 0, 0);
		for (uint32_t i = 0; i < 8; i++)
			program_task(s.b, (struct task_spec){ .program = sleeper,
							      .at_start = true,
							      .address_space = i });
		holds = scene_run(&s, 10000ull * MS, true);
	}
	holds = holds && scene_within(&s, "ns that cpus idled while tasks waited", s.wasted_ns, 0,
				      s.result.end_ns / 8);
	scene_close(&s);
	return holds;
}

/* Short tasks are born on cpus 2 and 3 while a task wakes up and runs on cpu 0 again and again. */
bool fact_tasks_are_born_beside_a_busy_first_cpu(const struct conform_subject *subject,
						 struct err *err)
{
	struct scene s;
	bool holds = scene_open(&s, subject, "numa:1 core:4 pu:1", err);

	if (holds) {
		uint32_t first = scene_cpus(&s, 0, 0), others = scene_cpus(&s, 2, 3);
		uint32_t sleeper = program_begin(s.b, "sleeper"), brief;

		scene_op(&s, OP_LOOP, 20, 0);
		scene_op(&s, OP_SLEEP, 10000, 0);
		scene_op(&s, OP_COMPUTE, MS / 2, 0);
		scene_op(&s, OP_END, 0, 0);
		scene_op(&s, OP_EXIT, 0, 0);
		brief = program_begin(s.b, "brief");
		scene_op(&s, OP_COMPUTE, 10000, 0);
		scene_op(&s, OP_EXIT, 0, 0);
		program_task(s.b, (struct task_spec){
					  .program = sleeper, .at_start = true, .set = first });
		for (uint32_t i = 0; i < 40; i++)
			program_task(s.b, (struct task_spec){ .program = brief,
							      .at_start = true,
							      .set = others });
		holds = scene_run(&s, 100 * MS, true) &&
			scene_within(&s, "ns of user time on the first cpu",
				     sim_cpu_times(s.sim, 0).user_ns, 9 * MS, 11 * MS);
	}
	scene_close(&s);
	return holds;
}
