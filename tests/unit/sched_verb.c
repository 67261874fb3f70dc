/* SPDX-License-Identifier: GPL-2.0-only */
/* What verbs cost and emit: times, effects, lines, interrupts, the idle loop. */
#include "sched_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000 };

static uint32_t count_effects(const struct world *w, enum sched_effect_kind kind)
{
	uint32_t count, found = 0;
	const struct sched_effect *e = sched_effects(w->s, &count);

	for (uint32_t i = 0; i < count; i++)
		found += e[i].kind == kind;
	return found;
}

static void effects_lie_within_the_verb_in_order(void **state)
{
	struct world w;

	world_init(&w, "2x2x2", "v6.1", "");
	for (uint32_t n = 0; n < 100; n++) {
		uint64_t start_ns = w.now_ns, spent_ns, last_ns = start_ns;
		uint32_t count;
		const struct sched_effect *e;

		if (n < 10)
			spent_ns = sched_task_new(w.s, w.now_ns, 0,
						  &(struct sched_new_task){ .task = n });
		else
			spent_ns = sched_tick(w.s, w.now_ns, n % 8);
		e = sched_effects(w.s, &count);
		for (uint32_t i = 0; i < count; i++) {
			assert_true(e[i].t_ns >= last_ns);
			last_ns = e[i].t_ns;
		}
		assert_true(last_ns <= start_ns + spent_ns);
		world_after(&w, spent_ns);
		world_settle(&w);
		world_run(&w, 100000);
	}
	world_release(&w);
}

static void a_child_begins_with_its_parents_partners(void **state)
{
	struct world w;
	const struct sched_task *t;

	world_init(&w, "1x4x1", "v6.1", "");
	t = w.s->task;
	world_after(&w, sched_task_new(w.s, w.now_ns, 0,
				       &(struct sched_new_task){ .task = 0, .parent = TASK_NONE }));
	assert_int_equal(t[0].wakee_flips, 0);
	assert_int_equal(t[0].last_wakee, TASK_NONE);
	w.s->task[0].wakee_flips = 7;
	w.s->task[0].last_wakee = 3;
	w.s->task[0].wakee_decay_ns = 5;
	world_after(&w, sched_task_new(w.s, w.now_ns, 0,
				       &(struct sched_new_task){ .task = 1, .parent = 0 }));
	assert_int_equal(t[1].wakee_flips, 7);
	assert_int_equal(t[1].last_wakee, 3);
	assert_int_equal(t[1].wakee_decay_ns, 5);
	world_release(&w);
}

static void a_child_has_recently_used_the_cpu_that_forked_it(void **state)
{
	struct world w;
	uint32_t moved = 0;

	world_init(&w, "1x4x1", "v6.1", "");
	for (uint32_t n = 0; n < 4; n++) {
		world_after(&w, sched_task_new(w.s, w.now_ns, 0,
					       &(struct sched_new_task){ .task = n,
									 .parent = TASK_NONE }));
		assert_int_equal(w.s->task[n].recent_cpu, 0);
		moved += w.s->task[n].cpu != 0;
		world_settle(&w);
	}
	assert_true(moved > 0);
	world_release(&w);
}

/* Two hogs of one cpu, with equal or different address spaces: ns of a switch. */
static uint64_t switch_cost(uint32_t other_space)
{
	struct world w;
	uint64_t spent_ns;

	world_init(&w, "1x1x1", "v6.1", "-START_DEBIT");
	for (uint32_t task = 0; task < 2; task++) {
		world_after(&w, sched_task_new(w.s, w.now_ns, 0,
					       &(struct sched_new_task){
						       .task = task,
						       .address_space = task * other_space }));
		world_settle(&w);
	}
	spent_ns = sched_yield_task(w.s, w.now_ns, 0);
	assert_int_equal(count_effects(&w, SCHED_SWITCH), 1);
	world_release(&w);
	return spent_ns;
}

static void another_address_space_costs_more(void **state)
{
	struct world w;

	world_init(&w, "1x1x1", "v6.1", "");
	assert_int_equal(switch_cost(1) - switch_cost(0), w.s->switch_mm_ns);
	assert_true(w.s->switch_mm_ns > 0);
	world_release(&w);
}

static void all_lines_asked_for_are_taken(void **state)
{
	static const char *const variants[] = { "", "line.has_idle_cores=own",
						"line.idle_mask=own,line.rq_curr=rq_lock" };

	for (uint32_t i = 0; i < 3; i++) {
		struct world w;

		world_init(&w, "2x4x2", "v6.1", variants[i]);
		assert_int_equal(w.memory->nr_lines, w.memory->max_lines);
		world_release(&w);
	}
}

