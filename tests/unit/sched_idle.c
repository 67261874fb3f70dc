/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of idle entry and exit: stamps, masks, counts, idle states, the tick. */
#include "sched_fake.h"

#include "sched/nohz.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { US = 1000, MS = 1000000 };

static uint32_t sibling(const struct world *w, uint32_t cpu)
{
	cpuset_for_each (other, w->topology->smt_mask[cpu])
		if (other != cpu)
			return other;
	return CPU_NONE;
}

/* Cpu becomes idle by hand. */
static void goes_idle(struct world *w, uint32_t cpu)
{
	fake_idle(w, cpu);
	fake_verb(w, cpu);
	idle_begin(w->s, cpu);
}

/* ---- averages ---- */

static void average_idle_time_takes_an_eighth_of_each_period(void **state)
{
	struct world w;
	struct rq *rq;

	world_init(&w, "1x4x1", "v6.1", "");
	rq = &w.s->rq[1];
	rq->avg_idle_ns = 800 * US;
	rq->idle_stamp_ns = 10 * US;
	w.now_ns = 10 * US;
	fake_verb(&w, 0);
	idle_woken(w.s, 1);
	assert_in_range(rq->avg_idle_ns, 699 * US, 701 * US);
	assert_int_equal(rq->idle_stamp_ns, 0);
	assert_int_equal(rq->wake_avg_idle_ns, rq->avg_idle_ns / 2);
	idle_woken(w.s, 1);
	assert_in_range(rq->avg_idle_ns, 699 * US, 701 * US);
	world_release(&w);
}

static void average_idle_time_is_at_most_twice_the_balance_cost(void **state)
{
	struct world w;
	struct rq *rq;

	world_init(&w, "1x4x1", "v6.1", "");
	rq = &w.s->rq[1];
	rq->idle_stamp_ns = 1;
	w.now_ns = 5000ull * MS;
	fake_verb(&w, 0);
	idle_woken(w.s, 1);
	assert_int_equal(rq->avg_idle_ns, 2 * w.s->tunable[TUNABLE_migration_cost_ns]);
	world_release(&w);
}

/* ---- idle cores ---- */

static void the_last_thread_of_a_core_sets_the_hint(void **state)
{
	struct world w;

	world_init(&w, "1x4x2", "v6.1", "");
	w.s->llc[0].has_idle_cores = false;
	fake_busy(&w, sibling(&w, 1));
	goes_idle(&w, 1);
	assert_false(w.s->llc[0].has_idle_cores);
	goes_idle(&w, sibling(&w, 1));
	assert_true(w.s->llc[0].has_idle_cores);
	world_release(&w);
}

static void without_smt_the_hint_is_neither_read_nor_set(void **state)
{
	struct world w;
	uint64_t before;

	world_init(&w, "1x4x1", "v5.12", "");
	before = fake_reads(&w, "llc_shared");
	goes_idle(&w, 1);
	assert_false(w.s->llc[0].has_idle_cores);
	assert_int_equal(fake_reads(&w, "llc_shared"), before);
	world_release(&w);
}

/* ---- the LLC's idle mask ---- */

static uint64_t mask_atomics(const struct world *w)
{
	return memory_class_counts(w->memory, memory_class(w->memory, "idle_mask"))->atomics;
}

static void the_mask_follows_idle_entry_and_exit_by_atomics(void **state)
{
	struct world w;
	uint32_t cpu;

	world_init(&w, "1x4x1", "v5.9", "+SIS_IDLE_CPUMASK");
	world_settle(&w);
	assert_int_equal(cpuset_weight(&w.s->llc[0].idle_mask), 4);
	assert_int_equal(mask_atomics(&w), 0);
	world_fork(&w, 0, 0, 0, 0);
	cpu = w.s->task[0].cpu;
	assert_false(cpuset_has(&w.s->llc[0].idle_mask, cpu));
	assert_int_equal(mask_atomics(&w), 1);
	world_block(&w, cpu);
	assert_true(cpuset_has(&w.s->llc[0].idle_mask, cpu));
	assert_int_equal(mask_atomics(&w), 2);
	world_release(&w);
}

static void without_the_feature_there_is_no_mask_to_pay_for(void **state)
{
	struct world w;

	world_init(&w, "1x4x1", "v5.9", "");
	world_fork(&w, 0, 0, 0, 0);
	world_block(&w, w.s->task[0].cpu);
	assert_true(cpuset_empty(&w.s->llc[0].idle_mask));
	assert_int_equal(mask_atomics(&w), 0);
	world_release(&w);
}

static void a_lazy_mask_is_set_by_the_tick_stop_and_cleared_by_the_tick(void **state)
{
	struct world w;
	uint32_t cpu;

	world_init(&w, "1x4x1", "v5.9",
		   "+SIS_IDLE_CPUMASK,+IDLE_MASK_TICK_STOP,+IDLE_MASK_TICK_CLEAR");
	world_settle(&w);
	world_fork(&w, 0, 0, 0, 0);
	cpu = w.s->task[0].cpu;
	assert_true(cpuset_has(&w.s->llc[0].idle_mask, cpu));
	world_run(&w, 10 * MS);
	assert_false(cpuset_has(&w.s->llc[0].idle_mask, cpu));
	world_release(&w);
}

/* ---- cpus without tick ---- */

