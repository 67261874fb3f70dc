/* SPDX-License-Identifier: GPL-2.0-only */
/* The record: ties, transfer costs, invariants. */
#include "machine/machine.h"

#include "machine_helpers.h"

static void ties_go_from_near_to_far(void **state)
{
	struct machine *m = must_read("kunpeng920");

	assert_int_equal(machine_tie(m, 5, 5), TIE_SELF);
	assert_int_equal(machine_tie(m, 5, 6), TIE_CLUSTER);
	assert_int_equal(machine_tie(m, 5, 8), TIE_LLC);
	assert_int_equal(machine_tie(m, 5, 95), TIE_REMOTE);
	assert_int_equal(machine_tie(must_read("pack:1 l3:2 core:2 pu:1"), 1, 2), TIE_NODE);
	assert_int_equal(machine_tie(must_read("1x2x2"), 0, 2), TIE_SMT);
}

static void a_line_costs_what_its_tie_costs(void **state)
{
	struct machine *m = must_read("kunpeng920");

	assert_int_equal(machine_line_ns(m, 3, 3), 0);
	assert_int_equal(machine_line_ns(m, 0, 1), machine_cost(m, COST_line_cluster));
	assert_int_equal(machine_line_ns(m, 0, 4), machine_cost(m, COST_line_llc));
	assert_int_equal(machine_line_ns(m, 0, 24), machine_distance_ns(m, 12));
	assert_int_equal(machine_line_ns(m, 24, 72), machine_distance_ns(m, 24));
}

static void distances_without_a_row_lie_on_the_line_between_rows(void **state)
{
	struct machine *m = must_read("clx-8260-2s");

	m->costs.of[COST_line_node].value = 50;
	m->costs.nr_distances = 2;
	m->costs.line_distance[0] = (struct distance_cost){ 20, { 100, "test", false } };
	m->costs.line_distance[1] = (struct distance_cost){ 30, { 90, "test", false } };
	assert_int_equal(machine_distance_ns(m, 20), 100);
	assert_int_equal(machine_distance_ns(m, 30), 90);
	assert_int_equal(machine_distance_ns(m, 25), 95);
	assert_int_equal(machine_distance_ns(m, 15), 75);
	assert_int_equal(machine_distance_ns(m, 60), 180);
}

static void cycles_become_nanoseconds_rounded_down(void **state)
{
	struct machine *m = must_read("clx-8260-2s");

	assert_int_equal(machine_cycles_ns(m, 2400), 1000);
	assert_int_equal(machine_cycles_ns(m, 2399), 999);
	assert_int_equal(machine_cycles_ns(m, 0), 0);
}

static void cost_names_carry_their_unit(void **state)
{
	assert_string_equal(cost_name(COST_line_llc), "line_llc_ns");
	assert_string_equal(cost_name(COST_cpu), "cpu_mhz");
	assert_string_equal(cost_unit(COST_syscall), "cycles");
	for (int i = 0; i < NR_COSTS; i++) {
		assert_true(cost_min((enum cost)i) < cost_max((enum cost)i));
		assert_true(strlen(cost_phrase((enum cost)i)) > 5);
	}
}

static void must_be_unsound(struct machine *m, const char *words)
{
	struct err err = { 0 };

	assert_false(machine_check(m, &err));
	if (!strstr(err.what, words))
		fail_msg("'%s' lacks '%s'", err.what, words);
}

static void check_finds_each_violation(void **state)
{
	struct machine *m = must_read("2x4x2");

	assert_true(machine_check(m, NULL));
	m->distance[1] = 9;
	must_be_unsound(m, "from node 0 to node 1 is 9");
	m->distance[1] = 10;
	must_be_unsound(m, "allowed: 11 to 255");
	m->distance[1] = 256;
	must_be_unsound(m, "is 256");
	m->distance[1] = 20;
	m->distance[3] = 11;
	must_be_unsound(m, "node 1 to itself");
	m->distance[3] = 10;
	m->cpu[3].capacity = 0;
	must_be_unsound(m, "cpu 3 has capacity 0");
	m->cpu[3].capacity = 1024;
	m->cpu[8].llc = 1;
	must_be_unsound(m, "core of cpu 0 lies in more than one LLC");
	m->cpu[8].llc = 0;
	m->cpu[2].core = 7;
	must_be_unsound(m, "core ids are not numbered");
	m->cpu[2].core = 2;
	m->cpu[1].node = 1;
	must_be_unsound(m, "node 1 does not list its cpu 1");
	m->cpu[1].node = 0;
	m->costs.of[COST_cpu].value = 0;
	must_be_unsound(m, "cpu_mhz is 0");
	m->costs.of[COST_cpu].value = 1000;
	m->costs.idle_state[1].exit_latency_ns = 1000000000;
	must_be_unsound(m, "leaves faster");
	m->costs.idle_state[1].exit_latency_ns = 2000;
	assert_true(machine_check(m, NULL));
	cpuset_clear(&m->online);
	must_be_unsound(m, "no cpu is online");
}

static void clusters_and_llcs_nest_either_way(void **state)
{
	struct machine *m = must_read("1x4x1");

	m->has_clusters = true;
	m->nr_clusters = 2;
	m->nr_llcs = 1;
	for (uint32_t cpu = 0; cpu < 4; cpu++)
		m->cpu[cpu].cluster = cpu / 2;
	assert_true(machine_check(m, NULL));
	m->nr_clusters = 1;
	m->nr_llcs = 2;
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		m->cpu[cpu].cluster = 0;
		m->cpu[cpu].llc = cpu / 2;
	}
	assert_true(machine_check(m, NULL));
	m->nr_clusters = 2;
	m->cpu[3].cluster = m->cpu[1].cluster = 1;
	m->cpu[2].cluster = 1;
	must_be_unsound(m, "overlap");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(ties_go_from_near_to_far),
		FACT(a_line_costs_what_its_tie_costs),
		FACT(distances_without_a_row_lie_on_the_line_between_rows),
		FACT(cycles_become_nanoseconds_rounded_down),
		FACT(cost_names_carry_their_unit),
		FACT(check_finds_each_violation),
		FACT(clusters_and_llcs_nest_either_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
