/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of load balancing: what comes to rest where, and what it costs. */
#include "sched_fake.h"

#include "sched/balance.h"
#include "sched/nohz.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char *const profiles[] = { "v3.13", "v5.9", "v5.12", "v5.19",
					"v6.1",	 "v6.6", "v6.12", "v6.18" };

enum { NR_PROFILES = sizeof(profiles) / sizeof(profiles[0]), US = 1000, MS = 1000000 };

#define FOR_EACH_PROFILE(i) for (uint32_t i = 0; i < NR_PROFILES; i++)

/* `tasks` hogs start where set 1 is and may then go where set `then` is. */
static void release_hogs(struct world *w, const char *at, uint32_t tasks, uint32_t then)
{
	uint32_t first;

	fake_set(w, 1, at);
	first = cpuset_first(&w->set[1]);
	for (uint32_t task = 0; task < tasks; task++)
		world_fork(w, first, task, 1, 0);
	for (uint32_t task = 0; task < tasks; task++) {
		world_after(w, sched_set_affinity(w->s, w->now_ns, first, task, then));
		world_settle(w);
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

static uint32_t least_on_a_cpu(const struct world *w)
{
	uint32_t least = UINT32_MAX;

	cpuset_for_each (cpu, &w->topology->active)
		if (w->s->rq[cpu].nr_running < least)
			least = w->s->rq[cpu].nr_running;
	return least;
}

/* ---- coming to rest ---- */

static void released_hogs_spread_until_none_waits(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		release_hogs(&w, "0", 16, 0);
		assert_int_equal(most_on_a_cpu(&w), 16);
		world_run(&w, 6000ull * MS);
		assert_int_equal(most_on_a_cpu(&w), 1);
		world_release(&w);
	}
}

static void too_many_hogs_spread_evenly(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x4x2", profiles[i], "");
		release_hogs(&w, "0", 48, 0);
		world_run(&w, 4000ull * MS);
		assert_in_range(most_on_a_cpu(&w), 3, 4);
		assert_in_range(least_on_a_cpu(&w), 2, 3);
		world_release(&w);
	}
}

static void hogs_stay_within_their_set(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_set(&w, 2, "0,3,9");
		release_hogs(&w, "0", 6, 2);
		world_run(&w, 3000ull * MS);
		cpuset_for_each (cpu, &w.topology->active)
			assert_true(cpuset_has(&w.set[2], cpu) || !w.s->rq[cpu].nr_running);
		cpuset_for_each (cpu, &w.set[2])
			assert_in_range(w.s->rq[cpu].nr_running, 1, 3);
		world_release(&w);
	}
}

static void two_hogs_on_one_core_part_while_a_core_is_idle(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;
		char threads[64];

		world_init(&w, "1x4x2", profiles[i], "");
		cpuset_print(w.topology->smt_mask[0], threads, sizeof(threads));
		fake_set(&w, 2, "0-7");
		release_hogs(&w, threads, 2, 2);
		world_run(&w, 3000ull * MS);
		assert_int_equal(most_on_a_cpu(&w), 1);
		cpuset_for_each (cpu, &w.topology->active) {
			uint32_t tasks = 0;

			cpuset_for_each (thread, w.topology->smt_mask[cpu])
				tasks += w.s->rq[thread].nr_running;
			assert_in_range(tasks, 0, 1);
		}
		assert_true(fake_count(&w, COUNT_lb_active) > 0);
		world_release(&w);
	}
}

/* The first balance of a domain that a pinned pair spoils finds the third task all the same. */
static void pinned_tasks_do_not_hide_one_that_can_move(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "1x4x1", profiles[i], "");
		fake_set(&w, 2, "0");
		release_hogs(&w, "0", 4, 2);
		world_after(&w, sched_set_affinity(w.s, w.now_ns, 0, 3, 0));
		world_settle(&w);
		world_run(&w, 2000ull * MS);
		assert_int_equal(w.s->rq[0].nr_running, 3);
		assert_true(w.s->task[3].cpu != 0);
		world_release(&w);
	}
}

