/* SPDX-License-Identifier: GPL-2.0-only */
/* Changing single costs of a machine. */
#include "machine/read.h"

#include "machine_helpers.h"

static void must_set(struct machine *m, const char *text)
{
	struct err err = { 0 };

	if (!machine_set(&arena, m, text, &err))
		fail_msg("%s: %s", text, err.what);
	assert_true(machine_check(m, NULL));
}

static void must_not_set(struct machine *m, const char *text, const char *words)
{
	char *before = machine_to_json(&arena, m);
	struct err err = { 0 };

	assert_false(machine_set(&arena, m, text, &err));
	assert_true(err.set);
	if (!strstr(err.what, words))
		fail_msg("%s: '%s' lacks '%s'", text, err.what, words);
	assert_string_equal(before, machine_to_json(&arena, m));
}

static void a_value_replaces_and_names_its_source(void **state)
{
	struct machine *m = must_read("snb-2s");

	assert_true(m->costs.of[COST_pipe].inherited);
	must_set(m, "pipe_cycles=70");
	assert_int_equal(machine_cost(m, COST_pipe), 70);
	assert_string_equal(m->costs.of[COST_pipe].source, "--set");
	assert_false(m->costs.of[COST_pipe].inherited);
}

static void factors_scale_and_round_half_up(void **state)
{
	struct machine *m = must_read("clx-8260-2s");

	must_set(m, "line_llc_ns=100");
	must_set(m, "line_llc_ns*2");
	assert_int_equal(machine_cost(m, COST_line_llc), 200);
	must_set(m, "line_llc_ns*0.0125");
	assert_int_equal(machine_cost(m, COST_line_llc), 3);
	must_set(m, "line_llc_ns*1.5");
	assert_int_equal(machine_cost(m, COST_line_llc), 5);
}

static void distances_are_set_by_their_number(void **state)
{
	struct machine *m = must_read("kunpeng920");

	must_set(m, "line_distance.12=160");
	assert_int_equal(machine_line_ns(m, 0, 24), 160);
	must_set(m, "line_distance.24*2");
	assert_int_equal(machine_line_ns(m, 24, 72), 322);
	must_not_set(m, "line_distance.13=5", "allowed: 12, 20, 22, 24");
	must_not_set(m, "line_distance.10=5", "apart");
	must_not_set(m, "line_distance.x=5", "apart");
	must_not_set(m, "line_distance.12=0", "allowed: 1 to");
	must_not_set(must_read("1x2x1"), "line_distance.20=5", "one node");
}

static void a_distance_without_a_row_starts_from_the_interpolated_cost(void **state)
{
	struct machine *m = must_read("2x2x1");
	uint64_t before_ns = machine_line_ns(m, 0, 2);

	must_set(m, "line_distance.20*2");
	assert_int_equal(machine_line_ns(m, 0, 2), 2 * before_ns);
	assert_int_equal(machine_distance_ns(m, 21), 134);
}

static void idle_states_are_set_by_their_name(void **state)
{
	struct machine *m = must_read("clx-8260-2s");

	must_set(m, "idle.C6.exit_latency_ns=200000");
	must_set(m, "idle.C1.target_residency_ns*2");
	assert_int_equal(m->costs.idle_state[3].exit_latency_ns, 200000);
	assert_int_equal(m->costs.idle_state[1].target_residency_ns, 4000);
	assert_string_equal(m->costs.idle_source, "--set");
	must_not_set(m, "idle.C1.exit_latency_ns=20000", "leaves faster");
	must_not_set(m, "idle.C9.exit_latency_ns=1", "names no idle state");
	must_not_set(m, "idle.C6.latency=1", "allowed: exit_latency_ns");
}

static void wrong_assignments_change_nothing(void **state)
{
	struct machine *m = must_read("kunpeng920");

	must_not_set(m, "line_lcc_ns=5", "line_llc_ns");
	must_not_set(m, "line_llc_ns", "name=value");
	must_not_set(m, "=5", "name=value");
	must_not_set(m, "line_llc_ns=", "whole number");
	must_not_set(m, "line_llc_ns=-5", "whole number");
	must_not_set(m, "line_llc_ns=5x", "whole number");
	must_not_set(m, "line_llc_ns=1.5", "whole number");
	must_not_set(m, "line_llc_ns*", "factor");
	must_not_set(m, "line_llc_ns*1.", "factor");
	must_not_set(m, "line_llc_ns*0.1234567", "factor");
	must_not_set(m, "line_llc_ns=0", "allowed: 1 to 100000");
	must_not_set(m, "line_llc_ns=100001", "allowed: 1 to 100000");
	must_not_set(m, "line_llc_ns*0", "would be 0");
	must_not_set(m, "line_llc_ns=99999999999999999999999", "whole number");
	must_not_set(m, "line_llc_ns*9999999999", "allowed");
	must_not_set(m, "", "name=value");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(a_value_replaces_and_names_its_source),
		FACT(factors_scale_and_round_half_up),
		FACT(distances_are_set_by_their_number),
		FACT(a_distance_without_a_row_starts_from_the_interpolated_cost),
		FACT(idle_states_are_set_by_their_name),
		FACT(wrong_assignments_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
