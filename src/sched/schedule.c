/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * __schedule(): the runqueue's lock, the previous task's fate, the next task, the switch.
 *
 * The lock is held until the switch is complete, and until then the previous task is "on cpu" for
 * others. A running task that may no longer run here leaves for an allowed cpu: the kernel uses a
 * stopper thread for that, which is not modelled as a task.
 */
#include "base/check.h"
#include "sched/fair.h"

/* What the previous task does next. */
static void settle_prev(struct sched *s, uint32_t cpu, uint32_t prev, enum schedule_reason reason,
			bool moves)
{
	struct sched_task *t = &s->task[prev];

	switch (reason) {
	case SCHEDULE_PREEMPTED:
		if (moves)
			rq_dequeue(s, cpu, prev, QUEUE_MIGRATED);
		break;
	case SCHEDULE_SLEEPS:
		touch_write(s, FIELD_task_state, prev);
		rq_dequeue(s, cpu, prev, QUEUE_SLEEP);
		break;
	case SCHEDULE_EXITS:
		touch_write(s, FIELD_task_state, prev);
		rq_dequeue(s, cpu, prev, QUEUE_SLEEP | QUEUE_NEW);
		pelt_detach(s, prev);
		t->state = TASK_EXITED;
		break;
	}
}

/* The next task or TASK_NONE: delayed ones that come up leave, an empty cpu looks elsewhere. */
static uint32_t pick_next(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	bool has_looked = false;

	touch_path(s, PATH_pick, 1);
	for (;;) {
		uint32_t next;

		touch_read(s, FIELD_cfs_tree, cpu);
		if (rq->nr_queued == 0) {
			if (has_looked || !balance_newidle(s, cpu))
				return TASK_NONE;
			has_looked = true;
			continue;
		}
		next = s->picker->pick(s, rq);
		if (s->task[next].state == TASK_QUEUED) {
			rq_clear_buddies(rq, next);
			return next;
		}
		if (s->task[next].is_running)
			rq_put_curr(s, cpu);
		rq_finish_delayed(s, cpu, next);
	}
}

static void pay_switch(struct sched *s, uint32_t prev, uint32_t next)
{
	s->t_ns += s->switch_ns;
	if (prev != TASK_NONE && next != TASK_NONE &&
	    s->task[prev].address_space != s->task[next].address_space)
		s->t_ns += s->switch_mm_ns;
}

/* From prev to next, one of them perhaps the idle task. */
static void switch_to(struct sched *s, uint32_t cpu, uint32_t prev, uint32_t next)
{
	struct rq *rq = &s->rq[cpu];

	rq->nr_switches++;
	touch_write(s, FIELD_rq_curr, cpu);
	if (next == TASK_NONE) {
		rq->curr = TASK_NONE;
		rq->in_idle_loop = true;
		idle_begin(s, cpu);
	} else {
		if (rq->in_idle_loop) {
			rq->in_idle_loop = false;
			idle_end(s, cpu);
		}
		touch_write(s, FIELD_task_on_cpu, next);
	}
	pay_switch(s, prev, next);
	sched_effect(s, SCHED_SWITCH, cpu, next, prev);
	if (prev == TASK_NONE)
		return;
	touch_write(s, FIELD_task_on_cpu, prev);
	s->task[prev].off_cpu_ns = s->t_ns;
}

/* prev, taken off because its set changed, joins another cpu. */
static void send_away(struct sched *s, uint32_t from, uint32_t task)
{
	uint32_t to = wake_fallback_cpu(s, task);

	touch_path(s, PATH_migrate, 1);
	rq_lock(s, to);
	rq_update(s, to);
	touch_write(s, FIELD_task_on_cpu, task);
	s->task[task].cpu = to;
	s->task[task].nr_migrations++;
	rq_enqueue(s, to, task, QUEUE_MIGRATED);
	sched_effect(s, SCHED_MIGRATED, to, task, from);
	rq_wakeup_preempt(s, to, task, QUEUE_MIGRATED);
	rq_unlock(s, to);
}

void rq_stop_curr(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	uint32_t curr = rq->curr;

	CHECK(cpu == s->cpu);
	if (curr == TASK_NONE)
		return;
	rq_update(s, cpu);
	rq_put_curr(s, cpu);
	touch_write(s, FIELD_rq_curr, cpu);
	rq->curr = TASK_NONE;
	rq->need_resched = true;
	pay_switch(s, curr, TASK_NONE);
	touch_write(s, FIELD_task_on_cpu, curr);
	s->task[curr].off_cpu_ns = s->t_ns;
	sched_effect(s, SCHED_SWITCH, cpu, TASK_NONE, curr);
}

void schedule_cpu(struct sched *s, enum schedule_reason reason)
{
	uint32_t cpu = s->cpu, prev = s->rq[cpu].curr, next;
	struct rq *rq = &s->rq[cpu];
	bool moves =
		reason == SCHEDULE_PREEMPTED && prev != TASK_NONE && !task_may_run_on(s, prev, cpu);

	if (rq->tree.first != TREE_NONE)
		touch_task_soon(s, rq->tree.first);
	touch_path(s, PATH_schedule, 1);
	rq_lock(s, cpu);
	rq_update(s, cpu);
	if (prev != TASK_NONE)
		settle_prev(s, cpu, prev, reason, moves);
	next = pick_next(s, cpu);
	if (rq->need_resched) {
		touch_write(s, prev == TASK_NONE ? FIELD_idle_flags : FIELD_task_flags,
			    prev == TASK_NONE ? cpu : prev);
		rq->need_resched = false;
	}
	/* After a stopper the idle task has yet to be switched to, too. */
	if (next != prev || (prev == TASK_NONE && !rq->in_idle_loop)) {
		if (prev != TASK_NONE && s->task[prev].is_running)
			rq_put_curr(s, cpu);
		if (next != TASK_NONE)
			rq_set_curr(s, cpu, next);
		switch_to(s, cpu, prev, next);
	}
	rq_unlock(s, cpu);
	if (moves)
		send_away(s, cpu, prev);
}
