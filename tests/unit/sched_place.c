/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of the choice between waker's side, previous side and slow path. */
#include "sched_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char *const profiles[] = { "v3.13", "v5.9", "v5.12", "v5.19",
					"v6.1",	 "v6.6", "v6.12", "v6.18" };

enum { NR_PROFILES = sizeof(profiles) / sizeof(profiles[0]) };

#define FOR_EACH_PROFILE(i) for (uint32_t i = 0; i < NR_PROFILES; i++)

/* Task 0 wakes on `waker`, where FAKE_RUNNER runs if the cpu is busy. */
static uint32_t place(struct world *w, uint32_t waker, uint32_t prev, bool sync)
{
	fake_verb(w, waker);
	return place_task(w->s, 0, prev, PLACE_WAKE, sync);
}

static void a_task_of_one_cpu_is_not_searched_for(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_set(&w, 1, "11");
		fake_sleeper(&w, 2, 1);
		assert_int_equal(place(&w, 0, 2, false), 11);
		assert_int_equal(fake_count(&w, COUNT_sis_search), 0);
		world_release(&w);
	}
}

static void flips_count_changes_of_partner(void **state)
{
	struct world w;

	world_init(&w, "1x4x1", "v6.1", "");
	fake_sleeper(&w, 0, 0);
	fake_verb(&w, 0);
	place_record_wakee(w.s, 0, 5);
	place_record_wakee(w.s, 0, 5);
	assert_int_equal(w.s->task[0].wakee_flips, 1);
	place_record_wakee(w.s, 0, 6);
	place_record_wakee(w.s, 0, 5);
	assert_int_equal(w.s->task[0].wakee_flips, 3);
	place_record_wakee(w.s, TASK_NONE, 5);
	world_release(&w);
}

static void flips_halve_each_second_and_were_wiped_in_v3_13(void **state)
{
	const char *const with[] = { "v3.13", "v6.1" };

	for (uint32_t i = 0; i < 2; i++) {
		struct world w;

		world_init(&w, "1x4x1", with[i], "");
		fake_sleeper(&w, 0, 0);
		w.s->task[0].wakee_flips = 100;
		w.s->task[0].last_wakee = 5;
		w.now_ns = 1000000001;
		fake_verb(&w, 0);
		place_record_wakee(w.s, 0, 5);
		assert_int_equal(w.s->task[0].wakee_flips, i ? 50 : 0);
		place_record_wakee(w.s, 0, 5);
		assert_int_equal(w.s->task[0].wakee_flips, i ? 50 : 0);
		world_release(&w);
	}
}

/* LLC of 8: the quieter side needs 8 flips, the other 8 times as many (v3.13: more than that). */
static void many_partners_keep_a_wakee_from_being_pulled(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		for (uint32_t flips = 71; flips <= 73; flips++) {
			bool wide = i == 0 ? flips > 72 : flips >= 72;
			struct world w;
			uint32_t cpu;

			world_init(&w, "2x8x1", profiles[i], "");
			fake_sleeper(&w, 12, 0);
			fake_busy(&w, 0);
			fake_busy_range(&w, 8, 15);
			w.s->task[0].wakee_flips = 9;
			w.s->task[FAKE_RUNNER].wakee_flips = flips;
			cpu = place(&w, 0, 12, true);
			assert_int_equal(fake_count(&w, COUNT_wake_wide), wide);
			assert_int_equal(cpu >= 8, wide);
			world_release(&w);
		}
	}
}

static void an_idle_previous_cpu_keeps_its_task(void **state)
{
	for (uint32_t i = 2; i < NR_PROFILES; i++) {
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_sleeper(&w, 12, 0);
		fake_busy(&w, 0);
		assert_int_equal(place(&w, 0, 12, false), 12);
		world_release(&w);
	}
}

static void a_lone_synchronous_waker_pulls(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_sleeper(&w, 12, 0);
		fake_busy_range(&w, 0, 15);
		assert_int_equal(place(&w, 0, 12, true), 0);
		assert_int_equal(fake_count(&w, COUNT_wake_affine), 1);
		world_release(&w);
	}
}

static void the_heavier_side_loses(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		for (uint32_t heavy = 0; heavy < 2; heavy++) {
			struct world w;

			world_init(&w, "2x8x1", profiles[i], "");
			fake_sleeper(&w, 12, 0);
			fake_busy_range(&w, 0, 15);
			w.s->rq[heavy ? 12 : 0].avg.load_avg = 20 * WEIGHT_NICE_0;
			w.s->rq[heavy ? 12 : 0].load_wt = 20 * WEIGHT_NICE_0;
			w.s->rq[heavy ? 12 : 0].nr_running = 20;
			w.s->rq[heavy ? 12 : 0].nr_queued = 20;
			assert_int_equal(place(&w, 0, 12, false) < 8, heavy);
			world_release(&w);
		}
	}
}

static void an_interrupt_on_an_idle_cpu_pulls_within_its_cache(void **state)
{
	struct world w;

	world_init(&w, "2x8x1", "v6.1", "");
	fake_sleeper(&w, 3, 0);
	fake_busy(&w, 3);
	assert_int_equal(place(&w, 5, 3, false), 5);
	fake_sleeper(&w, 12, 0);
	fake_busy_range(&w, 8, 15);
	w.s->rq[12].avg.load_avg = 0;
	assert_true(place(&w, 5, 12, false) >= 8);
	world_release(&w);
}