static void fields_share_lines_as_the_table_says(void **state)
{
	struct world w;

	world_init(&w, "2x4x2", "v6.1", "");
	assert_int_equal(touch_line(w.s, FIELD_has_idle_cores, 1),
			 touch_line(w.s, FIELD_nr_busy_cpus, 1));
	assert_int_not_equal(touch_line(w.s, FIELD_has_idle_cores, 0),
			     touch_line(w.s, FIELD_has_idle_cores, 1));
	assert_int_not_equal(touch_line(w.s, FIELD_rq_lock, 3), touch_line(w.s, FIELD_rq_curr, 3));
	world_release(&w);
	world_init(&w, "2x4x2", "v6.1", "line.has_idle_cores=own,line.rq_curr=rq_lock");
	assert_int_not_equal(touch_line(w.s, FIELD_has_idle_cores, 1),
			     touch_line(w.s, FIELD_nr_busy_cpus, 1));
	assert_int_equal(touch_line(w.s, FIELD_rq_lock, 3), touch_line(w.s, FIELD_rq_curr, 3));
	world_release(&w);
}

static void no_two_lines_overlap(void **state)
{
	struct world w;
	uint8_t *seen;

	world_init(&w, "2x4x2", "v6.1", "line.nohz_mask=own");
	seen = ARENA_ARRAY(&w.arena, uint8_t, w.memory->max_lines);
	for (uint32_t cpu = 0; cpu < 16; cpu++) {
		assert_int_equal(seen[touch_line(w.s, FIELD_rq_lock, cpu)]++, 0);
		assert_int_equal(seen[touch_line(w.s, FIELD_rq_wake_list, cpu)]++, 0);
		assert_int_equal(seen[touch_line(w.s, FIELD_idle_state, cpu)]++, 0);
	}
	for (uint32_t task = 0; task < WORLD_TASKS; task++) {
		assert_int_equal(seen[touch_line(w.s, FIELD_task_state, task)]++, 0);
		assert_int_equal(seen[touch_line(w.s, FIELD_task_pi_lock, task)]++, 0);
	}
	for (uint32_t llc = 0; llc < w.topology->nr_llc_shared; llc++) {
		assert_int_equal(seen[touch_line(w.s, FIELD_has_idle_cores, llc)]++, 0);
		assert_int_equal(seen[touch_line(w.s, FIELD_idle_mask, llc)]++, 0);
	}
	assert_int_equal(seen[touch_line(w.s, FIELD_nohz_mask, 0)]++, 0);
	assert_int_equal(seen[touch_line(w.s, FIELD_jiffies, 0)]++, 0);
	world_release(&w);
}

static void a_remote_preemption_sends_an_interrupt(void **state)
{
	struct world w;
	uint64_t before;

	world_init(&w, "1x2x1", "v6.1", "-TTWU_QUEUE_IDLE");
	world_fork(&w, 0, 0, 1, 0);
	world_block(&w, 0);
	world_fork(&w, 0, 1, 1, 0);
	world_run(&w, 50ull * MS);
	before = sched_counter(w.s, COUNT_ipi_resched);
	w.now_ns += MS;
	world_after(&w, sched_wake(w.s, w.now_ns, 1, 0, 0));
	assert_int_equal(count_effects(&w, SCHED_IPI_RESCHED), 1);
	assert_int_equal(sched_counter(w.s, COUNT_ipi_resched), before + 1);
	assert_true(sched_need_resched(w.s, 0));
	world_settle(&w);
	assert_int_equal(w.runs[0], 0);
	world_release(&w);
}

/* Waking onto a sleeping cpu whose idle state watches the flag, or does not. */
static uint32_t kicks(bool state_polls, const char *variant)
{
	struct world w;
	uint32_t found;

	world_init(&w, "1x2x1", "v6.1", variant);
	for (uint32_t i = 0; i < w.machine->costs.nr_idle_states; i++)
		w.machine->costs.idle_state[i].polling = state_polls;
	world_fork(&w, 0, 0, 1, 0);
	world_block(&w, 0);
	assert_true(w.is_asleep[0]);
	world_after(&w, sched_wake(w.s, w.now_ns, 1, 0, 0));
	found = count_effects(&w, SCHED_KICK_POLLER);
	assert_int_equal(found + count_effects(&w, SCHED_IPI_CALL) +
				 count_effects(&w, SCHED_IPI_RESCHED),
			 1);
	world_settle(&w);
	assert_int_equal(w.runs[0], 0);
	world_release(&w);
	return found;
}

static void a_poller_needs_no_interrupt(void **state)
{
	assert_int_equal(kicks(true, ""), 1);
	assert_int_equal(kicks(false, ""), 0);
	assert_int_equal(kicks(true, "-MWAIT_POLLING"), 0);
	assert_int_equal(kicks(true, "-TTWU_QUEUE_IDLE"), 1);
}

