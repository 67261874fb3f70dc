/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../support/command_line.h"

/* All cells, words apart by blanks, cells by "; ", each with its keys and values behind it. */
static void expands(void **state, const char *line, const char *wanted)
{
	struct fixture *f = *state;
	const struct workload_commands *all = expand_line(f, line);
	char text[2000] = "";
	size_t used = 0;

	if (!all)
		fail_msg("%s: %s", line, f->text);
	for (uint32_t i = 0; i < all->nr_commands; i++) {
		const struct workload_command *c = &all->command[i];

		used += (size_t)snprintf(text + used, sizeof(text) - used, i ? "; " : "");
		for (uint32_t k = 0; k < c->argc; k++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, k ? " %s" : "%s",
						 c->argv[k]);
		for (uint32_t k = 0; k < c->nr_swept; k++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, " [%s %s]",
						 c->key[k], c->value[k]);
	}
	assert_string_equal(text, wanted);
}

static void expand_refuses(void **state, const char *line, const char *wanted)
{
	struct fixture *f = *state;

	assert_null(expand_line(f, line));
	assert_string_equal(f->text, wanted);
}

static void a_command_without_sweep_is_one_cell(void **state)
{
	expands(state, "hackbench -g 4", "hackbench -g 4");
	expands(state, "", "");
	expands(state, "taskset -c 0-3,8 a-b 1.5 ../x.json - -- -5",
		"taskset -c 0-3,8 a-b 1.5 ../x.json - -- -5");
}

static void a_range_counts_by_its_step(void **state)
{
	expands(state, "w -g 2..6:2", "w -g 2 [-g 2]; w -g 4 [-g 4]; w -g 6 [-g 6]");
	expands(state, "w -g 1..2", "w -g 1 [-g 1]; w -g 2 [-g 2]");
	expands(state, "w -g 3..3", "w -g 3 [-g 3]");
}

static void a_range_may_fall_short_of_its_end(void **state)
{
	expands(state, "w -g 2..5:2", "w -g 2 [-g 2]; w -g 4 [-g 4]");
	expands(state, "w 1..9:100", "w 1 [argument 1 1]");
}

static void a_list_holds_words_and_ranges(void **state)
{
	expands(state, "w -g {2,8,4}", "w -g 2 [-g 2]; w -g 8 [-g 8]; w -g 4 [-g 4]");
	expands(state, "w {process,thread}",
		"w process [argument 1 process]; w thread [argument 1 thread]");
	expands(state, "w -g {1..2,8}", "w -g 1 [-g 1]; w -g 2 [-g 2]; w -g 8 [-g 8]");
}

static void attached_values_are_swept_too(void **state)
{
	expands(state, "w --groups=1..2", "w --groups=1 [--groups 1]; w --groups=2 [--groups 2]");
	expands(state, "w -g{1,3}", "w -g1 [-g 1]; w -g3 [-g 3]");
}

static void several_sweeps_give_their_product_with_the_last_fastest(void **state)
{
	expands(state, "w -g 1..2 -l {5,6}",
		"w -g 1 -l 5 [-g 1] [-l 5]; w -g 1 -l 6 [-g 1] [-l 6]; "
		"w -g 2 -l 5 [-g 2] [-l 5]; w -g 2 -l 6 [-g 2] [-l 6]");
}

static void prefixes_are_swept_too(void **state)
{
	expands(state, "numactl -N {0,1} w", "numactl -N 0 w [-N 0]; numactl -N 1 w [-N 1]");
}

static void the_largest_number_is_reached(void **state)
{
	expands(state, "w 18446744073709551614..18446744073709551615",
		"w 18446744073709551614 [argument 1 18446744073709551614]; "
		"w 18446744073709551615 [argument 1 18446744073709551615]");
}

