/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of the search for an idle cpu near a target. */
#include "sched_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *const profiles[] = { "v3.13", "v5.9", "v5.12", "v5.19",
					"v6.1",	 "v6.6", "v6.12", "v6.18" };

enum { NR_PROFILES = sizeof(profiles) / sizeof(profiles[0]) };

#define FOR_EACH_PROFILE(i) for (uint32_t i = 0; i < NR_PROFILES; i++)

static void an_idle_target_is_taken(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "1x8x1", profiles[i], "");
		fake_sleeper(&w, 2, 0);
		assert_int_equal(fake_search(&w, 0, 2, 5), 5);
		assert_int_equal(fake_count(&w, COUNT_sis_target_hit), 1);
		assert_int_equal(fake_count(&w, COUNT_sis_scanned), 1);
		world_release(&w);
	}
}

static void an_idle_previous_cpu_of_the_same_cache_is_taken(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_sleeper(&w, 2, 0);
		fake_busy(&w, 5);
		assert_int_equal(fake_search(&w, 5, 2, 5), 2);
		assert_int_equal(fake_count(&w, COUNT_sis_prev_hit), 1);
		world_release(&w);
	}
}

static void a_previous_cpu_of_another_cache_is_not(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;
		uint32_t cpu;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_sleeper(&w, 12, 0);
		fake_busy(&w, 5);
		cpu = fake_search(&w, 5, 12, 5);
		assert_true(cpu < 8 && cpu != 5);
		world_release(&w);
	}
}

static void the_cpu_used_before_is_taken_and_replaced(void **state)
{
	struct world w;

	world_init(&w, "1x8x1", "v5.12", "");
	fake_sleeper(&w, 2, 0);
	w.s->task[0].recent_cpu = 6;
	fake_busy(&w, 2);
	fake_busy(&w, 5);
	assert_int_equal(fake_search(&w, 5, 2, 5), 6);
	assert_int_equal(fake_count(&w, COUNT_sis_recent_hit), 1);
	assert_int_equal(w.s->task[0].recent_cpu, 2);
	world_release(&w);
}

static void the_cpu_used_before_must_be_allowed(void **state)
{
	struct world w;

	world_init(&w, "1x8x1", "v6.1", "");
	fake_set(&w, 1, "0-5");
	fake_sleeper(&w, 2, 1);
	w.s->task[0].recent_cpu = 6;
	fake_busy_range(&w, 0, 4);
	assert_int_equal(fake_search(&w, 0, 2, 0), 5);
	assert_int_equal(fake_count(&w, COUNT_sis_recent_hit), 0);
	world_release(&w);
}

static void a_full_llc_gives_the_target(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_sleeper(&w, 2, 0);
		fake_busy_range(&w, 0, 7);
		assert_int_equal(fake_search(&w, 5, 2, 5), 5);
		assert_int_equal(fake_count(&w, COUNT_sis_failed), 1);
		/* Each cpu once, and the target as first guess; v3.13 leaves it out later. */
		assert_int_equal(fake_count(&w, COUNT_sis_scanned), i == 0 ? 1 + 7 + 1 : 1 + 8 + 1);
		assert_int_equal(fake_count(&w, COUNT_sis_hit), 0);
		world_release(&w);
	}
}

static void a_scan_takes_allowed_cpus_only(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "1x8x1", profiles[i], "");
		fake_set(&w, 1, "1,2,7");
		fake_sleeper(&w, 2, 1);
		fake_busy_range(&w, 0, 2);
		assert_int_equal(fake_search(&w, 1, 2, 1), 7);
		world_release(&w);
	}
}

static void a_scan_starts_at_the_target_and_later_behind_it(void **state)
{
	const char *const from_target[] = { "v5.9", "v5.12" }, *const behind[] = { "v5.19",
										   "v6.1" };

	for (uint32_t i = 0; i < 2; i++) {
		struct world w;

		world_init(&w, "1x8x1", from_target[i], "");
		fake_sleeper(&w, 3, 0);
		fake_busy(&w, 3);
		assert_int_equal(fake_search(&w, 3, 3, 3), 4);
		assert_int_equal(fake_count(&w, COUNT_sis_scanned), 3);
		world_release(&w);
		world_init(&w, "1x8x1", behind[i], "");
		fake_sleeper(&w, 7, 0);
		fake_busy(&w, 7);
		assert_int_equal(fake_search(&w, 7, 7, 7), 0);
		assert_int_equal(fake_count(&w, COUNT_sis_scanned), 2);
		world_release(&w);
	}
}

