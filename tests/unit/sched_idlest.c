/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of the slow path: where new tasks go. */
#include "sched_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char *const profiles[] = { "v3.13", "v5.9", "v5.12", "v5.19",
					"v6.1",	 "v6.6", "v6.12", "v6.18" };

enum { NR_PROFILES = sizeof(profiles) / sizeof(profiles[0]), MAX_NODES = 8 };

#define FOR_EACH_PROFILE(i) for (uint32_t i = 0; i < NR_PROFILES; i++)

static uint32_t fork_from(struct world *w, uint32_t cpu)
{
	fake_verb(w, cpu);
	return place_task(w->s, 0, cpu, PLACE_FORK, false);
}

/* Forks tasks that run on, from cpu 0, and counts them by node. */
static void fork_many(struct world *w, uint32_t tasks, uint32_t node[MAX_NODES])
{
	for (uint32_t i = 0; i < MAX_NODES; i++)
		node[i] = 0;
	for (uint32_t task = 0; task < tasks; task++) {
		world_fork(w, 0, task, 0, 0);
		node[w->machine->cpu[w->s->task[task].cpu].node]++;
	}
}

static uint32_t most_on_a_cpu(const struct world *w)
{
	uint32_t most = 0;

	for (uint32_t cpu = 0; cpu < w->s->nr_cpus; cpu++)
		if (w->s->rq[cpu].nr_running > most)
			most = w->s->rq[cpu].nr_running;
	return most;
}

/* What the real scheduler of 6.1, 6.12 and 7.2 does on this machine. */
static void forks_spread_evenly_over_four_nodes(void **state)
{
	for (uint32_t i = 3; i < NR_PROFILES; i++) {
		struct world w;
		uint32_t node[MAX_NODES];

		world_init(&w, "4x24x2", profiles[i], "");
		fork_many(&w, 96, node);
		for (uint32_t n = 0; n < 4; n++)
			assert_int_equal(node[n], 24);
		assert_int_equal(most_on_a_cpu(&w), 1);
		world_release(&w);
	}
}

static void forks_share_no_core_while_cores_are_free(void **state)
{
	for (uint32_t i = 3; i < NR_PROFILES; i++) {
		struct world w;
		uint32_t node[MAX_NODES];

		world_init(&w, "2x8x2", profiles[i], "");
		fork_many(&w, 16, node);
		cpuset_for_each (cpu, &w.topology->active) {
			uint32_t tasks = 0;

			cpuset_for_each (thread, w.topology->smt_mask[cpu])
				tasks += w.s->rq[thread].nr_running;
			assert_int_equal(tasks, 1);
		}
		world_release(&w);
	}
}

/* Before v5.11 a node keeps its children as long as it has an idle cpu. */
static void v5_9_fills_the_local_node_first(void **state)
{
	struct world w;
	uint32_t node[MAX_NODES];

	world_init(&w, "4x24x2", "v5.9", "");
	fork_many(&w, 48, node);
	assert_int_equal(node[0], 48);
	world_release(&w);
}

/* 2 nodes of 16: v5.12 keeps fewer than a quarter of 32, v6.1 imb_numa_nr = 16 / 8. */
static void a_node_keeps_as_many_forks_as_its_version_allows(void **state)
{
	const char *const with[] = { "v5.12", "v6.1" };
	const uint32_t kept[] = { 8, 2 };

	for (uint32_t i = 0; i < 2; i++) {
		struct world w;

		world_init(&w, "2x16x1", with[i], "");
		fake_sleeper(&w, 0, 0);
		fake_busy_range(&w, 16, 17);
		for (uint32_t n = 0; n <= kept[i]; n++) {
			uint32_t cpu = fork_from(&w, 0);

			assert_int_equal(cpu < 16, n < kept[i]);
			fake_busy(&w, cpu);
			if (i && n == 0)
				fake_idle(&w, 17);
		}
		world_release(&w);
	}
}

static void without_numa_imbalance_v5_9_spreads(void **state)
{
	struct world w;
	uint32_t node[MAX_NODES];

	world_init(&w, "4x24x2", "v5.9", "-NUMA_IMBALANCE");
	fork_many(&w, 48, node);
	for (uint32_t n = 0; n < 4; n++)
		assert_int_equal(node[n], 12);
	world_release(&w);
}

/* v3.13 stays with a node whose load is not clearly higher: its last idle cpu may stay idle. */
static void no_cpu_gets_two_tasks_while_another_is_idle(void **state)
{
	for (uint32_t i = 1; i < NR_PROFILES; i++) {
		struct world w;
		uint32_t node[MAX_NODES];

		world_init(&w, "2x8x2", profiles[i], "");
		fork_many(&w, 32, node);
		assert_int_equal(most_on_a_cpu(&w), 1);
		world_release(&w);
	}
}

