/* SPDX-License-Identifier: GPL-2.0-only */
/* Costs come from the machine and the layout, and from nothing else. */
#include "lab/job.h"
#include "machine/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct outcome {
	uint64_t hash;
	double headline;
};

static struct outcome run(const char *machine, const char *set, const char *variant, uint64_t seed)
{
	static const char *const words[] = { "numactl", "-N", "0",  "hackbench", "-p",
					     "-T",	"-l", "30", "-g",	 "4" };
	struct arena arena;
	struct err err = { 0 };
	struct variant_request request = { NULL, "v5.12", variant };
	struct variant resolved;
	struct job job = { .variant = &resolved, .seed = seed };
	struct job_outcome done;
	struct machine *m;
	struct outcome outcome;

	arena_init(&arena);
	m = machine_read(&arena, machine, &err);
	assert_non_null(m);
	if (set)
		assert_true(machine_set(&arena, m, set, &err));
	if (!variant_resolve(&resolved, &arena, &request, &err))
		fail_msg("%s", err.what);
	job.machine = m;
	job.command = &workload_expand(&arena, 10, words, &err)->command[0];
	if (!job_run(&arena, &job, &done, &err))
		fail_msg("%s", err.what);
	outcome = (struct outcome){ done.result.trace_hash, done.result.metric[0].value };
	arena_release(&arena);
	return outcome;
}

static void moving_has_idle_cores_to_its_own_line_changes_the_run(void **state)
{
	(void)state;
	assert_true(run("kunpeng920", NULL, "base", 1).hash !=
		    run("kunpeng920", NULL, "line.has_idle_cores=own", 1).hash);
}

static void cost_of_the_tie_crossed_changes_the_run(void **state)
{
	uint64_t hash = run("kunpeng920", NULL, "base", 1).hash;

	(void)state;
	assert_true(hash != run("kunpeng920", "line_llc_ns*2", "base", 1).hash);
	assert_true(hash != run("kunpeng920", "line_distance.12*2", "base", 1).hash);
	assert_true(hash != run("kunpeng920", "line_cluster_ns*2", "base", 1).hash);
}

static void dearer_lines_make_it_slower(void **state)
{
	(void)state;
	assert_true(run("kunpeng920", "line_llc_ns*4", "base", 1).headline >
		    run("kunpeng920", NULL, "base", 1).headline);
}

static void gated_read_touches_the_line_less(void **state)
{
	(void)state;
	assert_true(run("kunpeng920", NULL, "base", 1).hash !=
		    run("kunpeng920", NULL, "+SMT_GATED_IDLE_CORES", 1).hash);
}

static void spelling_of_a_variant_changes_nothing(void **state)
{
	uint64_t hash = run("kunpeng920", NULL, "base", 3).hash;

	(void)state;
	assert_true(hash == run("kunpeng920", NULL, "", 3).hash);
	assert_true(hash == run("kunpeng920", NULL, "v5.12", 3).hash);
	assert_true(hash == run("kunpeng920", NULL, "-SMT_GATED_IDLE_CORES", 3).hash);
	assert_true(hash == run("kunpeng920", NULL, "+SIS_PROP,-SIS_UTIL", 3).hash);
}

static void same_seed_gives_the_same_hash_and_another_does_not(void **state)
{
	(void)state;
	assert_true(run("kunpeng920", NULL, "base", 5).hash ==
		    run("kunpeng920", NULL, "base", 5).hash);
	assert_true(run("kunpeng920", NULL, "base", 5).hash !=
		    run("kunpeng920", NULL, "base", 6).hash);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moving_has_idle_cores_to_its_own_line_changes_the_run),
		cmocka_unit_test(cost_of_the_tie_crossed_changes_the_run),
		cmocka_unit_test(dearer_lines_make_it_slower),
		cmocka_unit_test(gated_read_touches_the_line_less),
		cmocka_unit_test(spelling_of_a_variant_changes_nothing),
		cmocka_unit_test(same_seed_gives_the_same_hash_and_another_does_not),
	};

	return cmocka_run_group_tests_name("costs", tests, NULL, NULL);
}