static void a_scan_wraps_to_below_its_start(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "1x8x1", profiles[i], "-SIS_PROP");
		fake_sleeper(&w, 3, 0);
		fake_busy_range(&w, 3, 7);
		fake_busy_range(&w, 0, 1);
		assert_int_equal(fake_search(&w, 3, 3, 3), 2);
		world_release(&w);
	}
}

/* ---- idle cores ---- */

/* The other thread of a core. */
static uint32_t sibling(const struct world *w, uint32_t cpu)
{
	cpuset_for_each (other, w->topology->smt_mask[cpu])
		if (other != cpu)
			return other;
	return CPU_NONE;
}

/* One thread of each core but `free` is busy. */
static void half_busy(struct world *w, uint32_t free)
{
	cpuset_for_each (cpu, &w->topology->active)
		if (cpuset_first(w->topology->smt_mask[cpu]) == cpu && cpu != free)
			fake_busy(w, cpu);
}

static void an_idle_core_is_preferred_to_an_idle_thread(void **state)
{
	for (uint32_t i = 1; i < NR_PROFILES; i++) {
		struct world w;
		uint32_t cpu, core;

		world_init(&w, "1x8x2", profiles[i], "");
		core = cpuset_first(w.topology->smt_mask[5]);
		half_busy(&w, core);
		fake_sleeper(&w, 0, 0);
		w.s->llc[0].has_idle_cores = true;
		cpu = fake_search(&w, 0, 0, 0);
		assert_true(cpuset_has(w.topology->smt_mask[core], cpu));
		assert_int_equal(fake_count(&w, COUNT_sis_core_hit), 1);
		assert_true(w.s->llc[0].has_idle_cores);
		world_release(&w);
	}
}

static void without_the_hint_no_core_is_searched(void **state)
{
	for (uint32_t i = 1; i < NR_PROFILES; i++) {
		struct world w;

		world_init(&w, "1x8x2", profiles[i], "");
		half_busy(&w, CPU_NONE);
		fake_sleeper(&w, 0, 0);
		w.s->llc[0].has_idle_cores = false;
		assert_true(fake_search(&w, 0, 0, 0) != 0);
		assert_int_equal(fake_count(&w, COUNT_sis_core_search), 0);
		world_release(&w);
	}
}

static void a_failed_core_search_clears_the_hint_and_takes_a_thread(void **state)
{
	for (uint32_t i = 1; i < NR_PROFILES; i++) {
		struct world w;
		uint32_t cpu;

		world_init(&w, "1x8x2", profiles[i], "");
		half_busy(&w, CPU_NONE);
		fake_sleeper(&w, 0, 0);
		w.s->llc[0].has_idle_cores = true;
		cpu = fake_search(&w, 0, 0, 0);
		assert_true(w.s->rq[cpu].curr == TASK_NONE);
		assert_false(w.s->llc[0].has_idle_cores);
		assert_int_equal(fake_count(&w, COUNT_sis_core_search), 1);
		world_release(&w);
	}
}

static void since_v5_13_a_sibling_of_the_previous_cpu_comes_first(void **state)
{
	struct world w;

	world_init(&w, "1x8x2", "v6.1", "");
	fake_sleeper(&w, 3, 0);
	cpuset_for_each (cpu, &w.topology->active)
		if (cpu != sibling(&w, 3))
			fake_busy(&w, cpu);
	w.s->llc[0].has_idle_cores = false;
	w.s->llc[0].nr_idle_scan = 0;
	assert_int_equal(fake_search(&w, 0, 3, 0), sibling(&w, 3));
	assert_int_equal(fake_count(&w, COUNT_sis_smt_hit), 1);
	world_release(&w);
}