static void half_of_the_difference_moves_at_once(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;
		bool goes_on = true;

		world_init(&w, "1x2x1", profiles[i], "");
		fake_set(&w, 2, "0-1");
		release_hogs(&w, "0", 6, 2);
		w.now_ns += 2 * MS;
		fake_verb(&w, 1);
		assert_int_equal(
			balance_domain(w.s, 1, w.topology->base[1], BALANCE_IDLE, &goes_on), 3);
		assert_true(goes_on);
		world_release(&w);
	}
}

static void what_ran_just_now_stays_until_balancing_failed_often(void **state)
{
	struct world w;
	bool goes_on = true;
	uint32_t tries;

	world_init(&w, "1x2x1", "v6.1", "migration_cost_ns=1000000000");
	fake_set(&w, 2, "0-1");
	release_hogs(&w, "0", 6, 2);
	for (tries = 0; tries < 10; tries++) {
		fake_verb(&w, 1);
		for (uint32_t task = 0; task < 6; task++)
			w.s->task[task].exec_start_ns = w.now_ns;
		if (balance_domain(w.s, 1, w.topology->base[1], BALANCE_IDLE, &goes_on))
			break;
	}
	assert_int_equal(tries, w.topology->domain[w.topology->base[1]].cache_nice_tries + 1);
	assert_int_equal(w.s->domain[w.topology->base[1]].nr_balance_failed, 0);
	world_release(&w);
}

static void a_lone_hog_never_moves(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x2x2", profiles[i], "");
		release_hogs(&w, "3", 1, 0);
		world_run(&w, 2000ull * MS);
		assert_int_equal(w.s->task[0].cpu, 3);
		assert_int_equal(fake_count(&w, COUNT_lb_active), 0);
		world_release(&w);
	}
}

/* ---- newidle ---- */

/* Cpu 0 has a running and a waiting task, cpu 1 runs task 2. */
static void two_and_one(struct world *w, const char *profile)
{
	world_init(w, "1x2x1", profile, "");
	fake_set(w, 2, "0");
	fake_set(w, 3, "1");
	world_fork(w, 0, 0, 2, 0);
	world_fork(w, 0, 1, 2, 0);
	world_fork(w, 1, 2, 3, 0);
	world_after(w, sched_set_affinity(w->s, w->now_ns, 0, 0, 0));
	world_after(w, sched_set_affinity(w->s, w->now_ns, 0, 1, 0));
	w->now_ns += 2 * MS;
}

static void a_cpu_that_runs_dry_takes_a_waiting_task(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		two_and_one(&w, profiles[i]);
		world_block(&w, 1);
		assert_true(w.runs[1] != TASK_NONE);
		assert_int_equal(w.s->rq[0].nr_running, 1);
		assert_int_equal(fake_count(&w, COUNT_lb_newidle), 1);
		assert_int_equal(w.s->rq[1].idle_stamp_ns, 0);
		world_release(&w);
	}
}

static void what_a_newidle_balance_took_is_remembered(void **state)
{
	struct world w;

	two_and_one(&w, "v6.1");
	world_block(&w, 1);
	assert_true(w.s->domain[w.topology->base[1]].max_newidle_cost_ns > 0);
	world_release(&w);
}

static void a_cpu_that_idles_for_short_does_not_look(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		two_and_one(&w, profiles[i]);
		w.s->rq[1].avg_idle_ns = 50 * US;
		w.s->domain[w.topology->base[1]].max_newidle_cost_ns = 51 * US;
		world_block(&w, 1);
		assert_true(w.runs[1] == TASK_NONE);
		assert_int_equal(fake_count(&w, COUNT_lb_newidle), 0);
		assert_int_equal(fake_count(&w, COUNT_lb_newidle_skipped), 1);
		world_release(&w);
	}
}

