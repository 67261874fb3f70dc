/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NUMA machines whose domains were published on the mailing lists, in share/published/domains:
 * before and after the diameter fix, and with the distances of node 0's row alone.
 */
#include "topology/numa_type.h"
#include "topology/topology.h"
#include "topology_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

struct published {
	struct arena arena;
	json_t *json;
	struct machine *machine;
};

static void open_case(struct published *p, const char *name)
{
	const char *root = getenv("SCHEDLAB_SOURCE");
	uint32_t *distance, nr;
	json_t *rows;
	char *path;

	arena_init(&p->arena);
	path = arena_printf(&p->arena, "%s/share/published/domains/%s.json", root ? root : ".",
			    name);
	p->json = json_load_file(path, 0, NULL);
	assert_non_null(p->json);
	rows = json_object_get(p->json, "distance");
	nr = (uint32_t)json_array_size(rows);
	distance = ARENA_ARRAY(&p->arena, uint32_t, nr * nr);
	for (uint32_t i = 0; i < nr * nr; i++)
		distance[i] = (uint32_t)json_integer_value(
			json_array_get(json_array_get(rows, i / nr), i % nr));
	p->machine = make_machine(&p->arena,
				  (struct made){ .nodes = nr,
						 .cores = (uint32_t)json_integer_value(
							 json_object_get(p->json, "cpus_per_node")),
						 .distance = distance,
						 .arch = "arm64" });
}

static void close_case(struct published *p)
{
	json_decref(p->json);
	arena_release(&p->arena);
}

static struct topology *build(struct published *p, const char *version,
			      enum numa_distance_rule distances, enum overlap_rule overlap)
{
	struct topology_rules rules;
	struct err err = { 0 };
	struct topology *t;

