/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of the CFS picker: credit, debit, granularity, slices, buddies, migration. */
#include "sched_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MS = 1000000 };

/* One cpu: latency 6 ms, granularity 0.75 ms, wake-up granularity 1 ms, unscaled. */
static struct world *one_cpu(const char *variant)
{
	static struct world w;

	world_init(&w, "1x1x1", "v6.1", variant);
	return &w;
}

static uint64_t min_vruntime(const struct world *w)
{
	return w->s->rq[0].min_vruntime_vns;
}

static void sleep_and_wake(struct world *w, uint64_t asleep_ns)
{
	world_fork(w, 0, 0, 0, 0);
	world_block(w, 0);
	world_fork(w, 0, 1, 0, 0);
	world_run(w, asleep_ns);
	world_wake(w, 0, 0);
}

static void a_sleeper_gets_half_a_latency_of_credit(void **state)
{
	struct world *w = one_cpu("");

	sleep_and_wake(w, 200ull * MS);
	assert_int_equal(w->runs[0], 0);
	assert_int_equal(w->s->task[0].vruntime_vns, min_vruntime(w) - 3 * MS);
	world_release(w);
}

static void without_gentle_sleepers_it_is_a_whole_one(void **state)
{
	struct world *w = one_cpu("-GENTLE_FAIR_SLEEPERS");

	sleep_and_wake(w, 200ull * MS);
	assert_int_equal(w->s->task[0].vruntime_vns, min_vruntime(w) - 6 * MS);
	world_release(w);
}

static void a_short_sleep_gives_nothing(void **state)
{
	struct world *w = one_cpu("");
	uint64_t vruntime_vns;

	world_fork(w, 0, 0, 0, 0);
	world_fork(w, 0, 1, 0, 0);
	world_run(w, 100ull * MS);
	vruntime_vns = w->s->task[w->runs[0]].vruntime_vns;
	world_block(w, 0);
	world_wake(w, 0, 1 - w->runs[0]);
	assert_true(w->s->task[1 - w->runs[0]].vruntime_vns - vruntime_vns < 1 * MS);
	world_release(w);
}

static void a_child_starts_a_slice_behind(void **state)
{
	struct world *w = one_cpu("");

	world_fork(w, 0, 0, 0, 0);
	world_run(w, 50ull * MS);
	world_fork(w, 0, 1, 0, 0);
	assert_int_equal(w->runs[0], 0);
	/* Two share a latency of 6 ms. */
	assert_in_range(w->s->task[1].vruntime_vns - min_vruntime(w), 3 * MS - 20000, 3 * MS);
	world_release(w);
}

static void without_debit_it_starts_beside_its_parent(void **state)
{
	struct world *w = one_cpu("-START_DEBIT");

	world_fork(w, 0, 0, 0, 0);
	world_run(w, 50ull * MS);
	world_fork(w, 0, 1, 0, 0);
	assert_in_range(w->s->task[1].vruntime_vns - min_vruntime(w), 0, 20000);
	world_release(w);
}

static void a_child_may_run_first(void **state)
{
	struct world *w = one_cpu("child_runs_first=1");

	world_fork(w, 0, 0, 0, 0);
	world_run(w, 50ull * MS);
	world_fork(w, 0, 1, 0, 0);
	assert_int_equal(w->runs[0], 1);
	world_release(w);
}

static void a_lead_below_the_granularity_does_not_preempt(void **state)
{
	/* A credit of 0.5 ms is less than the granularity of 1 ms. */
	struct world *w = one_cpu("sched_latency_ns=1000000");

	sleep_and_wake(w, 200ull * MS);
	assert_int_equal(w->runs[0], 1);
	assert_false(sched_need_resched(w->s, 0));
	world_release(w);
}

static void a_smaller_granularity_lets_it(void **state)
{
	struct world *w = one_cpu("sched_latency_ns=1000000,wakeup_granularity_ns=100000");

	sleep_and_wake(w, 200ull * MS);
	assert_int_equal(w->runs[0], 0);
	world_release(w);
}