static void until_v5_11_a_sibling_of_the_target_comes_last(void **state)
{
	struct world w;

	world_init(&w, "1x8x2", "v5.9", "");
	fake_sleeper(&w, 0, 0);
	cpuset_for_each (cpu, &w.topology->active)
		if (cpu != sibling(&w, 0))
			fake_busy(&w, cpu);
	w.s->rq[0].avg_idle_ns = 0;
	w.s->llc[0].has_idle_cores = false;
	assert_int_equal(fake_search(&w, 0, 0, 0), sibling(&w, 0));
	world_release(&w);
}

/* ---- SMT_GATED_IDLE_CORES ---- */

/* Reads of the LLC's shared line by one search on a machine without SMT. */
static uint64_t shared_reads(const char *profile, const char *variant)
{
	struct world w;
	uint64_t before;

	world_init(&w, "1x24x1", profile, variant);
	fake_sleeper(&w, 3, 0);
	fake_busy_range(&w, 0, 23);
	before = fake_reads(&w, "llc_shared");
	fake_search(&w, 3, 3, 3);
	before = fake_reads(&w, "llc_shared") - before;
	world_release(&w);
	return before;
}

static void without_smt_the_gate_saves_the_read_of_the_shared_line(void **state)
{
	assert_int_equal(shared_reads("v5.12", ""), 1);
	assert_int_equal(shared_reads("v5.12", "+SMT_GATED_IDLE_CORES"), 0);
	/* The separate scans never read it without SMT. */
	assert_int_equal(shared_reads("v5.9", ""), 0);
	assert_int_equal(shared_reads("v5.19", ""), 0);
	assert_int_equal(shared_reads("v5.19", "-SMT_GATED_IDLE_CORES"), 1);
}

static void without_smt_the_gate_changes_no_choice(void **state)
{
	for (uint32_t free = 0; free < 24; free++) {
		uint32_t choice[2];

		for (uint32_t i = 0; i < 2; i++) {
			struct world w;

			world_init(&w, "1x24x1", "v5.12", i ? "+SMT_GATED_IDLE_CORES" : "");
			fake_sleeper(&w, 3, 0);
			fake_busy_range(&w, 0, 23);
			fake_idle(&w, free);
			choice[i] = fake_search(&w, 3, 3, 3);
			world_release(&w);
		}
		assert_int_equal(choice[0], choice[1]);
	}
}

/* ---- the second ---- */

static void the_idle_mask_finds_at_once_what_a_scan_finds(void **state)
{
	for (uint32_t free = 0; free < 24; free++) {
		uint32_t choice[2], scanned[2];

		for (uint32_t i = 0; i < 2; i++) {
			struct world w;

			world_init(&w, "1x24x1", "v5.9",
				   i ? "-SIS_PROP,+SIS_IDLE_CPUMASK" : "-SIS_PROP");
			fake_sleeper(&w, 3, 0);
			fake_busy_range(&w, 0, 23);
			fake_idle(&w, free);
			choice[i] = fake_search(&w, 3, 3, 3);
			scanned[i] = (uint32_t)fake_count(&w, COUNT_sis_scanned);
			world_release(&w);
		}
		assert_int_equal(choice[0], choice[1]);
		assert_in_range(scanned[1], 1, 2);
		assert_true(scanned[1] <= scanned[0]);
	}
}

static void an_empty_idle_mask_ends_the_search_unscanned(void **state)
{
	struct world w;

	world_init(&w, "1x24x1", "v5.9", "+SIS_IDLE_CPUMASK");
	fake_sleeper(&w, 3, 0);
	fake_busy_range(&w, 0, 23);
	assert_int_equal(fake_search(&w, 3, 3, 3), 3);
	assert_int_equal(fake_count(&w, COUNT_sis_scanned), 1);
	world_release(&w);
}

static void a_stale_idle_mask_is_not_believed(void **state)
{
	struct world w;

	world_init(&w, "1x24x1", "v5.9", "+SIS_IDLE_CPUMASK");
	fake_sleeper(&w, 3, 0);
	fake_busy_range(&w, 0, 23);
	cpuset_add(&w.s->llc[0].idle_mask, 9);
	assert_int_equal(fake_search(&w, 3, 3, 3), 3);
	world_release(&w);
}

