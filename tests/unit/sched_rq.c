/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of runqueues, wake-ups and switches that hold for both pickers. */
#include "sched_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char *const profiles[] = {
	"v3.13", "v5.9", "v5.12", "v6.1", "v6.6", "v6.12", "v6.18"
};

enum { NR_PROFILES = sizeof(profiles) / sizeof(profiles[0]), MS = 1000000 };

#define FOR_EACH_PROFILE(i) for (uint32_t i = 0; i < NR_PROFILES; i++)

static void a_new_task_runs(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "1x2x1", profiles[i], "");
		world_fork(&w, 0, 0, 0, 0);
		assert_true(w.runs[0] == 0 || w.runs[1] == 0);
		assert_int_equal(w.s->rq[w.s->task[0].cpu].nr_running, 1);
		world_release(&w);
	}
}

static void hogs_share_a_cpu_evenly(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;
		uint64_t least = UINT64_MAX, most = 0;

		world_init(&w, "1x1x1", profiles[i], "");
		for (uint32_t task = 0; task < 5; task++)
			world_fork(&w, 0, task, 0, 0);
		world_run(&w, 2000ull * MS);
		for (uint32_t task = 0; task < 5; task++) {
			least = min_u64(least, world_ran_ns(&w, task));
			most = max_u64(most, world_ran_ns(&w, task));
		}
		assert_in_range(most - least, 0, 40 * MS);
		assert_true(least > 380ull * MS);
		world_release(&w);
	}
}

static void nice_values_share_by_weight(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;
		const int nice[4] = { 0, 5, -5, 10 };
		uint64_t all = 0, all_wt = 0;

		world_init(&w, "1x1x1", profiles[i], "hz=1000");
		for (uint32_t task = 0; task < 4; task++) {
			world_fork(&w, 0, task, 0, nice[task]);
			all_wt += weight_of_nice(nice[task]);
		}
		world_run(&w, 20000ull * MS);
		for (uint32_t task = 0; task < 4; task++)
			all += world_ran_ns(&w, task);
		for (uint32_t task = 0; task < 4; task++) {
			uint64_t share = world_ran_ns(&w, task) * 10000 / all;
			uint64_t due = weight_of_nice(nice[task]) * 10000ull / all_wt;

			assert_in_range(share, due - due / 20 - 30, due + due / 20 + 30);
		}
		world_release(&w);
	}
}

static void a_changed_nice_value_changes_the_share(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;
		uint64_t before[2], ran[2];

		world_init(&w, "1x1x1", profiles[i], "hz=1000");
		world_fork(&w, 0, 0, 0, 0);
		world_fork(&w, 0, 1, 0, 0);
		world_run(&w, 500ull * MS);
		world_after(&w, sched_set_nice(w.s, w.now_ns, 0, w.runs[0], 5));
		world_after(&w, sched_set_nice(w.s, w.now_ns, 0, 1 - w.runs[0], 0));
		world_settle(&w);
		world_run(&w, 500ull * MS);
		for (uint32_t task = 0; task < 2; task++)
			before[task] = world_ran_ns(&w, task);
		world_run(&w, 5000ull * MS);
		for (uint32_t task = 0; task < 2; task++)
			ran[task] = world_ran_ns(&w, task) - before[task];
		/* 1024 / 335 = 3.06 */
		assert_in_range(max_u64(ran[0], ran[1]) * 100 / min_u64(ran[0], ran[1]), 285, 330);
		world_release(&w);
	}
}

static void a_long_sleeper_preempts_a_hog(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "1x1x1", profiles[i], "hz=1000");
		world_fork(&w, 0, 0, 0, 0);
		world_block(&w, 0);
		world_fork(&w, 0, 1, 0, 0);
		world_run(&w, 103ull * MS);
		assert_int_equal(w.runs[0], 1);
		world_wake(&w, 0, 0);
		/* EEVDF lets the hog finish its slice first: the sleeper has no lag. */
		if (w.s->picker == &picker_eevdf)
			world_run(&w, 6 * MS);
		assert_true(world_ran_ns(&w, 0) > 0);
		if (w.s->picker == &picker_cfs)
			assert_int_equal(w.runs[0], 0);
		world_release(&w);
	}
}

static void without_preemption_a_wakee_waits(void **state)
{
	struct world w;

	world_init(&w, "1x1x1", "v6.1", "-WAKEUP_PREEMPTION");
	world_fork(&w, 0, 0, 0, 0);
	world_block(&w, 0);
	world_fork(&w, 0, 1, 0, 0);
	world_run(&w, 100ull * MS);
	world_wake(&w, 0, 0);
	assert_int_equal(w.runs[0], 1);
	world_release(&w);
}

