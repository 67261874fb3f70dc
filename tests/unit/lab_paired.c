/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts a wake-up, and what --explain makes of a kernel that counts nothing. */
#include "lab/explain.h"
#include "lab/paired.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static double value_of(const char *name, const struct stored_result *result)
{
	for (uint32_t i = 0; i < paired_nr_rows(); i++)
		if (strcmp(paired_name(i), name) == 0)
			return paired_value(i, result);
	fail_msg("there is no row %s", name);
	return NAN;
}

static void counts_are_divided_by_wake_ups(void **state)
{
	const struct stored_metric metric[] = { { "sched.ttwu_count", "", "", 4 },
						{ "kernel.accesses", "", "", 10 } };
	const struct stored_result result = { .nr_metrics = 2, .metric = metric };

	(void)state;
	assert_true(value_of("wakeup.accesses", &result) == 2.5);
	assert_true(isnan(value_of("wakeup.misses", &result)));
}

static void nothing_woken_gives_no_count(void **state)
{
	const struct stored_metric metric[] = { { "sched.ttwu_count", "", "", 0 },
						{ "kernel.accesses", "", "", 10 } };
	const struct stored_result result = { .nr_metrics = 2, .metric = metric };

	(void)state;
	assert_true(isnan(value_of("wakeup.accesses", &result)));
}

static void what_a_bare_kernel_did_not_count_is_not_explained_as_zero(void **state)
{
	const struct stored_metric metric[] = { { "sched.ttwu_count", "", "", 4 },
						{ "kernel.instructions", "", "", 0 },
						{ "migrations.smt", "", "", 0 } };
	const struct stored_result result = { .nr_metrics = 3, .metric = metric };
	uint32_t known = 0;

	(void)state;
	for (uint32_t i = 0; i < explain_nr_rows(); i++)
		known += isfinite(explain_value(i, &result));
	assert_int_equal(known, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_divided_by_wake_ups),
		cmocka_unit_test(nothing_woken_gives_no_count),
		cmocka_unit_test(what_a_bare_kernel_did_not_count_is_not_explained_as_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