static void without_overload_nobody_looks_since_v3_17(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "1x2x1", profiles[i], "");
		fake_set(&w, 3, "1");
		world_fork(&w, 1, 2, 3, 0);
		world_block(&w, 1);
		assert_int_equal(fake_count(&w, COUNT_lb_newidle), i == 0);
		world_release(&w);
	}
}

/* ---- nohz ---- */

static void a_busy_tick_sends_an_idle_cpu_to_balance(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "1x4x1", profiles[i], "");
		world_settle(&w);
		release_hogs(&w, "0", 2, 0);
		assert_int_equal(w.s->nohz.nr_idle, 4);
		world_run(&w, 300 * MS);
		assert_true(fake_count(&w, COUNT_nohz_kick) > 0);
		assert_true(fake_count(&w, COUNT_lb_nohz) > 0);
		assert_int_equal(most_on_a_cpu(&w), 1);
		world_release(&w);
	}
}

/* A polling cpu is kicked through the flag that until v6.12 makes it give up. */
static void a_polling_balancer_gives_up_until_v6_12(void **state)
{
	const char *const with[] = { "v5.9", "v6.12", "v6.18" };

	for (uint32_t i = 0; i < 3; i++) {
		struct world w;

		world_init(&w, "1x4x1", with[i], "");
		world_settle(&w);
		w.now_ns += 100 * MS;
		w.s->rq[1].nohz_flags = NOHZ_BALANCE;
		w.s->rq[1].nohz_kicked = true;
		w.s->rq[1].need_resched = true;
		fake_verb(&w, 1);
		balance_nohz(w.s, 1);
		assert_int_equal(fake_count(&w, COUNT_lb_nohz) > 0, i == 2);
		assert_false(w.s->rq[1].nohz_kicked);
		world_release(&w);
	}
}

static void one_task_alone_kicks_nobody(void **state)
{
	struct world w;

	world_init(&w, "1x4x1", "v3.13", "");
	world_settle(&w);
	release_hogs(&w, "0", 1, 0);
	world_run(&w, 100 * MS);
	assert_int_equal(fake_count(&w, COUNT_nohz_kick), 0);
	world_release(&w);
}

/* ---- what balancing leaves behind ---- */

static void the_scan_limit_follows_the_utilisation_of_the_llc(void **state)
{
	struct world w;

	world_init(&w, "1x8x1", "v6.1", "");
	release_hogs(&w, "0-7", 8, 0);
	world_run(&w, 1000ull * MS);
	assert_int_equal(w.s->llc[0].nr_idle_scan, 0);
	world_release(&w);
	world_init(&w, "1x8x1", "v6.1", "");
	release_hogs(&w, "0-7", 2, 0);
	world_run(&w, 1000ull * MS);
	/* x = 2/8 of 1024: 8 * (1 - (0.25 * 1.17)^2) = 7.3 */
	assert_int_equal(w.s->llc[0].nr_idle_scan, 7);
	world_release(&w);
}

static void intervals_double_while_all_is_balanced(void **state)
{
	struct world w;
	const struct sched_domain *sd;
	uint64_t interval_ms;

	world_init(&w, "1x8x1", "v6.1", "");
	release_hogs(&w, "0-7", 8, 0);
	world_run(&w, 8000ull * MS);
	sd = &w.topology->domain[w.topology->base[0]];
	interval_ms = w.s->domain[w.topology->base[0]].balance_interval_ms;
	assert_in_range(interval_ms, sd->max_interval_ms, 2 * sd->max_interval_ms);
	world_release(&w);
}

static void balancing_takes_time(void **state)
{
	struct world w;

	world_init(&w, "2x8x1", "v6.1", "");
	release_hogs(&w, "0", 16, 0);
	world_run(&w, 100 * MS);
	assert_true(fake_count(&w, COUNT_lb_ns) > 10 * US);
	assert_true(fake_count(&w, COUNT_lb_moved) > 0);
	world_release(&w);
}

/* ---- classes ---- */

static struct group_stats stats(uint32_t nr_running, uint64_t util, uint64_t runnable)
{
	return (struct group_stats){ .weight = 4,
				     .capacity = 4 * CAPACITY_FULL,
				     .nr_running = nr_running,
				     .util = util,
				     .runnable = runnable };
}

