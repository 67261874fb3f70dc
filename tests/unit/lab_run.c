/* SPDX-License-Identifier: GPL-2.0-only */
/* What the laboratory refuses before any job runs. */
#include "lab/lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct experiment small_experiment(uint32_t nr_variants)
{
	struct experiment e;

	experiment_init(&e);
	e.machine = "1x2x1";
	e.profile = "v6.12";
	e.nr_variants = nr_variants;
	for (uint32_t v = 0; v < nr_variants; v++)
		e.variant[v] = "base";
	e.word[e.nr_words++] = "burn";
	return e;
}

/* Runs nothing: the message when it is refused. */
static void assert_refused(const struct experiment *e, bool aa, const char *wanted)
{
	struct lab_options options = { .aa = aa, .nr_workers = 1 };
	struct err err = { 0 };
	struct arena arena;
	struct lab lab;

	arena_init(&arena);
	assert_int_equal(lab_run(&lab, &arena, e, &options, &err), LAB_WRONG);
	if (!strstr(err.what, wanted))
		fail_msg("'%s' is not in '%s'", wanted, err.what);
	arena_release(&arena);
}

static void more_variants_than_a_report_holds_are_refused(void **state)
{
	struct experiment e = small_experiment(EXPERIMENT_MAX_VARIANTS);

	(void)state;
	assert_refused(&e, true, "17 variants");
}

static void more_swept_arguments_than_a_report_holds_are_refused(void **state)
{
	struct experiment e = small_experiment(2);

	(void)state;
	for (uint32_t i = 0; i <= REPORT_ARGS; i++) {
		e.word[e.nr_words++] = "-t";
		e.word[e.nr_words++] = "{2}";
	}
	assert_refused(&e, false, "9 arguments are swept");
}

static void unknown_variant_is_refused(void **state)
{
	struct experiment e = small_experiment(2);

	(void)state;
	e.variant[1] = "+NO_SUCH_FEATURE";
	assert_refused(&e, false, "NO_SUCH_FEATURE");
}

static void settings_that_reach_no_variant_are_refused(void **state)
{
	struct experiment e = small_experiment(2);

	(void)state;
	e.no_feedback = true;
	assert_refused(&e, false, "only counted kernels");
	e.no_feedback = false;
	e.engine = "modle";
	assert_refused(&e, false, "there is no engine 'modle'");
}

static void a_missing_kernel_is_told_with_the_command_that_makes_it(void **state)
{
	struct experiment e = small_experiment(2);

	(void)state;
	e.variant[1] = "kernel:no-such-kernel";
	assert_refused(&e, false, "'no-such-kernel'");
	e.kernel[e.nr_kernels++] = (struct kernel_recipe){ "no-such-kernel", "make it so" };
	assert_refused(&e, false, "this makes it: make it so");
}

static void every_base_has_a_table_of_its_own(void **state)
{
	struct experiment e = small_experiment(5);
	struct lab_options options = { .nr_workers = 1 };
	struct report *report;
	struct err err = { 0 };
	struct arena arena;
	struct lab lab;

	(void)state;
	arena_init(&arena);
	e.nr_seeds = 2;
	e.variant[2] = "v6.1";
	e.variant[3] = "v5.12";
	e.base_of[2] = e.base_of[3] = e.base_of[4] = 2;
	assert_int_equal(lab_run(&lab, &arena, &e, &options, &err), LAB_FINISHED);
	assert_int_equal(lab_next_base(&lab, 1), 2);
	assert_int_equal(lab_next_base(&lab, 3), lab.nr_variants);
	report = lab_report(&lab, 0, &err);
	assert_int_equal(report->variants, 2);
	report = lab_report(&lab, 2, &err);
	assert_int_equal(report->variants, 3);
	assert_string_equal(report->variant[0].name, "v6.1");
	assert_string_equal(report->variant[2].name, "base");
	assert_int_equal(report->row[0]->cell[2].sample.count, 2);
	assert_null(lab_variant_failure(&lab, 3));
	lab_slot(&lab, 0, 3, 0)->failure = "gone";
	assert_null(lab_variant_failure(&lab, 3));
	lab_slot(&lab, 0, 3, 1)->failure = "gone too";
	assert_string_equal(lab_variant_failure(&lab, 3), "gone");
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_variants_than_a_report_holds_are_refused),
		cmocka_unit_test(more_swept_arguments_than_a_report_holds_are_refused),
		cmocka_unit_test(unknown_variant_is_refused),
		cmocka_unit_test(settings_that_reach_no_variant_are_refused),
		cmocka_unit_test(a_missing_kernel_is_told_with_the_command_that_makes_it),
		cmocka_unit_test(every_base_has_a_table_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