	assert_true(topology_rules_for(version, p->machine->arch, &rules, &err));
	rules.numa_distances = distances;
	rules.overlap = overlap;
	t = topology_build(&p->arena, p->machine, &rules, NULL, &err);
	assert_non_null(t);
	if (!topology_check(t, &err))
		fail_msg("%s", err.what);
	return t;
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void same_set(const struct cpuset *set, const char *expected)
{
	char text[256];

	assert_string_equal(cpuset_print(set, text, sizeof(text)), expected);
}

static void same_group(const struct sched_group *g, const json_t *expected)
{
	same_set(g->span, text_of(expected, "span"));
	if (text_of(expected, "mask"))
		same_set(g->mask, text_of(expected, "mask"));
	else
		assert_ptr_equal(g->mask, g->span);
}

static void same_domain(const struct topology *t, const struct sched_domain *sd,
			const json_t *expected)
{
	const json_t *groups = json_object_get(expected, "groups");

	assert_string_equal(t->level[sd->level].name, text_of(expected, "level"));
	same_set(sd->span, text_of(expected, "span"));
	assert_int_equal(sd->nr_groups, json_array_size(groups));
	for (uint32_t i = 0; i < sd->nr_groups; i++)
		same_group(topology_group(t, sd, i), json_array_get(groups, i));
	assert_int_equal(sd->groups_miss_span,
			 json_is_false(json_object_get(expected, "groups_span_ok")));
}

static void same_hierarchy(const struct topology *t, json_t *cpus)
{
	assert_int_equal(json_object_size(cpus), t->nr_cpus);
	for (uint32_t cpu = 0; cpu < t->nr_cpus; cpu++) {
		uint32_t at = t->base[cpu];
		const json_t *chain;
		char name[16];

		snprintf(name, sizeof(name), "%u", cpu);
		chain = json_object_get(cpus, name);
		for (uint32_t i = 0; i < json_array_size(chain); i++) {
			assert_int_not_equal(at, DOMAIN_NONE);
			same_domain(t, &t->domain[at], json_array_get(chain, i));
			at = t->domain[at].parent;
		}
		assert_int_equal(at, DOMAIN_NONE);
	}
}

static json_t *derived(struct published *p, const char *key)
{
	return json_object_get(json_object_get(p->json, "derived"), key);
}

static void before_and_after(const char *name)
{
	struct published p;

	open_case(&p, name);
	same_hierarchy(build(&p, "v5.9", NUMA_DISTANCES_OF_ALL, OVERLAP_FROM_CHILD),
		       derived(&p, "before"));
	same_hierarchy(build(&p, "v5.12", NUMA_DISTANCES_OF_ALL, OVERLAP_FITS_SPAN),
		       derived(&p, "after"));
	close_case(&p);
}

static void kunpeng_920_before_and_after_the_diameter_fix(void **state)
{
	before_and_after("kunpeng920_4node_3hop");
}

static void segmented_bus_before_and_after_the_diameter_fix(void **state)
{
	before_and_after("segmented_bus_4node");
}

static void mesh_of_six_before_and_after_the_diameter_fix(void **state)
{
	before_and_after("mesh_6node");
}

static void ring_and_flat_machines_do_not_change(void **state)
{
	before_and_after("ring_4node");
	before_and_after("opteron6174_4node");
}

static void node_0_alone_hides_distances(void **state)
{
	struct published p;
	const json_t *row0;

	open_case(&p, "kunpeng920_edge0_numbering");
	row0 = derived(&p, "row0_only");
	same_hierarchy(build(&p, "v5.9", NUMA_DISTANCES_OF_NODE0, OVERLAP_FROM_CHILD),
		       json_array_get(row0, 1));
	same_hierarchy(build(&p, "v5.12", NUMA_DISTANCES_OF_ALL, OVERLAP_FITS_SPAN),
		       json_object_get(derived(&p, "all"), "after"));
	close_case(&p);
}

static void node_0_alone_on_the_kunpeng_920(void **state)
{
	struct published p;
	json_t *variant;

	open_case(&p, "kunpeng920_4node_3hop");
	variant = json_object_get(json_object_get(p.json, "variant_row0_only"), "derived");
	same_hierarchy(build(&p, "v5.9", NUMA_DISTANCES_OF_NODE0, OVERLAP_FROM_CHILD),
		       json_array_get(variant, 1));
	close_case(&p);
}

static void sched_debug_adds_what_is_farther_than_node_0_sees(void **state)
{
	struct published p;

	open_case(&p, "kunpeng920_4node_3hop");
	same_hierarchy(build(&p, "v5.9", NUMA_DISTANCES_GROWING, OVERLAP_FROM_CHILD),
		       derived(&p, "before"));
	close_case(&p);
}

static void type_of(const char *name, enum numa_type expected)
{
	struct published p;

	open_case(&p, name);
	assert_int_equal(
		topology_numa_type(build(&p, "v6.12", NUMA_DISTANCES_OF_ALL, OVERLAP_FITS_SPAN)),
		expected);
	close_case(&p);
}

static void numa_types_follow_from_the_distances(void **state)
{
	static const uint32_t backplane[] = { 10, 16, 32, 32, 16, 10, 32, 32,
					      32, 32, 10, 16, 32, 32, 16, 10 };
	struct topology_rules rules = topology_rules_default("x86_64");
	struct arena arena;
	struct machine *m;

	type_of("kunpeng920_4node_3hop", NUMA_GLUELESS_MESH);
	type_of("segmented_bus_4node", NUMA_GLUELESS_MESH);
	type_of("ring_4node", NUMA_GLUELESS_MESH);
	type_of("opteron6174_4node", NUMA_DIRECT);
	arena_init(&arena);
	m = make_machine(&arena, (struct made){ .nodes = 4, .cores = 2, .distance = backplane });
	assert_int_equal(topology_numa_type(topology_build(&arena, m, &rules, NULL, NULL)),
			 NUMA_BACKPLANE);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kunpeng_920_before_and_after_the_diameter_fix),
		cmocka_unit_test(segmented_bus_before_and_after_the_diameter_fix),
		cmocka_unit_test(mesh_of_six_before_and_after_the_diameter_fix),
		cmocka_unit_test(ring_and_flat_machines_do_not_change),
		cmocka_unit_test(node_0_alone_hides_distances),
		cmocka_unit_test(node_0_alone_on_the_kunpeng_920),
		cmocka_unit_test(sched_debug_adds_what_is_farther_than_node_0_sees),
		cmocka_unit_test(numa_types_follow_from_the_distances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