static void a_blocked_task_leaves_its_cpu_idle(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;
		uint32_t cpu;

		world_init(&w, "1x4x1", profiles[i], "");
		world_fork(&w, 0, 7, 0, 0);
		cpu = w.s->task[7].cpu;
		world_block(&w, cpu);
		assert_int_equal(w.runs[cpu], TASK_NONE);
		assert_int_equal(w.s->task[7].state, TASK_BLOCKED);
		assert_int_equal(w.s->rq[cpu].nr_queued, 0);
		world_wake(&w, 0, 7);
		assert_int_equal(w.runs[w.s->task[7].cpu], 7);
		world_release(&w);
	}
}

static void a_second_wake_up_does_nothing(void **state)
{
	struct world w;
	uint64_t wakes;

	world_init(&w, "1x2x1", "v6.1", "");
	world_fork(&w, 0, 0, 0, 0);
	wakes = sched_counter(w.s, COUNT_wake);
	world_wake(&w, 1, 0);
	assert_int_equal(sched_counter(w.s, COUNT_wake), wakes);
	assert_int_equal(w.s->rq[w.s->task[0].cpu].nr_running, 1);
	world_release(&w);
}

static void other_caches_are_woken_by_interrupt(void **state)
{
	struct world w;

	world_init(&w, "2x2x1", "v5.12", "");
	world_fork(&w, 0, 0, 1, 0);
	world_block(&w, 0);
	world_after(&w, sched_wake(w.s, w.now_ns, 3, 0, 0));
	assert_int_equal(w.s->task[0].state, TASK_WAKING);
	assert_true(w.s->rq[0].ttwu_pending);
	assert_int_equal(sched_counter(w.s, COUNT_wake_remote_queued), 1);
	world_settle(&w);
	assert_int_equal(w.runs[0], 0);
	world_release(&w);
}

static void an_old_kernel_queues_by_reschedule_interrupt(void **state)
{
	struct world w;

	world_init(&w, "2x2x1", "v3.13", "");
	world_fork(&w, 0, 0, 1, 0);
	world_block(&w, 0);
	world_after(&w, sched_wake(w.s, w.now_ns, 3, 0, 0));
	assert_int_equal(w.s->task[0].state, TASK_WAKING);
	assert_true(w.has_resched[0]);
	world_settle(&w);
	assert_int_equal(w.runs[0], 0);
	world_release(&w);
}

static void a_set_that_changes_on_the_wake_list_is_obeyed(void **state)
{
	struct world w;

	world_init(&w, "2x2x1", "v5.12", "");
	cpuset_clear(&w.set[2]);
	cpuset_add(&w.set[2], 2);
	world_fork(&w, 0, 0, 1, 0);
	world_block(&w, 0);
	world_after(&w, sched_wake(w.s, w.now_ns, 3, 0, 0));
	assert_int_equal(w.s->task[0].state, TASK_WAKING);
	world_after(&w, sched_set_affinity(w.s, w.now_ns, 3, 0, 2));
	world_settle(&w);
	assert_int_equal(w.runs[2], 0);
	assert_int_equal(w.runs[0], TASK_NONE);
	world_release(&w);
}

static void a_running_task_follows_its_set(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "1x4x1", profiles[i], "");
		cpuset_clear(&w.set[3]);
		cpuset_add(&w.set[3], 3);
		world_fork(&w, 0, 0, 1, 0);
		assert_int_equal(w.runs[0], 0);
		world_after(&w, sched_set_affinity(w.s, w.now_ns, 1, 0, 3));
		world_settle(&w);
		assert_int_equal(w.runs[0], TASK_NONE);
		assert_int_equal(w.runs[3], 0);
		world_release(&w);
	}
}

static void a_queued_task_follows_its_set(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;
		uint32_t waiting;

		world_init(&w, "1x4x1", profiles[i], "");
		cpuset_clear(&w.set[3]);
		cpuset_add(&w.set[3], 3);
		world_fork(&w, 0, 0, 1, 0);
		world_fork(&w, 0, 1, 1, 0);
		waiting = 1 - w.runs[0];
		world_after(&w, sched_set_affinity(w.s, w.now_ns, 0, waiting, 3));
		world_settle(&w);
		assert_int_equal(w.runs[3], waiting);
		world_release(&w);
	}
}