static void a_wakee_that_is_still_leaving_is_left_to_its_cpu(void **state)
{
	struct world w;
	uint64_t start_ns, spent_ns;

	world_init(&w, "1x2x1", "v5.12", "");
	world_fork(&w, 0, 0, 1, 0);
	start_ns = w.now_ns + MS;
	spent_ns = sched_block(w.s, start_ns, 0);
	/* The other cpu wakes it while the switch is under way. */
	sched_wake(w.s, start_ns + spent_ns / 2, 1, 0, 0);
	assert_int_equal(w.s->task[0].state, TASK_WAKING);
	assert_int_equal(sched_counter(w.s, COUNT_wake_remote_queued), 1);
	world_release(&w);
	world_init(&w, "1x2x1", "v5.12", "-TTWU_QUEUE_ON_CPU");
	world_fork(&w, 0, 0, 1, 0);
	start_ns = w.now_ns + MS;
	spent_ns = sched_block(w.s, start_ns, 0);
	/* Without the feature the waker spins until the switch is complete. */
	assert_true(sched_wake(w.s, start_ns + spent_ns / 2, 1, 0, 0) > spent_ns / 2 - 100);
	assert_int_equal(w.s->task[0].state, TASK_QUEUED);
	world_release(&w);
}

static void a_lone_hog_is_not_switched_by_ticks(void **state)
{
	struct world w;

	world_init(&w, "1x1x1", "v6.1", "");
	world_fork(&w, 0, 0, 0, 0);
	world_run(&w, 500ull * MS);
	assert_int_equal(w.s->rq[0].nr_switches, 1);
	assert_true(world_ran_ns(&w, 0) > 495ull * MS);
	world_release(&w);
}

static void instructions_are_counted_by_path(void **state)
{
	struct world w;
	uint64_t before;

	world_init(&w, "1x2x1", "v6.1", "");
	world_fork(&w, 0, 0, 1, 0);
	before = sched_counter(w.s, COUNT_instructions);
	world_block(&w, 0);
	world_wake(&w, 1, 0);
	/* 2,011 were counted for a wake-up with its switch, this cycle has two and idles. */
	assert_in_range(sched_counter(w.s, COUNT_instructions) - before, 1800, 4200);
	world_release(&w);
}

static void every_counter_has_a_name(void **state)
{
	for (uint32_t i = 0; i < sched_nr_counters(); i++) {
		assert_true(strlen(sched_counter_name(i)) > 3);
		assert_true(strlen(sched_counter_phrase(i)) > 3);
		for (uint32_t k = 0; k < i; k++)
			assert_string_not_equal(sched_counter_name(i), sched_counter_name(k));
	}
}

static void the_checker_sees_what_is_wrong(void **state)
{
	struct world w;
	struct err err;
	uint32_t curr;

	world_init(&w, "1x1x1", "v6.12", "");
	for (uint32_t task = 0; task < 4; task++)
		world_fork(&w, 0, task, 0, 0);
	curr = w.runs[0];
#define SPOILED(field, change)                                                                     \
	do {                                                                                       \
		w.s->field += (change);                                                            \
		err = (struct err){ 0 };                                                           \
		assert_false(sched_check(w.s, &err));                                              \
		assert_true(err.set);                                                              \
		w.s->field -= (change);                                                            \
		assert_true(sched_check(w.s, &err));                                               \
	} while (0)
	SPOILED(rq[0].nr_running, 1);
	SPOILED(rq[0].nr_queued, 1);
	SPOILED(rq[0].load_wt, 1);
	SPOILED(rq[0].sum_key_vns, 1);
	SPOILED(rq[0].sum_wt, 1);
	SPOILED(rq[0].avg.util_est, 1);
	SPOILED(task[(curr + 1) % 4].vruntime_vns, 1);
	SPOILED(task[(curr + 1) % 4].deadline_vns, 1);
	SPOILED(task[curr].weight_wt, 1);
	SPOILED(task[curr].cpu, 1);
	SPOILED(task[curr].state, 1);
	SPOILED(rq[0].curr, 1);
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(effects_lie_within_the_verb_in_order),
		cmocka_unit_test(a_child_begins_with_its_parents_partners),
		cmocka_unit_test(a_child_has_recently_used_the_cpu_that_forked_it),
		cmocka_unit_test(another_address_space_costs_more),
		cmocka_unit_test(all_lines_asked_for_are_taken),
		cmocka_unit_test(fields_share_lines_as_the_table_says),
		cmocka_unit_test(no_two_lines_overlap),
		cmocka_unit_test(a_remote_preemption_sends_an_interrupt),
		cmocka_unit_test(a_poller_needs_no_interrupt),
		cmocka_unit_test(a_wakee_that_is_still_leaving_is_left_to_its_cpu),
		cmocka_unit_test(a_lone_hog_is_not_switched_by_ticks),
		cmocka_unit_test(instructions_are_counted_by_path),
		cmocka_unit_test(every_counter_has_a_name),
		cmocka_unit_test(the_checker_sees_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
