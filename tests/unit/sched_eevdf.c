/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of the EEVDF picker: eligibility, deadlines, lag, delayed dequeue, parity. */
#include "base/random.h"
#include "sched_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MS = 1000000, SLICE_NS = 750000 };

static struct world *one_cpu(const char *profile, const char *variant)
{
	static struct world w;

	world_init(&w, "1x1x1", profile, variant);
	return &w;
}

/* V by its definition, with floor division. */
static int64_t lag_of(const struct world *w, uint32_t task)
{
	const struct sched *s = w->s;
	int64_t sum = 0, weight = 0;
	uint64_t zero = s->task[task].vruntime_vns;

	for (uint32_t at = s->rq[0].list_first; at != TASK_NONE; at = s->task[at].list_next) {
		sum += vns_delta(s->task[at].vruntime_vns, zero) * s->task[at].weight_wt;
		weight += s->task[at].weight_wt;
	}
	return sum >= 0 ? sum / weight : -((-sum + weight - 1) / weight);
}

static void the_pick_is_the_first_deadline_of_the_eligible(void **state)
{
	struct world *w = one_cpu("v6.6", "-RUN_TO_PARITY,hz=1000");
	struct random r = random_stream(7, RANDOM_TEST, 0);

	for (uint32_t task = 0; task < 12; task++)
		world_fork(w, 0, task, 0, (int)random_below(&r, 15) - 5);
	for (uint32_t n = 0; n < 500; n++) {
		uint32_t best = TASK_NONE, picked;

		w->now_ns += random_below(&r, 2 * MS);
		world_after(w, sched_tick(w->s, w->now_ns, 0));
		for (uint32_t task = 0; task < 12; task++)
			if (lag_of(w, task) >= 0 &&
			    (best == TASK_NONE || vns_before(w->s->task[task].deadline_vns,
							     w->s->task[best].deadline_vns)))
				best = task;
		picked = w->s->picker->pick(w->s, &w->s->rq[0]);
		assert_true(lag_of(w, picked) >= 0);
		assert_int_equal(w->s->task[picked].deadline_vns, w->s->task[best].deadline_vns);
		world_settle(w);
	}
	world_release(w);
}

static void lag_stays_within_two_slices_of_service(void **state)
{
	struct world *w = one_cpu("v6.12", "hz=1000");

	for (uint32_t task = 0; task < 6; task++)
		world_fork(w, 0, task, 0, 0);
	for (uint32_t n = 0; n < 300; n++) {
		world_run(w, 1 * MS);
		for (uint32_t task = 0; task < 6; task++)
			assert_in_range(lag_of(w, task) + 4 * MS, 0, 8 * MS);
	}
	world_release(w);
}

static void a_task_keeps_its_lag_over_a_sleep(void **state)
{
	struct world *w = one_cpu("v6.6", "");
	uint32_t task;
	int64_t lag_vns;

	for (uint32_t n = 0; n < 3; n++)
		world_fork(w, 0, n, 0, 0);
	world_run(w, 100ull * MS);
	task = w->runs[0];
	world_block(w, 0);
	lag_vns = w->s->task[task].lag_vns;
	assert_true(lag_vns != 0);
	world_run(w, 50ull * MS);
	world_after(w, sched_wake(w->s, w->now_ns, 0, task, 0));
	assert_in_range(lag_of(w, task) - lag_vns + 10, 0, 20);
	world_release(w);
}

static void without_place_lag_it_does_not(void **state)
{
	struct world *w = one_cpu("v6.6", "-PLACE_LAG");
	uint32_t task;

	for (uint32_t n = 0; n < 3; n++)
		world_fork(w, 0, n, 0, 0);
	world_run(w, 100ull * MS);
	task = w->runs[0];
	world_block(w, 0);
	world_run(w, 50ull * MS);
	world_after(w, sched_wake(w->s, w->now_ns, 0, task, 0));
	assert_in_range(lag_of(w, task) + 10, 0, 20);
	world_release(w);
}

/* A task that has run ahead sleeps: before 6.12 it leaves, then it stays until its debt is paid. */
static uint8_t state_after_running_ahead(const char *profile, const char *variant, struct world **w,
					 uint32_t *task)
{
	*w = one_cpu(profile, variant);
	for (uint32_t n = 0; n < 3; n++)
		world_fork(*w, 0, n, 0, 0);
	world_run(*w, 102ull * MS);
	(*w)->now_ns += 600000;
	*task = (*w)->runs[0];
	world_after(*w, sched_block((*w)->s, (*w)->now_ns, 0));
	return (*w)->s->task[*task].state;
}

