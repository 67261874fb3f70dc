/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines through hwloc: synthetic strings, XML, this host. */
#include "machine/hwloc_read.h"

#include "machine/file.h"
#include "machine_helpers.h"

#include <hwloc.h>

static void synthetic_levels_become_units(void **state)
{
	struct machine *m = must_read("pack:2 numa:2 l3:2 core:4 pu:2");

	assert_int_equal(m->nr_cpus, 64);
	assert_int_equal(m->nr_packages, 2);
	assert_int_equal(m->nr_nodes, 4);
	assert_int_equal(m->nr_llcs, 8);
	assert_int_equal(m->nr_cores, 32);
	assert_int_equal(machine_tie(m, 0, 1), TIE_SMT);
	assert_int_equal(machine_tie(m, 0, 2), TIE_LLC);
	assert_int_equal(machine_tie(m, 0, 8), TIE_NODE);
	assert_int_equal(machine_tie(m, 0, 16), TIE_REMOTE);
	assert_false(m->has_clusters);
}

static void what_a_synthetic_string_leaves_out_is_said(void **state)
{
	struct machine *m = must_read("numa:2 core:24 pu:2");

	assert_int_equal(m->nr_cpus, 96);
	assert_int_equal(m->nr_llcs, 2);
	assert_true(assumes(m, "one package"));
	assert_true(assumes(m, "share one LLC"));
	assert_true(assumes(m, "distances are 10 and 20"));
	assert_true(assumes(m, "x86_64"));
}

static void an_l2_of_several_cores_is_a_cluster(void **state)
{
	struct machine *m = must_read("pack:1 l3:1 l2:3 core:4 pu:1");

	assert_true(m->has_clusters);
	assert_int_equal(m->nr_clusters, 3);
	assert_int_equal(m->nr_llcs, 1);
	m = must_read("pack:1 l2:3 core:4 pu:1");
	assert_false(m->has_clusters);
	assert_int_equal(m->nr_llcs, 3);
}

static void kernel_ids_are_os_indexes(void **state)
{
	struct machine *m = must_read("pack:1 core:3 pu:2(indexes=0,3,1,4,2,5)");

	assert_int_equal(machine_tie(m, 0, 3), TIE_SMT);
	assert_int_equal(machine_tie(m, 0, 1), TIE_LLC);
}

static void wrong_synthetic_strings_are_refused(void **state)
{
	must_refuse("core:0 pu:2", "without cpus");
	must_refuse("pack:100000 core:4 pu:1", "too many");
	must_refuse("pack:4096 core:4 pu:1", "too long");
	must_refuse("pack:99999999999999999999 core:4", "too many");
	must_refuse("foo:3 pu:1", "no hwloc synthetic machine");
	must_refuse("core:-3 pu:1", "no hwloc synthetic machine");
	must_refuse("core: pu:", "no hwloc synthetic machine");
	must_refuse("core:3 pu:1(indexes=", "no hwloc synthetic machine");
	must_refuse("pu:2 core:2", "no hwloc synthetic machine");
}

/* What lstopo would write for a synthetic machine. */
static const char *export_xml(const char *synthetic)
{
	hwloc_topology_t topology;
	char *buffer, *kept;
	int length;

	hwloc_topology_init(&topology);
	assert_int_equal(hwloc_topology_set_synthetic(topology, synthetic), 0);
	assert_int_equal(hwloc_topology_load(topology), 0);
	assert_int_equal(hwloc_topology_export_xmlbuffer(topology, &buffer, &length, 0), 0);
	kept = arena_strdup(&arena, buffer);
	hwloc_free_xmlbuffer(topology, buffer);
	hwloc_topology_destroy(topology);
	return kept;
}

static const char two_nodes[] = "pack:2 numa:1 l3:2 core:3 pu:2";

static void an_export_is_the_machine_it_came_from(void **state)
{
	const char *xml = export_xml(two_nodes);
	const char *path = scratch_file(".xml", xml, strlen(xml));
	struct machine *a = must_read(path), *b = must_read(two_nodes);

	remove(path);
	a->name = b->name;
	a->title = b->title;
	a->arch = b->arch;
	a->nr_assumed = b->nr_assumed = 0;
	assert_string_equal(machine_to_json(&arena, a), machine_to_json(&arena, b));
}

static void exports_of_version_three_are_read(void **state)
{
	char *xml = arena_strdup(&arena, export_xml(two_nodes));
	char *version = strstr(xml, "<topology version=\"2.");

	assert_non_null(version);
	version[strlen("<topology version=\"")] = '3';
	const char *path = scratch_file(".xml", xml, strlen(xml));
	struct machine *m = must_read(path);

	remove(path);
	assert_int_equal(m->nr_cpus, 24);
	assert_true(assumes(m, "version 3"));
}

static void damaged_exports_never_crash(void **state)
{
	const char *whole = export_xml("pack:2 core:2 pu:1");
	char *xml = arena_strdup(&arena, whole);
	size_t size = strlen(xml);

	must_refuse(scratch_file(".xml", "", 0), "no topology in it");
	must_refuse(scratch_file(".xml", "<x/>", 4), "no topology in it");
	for (size_t i = 0; i < size; i += 41) {
		static const char bytes[] = "9\"<>-0x ";
		struct err err = { 0 };
		struct arena own;

		xml[i] = bytes[i % (sizeof(bytes) - 1)];
		const char *path = scratch_file(".xml", xml, i % 3 ? size : i);

		arena_init(&own);
		struct machine *m = machine_read(&own, path, &err);

		assert_true((m != NULL) != err.set);
		arena_release(&own);
		remove(path);
		xml[i] = whole[i];
	}
}

static void this_host_is_a_machine(void **state)
{
	struct machine *m = must_read("host");

	assert_int_equal(cpuset_weight(&m->online), sysconf(_SC_NPROCESSORS_ONLN));
	assert_string_equal(m->name, "host");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(synthetic_levels_become_units),
		FACT(what_a_synthetic_string_leaves_out_is_said),
		FACT(an_l2_of_several_cores_is_a_cluster),
		FACT(kernel_ids_are_os_indexes),
		FACT(wrong_synthetic_strings_are_refused),
		FACT(an_export_is_the_machine_it_came_from),
		FACT(exports_of_version_three_are_read),
		FACT(damaged_exports_never_crash),
		FACT(this_host_is_a_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
