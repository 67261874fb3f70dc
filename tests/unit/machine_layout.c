/* SPDX-License-Identifier: GPL-2.0-only */
/* Sockets x cores x threads, wiring, limits. */
#include "machine/layout.h"

#include "machine_helpers.h"

static void grid_numbers_threads_last(void **state)
{
	struct machine *m = must_read("2x3x2");

	assert_int_equal(m->nr_cpus, 12);
	assert_int_equal(m->nr_cores, 6);
	assert_int_equal(m->nr_llcs, 2);
	assert_int_equal(m->nr_packages, 2);
	assert_int_equal(machine_tie(m, 1, 7), TIE_SMT);
	assert_int_equal(machine_tie(m, 1, 2), TIE_LLC);
	assert_int_equal(machine_tie(m, 2, 3), TIE_REMOTE);
	assert_int_equal(machine_tie(m, 4, 4), TIE_SELF);
	assert_false(m->has_clusters);
	assert_string_equal(m->name, "2x3x2");
}

static void grid_says_what_it_assumed(void **state)
{
	struct machine *m = must_read("2x3x2");

	assert_true(assumes(m, "one LLC"));
	assert_true(assumes(m, "first threads"));
	assert_true(assumes(m, "20 apart"));
	assert_true(assumes(m, "x86_64"));
	assert_true(assumes(m, "costs are those of clx-8260-2s"));
	assert_false(assumes(must_read("2x3x1/ring"), "20 apart"));
	assert_false(assumes(must_read("1x3x1"), "apart"));
}

static void ring_counts_hops_both_ways(void **state)
{
	struct machine *m = must_read("6x1x1/ring");

	assert_int_equal(machine_distance(m, 0, 1), 20);
	assert_int_equal(machine_distance(m, 0, 3), 40);
	assert_int_equal(machine_distance(m, 0, 5), 20);
	assert_int_equal(machine_distance(m, 4, 0), 30);
}

static void line_counts_hops_one_way_and_mesh_none(void **state)
{
	assert_int_equal(machine_distance(must_read("4x1x1/line"), 0, 3), 40);
	assert_int_equal(machine_distance(must_read("4x1x1/mesh"), 0, 3), 20);
	assert_int_equal(machine_distance(must_read("4x1x1"), 3, 3), 10);
}

static void largest_machine_is_read(void **state)
{
	struct machine *m = must_read("2x2048x2");

	assert_int_equal(m->nr_cpus, MACHINE_MAX_CPUS);
	assert_int_equal(m->nr_cores, 4096);
}

static void wrong_grids_are_refused_with_the_reason(void **state)
{
	must_refuse("0x4x2", "no cpu");
	must_refuse("4x0x2", "no cpu");
	must_refuse("4x4x0", "no cpu");
	must_refuse("8192x2x1", "too many");
	must_refuse("2x4096x2", "too many cpus");
	must_refuse("99999999999999999999999x1x1", "too many");
	must_refuse("2x18446744073709551615x1", "too many");
	must_refuse("2x4", "sockets x cores x threads");
	must_refuse("2x4x", "sockets x cores x threads");
	must_refuse("2x4x2x2", "unexpected 'x2'");
	must_refuse("2x4x2/rnig", "did you mean ring");
	must_refuse("2x4x2/", "unknown wiring");
	must_refuse("2x-4x2", "unknown machine");
	must_refuse("40x1x1/line", "too long");
}

static void uneven_shares_are_refused(void **state)
{
	struct layout l = { .packages = 1,
			    .dies_per_package = 1,
			    .nodes_per_package = 2,
			    .cores_per_node = 6,
			    .threads_per_core = 1,
			    .cores_per_cluster = 4 };
	struct err err = { 0 };
	struct draft d;

	assert_false(layout_draft(&d, &arena, &l, &err));
	assert_non_null(strstr(err.what, "6 cores of a node"));
	l.cores_per_cluster = 3;
	l.cores_per_llc = 5;
	err = (struct err){ 0 };
	assert_false(layout_draft(&d, &arena, &l, &err));
	l.cores_per_llc = 6;
	err = (struct err){ 0 };
	assert_true(layout_draft(&d, &arena, &l, &err));
	assert_int_equal(d.nr_cpus, 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(grid_numbers_threads_last),  FACT(grid_says_what_it_assumed),
		FACT(ring_counts_hops_both_ways), FACT(line_counts_hops_one_way_and_mesh_none),
		FACT(largest_machine_is_read),	  FACT(wrong_grids_are_refused_with_the_reason),
		FACT(uneven_shares_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