static void a_sleeper_in_debt_stays_queued(void **state)
{
	struct world *w;
	uint32_t task;

	assert_int_equal(state_after_running_ahead("v6.6", "", &w, &task), TASK_BLOCKED);
	world_release(w);
	assert_int_equal(state_after_running_ahead("v6.12", "-DELAY_DEQUEUE", &w, &task),
			 TASK_BLOCKED);
	world_release(w);
	assert_int_equal(state_after_running_ahead("v6.12", "", &w, &task), TASK_DELAYED);
	assert_int_equal(w->s->rq[0].nr_running, 2);
	assert_int_equal(w->s->rq[0].nr_queued, 3);
	world_run(w, 40ull * MS);
	assert_int_equal(w->s->task[task].state, TASK_BLOCKED);
	assert_int_equal(w->s->task[task].lag_vns, 0);
	assert_int_equal(w->s->rq[0].nr_queued, 2);
	world_release(w);
}

static void a_delayed_sleeper_wakes_where_it_is(void **state)
{
	struct world *w;
	uint32_t task;

	assert_int_equal(state_after_running_ahead("v6.12", "", &w, &task), TASK_DELAYED);
	world_after(w, sched_wake(w->s, w->now_ns, 0, task, 0));
	assert_int_equal(w->s->task[task].state, TASK_QUEUED);
	assert_int_equal(w->s->rq[0].nr_running, 3);
	assert_true(lag_of(w, task) <= 0);
	world_release(w);
}

static void the_last_sleeper_is_never_left_queued(void **state)
{
	struct world *w = one_cpu("v6.12", "");

	world_fork(w, 0, 0, 0, 0);
	world_run(w, 10ull * MS);
	world_block(w, 0);
	assert_int_equal(w->s->task[0].state, TASK_BLOCKED);
	assert_int_equal(w->runs[0], TASK_NONE);
	world_release(w);
}

/* Of two hogs one was just picked and is still eligible; a sleeper with lag and that slice wakes.
 */
static uint32_t runs_after_wake(const char *variant, uint64_t slice_ns)
{
	struct world *w = one_cpu("v6.12", variant);
	uint32_t runs;

	world_fork(w, 0, 0, 0, 0);
	world_block(w, 0);
	world_fork(w, 0, 1, 0, 0);
	world_fork(w, 0, 2, 0, 0);
	world_fork(w, 0, 3, 0, 0);
	world_run(w, 101ull * MS);
	world_after(w, sched_block(w->s, w->now_ns, 0));
	w->now_ns += 20000;
	w->s->task[0].lag_vns = 1600000;
	w->s->task[0].slice_ns = slice_ns;
	world_wake(w, 0, 0);
	runs = w->runs[0];
	world_release(w);
	return runs;
}

static void parity_keeps_a_wakee_waiting(void **state)
{
	assert_int_not_equal(runs_after_wake("", SLICE_NS), 0);
	assert_int_equal(runs_after_wake("-RUN_TO_PARITY", SLICE_NS), 0);
}

static void a_shorter_slice_breaks_parity(void **state)
{
	assert_int_equal(runs_after_wake("", SLICE_NS / 4), 0);
	assert_int_not_equal(runs_after_wake("-PREEMPT_SHORT", SLICE_NS / 4), 0);
}

static void a_new_task_starts_with_half_a_slice(void **state)
{
	struct world *w = one_cpu("v6.6", "");

	world_fork(w, 0, 0, 0, 0);
	world_run(w, 10 * MS);
	world_after(w, sched_task_new(w->s, w->now_ns, 0, &(struct sched_new_task){ .task = 1 }));
	assert_int_equal(w->s->task[1].deadline_vns - w->s->task[1].vruntime_vns, SLICE_NS / 2);
	world_release(w);
}

static void yielding_postpones_the_deadline(void **state)
{
	struct world *w = one_cpu("v6.6", "");
	uint64_t deadline_vns;
	uint32_t task;

	world_fork(w, 0, 0, 0, 0);
	world_fork(w, 0, 1, 0, 0);
	task = w->runs[0];
	deadline_vns = w->s->task[task].deadline_vns;
	world_after(w, sched_yield_task(w->s, w->now_ns, 0));
	assert_int_equal(w->s->task[task].deadline_vns, deadline_vns + SLICE_NS);
	assert_int_equal(w->runs[0], 1 - task);
	world_release(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pick_is_the_first_deadline_of_the_eligible),
		cmocka_unit_test(lag_stays_within_two_slices_of_service),
		cmocka_unit_test(a_task_keeps_its_lag_over_a_sleep),
		cmocka_unit_test(without_place_lag_it_does_not),
		cmocka_unit_test(a_sleeper_in_debt_stays_queued),
		cmocka_unit_test(a_delayed_sleeper_wakes_where_it_is),
		cmocka_unit_test(the_last_sleeper_is_never_left_queued),
		cmocka_unit_test(parity_keeps_a_wakee_waiting),
		cmocka_unit_test(a_shorter_slice_breaks_parity),
		cmocka_unit_test(a_new_task_starts_with_half_a_slice),
		cmocka_unit_test(yielding_postpones_the_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
