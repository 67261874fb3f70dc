/* SPDX-License-Identifier: GPL-2.0-only */
/* Two hierarchies side by side, one of them perhaps from a kernel's log. */
#include "topology/diff.h"
#include "topology/print.h"
#include "topology_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct arena arena;

static int setup(void **state)
{
	arena_init(&arena);
	return 0;
}

static int teardown(void **state)
{
	arena_release(&arena);
	return 0;
}

static const uint32_t line[] = { 10, 20, 30, 40, 20, 10, 20, 30, 30, 20, 10, 20, 40, 30, 20, 10 };

static struct topology *build(struct made made, const char *version)
{
	struct machine *m = make_machine(&arena, made);
	struct topology_rules rules;

	assert_true(topology_rules_for(version, m->arch, &rules, NULL));
	return topology_build(&arena, m, &rules, NULL, NULL);
}

static struct hierarchy *from_text(const char *text, struct err *err)
{
	FILE *log = fmemopen(arena_strdup(&arena, text), strlen(text), "r");
	struct hierarchy *h = hierarchy_from_log(&arena, log, "log", err);

	fclose(log);
	return h;
}

/* The kernel's words with a time stamp before each line, as dmesg shows them. */
static const char *stamped(const struct topology *t)
{
	char *text, *stamped, *save;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	topology_print_verbose(out, t);
	fclose(out);
	stamped = arena_strdup(&arena, "[    0.1] smp: Brought up 4 nodes\n");
	for (char *at = strtok_r(text, "\n", &save); at; at = strtok_r(NULL, "\n", &save))
		stamped = arena_printf(&arena, "%s[    0.254321] %s\n", stamped, at);
	free(text);
	return stamped;
}

static const char *diff(const struct hierarchy *a, const struct hierarchy *b, uint32_t *nr)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *copy;

	*nr = hierarchy_diff(out, a, b);
	fclose(out);
	copy = arena_strdup(&arena, text);
	free(text);
	return copy;
}

static void a_log_of_the_same_machine_has_no_difference(void **state)
{
	const struct topology *t = build(
		(struct made){ .nodes = 4, .cores = 2, .threads = 2, .distance = line }, "v6.12");
	struct hierarchy *log = from_text(stamped(t), NULL);
	uint32_t nr;

	assert_non_null(log);
	assert_string_equal(diff(hierarchy_of(&arena, t, "ours"), log, &nr), "");
	assert_int_equal(nr, 0);
}

static void differences_of_several_cpus_are_told_once(void **state)
{
	struct made made = { .nodes = 1, .cores = 4, .threads = 2 };
	struct hierarchy *old = hierarchy_of(&arena, build(made, "v6.6"), "v6.6"), *new;
	uint32_t nr;

	made.cores_per_llc = 2;
	new = hierarchy_of(&arena, build(made, "v6.12"), "v6.12");
	assert_string_equal(diff(old, new, &nr), "cpus 0-1 domain-1\n"
						 "  v6.6: MC 0-7: {0-1} {2-3} {4-5} {6-7}\n"
						 "  v6.12: MC 0-3: {0-1} {2-3}\n"
						 "cpus 0-3 domain-2\n"
						 "  v6.6: none\n"
						 "  v6.12: PKG 0-7: {0-3} {4-7}\n"
						 "cpus 2-3 domain-1\n"
						 "  v6.6: MC 0-7: {2-3} {4-5} {6-7} {0-1}\n"
						 "  v6.12: MC 0-3: {2-3} {0-1}\n"
						 "cpus 4-5 domain-1\n"
						 "  v6.6: MC 0-7: {4-5} {6-7} {0-1} {2-3}\n"
						 "  v6.12: MC 4-7: {4-5} {6-7}\n"
						 "cpus 4-7 domain-2\n"
						 "  v6.6: none\n"
						 "  v6.12: PKG 0-7: {4-7} {0-3}\n"
						 "cpus 6-7 domain-1\n"
						 "  v6.6: MC 0-7: {6-7} {0-1} {2-3} {4-5}\n"
						 "  v6.12: MC 4-7: {6-7} {4-5}\n");
	assert_int_equal(nr, 6);
}

