/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines whose units do not lie in one plain order, as /sys and hwloc describe them. */
#include "machine_helpers.h"

static void counts(const struct machine *m, uint32_t cores, uint32_t clusters, uint32_t llcs,
		   uint32_t dies, uint32_t packages)
{
	assert_int_equal(m->nr_cores, cores);
	assert_int_equal(m->nr_clusters, clusters);
	assert_int_equal(m->nr_llcs, llcs);
	assert_int_equal(m->nr_dies, dies);
	assert_int_equal(m->nr_packages, packages);
}

static void hybrid_cores_have_threads_or_modules(void **state)
{
	struct machine *m = must_read(data("hybrid-smt.txt"));

	counts(m, 6, 3, 1, 1, 1);
	assert_int_equal(m->cpu[0].capacity, 1024);
	assert_int_equal(m->cpu[7].capacity, 623);
	assert_int_equal(machine_tie(m, 0, 1), TIE_SMT);
	assert_int_equal(machine_tie(m, 0, 2), TIE_LLC);
	assert_int_equal(machine_tie(m, 4, 7), TIE_CLUSTER);
	assert_int_equal(machine_tie(m, 3, 4), TIE_LLC);
	assert_int_equal(m->cpu[4].core, 2);
	assert_int_equal(m->cpu[7].core, 5);
}

static void little_cores_are_clusters_without_caches(void **state)
{
	struct machine *m = must_read(data("big-little.txt"));

	counts(m, 6, 2, 1, 1, 1);
	assert_string_equal(m->arch, "arm64");
	assert_int_equal(m->cpu[3].capacity, 446);
	assert_int_equal(m->cpu[4].capacity, 1024);
	assert_int_equal(machine_tie(m, 0, 3), TIE_CLUSTER);
	assert_int_equal(machine_tie(m, 3, 4), TIE_LLC);
	assert_true(assumes(m, "share one LLC"));
}

static void an_llc_may_span_nodes(void **state)
{
	struct machine *m = must_read(data("llc-spans-nodes.txt"));

	counts(m, 8, 8, 2, 2, 2);
	assert_int_equal(cpuset_weight(&m->nodes), 4);
	assert_int_equal(m->cpu[1].llc, m->cpu[2].llc);
	assert_int_not_equal(m->cpu[1].node, m->cpu[2].node);
	assert_int_equal(machine_distance(m, 0, 1), 11);
	assert_int_equal(machine_distance(m, 1, 2), 21);
	assert_int_equal(machine_tie(m, 0, 1), TIE_LLC);
	assert_int_equal(machine_tie(m, 1, 4), TIE_REMOTE);
}

static void dies_hold_modules_and_threads_come_last(void **state)
{
	struct machine *m = must_read(data("dies-modules.txt"));

	counts(m, 16, 8, 4, 4, 2);
	assert_int_equal(machine_tie(m, 0, 16), TIE_SMT);
	assert_int_equal(machine_tie(m, 0, 17), TIE_CLUSTER);
	assert_int_equal(machine_tie(m, 0, 2), TIE_LLC);
	assert_int_equal(machine_tie(m, 0, 4), TIE_NODE);
	assert_int_equal(machine_tie(m, 0, 8), TIE_REMOTE);
	assert_int_equal(m->cpu[7].die, 1);
	assert_int_equal(m->cpu[7].package, 0);
	assert_int_equal(m->cpu[23].die, m->cpu[7].die);
}

/* An export of four cores whose kinds are said, or not. */
static const char *kinds_xml(const char *kinds)
{
	static const char head[] =
		"<?xml version=\"1.0\"?>\n<topology version=\"2.0\">\n"
		"<object type=\"Machine\" os_index=\"0\" cpuset=\"0xf\" complete_cpuset=\"0xf\" "
		"allowed_cpuset=\"0xf\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "
		"allowed_nodeset=\"0x1\" gp_index=\"1\">\n"
		"<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0xf\" complete_cpuset=\"0xf\" "
		"nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"2\" local_memory=\"1\"/>\n";
	char *text = arena_strdup(&arena, head);

	for (int i = 0; i < 4; i++)
		text = arena_printf(&arena,
				    "%s<object type=\"PU\" os_index=\"%d\" cpuset=\"0x%d\" "
				    "complete_cpuset=\"0x%d\" nodeset=\"0x1\" "
				    "complete_nodeset=\"0x1\" gp_index=\"%d\"/>\n",
				    text, i, 1 << i, 1 << i, i + 3);
	text = arena_printf(&arena, "%s</object>\n%s</topology>\n", text, kinds);
	return scratch_file(".xml", text, strlen(text));
}

static void kinds_of_cpus_have_the_capacity_the_kernel_stated(void **state)
{
	const char *path = kinds_xml(
		"<cpukind cpuset=\"0x3\"><info name=\"LinuxCapacity\" value=\"400\"/></cpukind>\n"
		"<cpukind cpuset=\"0xc\"><info name=\"LinuxCapacity\" "
		"value=\"1024\"/></cpukind>\n");
	struct machine *m = must_read(path);

	assert_int_equal(m->cpu[1].capacity, 400);
	assert_int_equal(m->cpu[2].capacity, 1024);
	assert_false(assumes(m, "kinds"));
	path = kinds_xml(
		"<cpukind cpuset=\"0x3\"><info name=\"CoreType\" value=\"IntelAtom\"/></cpukind>\n"
		"<cpukind cpuset=\"0xc\"><info name=\"CoreType\" "
		"value=\"IntelCore\"/></cpukind>\n");
	m = must_read(path);
	remove(path);
	assert_int_equal(m->cpu[1].capacity, 1024);
	assert_true(assumes(m, "the cpus are of 2 kinds: all are taken at full capacity"));
}

/* Cpu 1 went offline: its sets, and theirs, no longer speak of it. */
static void stale_descriptions_of_offline_cpus_are_left_out(void **state)
{
	static const char dump[] = "cpu/online:0,2-3\ncpu/present:0-3\n"
				   "cpu0/topology/core_siblings_list:0\n"
				   "cpu1/topology/core_siblings_list:0\n"
				   "cpu2/topology/core_siblings_list:2-3\n"
				   "cpu3/topology/core_siblings_list:2-3\n";
	const char *path = scratch_file(".txt", dump, strlen(dump));
	struct machine *m = must_read(path);

	remove(path);
	assert_int_equal(cpuset_weight(&m->present), 3);
	assert_false(cpuset_has(&m->present, 1));
	assert_int_equal(m->nr_packages, 2);
	assert_true(assumes(m, "cpus 1 are offline"));
}

/* Node 0 went offline, and node 1 still tells the distance to it. */
static void distances_may_count_possible_nodes(void **state)
{
	static const char dump[] =
		"node/online:1\nnode/possible:0-1\nnode1/cpulist:0-1\n"
		"node1/distance:21 10\n"
		"cpu0/topology/core_cpus_list:0\ncpu1/topology/core_cpus_list:1\n";
	const char *path = scratch_file(".txt", dump, strlen(dump));
	struct machine *m = must_read(path);

	remove(path);
	assert_int_equal(cpuset_first(&m->nodes), 1);
	assert_int_equal(machine_distance(m, 1, 1), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(hybrid_cores_have_threads_or_modules),
		FACT(little_cores_are_clusters_without_caches),
		FACT(an_llc_may_span_nodes),
		FACT(dies_hold_modules_and_threads_come_last),
		FACT(kinds_of_cpus_have_the_capacity_the_kernel_stated),
		FACT(stale_descriptions_of_offline_cpus_are_left_out),
		FACT(distances_may_count_possible_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