static void a_group_with_fewer_tasks_than_cpus_has_spare(void **state)
{
	struct group_stats s = stats(3, 4096, 9000);

	assert_true(group_has_capacity(&s, 117));
	assert_false(group_is_overloaded(&s, 117));
}

static void a_group_of_many_small_tasks_has_spare(void **state)
{
	struct group_stats s = stats(20, 1000, 1100);

	assert_true(group_has_capacity(&s, 117));
	assert_false(group_is_overloaded(&s, 117));
}

/* 4096 * 100 / 117 = 3501 of utilisation leaves no spare room. */
static void a_full_group_is_overloaded_only_when_tasks_wait(void **state)
{
	struct group_stats full = stats(4, 3600, 4096), over = stats(5, 3600, 5000);
	struct group_stats waits = stats(5, 3000, 4800);

	assert_false(group_has_capacity(&full, 117));
	assert_false(group_is_overloaded(&full, 117));
	assert_true(group_is_overloaded(&over, 117));
	assert_true(group_is_overloaded(&waits, 117));
	waits.runnable = 4700;
	assert_false(group_is_overloaded(&waits, 117));
}

static void an_imbalance_between_nodes_is_allowed_by_version(void **state)
{
	struct sched *s = &(struct sched){ .config.version = 509 };
	struct sched_domain sd = { .imb_numa_nr = 3, .weight = 32 };

	assert_int_equal(numa_imbalance_left(s, &sd, 5, 2, 9, 16), 0);
	assert_int_equal(numa_imbalance_left(s, &sd, 5, 3, 9, 16), 5);
	s->config.version = 512;
	assert_int_equal(numa_imbalance_left(s, &sd, 2, 3, 9, 16), 0);
	assert_int_equal(numa_imbalance_left(s, &sd, 3, 3, 9, 16), 3);
	assert_int_equal(numa_imbalance_left(s, &sd, 2, 4, 9, 16), 2);
	s->config.version = 601;
	assert_int_equal(numa_imbalance_left(s, &sd, 2, 9, 3, 16), 0);
	assert_int_equal(numa_imbalance_left(s, &sd, 2, 9, 4, 16), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(released_hogs_spread_until_none_waits),
		cmocka_unit_test(too_many_hogs_spread_evenly),
		cmocka_unit_test(hogs_stay_within_their_set),
		cmocka_unit_test(two_hogs_on_one_core_part_while_a_core_is_idle),
		cmocka_unit_test(pinned_tasks_do_not_hide_one_that_can_move),
		cmocka_unit_test(half_of_the_difference_moves_at_once),
		cmocka_unit_test(what_ran_just_now_stays_until_balancing_failed_often),
		cmocka_unit_test(a_lone_hog_never_moves),
		cmocka_unit_test(a_cpu_that_runs_dry_takes_a_waiting_task),
		cmocka_unit_test(what_a_newidle_balance_took_is_remembered),
		cmocka_unit_test(a_cpu_that_idles_for_short_does_not_look),
		cmocka_unit_test(without_overload_nobody_looks_since_v3_17),
		cmocka_unit_test(a_busy_tick_sends_an_idle_cpu_to_balance),
		cmocka_unit_test(a_polling_balancer_gives_up_until_v6_12),
		cmocka_unit_test(one_task_alone_kicks_nobody),
		cmocka_unit_test(the_scan_limit_follows_the_utilisation_of_the_llc),
		cmocka_unit_test(intervals_double_while_all_is_balanced),
		cmocka_unit_test(balancing_takes_time),
		cmocka_unit_test(a_group_with_fewer_tasks_than_cpus_has_spare),
		cmocka_unit_test(a_group_of_many_small_tasks_has_spare),
		cmocka_unit_test(a_full_group_is_overloaded_only_when_tasks_wait),
		cmocka_unit_test(an_imbalance_between_nodes_is_allowed_by_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
