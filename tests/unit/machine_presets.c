/* SPDX-License-Identifier: GPL-2.0-only */
/* The machines that come with the program: shapes, sources, round trip, start-up time. */
#include "machine/presets.h"

#include "machine_helpers.h"

static void presets_are_sorted_and_named_by_file(void **state)
{
	for (uint32_t i = 0; i < machine_nr_presets(); i++) {
		if (i)
			assert_true(strcmp(machine_preset_name(i - 1), machine_preset_name(i)) < 0);
		assert_true(strlen(machine_preset_title(i)) > 10);
	}
	assert_true(machine_nr_presets() >= 4);
}

static void every_preset_is_read_and_sound(void **state)
{
	for (uint32_t i = 0; i < machine_nr_presets(); i++) {
		struct err err = { 0 };

		struct machine *m = must_read(machine_preset_name(i));

		assert_string_equal(m->name, machine_preset_name(i));
		assert_true(machine_check(m, &err));
		for (int c = 0; c < NR_COSTS; c++)
			assert_true(strlen(m->costs.of[c].source) > 5);
	}
}

static void a_preset_written_and_read_back_is_the_same(void **state)
{
	for (uint32_t i = 0; i < machine_nr_presets(); i++) {
		struct err err = { 0 };
		char path[128];
		FILE *out;

		char *first = machine_to_json(&arena, must_read(machine_preset_name(i)));

		snprintf(path, sizeof(path), "/tmp/schedlab-test-%d-%u.json", (int)getpid(), i);
		out = fopen(path, "w");
		assert_non_null(out);
		fputs(first, out);
		fclose(out);
		struct machine *again = machine_read(&arena, path, &err);

		remove(path);
		if (!again)
			fail_msg("%s:%d:%d: %s", err.where, err.line, err.column, err.what);
		assert_string_equal(first, machine_to_json(&arena, again));
	}
}

static void kunpeng_has_clusters_and_four_nodes(void **state)
{

	struct machine *m = must_read("kunpeng920");

	assert_int_equal(m->nr_cpus, 96);
	assert_int_equal(m->nr_cores, 96);
	assert_int_equal(m->nr_clusters, 24);
	assert_int_equal(m->nr_llcs, 4);
	assert_int_equal(m->nr_nodes, 4);
	assert_int_equal(m->nr_packages, 2);
	assert_true(m->has_clusters);
	assert_int_equal(machine_distance(m, 1, 3), 24);
	assert_int_equal(machine_distance(m, 3, 0), 22);
	assert_int_equal(machine_cost(m, COST_cpu), 2600);
	assert_int_equal(machine_tie(m, 0, 3), TIE_CLUSTER);
	assert_int_equal(machine_tie(m, 0, 4), TIE_LLC);
	assert_int_equal(machine_tie(m, 0, 24), TIE_REMOTE);
	assert_true(machine_line_ns(m, 0, 1) < machine_line_ns(m, 0, 4));
	assert_true(machine_line_ns(m, 0, 4) < machine_line_ns(m, 0, 24));
	assert_true(machine_line_ns(m, 0, 24) < machine_line_ns(m, 0, 48));
}

static void cooper_lake_has_192_cpus_with_threads_last(void **state)
{

	struct machine *m = must_read("cpx-4s");

	assert_int_equal(m->nr_cpus, 192);
	assert_int_equal(m->nr_cores, 96);
	assert_int_equal(m->nr_llcs, 4);
	assert_int_equal(machine_tie(m, 0, 96), TIE_SMT);
	assert_int_equal(machine_tie(m, 0, 1), TIE_LLC);
	assert_int_equal(m->cpu[24].node, 1);
	assert_true(m->costs.of[COST_syscall].inherited);
	assert_ptr_equal(strstr(m->costs.of[COST_syscall].source, "clx-8260-2s: "),
			 m->costs.of[COST_syscall].source);
	assert_false(m->costs.of[COST_cpu].inherited);
}

static void two_socket_presets_have_their_sizes(void **state)
{

	struct machine *clx = must_read("clx-8260-2s"), *snb = must_read("snb-2s");

	assert_int_equal(clx->nr_cpus, 96);
	assert_int_equal(machine_cost(clx, COST_cpu), 2400);
	assert_int_equal(machine_distance(clx, 0, 1), 21);
	assert_int_equal(machine_line_ns(clx, 0, 24), 134);
	assert_int_equal(snb->nr_cpus, 32);
	assert_int_equal(machine_cost(snb, COST_cpu), 2900);
	assert_true(snb->costs.idle_state[0].polling);
}

static void an_unknown_name_tells_the_nearest(void **state)
{
	struct err err = { 0 };

	assert_null(machine_read(&arena, "kunpeng", &err));
	assert_non_null(strstr(err.what, "unknown machine 'kunpeng'"));
	assert_non_null(strstr(err.what, "kunpeng920"));
	err = (struct err){ 0 };
	assert_null(machine_read(&arena, "", &err));
	assert_true(err.set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(presets_are_sorted_and_named_by_file),
		FACT(every_preset_is_read_and_sound),
		FACT(a_preset_written_and_read_back_is_the_same),
		FACT(kunpeng_has_clusters_and_four_nodes),
		FACT(cooper_lake_has_192_cpus_with_threads_last),
		FACT(two_socket_presets_have_their_sizes),
		FACT(an_unknown_name_tells_the_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
