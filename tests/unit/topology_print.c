/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms in which a hierarchy is printed, and the copy benchmark's table. */
#include "topology/copy_bench.h"
#include "topology/print.h"
#include "topology_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

typedef void print_fn(FILE *out, const struct topology *t);

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

static char *printed(const struct topology *t, print_fn *print)
{
	char *text, *copy;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	print(out, t);
	fclose(out);
	copy = arena_strdup(&arena, text);
	free(text);
	return copy;
}

static struct topology *build(struct made made, const char *version,
			      const struct topology_options *options)
{
	struct machine *m = make_machine(&arena, made);
	struct topology_rules rules;
	struct topology *t;

	assert_true(topology_rules_for(version, m->arch, &rules, NULL));
	t = topology_build(&arena, m, &rules, options, NULL);
	assert_non_null(t);
	return t;
}

static void verbose_is_what_the_kernel_prints(void **state)
{
	const struct topology *t =
		build((struct made){ .nodes = 1, .cores = 2, .threads = 2 }, "v6.12", NULL);
	const char *expected = "CPU0 attaching sched-domain(s):\n"
			       " domain-0: span=0-1 level=SMT\n"
			       "  groups: 0:{ span=0 }, 1:{ span=1 }\n"
			       "  domain-1: span=0-3 level=MC\n"
			       "   groups: 0:{ span=0-1 cap=2048 }, 2:{ span=2-3 cap=2048 }\n"
			       "CPU1 attaching sched-domain(s):\n"
			       " domain-0: span=0-1 level=SMT\n"
			       "  groups: 1:{ span=1 }, 0:{ span=0 }\n";

	assert_memory_equal(printed(t, topology_print_verbose), expected, strlen(expected));
}

static void verbose_tells_masks_and_cpus_without_domains(void **state)
{
	static const uint32_t line[] = { 10, 20, 30, 40, 20, 10, 20, 30,
					 30, 20, 10, 20, 40, 30, 20, 10 };
	struct cpuset isolated;
	struct topology_options options = { .isolated = &isolated };
	const char *text;

	isolated = cpuset_new(&arena, 8);
	cpuset_add(&isolated, 7);
	text = printed(
		build((struct made){ .nodes = 4, .cores = 2, .distance = line }, "v6.12", &options),
		topology_print_verbose);
	assert_non_null(strstr(text,
			       " 0:{ span=0-5 mask=0-1 cap=6144 }, 6:{ span=2-6 mask=6 cap=5120 }"
			       "\n"));
	assert_non_null(strstr(text, "\nCPU7 attaching NULL sched-domain.\n"));
}

static void count_lines(const char *text, uint32_t *lines, uint32_t *widest)
{
	uint32_t width = 0;

	*lines = *widest = 0;
	for (; *text; text++) {
		if (*text == '\n') {
			*widest = width > *widest ? width : *widest;
			width = 0;
			(*lines)++;
		} else if ((*text & 0xc0) != 0x80) {
			width++;
		}
	}
}

static void tree_of_192_cpus_fits_a_screen(void **state)
{
	const struct topology *t =
		build((struct made){ .nodes = 4, .cores = 24, .threads = 2 }, "v6.12", NULL);
	const char *text = printed(t, topology_print_tree);
	uint32_t lines, widest;

	count_lines(text, &lines, &widest);
	assert_true(lines <= 24);
	assert_true(widest <= 100);
	assert_non_null(strstr(text,
			       "  NUMA of 192 cpus within distance 20, 4 groups of 48: 0-191\n"
			       "    4 x MC of 48 cpus, 24 groups of 2: 0-47 | 48-95 | 96-143 | "
			       "144-191\n"
			       "      24 x SMT of 2 cpus, 2 groups of 1: 0-1 | 2-3 | "));
}

static void tree_tells_cpus_without_domains_and_refused_levels(void **state)
{
	struct machine *m = make_machine(
		&arena, (struct made){ .nodes = 2, .cores = 2, .threads = 2, .arch = "arm64" });
	struct topology_rules rules = topology_rules_default("arm64");
	const char *text;

	m->cpu[1].node = 1;
	cpuset_del(&m->node_cpus[0], 1);
	cpuset_add(&m->node_cpus[1], 1);
	text = printed(topology_build(&arena, m, &rules, NULL, NULL), topology_print_tree);
	assert_non_null(strstr(text, "no domains: 0-7\n"));
	assert_non_null(strstr(text, "the kernel refuses level "));
}

static void json_has_the_documented_shape(void **state)
{
	const struct topology *t =
		build((struct made){ .nodes = 1, .cores = 2, .threads = 2 }, "v6.6", NULL);
	json_t *json = json_loads(printed(t, topology_print_json), 0, NULL);
	json_t *mc, *group;

	assert_non_null(json);
	mc = json_array_get(json_object_get(json_object_get(json, "cpus"), "2"), 1);
	assert_string_equal(json_string_value(json_object_get(mc, "level")), "MC");
	assert_string_equal(json_string_value(json_object_get(mc, "span")), "0-3");
	assert_int_equal(json_integer_value(json_object_get(mc, "imbalance_pct")), 117);
	group = json_array_get(json_object_get(mc, "groups"), 0);
	assert_string_equal(json_string_value(json_object_get(group, "span")), "2-3");
	assert_int_equal(json_integer_value(json_object_get(group, "capacity")), 2048);
	assert_string_equal(json_string_value(json_array_get(json_object_get(mc, "flags"), 4)),
			    "SD_SHARE_PKG_RESOURCES");
	json_decref(json);
}

static void dot_draws_each_domain_once(void **state)
{
	const struct topology *t =
		build((struct made){ .nodes = 1, .cores = 2, .threads = 2 }, "v6.12", NULL);

	assert_string_equal(printed(t, topology_print_dot),
			    "digraph topology {\n"
			    "  node [shape=box];\n"
			    "  \"0:0-1\" [label=\"SMT\\n0-1\\n2 groups\"];\n"
			    "  \"2:0-3\" -> \"0:0-1\";\n"
			    "  \"2:0-3\" [label=\"MC\\n0-3\\n2 groups\"];\n"
			    "  \"0:2-3\" [label=\"SMT\\n2-3\\n2 groups\"];\n"
			    "  \"2:0-3\" -> \"0:2-3\";\n"
			    "}\n");
}

static void copy_bench_tells_three_sizes_or_that_it_cannot(void **state)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int result = topology_copy_bench(out, 50);

	fclose(out);
	if (!result) {
		assert_non_null(strstr(text, "\n  128  warm"));
		assert_non_null(strstr(text, "\n  192  warm"));
		assert_non_null(strstr(text, "516.57 -> 85.33 (6.05)\n"));
	}
	assert_non_null(strstr(text, "topology-copy: "));
	free(text);
}

#define FACT(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(verbose_is_what_the_kernel_prints),
		FACT(verbose_tells_masks_and_cpus_without_domains),
		FACT(tree_of_192_cpus_fits_a_screen),
		FACT(tree_tells_cpus_without_domains_and_refused_levels),
		FACT(json_has_the_documented_shape),
		FACT(dot_draws_each_domain_once),
		FACT(copy_bench_tells_three_sizes_or_that_it_cannot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