static void a_fork_stays_within_its_set(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x2", profiles[i], "");
		fake_set(&w, 1, "9,13,22");
		fake_sleeper(&w, 0, 1);
		fake_busy(&w, 0);
		for (uint32_t n = 0; n < 6; n++) {
			uint32_t cpu = fork_from(&w, 0);

			assert_true(cpuset_has(&w.set[1], cpu));
			/* v6.0 counts the cpus of the node that the task may use. */
			if (n < 3 && w.config.version >= 600)
				assert_int_equal(w.s->rq[cpu].nr_running, 0);
			fake_busy(&w, cpu);
		}
		world_release(&w);
	}
}

/* ---- LATEST_IDLE_CPU ---- */

/*
 * Cpu 0's node is busy, the other one is chosen as a whole. A little load on its cpus keeps the
 * level below from moving on to a neighbour, as v3.13 does among equals.
 */
static uint32_t fork_to_other_node(struct world *w)
{
	uint32_t cpu;

	fake_sleeper(w, 0, 0);
	fake_busy_range(w, 0, 7);
	if (w->config.version < 500)
		for (cpu = 8; cpu < 16; cpu++)
			w->s->rq[cpu].avg.load_avg = w->s->rq[cpu].load_wt = 5;
	cpu = fork_from(w, 0);
	assert_true(cpu >= 8);
	return cpu;
}

static void v3_13_takes_the_first_of_equal_cpus(void **state)
{
	struct world w;

	world_init(&w, "2x8x1", "v3.13", "");
	for (uint32_t cpu = 8; cpu < 16; cpu++)
		w.s->rq[cpu].idle_since_ns = cpu == 11 ? 900 : 100;
	assert_int_equal(fork_to_other_node(&w), 8);
	world_release(&w);
}

static void the_cpu_that_went_idle_last_is_taken(void **state)
{
	struct world w;

	world_init(&w, "2x8x1", "v3.13", "+LATEST_IDLE_CPU");
	for (uint32_t cpu = 8; cpu < 16; cpu++) {
		w.s->rq[cpu].idle_since_ns = cpu == 11 ? 900 : 100;
		w.s->rq[cpu].idle_state = 1;
	}
	assert_int_equal(fork_to_other_node(&w), 11);
	world_release(&w);
}

static void an_idle_cpu_that_is_being_interrupted_is_taken_first(void **state)
{
	struct world w;

	world_init(&w, "2x8x1", "v3.13", "+LATEST_IDLE_CPU");
	for (uint32_t cpu = 8; cpu < 16; cpu++) {
		w.s->rq[cpu].idle_since_ns = cpu == 11 ? 900 : 100;
		w.s->rq[cpu].idle_state = cpu == 13 ? IDLE_STATE_NONE : 1;
	}
	assert_int_equal(fork_to_other_node(&w), 13);
	world_release(&w);
}

static void the_shallowest_state_is_taken_and_the_latest_among_equals(void **state)
{
	struct world w;

	world_init(&w, "2x8x1", "v6.1", "");
	assert_true(w.machine->costs.nr_idle_states >= 3);
	for (uint32_t cpu = 8; cpu < 16; cpu++) {
		w.s->rq[cpu].idle_stamp_ns = 1000 + cpu;
		w.s->rq[cpu].idle_state = cpu == 10 || cpu == 12 ? 1 : 2;
	}
	assert_int_equal(fork_to_other_node(&w), 12);
	world_release(&w);
}

/* The trap of a machine whose cpus never were idle: all forks would go to one cpu. */
static void a_cpu_that_never_was_idle_is_passed_over(void **state)
{
	struct world w;

	world_init(&w, "2x8x1", "v6.1", "");
	for (uint32_t cpu = 8; cpu < 16; cpu++)
		w.s->rq[cpu].idle_stamp_ns = cpu == 14;
	assert_int_equal(fork_to_other_node(&w), 14);
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forks_spread_evenly_over_four_nodes),
		cmocka_unit_test(forks_share_no_core_while_cores_are_free),
		cmocka_unit_test(v5_9_fills_the_local_node_first),
		cmocka_unit_test(a_node_keeps_as_many_forks_as_its_version_allows),
		cmocka_unit_test(without_numa_imbalance_v5_9_spreads),
		cmocka_unit_test(no_cpu_gets_two_tasks_while_another_is_idle),
		cmocka_unit_test(a_fork_stays_within_its_set),
		cmocka_unit_test(v3_13_takes_the_first_of_equal_cpus),
		cmocka_unit_test(the_cpu_that_went_idle_last_is_taken),
		cmocka_unit_test(an_idle_cpu_that_is_being_interrupted_is_taken_first),
		cmocka_unit_test(the_shallowest_state_is_taken_and_the_latest_among_equals),
		cmocka_unit_test(a_cpu_that_never_was_idle_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