static void malformed_sweeps_are_refused(void **state)
{
	expand_refuses(state, "w -g 5..2",
		       "sweep: '5..2' runs backwards (allowed: the smaller number first)");
	expand_refuses(state, "w -g 2..4:0", "sweep: '2..4:0' has step 0 (allowed: at least 1)");
	expand_refuses(state, "w -g 2..",
		       "sweep: '2..' is no range (allowed: FIRST..LAST or "
		       "FIRST..LAST:STEP)");
	expand_refuses(state, "w -g 2..x",
		       "sweep: '2..x' is no range (allowed: FIRST..LAST or "
		       "FIRST..LAST:STEP)");
	expand_refuses(state, "w -g 2...4",
		       "sweep: '2...4' is no range (allowed: FIRST..LAST or "
		       "FIRST..LAST:STEP)");
	expand_refuses(state, "w -g 1..4:",
		       "sweep: '1..4:' is no range (allowed: FIRST..LAST or "
		       "FIRST..LAST:STEP)");
	expand_refuses(state, "w -g 1..99999999999999999999",
		       "sweep: '1..99999999999999999999' is no range (allowed: FIRST..LAST or "
		       "FIRST..LAST:STEP)");
	expand_refuses(state, "w -g {}", "sweep: '{}' has an empty value (allowed: '{2,4,8}')");
	expand_refuses(state, "w -g {1,}", "sweep: '{1,}' has an empty value (allowed: '{2,4,8}')");
	expand_refuses(state, "w -g {1,2",
		       "sweep: '{1,2' has no closing brace (allowed: '{2,4,8}')");
	expand_refuses(state, "w -g {", "sweep: '{' has no closing brace (allowed: '{2,4,8}')");
	expand_refuses(state, "w -g {{1}}", "sweep: '{{1}}' has braces within braces");
	expand_refuses(state, "w -g {4,2,4}", "sweep: '{4,2,4}' has '4' twice");
	expand_refuses(state, "w -g {1..4,3}", "sweep: '{1..4,3}' has '3' twice");
}

static void huge_sweeps_are_refused_at_once(void **state)
{
	expand_refuses(state, "w -g 1..18446744073709551615",
		       "sweep: '1..18446744073709551615' has more than 1024 values");
	expand_refuses(state, "w 1..1024 1..2",
		       "sweep: the command stands for more than 1024 commands");
	expand_refuses(state, "w 1..1025", "sweep: '1..1025' has more than 1024 values");
	expand_refuses(state, "w 1..1024 1..1024 1..1024 1..1024 1..1024 1..1024",
		       "sweep: the command stands for more than 1024 commands");
}

static void commands_have_a_limited_size(void **state)
{
	struct fixture *f = *state;
	const char *argv[WORKLOAD_MAX_ARGS + 1];
	char *word = calloc(1, WORKLOAD_MAX_ARG_BYTES + 2);

	for (uint32_t i = 0; i <= WORKLOAD_MAX_ARGS; i++)
		argv[i] = "x";
	assert_non_null(workload_expand(&f->arena, WORKLOAD_MAX_ARGS, argv, &f->err));
	assert_null(workload_expand(&f->arena, WORKLOAD_MAX_ARGS + 1, argv, &f->err));
	assert_string_equal(f->err.what, "the workload has 65 arguments (allowed: at most 64)");
	memset(&f->err, 0, sizeof(f->err));
	memset(word, '{', WORKLOAD_MAX_ARG_BYTES + 1);
	argv[1] = word;
	assert_null(workload_expand(&f->arena, 2, argv, &f->err));
	assert_string_equal(f->err.what, "argument 1 is longer than 4096 bytes");
	free(word);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_command_without_sweep_is_one_cell),
		T(a_range_counts_by_its_step),
		T(a_range_may_fall_short_of_its_end),
		T(a_list_holds_words_and_ranges),
		T(attached_values_are_swept_too),
		T(several_sweeps_give_their_product_with_the_last_fastest),
		T(prefixes_are_swept_too),
		T(the_largest_number_is_reached),
		T(malformed_sweeps_are_refused),
		T(huge_sweeps_are_refused_at_once),
		T(commands_have_a_limited_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