static void an_exited_number_can_be_used_again(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "1x1x1", profiles[i], "");
		world_fork(&w, 0, 0, 0, 0);
		world_run(&w, 50 * MS);
		world_after(&w, sched_exit(w.s, w.now_ns, 0));
		world_settle(&w);
		assert_int_equal(w.runs[0], TASK_NONE);
		assert_int_equal(w.s->rq[0].avg.util_est, 0);
		world_fork(&w, 0, 0, 0, 0);
		assert_int_equal(w.runs[0], 0);
		assert_int_equal(world_ran_ns(&w, 0), 0);
		world_release(&w);
	}
}

static void yielding_gives_way_to_another(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;
		uint32_t switches = 0;

		world_init(&w, "1x1x1", profiles[i], "");
		world_fork(&w, 0, 0, 0, 0);
		world_fork(&w, 0, 1, 0, 0);
		for (uint32_t n = 0; n < 200; n++) {
			uint32_t before = w.runs[0];

			w.now_ns += 100000;
			world_after(&w, sched_yield_task(w.s, w.now_ns, 0));
			switches += w.runs[0] != before;
		}
		assert_true(switches > 80);
		world_release(&w);
	}
}

static void time_is_charged_to_the_running_task_alone(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;
		uint64_t start_ns, all = 0;

		world_init(&w, "1x1x1", profiles[i], "");
		world_fork(&w, 0, 0, 0, 0);
		start_ns = w.now_ns;
		for (uint32_t task = 1; task < 4; task++)
			world_fork(&w, 0, task, 0, (int)task);
		world_run(&w, 300ull * MS);
		for (uint32_t task = 0; task < 4; task++)
			all += world_ran_ns(&w, task);
		assert_in_range(all, 300ull * MS - 10 * MS, w.now_ns - start_ns + 10000);
		world_release(&w);
	}
}

static uint64_t run_something(const char *profile)
{
	struct world w;
	uint64_t hash;

	world_init(&w, "2x2x2", profile, "");
	for (uint32_t task = 0; task < 12; task++)
		world_fork(&w, task % 8, task, 0, (int)task % 3);
	for (uint32_t n = 0; n < 200; n++) {
		uint32_t cpu = n % 8;

		world_run(&w, 300000);
		if (w.runs[cpu] != TASK_NONE)
			world_block(&w, cpu);
		else
			world_wake(&w, cpu, n % 12);
	}
	hash = w.hash;
	world_release(&w);
	return hash;
}

static void equal_calls_give_equal_effects(void **state)
{
	FOR_EACH_PROFILE(i)
	assert_int_equal(run_something(profiles[i]), run_something(profiles[i]));
	assert_true(run_something("v6.1") != run_something("v6.12"));
}

static void a_wake_up_costs_what_its_lines_cost(void **state)
{
	struct world near, far;
	uint64_t near_ns, far_ns;

	world_init(&near, "1x4x1", "v6.1", "");
	world_init(&far, "1x4x1", "v6.1", "");
	/* The waking cpu's own task against one whose lines another cpu holds. */
	for (uint32_t n = 0; n < 2; n++) {
		struct world *w = n ? &far : &near;

		world_fork(w, 0, 0, 1, 0);
		world_block(w, 0);
	}
	near_ns = sched_wake(near.s, near.now_ns, 0, 0, 0);
	far_ns = sched_wake(far.s, far.now_ns, 3, 0, 0);
	assert_true(far_ns > near_ns + machine_cost(far.machine, COST_line_llc) * 5);
	world_release(&near);
	world_release(&far);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_task_runs),
		cmocka_unit_test(hogs_share_a_cpu_evenly),
		cmocka_unit_test(nice_values_share_by_weight),
		cmocka_unit_test(a_changed_nice_value_changes_the_share),
		cmocka_unit_test(a_long_sleeper_preempts_a_hog),
		cmocka_unit_test(without_preemption_a_wakee_waits),
		cmocka_unit_test(a_blocked_task_leaves_its_cpu_idle),
		cmocka_unit_test(a_second_wake_up_does_nothing),
		cmocka_unit_test(other_caches_are_woken_by_interrupt),
		cmocka_unit_test(an_old_kernel_queues_by_reschedule_interrupt),
		cmocka_unit_test(a_set_that_changes_on_the_wake_list_is_obeyed),
		cmocka_unit_test(a_running_task_follows_its_set),
		cmocka_unit_test(a_queued_task_follows_its_set),
		cmocka_unit_test(an_exited_number_can_be_used_again),
		cmocka_unit_test(yielding_gives_way_to_another),
		cmocka_unit_test(time_is_charged_to_the_running_task_alone),
		cmocka_unit_test(equal_calls_give_equal_effects),
		cmocka_unit_test(a_wake_up_costs_what_its_lines_cost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