/* LLC of 8, idle waking cpu: its interrupts' partners are counted as a task's are. */
static void an_idle_cpu_with_many_partners_does_not_pull(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_sleeper(&w, 12, 0);
		fake_verb(&w, 5);
		for (uint32_t partner = 0; partner < 144; partner++)
			place_record_wakee(w.s, TASK_NONE, partner % 2);
		assert_int_equal(w.s->rq[5].idle_flips, 144);
		assert_int_equal(w.s->rq[6].idle_flips, 0);
		w.s->task[0].wakee_flips = 9;
		place(&w, 6, 12, false);
		assert_int_equal(fake_count(&w, COUNT_wake_wide), 0);
		place(&w, 5, 12, false);
		assert_int_equal(fake_count(&w, COUNT_wake_wide), 1);
		world_release(&w);
	}
}

static void a_delayed_sleeper_leaves_a_synchronous_waker_alone(void **state)
{
	for (uint32_t running = 1; running <= 2; running++) {
		struct world w;

		world_init(&w, "2x8x1", "v6.12", "");
		fake_sleeper(&w, 12, 0);
		fake_busy_range(&w, 0, 15);
		w.s->rq[0].avg.load_avg = 20 * WEIGHT_NICE_0;
		w.s->rq[0].nr_running = running;
		w.s->rq[0].nr_queued = 2;
		assert_int_equal(place(&w, 0, 12, true) < 8, running == 1);
		world_release(&w);
	}
}

static void a_waker_outside_the_set_does_not_pull(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_set(&w, 1, "8-15");
		fake_sleeper(&w, 12, 1);
		fake_busy(&w, 0);
		assert_int_equal(place(&w, 0, 12, true), 12);
		assert_int_equal(fake_count(&w, COUNT_wake_affine), 0);
		world_release(&w);
	}
}

static void a_forbidden_previous_cpu_is_replaced_within_its_node(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_set(&w, 1, "2,14,15");
		fake_sleeper(&w, 9, 1);
		fake_busy_range(&w, 0, 1);
		fake_busy_range(&w, 10, 15);
		assert_true(place(&w, 0, 9, false) >= 14);
		world_release(&w);
	}
}

static void a_fork_takes_the_slow_path(void **state)
{
	FOR_EACH_PROFILE(i)
	{
		struct world w;

		world_init(&w, "2x8x1", profiles[i], "");
		fake_sleeper(&w, 0, 0);
		fake_busy(&w, 0);
		fake_verb(&w, 0);
		assert_true(place_task(w.s, 0, 0, PLACE_FORK, false) != 0);
		assert_int_equal(fake_count(&w, COUNT_slow_path), 1);
		assert_int_equal(fake_count(&w, COUNT_sis_search), 0);
		world_release(&w);
	}
}

static void the_waker_remembers_its_cpu_until_v5_13(void **state)
{
	struct world w;

	world_init(&w, "2x8x1", "v5.12", "");
	fake_sleeper(&w, 3, 0);
	fake_busy(&w, 5);
	place(&w, 5, 3, false);
	assert_int_equal(w.s->task[FAKE_RUNNER].recent_cpu, 5);
	world_release(&w);
	world_init(&w, "2x8x1", "v5.19", "");
	fake_sleeper(&w, 3, 0);
	fake_busy_range(&w, 0, 7);
	w.s->task[0].recent_cpu = 6;
	place(&w, 5, 3, false);
	assert_int_equal(w.s->task[FAKE_RUNNER].recent_cpu, 3);
	assert_int_equal(w.s->task[0].recent_cpu, 3);
	world_release(&w);
}

static void a_placement_takes_time(void **state)
{
	struct world w;

	world_init(&w, "2x8x1", "v6.1", "");
	fake_sleeper(&w, 3, 0);
	fake_busy_range(&w, 0, 7);
	place(&w, 5, 3, false);
	assert_true(w.s->t_ns > w.now_ns);
	assert_true(fake_count(&w, COUNT_sis_ns) > 0);
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_of_one_cpu_is_not_searched_for),
		cmocka_unit_test(flips_count_changes_of_partner),
		cmocka_unit_test(flips_halve_each_second_and_were_wiped_in_v3_13),
		cmocka_unit_test(many_partners_keep_a_wakee_from_being_pulled),
		cmocka_unit_test(an_idle_previous_cpu_keeps_its_task),
		cmocka_unit_test(a_lone_synchronous_waker_pulls),
		cmocka_unit_test(the_heavier_side_loses),
		cmocka_unit_test(an_interrupt_on_an_idle_cpu_pulls_within_its_cache),
		cmocka_unit_test(an_idle_cpu_with_many_partners_does_not_pull),
		cmocka_unit_test(a_delayed_sleeper_leaves_a_synchronous_waker_alone),
		cmocka_unit_test(a_waker_outside_the_set_does_not_pull),
		cmocka_unit_test(a_forbidden_previous_cpu_is_replaced_within_its_node),
		cmocka_unit_test(a_fork_takes_the_slow_path),
		cmocka_unit_test(the_waker_remembers_its_cpu_until_v5_13),
		cmocka_unit_test(a_placement_takes_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