/* ---- groups, clusters, kernel threads ---- */

static void v3_13_takes_a_wholly_idle_core_before_a_thread(void **state)
{
	struct world w;
	uint32_t cpu, core;

	world_init(&w, "1x8x2", "v3.13", "");
	core = cpuset_first(w.topology->smt_mask[5]);
	half_busy(&w, core);
	fake_sleeper(&w, 0, 0);
	cpu = fake_search(&w, 0, 0, 0);
	assert_true(cpuset_has(w.topology->smt_mask[core], cpu));
	world_release(&w);
}

/* Below the groups of cores come the threads of the target's own core, and no others. */
static void v3_13_without_an_idle_core_looks_at_its_own(void **state)
{
	struct world w;

	world_init(&w, "1x8x2", "v3.13", "");
	half_busy(&w, CPU_NONE);
	fake_sleeper(&w, 0, 0);
	assert_int_equal(fake_search(&w, 0, 0, 0), sibling(&w, 0));
	fake_busy(&w, sibling(&w, 0));
	assert_int_equal(fake_search(&w, 0, 0, 0), 0);
	world_release(&w);
}

static void clusters_are_scanned_before_the_rest_of_the_llc(void **state)
{
	struct world w;

	world_init(&w, "kunpeng920", "v6.12", "");
	assert_true(w.topology->has_clusters);
	fake_sleeper(&w, 3, 0);
	fake_busy_range(&w, 0, 23);
	fake_idle(&w, 0);
	fake_idle(&w, 4);
	assert_int_equal(fake_search(&w, 3, 3, 3), 0);
	world_release(&w);
	world_init(&w, "kunpeng920", "v6.12", "-SIS_CLUSTER");
	fake_sleeper(&w, 3, 0);
	fake_busy_range(&w, 0, 23);
	fake_idle(&w, 0);
	fake_idle(&w, 4);
	assert_int_equal(fake_search(&w, 3, 3, 3), 4);
	world_release(&w);
}

static void an_idle_previous_cpu_of_another_cluster_waits_for_the_search(void **state)
{
	struct world w;

	world_init(&w, "kunpeng920", "v6.12", "");
	fake_sleeper(&w, 9, 0);
	fake_busy_range(&w, 0, 23);
	fake_idle(&w, 9);
	fake_idle(&w, 2);
	assert_int_equal(fake_search(&w, 3, 9, 3), 2);
	fake_busy(&w, 2);
	w.s->llc[0].nr_idle_scan = 0;
	assert_int_equal(fake_search(&w, 3, 9, 3), 9);
	world_release(&w);
}

/* Two cores of two threads in no cluster, cpus 0 to 3, beside clusters of four. */
static void hybrid_init(struct world *w)
{
	const char *source = getenv("SCHEDLAB_SOURCE");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/support/hybrid.json", source ? source : ".");
	world_init(w, path, "v6.12", "");
	assert_true(w->topology->has_clusters);
}

static void cpus_in_no_cluster_are_near_each_other(void **state)
{
	struct world w;

	hybrid_init(&w);
	fake_sleeper(&w, 3, 0);
	fake_busy(&w, 0);
	assert_int_equal(fake_search(&w, 0, 3, 0), 3);
	assert_int_equal(fake_count(&w, COUNT_sis_prev_hit), 1);
	w.s->task[0].recent_cpu = 9;
	fake_busy(&w, 3);
	fake_busy(&w, 2);
	assert_int_not_equal(fake_search(&w, 0, 3, 0), 9);
	assert_int_equal(fake_count(&w, COUNT_sis_recent_hit), 0);
	world_release(&w);
}

/* The thread beside the target's comes last, as it is below. */
static void the_llc_is_scanned_in_order_from_a_cpu_in_no_cluster(void **state)
{
	struct world w;

	hybrid_init(&w);
	fake_sleeper(&w, 7, 0);
	w.s->llc[0].has_idle_cores = false;
	fake_busy_range(&w, 1, 11);
	fake_idle(&w, 11);
	assert_int_equal(fake_search(&w, 1, 7, 1), 11);
	fake_busy(&w, 11);
	assert_int_equal(fake_search(&w, 1, 7, 1), 0);
	world_release(&w);
}

