/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines as /sys describes them: dumps of real kernels, trees, damage. */
#include "machine/sysfs.h"

#include "machine_helpers.h"

#include "machine/file.h"

#include <sys/stat.h>

static void nodes_may_have_memory_alone(void **state)
{
	struct machine *m = must_read(data("mem-only-first.txt"));

	assert_int_equal(m->nr_cpus, 8);
	assert_int_equal(cpuset_weight(&m->nodes), 3);
	assert_true(cpuset_empty(&m->node_cpus[2]));
	assert_int_equal(machine_distance(m, 0, 1), 21);
	assert_int_equal(machine_distance(m, 2, 0), 20);
	assert_string_equal(m->arch, "x86_64");
	assert_int_equal(machine_distance(must_read(data("cpuless-hole.txt")), 0, 1), 30);
}

static void distances_may_be_asymmetric(void **state)
{
	struct machine *m = must_read(data("4n-asym.txt"));

	assert_int_equal(machine_distance(m, 0, 3), 25);
	assert_int_not_equal(machine_distance(m, 3, 0), 25);
}

static void offline_cpus_leave_holes(void **state)
{
	struct machine *m = must_read(data("hotplug-off3-5.txt"));

	assert_int_equal(m->nr_cpus, 16);
	assert_int_equal(cpuset_weight(&m->present), 14);
	assert_false(cpuset_has(&m->present, 3));
	assert_true(assumes(m, "cpus 3,5 are offline"));
}

static void arm_has_threads_clusters_and_no_caches(void **state)
{
	struct machine *m = must_read(data("arm-smt.txt"));

	assert_string_equal(m->arch, "arm64");
	assert_true(m->has_clusters);
	assert_int_equal(m->nr_clusters, 1);
	assert_int_equal(m->nr_cores, 4);
	assert_int_equal(machine_tie(m, 0, 1), TIE_SMT);
	assert_int_equal(machine_tie(m, 0, 2), TIE_CLUSTER);
	assert_true(assumes(m, "kunpeng920"));
}

static void fake_nodes_of_the_same_cpus_are_one(void **state)
{
	struct machine *m = must_read(data("opt-numafake4.txt"));

	assert_int_equal(cpuset_weight(&m->nodes), 1);
	assert_true(assumes(m, "cpus of an earlier one"));
}

static void a_grep_of_sys_needs_no_headings(void **state)
{
	static const char dump[] =
		"/proc/cpuinfo:vendor_id\t: AuthenticAMD\n"
		"/proc/cpuinfo:cpu family\t: 25\n"
		"/sys/devices/system/cpu/online:0-3\n"
		"/sys/devices/system/cpu/cpu0/topology/thread_siblings:3\n"
		"/sys/devices/system/cpu/cpu1/topology/thread_siblings:00000000,00000003\n"
		"/sys/devices/system/cpu/cpu2/topology/core_cpus_list:2-3\n"
		"/sys/devices/system/cpu/cpu3/topology/core_cpus_list:2-3\n"
		"/sys/devices/system/cpu/cpu0/cpufreq/base_frequency:2100000\n"
		"/sys/devices/system/cpu/cpu0/cache/index2/level:2\n"
		"/sys/devices/system/cpu/cpu0/cache/index2/size:1280K\n"
		"/sys/devices/system/cpu/cpu0/cpuidle/state0/name:POLL\n"
		"/sys/devices/system/cpu/cpu0/cpuidle/state0/latency:0\n"
		"/sys/devices/system/cpu/cpu0/cpuidle/state1/name:C1\n"
		"/sys/devices/system/cpu/cpu0/cpuidle/state1/latency:3\n"
		"/sys/devices/system/cpu/cpu0/cpuidle/state1/residency:7\n"
		"/sys/devices/system/cpu/vulnerabilities/mds:Not affected\n"
		"/sys/devices/system/node/online:0\n"
		"/sys/devices/system/node/node0/cpumap:f\n";
	const char *path = scratch_file(".txt", dump, strlen(dump));
	struct machine *m = must_read(path);

	remove(path);
	assert_int_equal(m->nr_cpus, 4);
	assert_int_equal(m->nr_cores, 2);
	assert_int_equal(m->reclaim_distance, 32);
	assert_int_equal(machine_cost(m, COST_cpu), 2100);
	assert_int_equal(machine_cost(m, COST_l2), 1280);
	assert_int_equal(m->costs.nr_idle_states, 2);
	assert_true(m->costs.idle_state[0].polling);
	assert_int_equal(m->costs.idle_state[1].exit_latency_ns, 3000);
	assert_int_equal(m->costs.idle_state[1].target_residency_ns, 7000);
	assert_string_equal(m->costs.idle_source, "/sys: cpuidle");
}

static void refuse_dump(const char *dump, const char *words)
{
	const char *path = scratch_file(".txt", dump, strlen(dump));

	must_refuse(path, words);
	remove(path);
}