static void the_last_attach_counts_and_groups_may_go_on(void **state)
{
	const struct topology *t = build((struct made){ .nodes = 1, .cores = 2 }, "v6.12");
	struct hierarchy *log = from_text("CPU0 attaching sched-domain(s):\n"
					  " domain-0: span=0 level=SMT\n"
					  "CPU0 attaching NULL sched-domain.\n"
					  "CPU1 attaching NULL sched-domain.\n"
					  "CPU0 attaching sched-domain(s):\n"
					  " domain-0: span=0-1 level=MC\n"
					  "  groups: 0:{ span=0 },\n"
					  " 1:{ span=1 }\n"
					  "CPU1 attaching sched-domain(s):\n"
					  " domain-0: span=0-1 level=MC\n"
					  "  groups: 1:{ span=1 cap=1009 }, 0:{ span=0 }\n"
					  "root domain span: 0-1\n",
					  NULL);
	uint32_t nr;

	diff(hierarchy_of(&arena, t, "ours"), log, &nr);
	assert_int_equal(nr, 0);
}

static void the_words_of_old_kernels_are_read(void **state)
{
	const struct topology *t = build((struct made){ .nodes = 1, .cores = 2 }, "v5.9");
	struct hierarchy *log = from_text("CPU0 attaching sched-domain:\n"
					  " domain 0: span 0-1 level MC\n"
					  "  groups: 0 (cpu_capacity = 1023) 1\n"
					  "CPU1 attaching sched-domain:\n"
					  " domain 0: span 0-1 level MC\n"
					  "  groups: 1 0 (cpu_capacity = 1023)\n",
					  NULL);
	uint32_t nr;

	diff(hierarchy_of(&arena, t, "ours"), log, &nr);
	assert_int_equal(nr, 0);
}

static void refuse(const char *text, int line_number, const char *what)
{
	struct err err = { 0 };

	assert_null(from_text(text, &err));
	assert_string_equal(err.where, "log");
	assert_int_equal(err.line, line_number);
	if (strncmp(err.what, what, strlen(what)))
		fail_msg("%s", err.what);
}

static void malformed_logs_are_refused_with_their_line(void **state)
{
	refuse("nothing\n", 0, "no 'attaching sched-domain' line");
	refuse("CPU9999 attaching sched-domain(s):\n", 1, "no cpu of this program's:");
	refuse("x\nCPU0 attaching sched-domain(s):\n domain-0: span=0-x level=MC\n", 3,
	       "not a list of cpus:");
	refuse("CPU0 attaching sched-domain(s):\n domain-0: span=3-1 level=MC\n", 2,
	       "not a list of cpus:");
	refuse("CPU0 attaching sched-domain(s):\n domain-0: 0-1\n", 2, "no span and level in");
	refuse("CPU0 attaching sched-domain(s):\n domain-0: span=0-1 level=MC\n"
	       "  groups: 0:{ span= }\n",
	       3, "not a list of cpus:");
}

static void a_cpu_on_one_side_only_is_told(void **state)
{
	struct hierarchy *one = hierarchy_of(
		&arena, build((struct made){ .nodes = 1, .cores = 1 }, "v6.12"), "one");
	struct hierarchy *two = hierarchy_of(
		&arena, build((struct made){ .nodes = 1, .cores = 2 }, "v6.12"), "two");
	uint32_t nr;

	assert_non_null(strstr(diff(one, two, &nr), "cpus 1 only two has them\n"));
}

#define FACT(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(a_log_of_the_same_machine_has_no_difference),
		FACT(differences_of_several_cpus_are_told_once),
		FACT(the_last_attach_counts_and_groups_may_go_on),
		FACT(the_words_of_old_kernels_are_read),
		FACT(malformed_logs_are_refused_with_their_line),
		FACT(a_cpu_on_one_side_only_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