static void a_bound_kernel_thread_keeps_its_user(void **state)
{
	struct world w;

	world_init(&w, "1x8x1", "v5.9", "");
	fake_set(&w, 2, "3");
	fake_sleeper(&w, 3, 0);
	fake_busy(&w, 3);
	w.s->task[FAKE_RUNNER].set = 2;
	assert_int_equal(fake_search(&w, 3, 3, 3), 4);
	w.s->task[FAKE_RUNNER].is_kthread = true;
	assert_int_equal(fake_search(&w, 3, 3, 3), 3);
	assert_int_equal(fake_count(&w, COUNT_sis_kthread_hit), 1);
	/* Not beside others, and a delayed sleeper is one. */
	w.s->rq[3].nr_queued = 2;
	assert_int_equal(fake_search(&w, 3, 3, 3), 4);
	world_release(&w);
}

static void a_busy_cpu_costs_three_lines_since_v5_4(void **state)
{
	struct world w;
	uint64_t before, cost[2], scanned[2];
	const char *const profile[2] = { "v3.13", "v6.1" };

	for (uint32_t i = 0; i < 2; i++) {
		world_init(&w, "1x24x1", profile[i], "");
		fake_sleeper(&w, 3, 0);
		fake_busy_range(&w, 0, 23);
		before = fake_reads(&w, "rq");
		fake_search(&w, 3, 3, 3);
		cost[i] = fake_reads(&w, "rq") - before;
		scanned[i] = fake_count(&w, COUNT_sis_scanned);
		world_release(&w);
	}
	/* v6.1 meets the target twice: as the first guess and at the end of the scan. */
	assert_int_equal(scanned[0], 24);
	assert_int_equal(scanned[1], 25);
	assert_int_equal(cost[0], scanned[0]);
	assert_int_equal(cost[1], 3 * scanned[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_idle_target_is_taken),
		cmocka_unit_test(an_idle_previous_cpu_of_the_same_cache_is_taken),
		cmocka_unit_test(a_previous_cpu_of_another_cache_is_not),
		cmocka_unit_test(the_cpu_used_before_is_taken_and_replaced),
		cmocka_unit_test(the_cpu_used_before_must_be_allowed),
		cmocka_unit_test(a_full_llc_gives_the_target),
		cmocka_unit_test(a_scan_takes_allowed_cpus_only),
		cmocka_unit_test(a_scan_starts_at_the_target_and_later_behind_it),
		cmocka_unit_test(a_scan_wraps_to_below_its_start),
		cmocka_unit_test(an_idle_core_is_preferred_to_an_idle_thread),
		cmocka_unit_test(without_the_hint_no_core_is_searched),
		cmocka_unit_test(a_failed_core_search_clears_the_hint_and_takes_a_thread),
		cmocka_unit_test(since_v5_13_a_sibling_of_the_previous_cpu_comes_first),
		cmocka_unit_test(until_v5_11_a_sibling_of_the_target_comes_last),
		cmocka_unit_test(without_smt_the_gate_saves_the_read_of_the_shared_line),
		cmocka_unit_test(without_smt_the_gate_changes_no_choice),
		cmocka_unit_test(the_idle_mask_finds_at_once_what_a_scan_finds),
		cmocka_unit_test(an_empty_idle_mask_ends_the_search_unscanned),
		cmocka_unit_test(a_stale_idle_mask_is_not_believed),
		cmocka_unit_test(v3_13_takes_a_wholly_idle_core_before_a_thread),
		cmocka_unit_test(v3_13_without_an_idle_core_looks_at_its_own),
		cmocka_unit_test(clusters_are_scanned_before_the_rest_of_the_llc),
		cmocka_unit_test(an_idle_previous_cpu_of_another_cluster_waits_for_the_search),
		cmocka_unit_test(cpus_in_no_cluster_are_near_each_other),
		cmocka_unit_test(the_llc_is_scanned_in_order_from_a_cpu_in_no_cluster),
		cmocka_unit_test(a_bound_kernel_thread_keeps_its_user),
		cmocka_unit_test(a_busy_cpu_costs_three_lines_since_v5_4),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