static void wrong_dumps_are_refused_with_line_and_reason(void **state)
{
	refuse_dump("", "describes no cpu");
	refuse_dump("hello\n", ".txt:1:1: found 'hello' (allowed: path:value");
	refuse_dump("cpu0/topology/core_cpus_list:0\ncpu1/topology/core_cpus_list:x\n", ":2:1:");
	refuse_dump("cpu0/topology/core_cpus_list:1\n", "the cpu itself is not among them");
	refuse_dump("cpu0/topology/core_cpus_list:0-9999\n", "beyond the last id");
	refuse_dump("cpu9999/topology/core_cpus_list:0\n", "cpu9999 is beyond the last id, 8191");
	refuse_dump("cpu0/topology/thread_siblings:zz\n",
		    "cpu0/topology/thread_siblings: found 'zz' (allowed: a mask of hexadecimal");
	refuse_dump("cpu0/topology/core_cpus_list:0\nnode0/cpumap:zz\n",
		    "node0/cpumap: found 'zz'");
	refuse_dump("cpu0/topology/core_cpus_list:0\ncpu0/cpu_capacity:0\n", "allowed: 1 to 1024");
	refuse_dump("cpu0/topology/core_cpus_list:0\nnode0/cpulist:0\nnode0/distance:10 20\n",
		    "allowed: 1 numbers");
	refuse_dump("cpu0/topology/core_cpus_list:0\nnode0/cpulist:0\nnode0/distance:9\n",
		    "allowed: 10");
	refuse_dump("cpu0/topology/core_cpus_list:0\nnode0/cpulist:0\nnode1/cpulist:\n"
		    "node0/distance:10 20\n",
		    "only 1 of 2 nodes");
	refuse_dump("cpu0/topology/core_cpus_list:0\nnode0/cpulist:0\nnode1/cpulist:0-1\n",
		    "on node 0 and on node 1");
	refuse_dump("cpu/online:4-\n", "no end");
}

/* The dump as a tree of files under root, which holds nothing else. */
static void plant(const char *root, char *dump)
{
	char *next, command[400];
	bool nodes = false;

	for (char *line = dump; line && *line; line = next) {
		char *colon, *path;
		FILE *out;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		nodes |= !strcmp(line, "### nodes");
		colon = strchr(line, ':');
		if (!colon || memchr(line, ' ', (size_t)(colon - line)))
			continue; /* headings and the kernel's version */
		*colon = '\0';
		path = arena_printf(&arena, "%s/sys/devices/system/%s/%s", root,
				    nodes ? "node" : "cpu", line);
		snprintf(command, sizeof(command), "mkdir -p $(dirname '%s')", path);
		assert_int_equal(system(command), 0);
		out = fopen(path, "w");
		assert_non_null(out);
		fprintf(out, "%s\n", colon + 1);
		fclose(out);
	}
}

static void a_tree_says_what_its_dump_says(void **state)
{
	const char *root = arena_printf(&arena, "/tmp/schedlab-test-tree-%d", (int)getpid());
	const char *source = data("hotplug-off3-5.txt");
	char *text, command[200];
	struct err err = { 0 };
	size_t size;

	text = file_read(&arena, source, &size, &err);
	assert_non_null(text);
	plant(root, text);
	struct machine *tree = must_read(root), *dump = must_read(source);
	struct machine *inner = must_read(arena_printf(&arena, "%s/sys", root));

	snprintf(command, sizeof(command), "rm -r '%s'", root);
	assert_int_equal(system(command), 0);
	tree->name = inner->name = dump->name;
	tree->title = inner->title = dump->title;
	/* A tree does not tell its architecture: the last sentences differ. */
	tree->nr_assumed = inner->nr_assumed = dump->nr_assumed = 0;
	assert_string_equal(machine_to_json(&arena, tree), machine_to_json(&arena, dump));
	assert_string_equal(machine_to_json(&arena, inner), machine_to_json(&arena, dump));
}

static void a_directory_without_cpus_is_refused(void **state)
{
	must_refuse("/proc/self/fd", "holds no cpu/");
	must_refuse("/nonexistent/tree", "holds no cpu/");
	must_refuse("nonexistent.txt", "cannot be opened");
}

static void damaged_dumps_never_crash(void **state)
{
	struct err err = { 0 };
	size_t size;
	char *text = file_read(&arena, data("mem-only-first.txt"), &size, &err);

	assert_non_null(text);
	for (size_t i = 0; i < size; i += 23) {
		static const char bytes[] = "0:9-/\n#,x";
		char kept = text[i];
		const char *path;

		text[i] = bytes[i % (sizeof(bytes) - 1)];
		for (int cut = 0; cut < 2; cut++) {
			struct err why = { 0 };
			struct arena own;

			path = scratch_file(".txt", text, cut ? i : size);
			arena_init(&own);
			struct machine *m = machine_read(&own, path, &why);

			assert_true((m != NULL) != why.set);
			arena_release(&own);
		}
		remove(path);
		text[i] = kept;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(nodes_may_have_memory_alone),
		FACT(distances_may_be_asymmetric),
		FACT(offline_cpus_leave_holes),
		FACT(arm_has_threads_clusters_and_no_caches),
		FACT(fake_nodes_of_the_same_cpus_are_one),
		FACT(a_grep_of_sys_needs_no_headings),
		FACT(wrong_dumps_are_refused_with_line_and_reason),
		FACT(a_tree_says_what_its_dump_says),
		FACT(a_directory_without_cpus_is_refused),
		FACT(damaged_dumps_never_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
