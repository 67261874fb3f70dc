/* SPDX-License-Identifier: GPL-2.0-only */
/* Sleeping and waking. */
#include "conform/facts.h"
#include "conform/scene.h"

enum { MS = 1000000 };

static void partner(struct scene *scene, uint32_t futex, uint32_t side)
{
	program_begin(scene->b, side ? "pong" : "ping");
	scene_op(scene, OP_LOOP, 300, 0);
	scene_op(scene, OP_COMPUTE_EXP, 2000, 0);
	for (uint32_t step = 0; step < 2; step++)
		program_op(scene->b,
			   (struct op){ .kind = step == side ? OP_FUTEX_WAKE : OP_FUTEX_WAIT,
					.a = step == side,
					.resource = futex + step,
					.by_base = 1 });
	scene_op(scene, OP_END, 0, 0);
	scene_op(scene, OP_EXIT, 0, 0);
}

static bool run_partners(struct scene *scene, uint32_t tasks)
{
	uint32_t futex = program_resource(scene->b, RESOURCE_FUTEX, 0, tasks);

	partner(scene, futex, 0);
	partner(scene, futex, 1);
	for (uint32_t i = 0; i < tasks; i++)
		program_task(scene->b, (struct task_spec){ .program = i % 2,
							   .at_start = true,
							   .address_space = i / 2,
							   .base = i / 2 * 2 });
	return scene_run(scene, 20000ull * MS, true);
}

bool fact_partners_never_miss_a_wake_up(const struct conform_subject *subject, struct err *err)
{
	struct scene s;
	bool holds =
		scene_open(&s, subject, "numa:2 l3:2 core:2 pu:2", err) && run_partners(&s, 40);

	scene_close(&s);
	return holds;
}

/* 100 sleeps of 10 ms on an idle machine take hardly longer than a second. */
bool fact_an_idle_machine_answers_at_once(const struct conform_subject *subject, struct err *err)
{
	struct scene s;
	bool holds = scene_open(&s, subject, "l3:2 core:4 pu:1", err);

	if (holds) {
		program_begin(s.b, "sleeper");
		scene_op(&s, OP_MARK, 0, 0);
		scene_op(&s, OP_LOOP, 100, 0);
		scene_op(&s, OP_SLEEP, 10 * MS, 0);
		scene_op(&s, OP_END, 0, 0);
		scene_op(&s, OP_MARK, 1, 0);
		scene_op(&s, OP_EXIT, 0, 0);
		program_task(s.b, (struct task_spec){ .at_start = true });
		holds = scene_run(&s, 20000ull * MS, true) &&
			scene_within(&s, "ns for 100 sleeps of 10 ms",
				     s.result.mark_ns[1] - s.result.mark_ns[0], 1000ull * MS,
				     1050ull * MS);
	}
	scene_close(&s);
	return holds;
}

bool fact_equal_runs_are_equal(const struct conform_subject *subject, struct err *err)
{
	uint64_t hash[2] = { 0 };
	bool holds = true;

	for (uint32_t i = 0; holds && i < 2; i++) {
		struct scene s;

		holds = scene_open(&s, subject, "numa:2 core:4 pu:2", err) && run_partners(&s, 60);
		hash[i] = s.result.trace_hash;
		scene_close(&s);
	}
	if (holds && hash[0] != hash[1])
		return err_set(err, "two equal runs have the trace hashes %016llx and %016llx",
			       (unsigned long long)hash[0], (unsigned long long)hash[1]);
	return holds;
}
