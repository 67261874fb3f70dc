/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines written as hwloc synthetic strings. */
#include "machine_helpers.h"

static const char *written(const char *spec)
{
	struct err err = { 0 };
	const char *text = machine_to_synthetic(&arena, must_read(spec), &err);

	if (!text)
		fail_msg("%s: %s", spec, err.what);
	return text;
}

/* Reading what was written gives the same units. */
static void survives(const char *spec)
{
	struct machine *a = must_read(spec), *b = must_read(written(spec));

	assert_true(cpuset_equal(&a->present, &b->present));
	assert_true(cpuset_equal(&a->nodes, &b->nodes));
	cpuset_for_each (cpu, &a->present)
		assert_memory_equal(&a->cpu[cpu], &b->cpu[cpu], sizeof(a->cpu[cpu]));
}

static struct machine *read_json(const char *text)
{
	struct err err = { 0 };
	struct machine *m = json_read_machine(&arena, "x", "x", text, strlen(text), &err);

	if (!m)
		fail_msg("%d:%d: %s", err.line, err.column, err.what);
	return m;
}

/* The cpus, nodes and distances of a JSON machine, and what is said of its export. */
static void refuses(const char *units, const char *words)
{
	struct err err = { 0 };
	struct machine *m = read_json(arena_printf(
		&arena, "{\"arch\": \"x86_64\", \"inherit\": \"clx-8260-2s\", %s}", units));

	assert_null(machine_to_synthetic(&arena, m, &err));
	assert_true(err.set);
	if (!strstr(err.what, words))
		fail_msg("'%s' lacks '%s'", err.what, words);
}

static void levels_are_written_from_outside_in(void **state)
{
	assert_string_equal(written("2x4x1"), "pack:2 numa:1 l3:1 core:4 pu:1");
	assert_string_equal(written("pack:2 numa:2 l3:2 core:4 pu:2"),
			    "pack:2 numa:2 l3:2 core:4 pu:2");
	assert_string_equal(written("pack:2 die:2 numa:1 l3:1 l2:2 core:4 pu:2"),
			    "pack:2 numa:2 die:1 l3:1 l2:2 core:4 pu:2");
	assert_string_equal(written("1x1x1"), "pack:1 numa:1 l3:1 core:1 pu:1");
}

static void ids_that_follow_no_tree_are_loops(void **state)
{
	assert_string_equal(written("2x24x2"),
			    "pack:2 numa:1 l3:1 core:24 pu:2(indexes=2*24:48*2:1*2)");
	survives("4x24x2");
	survives("pack:2 numa:2(indexes=2,0,3,1) core:3 pu:2(indexes=0,3,1,4,2,5,6,9,7,10,8,11)");
}

static void nodes_and_llcs_may_span(void **state)
{
	survives("pack:1 l3:1 numa:4 core:2 pu:1");
	survives("numa:1 pack:2 l3:2 core:2 pu:2");
}

static void presets_with_plain_distances_survive(void **state)
{
	uint32_t written_ones = 0;

	for (uint32_t i = 0; i < machine_nr_presets(); i++) {
		struct machine *m = must_read(machine_preset_name(i));
		struct err err = { 0 };

		if (machine_to_synthetic(&arena, m, &err)) {
			survives(machine_preset_name(i));
			written_ones++;
		} else {
			assert_non_null(strstr(err.what, "no synthetic form: the distance"));
		}
	}
	print_message("%u of %u presets have a synthetic form\n", written_ones,
		      machine_nr_presets());
}

#define CPU(cpu, core, llc, node, more)                                                            \
	"{\"cpu\": " #cpu ", \"core\": " #core ", \"llc\": " #llc                                  \
	", \"die\": 0, \"package\": 0, \"node\": " #node more "}"
#define CPUS(a, b, c, d, nodes) "\"cpus\": [" a "," b "," c "," d "], \"nodes\": " nodes

static void what_no_string_says_is_named(void **state)
{
	refuses(CPUS(CPU(0, 0, 0, 0, ""), CPU(1, 1, 0, 0, ""), CPU(2, 2, 0, 0, ""),
		     CPU(3, 3, 0, 0, ", \"online\": false"), "[0], \"distances\": [[10]]"),
		"cpu 3 is offline");
	refuses(CPUS(CPU(0, 0, 0, 0, ""), CPU(1, 1, 0, 0, ""), CPU(2, 2, 0, 0, ""),
		     CPU(3, 3, 0, 0, ", \"capacity\": 446"), "[0], \"distances\": [[10]]"),
		"capacity of 446");
	refuses(CPUS(CPU(0, 0, 0, 0, ""), CPU(1, 1, 0, 0, ""), CPU(2, 2, 0, 0, ""),
		     CPU(3, 3, 0, 0, ""), "[0, 1], \"distances\": [[10, 20], [20, 10]]"),
		"node 1 has no cpu");
	refuses(CPUS(CPU(0, 0, 0, 0, ""), CPU(1, 1, 0, 0, ""), CPU(2, 2, 1, 1, ""),
		     CPU(3, 3, 1, 1, ""), "[0, 1], \"distances\": [[10, 20], [21, 10]]"),
		"from node 1 to node 0 is 21");
	refuses(CPUS(CPU(0, 0, 0, 0, ""), CPU(1, 0, 0, 0, ""), CPU(2, 2, 0, 0, ""),
		     CPU(3, 3, 0, 0, ""), "[0], \"distances\": [[10]]"),
		"not regular");
	refuses(CPUS(CPU(0, 0, 0, 0, ""), CPU(1, 1, 0, 1, ""), CPU(2, 2, 1, 0, ""),
		     CPU(3, 3, 1, 1, ""), "[0, 1], \"distances\": [[10, 20], [20, 10]]"),
		"not regular");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(levels_are_written_from_outside_in),
		FACT(ids_that_follow_no_tree_are_loops),
		FACT(nodes_and_llcs_may_span),
		FACT(presets_with_plain_distances_survive),
		FACT(what_no_string_says_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
