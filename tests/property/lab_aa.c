/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The noise floor: the same variant with other seeds must look changed in about 5 % of cells. Over
 * CELLS independent cells the count is binomial; the bounds leave out one case in ten thousand.
 */
#include "lab/job.h"
#include "machine/read.h"
#include "stats/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CELLS = 120, SEEDS = 8, FEWEST = 0, MOST = 16 };

static double headline(const struct machine *m, uint32_t cell, uint64_t seed)
{
	char loops[16], groups[16], size[16];
	const char *words[] = {
		"hackbench", "-l", loops, "-g", groups, "-s", size, "-f", "4", "-p"
	};
	struct arena arena;
	struct err err = { 0 };
	struct variant_request request = { .text = "base" };
	struct variant variant;
	struct job job = { .machine = m, .variant = &variant, .seed = seed };
	struct job_outcome done;
	double value;

	snprintf(loops, sizeof(loops), "%u", 10 + cell % 5);
	snprintf(groups, sizeof(groups), "%u", 1 + cell / 5 % 6);
	snprintf(size, sizeof(size), "%u", 50 + cell);
	arena_init(&arena);
	job.command = &workload_expand(&arena, 10, words, &err)->command[0];
	assert_true(variant_resolve(&variant, &arena, &request, &err));
	if (!job_run(&arena, &job, &done, &err))
		fail_msg("%s", err.what);
	value = done.result.metric[0].value;
	arena_release(&arena);
	return value;
}

static void same_variant_with_other_seeds_is_rarely_significant(void **state)
{
	struct arena arena;
	struct err err = { 0 };
	struct machine *m;
	uint32_t found = 0;

	(void)state;
	arena_init(&arena);
	m = machine_read(&arena, "1x4x2", &err);
	assert_non_null(m);
	for (uint32_t cell = 0; cell < CELLS; cell++) {
		double base[SEEDS], again[SEEDS];
		struct sides sides = { { base, SEEDS }, { again, SEEDS } };
		uint64_t first = 1 + 2 * SEEDS * (uint64_t)cell;

		for (uint32_t i = 0; i < SEEDS; i++) {
			base[i] = headline(m, cell, first + i);
			again[i] = headline(m, cell, first + SEEDS + i);
		}
		found += compare(sides, true, BETTER_LOWER).p < COMPARE_ALPHA;
	}
	printf("# %u of %d cells\n", found, CELLS);
	assert_in_range(found, FEWEST, MOST);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_variant_with_other_seeds_is_rarely_significant),
	};

	return cmocka_run_group_tests_name("a/a", tests, NULL, NULL);
}
