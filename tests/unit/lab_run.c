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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_variants_than_a_report_holds_are_refused),
		cmocka_unit_test(more_swept_arguments_than_a_report_holds_are_refused),
		cmocka_unit_test(unknown_variant_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
