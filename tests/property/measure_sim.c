/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random runs of the simulation held against the trace checker, which knows nothing of it, and
 * what the simulation says of tasks against what the trace says. SEED=n replays one.
 */
#include "measure/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../support/sim_random.h"

enum { SCENARIOS = 1000 };

static struct measure_config measure_of(struct arena *arena, const struct sim_config *config)
{
	const struct program_set *programs = config->programs;
	uint32_t *task_set = ARENA_ARRAY(arena, uint32_t, programs->nr_tasks);

	for (uint32_t task = 0; task < programs->nr_tasks; task++)
		task_set[task] = programs->task[task].set;
	return (struct measure_config){ .machine = config->machine,
					.max_tasks = programs->nr_tasks,
					.nr_sets = programs->nr_sets,
					.set = programs->set,
					.task_set = task_set };
}

static void run_once(uint64_t seed)
{
	struct arena arena;
	struct sim_config config;
	struct measure_config measured;
	struct trace_check *check;
	struct err err = { 0 };
	struct sim *sim;

	arena_init(&arena);
	config = sim_random_config(&arena, seed);
	measured = measure_of(&arena, &config);
	check = trace_check_new(&arena, &measured, UINT64_MAX);
	sim = sim_new(&arena, &config, &err);
	assert_non_null(sim);
	trace_add_sink(sim_trace(sim), trace_check_sink, check);
	assert_int_equal(sim_run(sim).status, SIM_DONE);
	if (trace_check_violation(check))
		fail_msg("seed %llu, %s: %s", (unsigned long long)seed, config.profile,
			 trace_check_violation(check));
	assert_true(trace_check_ended(check));
	for (uint32_t t = 0; t < config.programs->nr_tasks; t++) {
		struct sim_task_times times = sim_task_times(sim, t);

		/* Interrupts run in a task's time without being its own. */
		if (times.user_ns + times.system_ns > trace_check_times(check, t).run_ns)
			fail_msg("seed %llu: task %u ran longer than it was on a cpu",
				 (unsigned long long)seed, t);
	}
	sim_release(sim);
	arena_release(&arena);
}

static void what_is_traced_is_possible(void **state)
{
	const char *one = getenv("SEED");
	uint64_t first = one ? strtoull(one, NULL, 10) : 1;

	(void)state;
	for (uint64_t seed = first; seed < first + (one ? 1 : SCENARIOS); seed++)
		run_once(seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_traced_is_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