static void a_cpu_without_tick_counts_as_idle_until_its_first_busy_tick(void **state)
{
	struct world w;
	uint32_t cpu;

	world_init(&w, "1x4x1", "v6.1", "");
	world_settle(&w);
	assert_int_equal(w.s->nohz.nr_idle, 4);
	assert_int_equal(w.s->llc[0].nr_busy_cpus, 0);
	world_fork(&w, 0, 0, 0, 0);
	cpu = w.s->task[0].cpu;
	assert_true(w.has_tick[cpu]);
	assert_int_equal(w.s->nohz.nr_idle, 4);
	world_run(&w, 10 * MS);
	assert_int_equal(w.s->nohz.nr_idle, 3);
	assert_int_equal(w.s->llc[0].nr_busy_cpus, 1);
	assert_false(cpuset_has(&w.s->nohz.idle_mask, cpu));
	world_release(&w);
}

/* ---- idle states ---- */

static uint32_t choose(struct world *w, uint32_t cpu, uint64_t timer_ns, bool *stop_tick)
{
	fake_verb(w, cpu);
	w->s->rq[cpu].last_tick_ns = w->now_ns;
	w->s->rq[cpu].idle_since_ns = w->now_ns;
	return idle_choose_state(w->s, cpu, timer_ns, stop_tick);
}

static void slept(struct world *w, uint32_t cpu, uint64_t ns)
{
	w->now_ns += ns;
	fake_verb(w, cpu);
	w->s->rq[cpu].idle_since_ns = w->now_ns - ns;
	idle_learn(w->s, cpu);
}

static void without_history_the_next_timer_decides(void **state)
{
	struct world w;
	bool stop;
	uint32_t deepest, s;

	world_init(&w, "cpx-4s", "v6.1", "");
	deepest = w.machine->costs.nr_idle_states - 1;
	assert_int_equal(choose(&w, 0, UINT64_MAX, &stop), deepest);
	assert_true(stop);
	assert_int_equal(choose(&w, 0, w.now_ns + 5 * US, &stop), 1);
	assert_false(stop);
	for (s = 1; s <= deepest; s++)
		assert_int_equal(
			choose(&w, 0, w.now_ns + w.machine->costs.idle_state[s].target_residency_ns,
			       &stop),
			s);
	world_release(&w);
}

static void short_periods_choose_a_shallow_state_and_keep_the_tick(void **state)
{
	struct world w;
	bool stop;

	world_init(&w, "cpx-4s", "v6.1", "");
	for (uint32_t n = 0; n < 20; n++)
		slept(&w, 0, 5 * US);
	assert_int_equal(choose(&w, 0, UINT64_MAX, &stop), 1);
	assert_false(stop);
	for (uint32_t n = 0; n < 20; n++)
		slept(&w, 0, 20 * MS);
	assert_int_equal(choose(&w, 0, UINT64_MAX, &stop), w.machine->costs.nr_idle_states - 1);
	assert_true(stop);
	world_release(&w);
}

static void before_v4_17_the_tick_stops_whatever_is_predicted(void **state)
{
	struct world w;
	bool stop;

	world_init(&w, "cpx-4s", "v3.13", "");
	for (uint32_t n = 0; n < 20; n++)
		slept(&w, 0, 5 * US);
	choose(&w, 0, UINT64_MAX, &stop);
	assert_true(stop);
	choose(&w, 0, w.now_ns + w.s->tick_ns / 2, &stop);
	assert_false(stop);
	world_release(&w);
}

/* Predicted short, but asleep for longer already: only longer periods are left to expect. */
static void a_cpu_that_only_a_tick_woke_goes_deeper(void **state)
{
	struct world w;
	bool stop;
	uint32_t s;

	world_init(&w, "cpx-4s", "v6.1", "");
	for (uint32_t n = 0; n < 20; n++)
		slept(&w, 0, 5 * US);
	w.s->rq[0].idle_since_ns = w.now_ns;
	w.now_ns += w.s->tick_ns;
	fake_verb(&w, 0);
	w.s->rq[0].last_tick_ns = w.now_ns;
	s = idle_choose_state(w.s, 0, UINT64_MAX, &stop);
	assert_int_equal(s, w.machine->costs.nr_idle_states - 1);
	assert_true(stop);
	world_release(&w);
}

static void weights_of_idle_periods_stay_bounded(void **state)
{
	struct world w;

	world_init(&w, "1x4x1", "v6.1", "");
	for (uint32_t n = 0; n < 10000; n++)
		slept(&w, 0, 5 * US);
	for (uint32_t i = 0; i < IDLE_BINS; i++)
		assert_true(w.s->rq[0].idle_past.bin[i] < 16384);
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(average_idle_time_takes_an_eighth_of_each_period),
		cmocka_unit_test(average_idle_time_is_at_most_twice_the_balance_cost),
		cmocka_unit_test(the_last_thread_of_a_core_sets_the_hint),
		cmocka_unit_test(without_smt_the_hint_is_neither_read_nor_set),
		cmocka_unit_test(the_mask_follows_idle_entry_and_exit_by_atomics),
		cmocka_unit_test(without_the_feature_there_is_no_mask_to_pay_for),
		cmocka_unit_test(a_lazy_mask_is_set_by_the_tick_stop_and_cleared_by_the_tick),
		cmocka_unit_test(a_cpu_without_tick_counts_as_idle_until_its_first_busy_tick),
		cmocka_unit_test(without_history_the_next_timer_decides),
		cmocka_unit_test(short_periods_choose_a_shallow_state_and_keep_the_tick),
		cmocka_unit_test(before_v4_17_the_tick_stops_whatever_is_predicted),
		cmocka_unit_test(a_cpu_that_only_a_tick_woke_goes_deeper),
		cmocka_unit_test(weights_of_idle_periods_stay_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