static uint64_t switches_in_a_second(uint32_t tasks)
{
	struct world *w = one_cpu("hz=1000");
	uint64_t before;

	for (uint32_t task = 0; task < tasks; task++)
		world_fork(w, 0, task, 0, 0);
	world_run(w, 100ull * MS);
	before = w->s->rq[0].nr_switches;
	world_run(w, 1000ull * MS);
	before = w->s->rq[0].nr_switches - before;
	world_release(w);
	return before;
}

static void few_share_a_latency_and_many_take_the_granularity(void **state)
{
	/* Two: slices of 3 ms end at the tick after; 16: 0.75 ms end at the next tick. */
	assert_in_range(switches_in_a_second(2), 245, 340);
	assert_in_range(switches_in_a_second(16), 490, 1000);
	assert_int_equal(switches_in_a_second(1), 0);
}

static void min_vruntime_never_goes_back(void **state)
{
	struct world *w = one_cpu("");
	uint64_t last;

	world_fork(w, 0, 0, 0, 0);
	last = min_vruntime(w);
	for (uint32_t n = 0; n < 300; n++) {
		if (n % 3)
			world_run(w, n * 10000);
		else if (n % 2 && w->runs[0] != TASK_NONE)
			world_block(w, 0);
		else if (w->s->task[n % 7].state == TASK_UNUSED)
			world_fork(w, 0, n % 7, 0, (int)n % 5);
		else
			world_wake(w, 0, n % 7);
		assert_false(vns_before(min_vruntime(w), last));
		last = min_vruntime(w);
	}
	world_release(w);
}

static void a_task_takes_its_distance_along(void **state)
{
	struct world w;
	struct sched_task *t;

	world_init(&w, "1x2x1", "v6.1", "");
	world_fork(&w, 0, 0, 1, 0);
	world_fork(&w, 0, 1, 1, 0);
	world_run(&w, 500ull * MS);
	t = &w.s->task[1 - w.runs[0]];
	cpuset_clear(&w.set[2]);
	cpuset_add(&w.set[2], 1);
	world_after(&w, sched_set_affinity(w.s, w.now_ns, 0, 1 - w.runs[0], 2));
	assert_int_equal(t->cpu, 1);
	/* An empty runqueue has hardly any virtual time; the other has 250 ms. */
	assert_in_range(vns_delta(t->vruntime_vns, w.s->rq[1].min_vruntime_vns) + 20 * MS, 0,
			40 * MS);
	world_release(&w);
}

static void a_woken_buddy_goes_first(void **state)
{
	struct world *w = one_cpu("");

	for (uint32_t task = 0; task < 10; task++)
		world_fork(w, 0, task, 0, 0);
	world_run(w, 500ull * MS);
	world_block(w, 0);
	world_run(w, 300ull * MS);
	for (uint32_t task = 0; task < 10; task++)
		if (w->s->task[task].state == TASK_BLOCKED) {
			world_after(w, sched_wake(w->s, w->now_ns, 0, task, 0));
			assert_true(sched_need_resched(w->s, 0));
			assert_int_equal(w->s->rq[0].next_buddy, task);
			/* The preempted one comes back next: nine are a crowd. */
			assert_int_equal(w->s->rq[0].last_buddy, w->runs[0]);
			world_settle(w);
			assert_int_equal(w->runs[0], task);
		}
	world_release(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sleeper_gets_half_a_latency_of_credit),
		cmocka_unit_test(without_gentle_sleepers_it_is_a_whole_one),
		cmocka_unit_test(a_short_sleep_gives_nothing),
		cmocka_unit_test(a_child_starts_a_slice_behind),
		cmocka_unit_test(without_debit_it_starts_beside_its_parent),
		cmocka_unit_test(a_child_may_run_first),
		cmocka_unit_test(a_lead_below_the_granularity_does_not_preempt),
		cmocka_unit_test(a_smaller_granularity_lets_it),
		cmocka_unit_test(few_share_a_latency_and_many_take_the_granularity),
		cmocka_unit_test(min_vruntime_never_goes_back),
		cmocka_unit_test(a_task_takes_its_distance_along),
		cmocka_unit_test(a_woken_buddy_goes_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
