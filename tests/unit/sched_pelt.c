/* SPDX-License-Identifier: GPL-2.0-only */
/* Load tracking: decay factors, half-lives, saturation, what moves with a task. */
#include "sched_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MS = 1000000, PERIOD_NS = 1024 * 1024 };

static struct world *setup_world(const char *spec, const char *variant)
{
	static struct world w;

	world_init(&w, spec, "v6.1", variant);
	return &w;
}

static void decay_factors_are_powers_of_a_half(void **state)
{
	struct world *w = setup_world("1x1x1", "");

	/* floor((2^32 - 1) / 2^(n/32)), computed with 50 digits. */
	assert_int_equal(w->s->decay[0], 0xffffffff);
	assert_int_equal(w->s->decay[1], 0xfa83b2da);
	assert_int_equal(w->s->decay[8], 0xd744fcc9);
	assert_int_equal(w->s->decay[16], 0xb504f333);
	assert_int_equal(w->s->decay[31], 0x82cd8698);
	world_release(w);
}

static void a_running_task_saturates(void **state)
{
	struct world *w = setup_world("1x1x1", "hz=1000");

	world_fork(w, 0, 0, 0, 0);
	world_run(w, 1000ull * MS);
	assert_in_range(w->s->task[0].avg.util_avg, 1000, 1024);
	assert_in_range(w->s->task[0].avg.load_avg, 1000, 1024);
	assert_in_range(cpu_util(w->s, 0), 1000, 1024);
	assert_in_range(cpu_load(w->s, 0), 1000, 1026);
	world_release(w);
}

static void a_sleeper_loses_half_in_32_periods(void **state)
{
	struct world *w = setup_world("1x1x1", "hz=1000");
	uint32_t before;

	world_fork(w, 0, 0, 0, 0);
	world_run(w, 1000ull * MS);
	world_block(w, 0);
	before = w->s->task[0].avg.util_avg;
	w->now_ns += 32ull * PERIOD_NS;
	world_wake(w, 0, 0);
	assert_in_range(w->s->task[0].avg.util_avg, before / 2 - 12, before / 2 + 12);
	world_release(w);
}

static void half_time_gives_half_the_utilisation(void **state)
{
	struct world *w = setup_world("1x1x1", "hz=1000");

	world_fork(w, 0, 0, 0, 0);
	for (uint32_t n = 0; n < 200; n++) {
		world_run(w, 4 * MS);
		world_block(w, 0);
		w->now_ns += 4 * MS;
		world_wake(w, 0, 0);
	}
	assert_in_range(w->s->task[0].avg.util_avg, 430, 600);
	world_release(w);
}

static void load_follows_the_weight(void **state)
{
	struct world *w = setup_world("1x1x1", "hz=1000");

	world_fork(w, 0, 0, 0, 0);
	world_run(w, 1000ull * MS);
	world_after(w, sched_set_nice(w->s, w->now_ns, 0, 0, -5));
	assert_in_range(w->s->task[0].avg.load_avg, 3000, 3121);
	assert_in_range(cpu_load(w->s, 0), 3000, 3125);
	assert_in_range(w->s->task[0].avg.util_avg, 1000, 1024);
	world_release(w);
}

static void load_leaves_with_a_task_that_wakes_elsewhere(void **state)
{
	struct world *w = setup_world("1x2x1", "hz=1000");

	world_fork(w, 0, 0, 1, 0);
	world_run(w, 500ull * MS);
	assert_true(cpu_load(w->s, 0) > 900);
	world_block(w, 0);
	cpuset_clear(&w->set[2]);
	cpuset_add(&w->set[2], 1);
	world_after(w, sched_set_affinity(w->s, w->now_ns, 1, 0, 2));
	world_wake(w, 1, 0);
	assert_int_equal(w->s->task[0].cpu, 1);
	assert_true(cpu_load(w->s, 1) > 800);
	/* The old cpu learns of it when it updates next. */
	world_after(w, sched_tick(w->s, w->now_ns, 0));
	assert_in_range(cpu_load(w->s, 0), 0, 60);
	assert_in_range(cpu_util(w->s, 0), 0, 60);
	world_release(w);
}

static void a_newcomer_counts_with_its_weight(void **state)
{
	struct world *w = setup_world("1x1x1", "");

	world_fork(w, 0, 0, 0, 5);
	assert_in_range(w->s->task[0].avg.load_avg, 330, 335);
	assert_in_range(w->s->task[0].avg.util_avg, 500, 512);
	world_release(w);
}

static void the_estimate_outlives_a_sleep(void **state)
{
	struct world *w = setup_world("1x1x1", "hz=1000");

	world_fork(w, 0, 0, 0, 0);
	world_run(w, 1000ull * MS);
	world_block(w, 0);
	assert_int_equal(w->s->rq[0].avg.util_est, 0);
	w->now_ns += 200ull * MS;
	world_wake(w, 0, 0);
	assert_in_range(w->s->task[0].avg.util_avg, 0, 30);
	assert_true(task_util(w->s, 0) > 1000);
	assert_true(cpu_util(w->s, 0) > 1000);
	world_release(w);
}

static void a_slow_cpu_is_never_fully_used(void **state)
{
	struct world w;
	struct err err = { 0 };
	struct arena arena;

	arena_init(&arena);
	world_init(&w, "1x2x1", "v6.1", "hz=1000");
	/* The scheduler reads capacities from the machine as it runs. */
	w.machine->cpu[0].capacity = 512;
	world_fork(&w, 0, 0, 1, 0);
	world_run(&w, 2000ull * MS);
	assert_in_range(w.s->task[0].avg.util_avg, 440, 1024);
	assert_in_range(cpu_util(w.s, 0), 440, 512);
	assert_false(err.set);
	world_release(&w);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decay_factors_are_powers_of_a_half),
		cmocka_unit_test(a_running_task_saturates),
		cmocka_unit_test(a_sleeper_loses_half_in_32_periods),
		cmocka_unit_test(half_time_gives_half_the_utilisation),
		cmocka_unit_test(load_follows_the_weight),
		cmocka_unit_test(load_leaves_with_a_task_that_wakes_elsewhere),
		cmocka_unit_test(a_newcomer_counts_with_its_weight),
		cmocka_unit_test(the_estimate_outlives_a_sleep),
		cmocka_unit_test(a_slow_cpu_is_never_fully_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
