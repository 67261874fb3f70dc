/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes of a task from outside: affinity and nice value.
 *
 * A queued task that may not stay is moved at once; a running one is told to reschedule and leaves
 * then (schedule.c); one on a wake list is redirected when the list is run.
 */
#include "base/check.h"
#include "sched/fair.h"

/* A queued task goes to an allowed cpu; delayed ones simply go to sleep for good. */
static void move_queued(struct sched *s, uint32_t task)
{
	uint32_t from = s->task[task].cpu, to;

	if (s->task[task].state == TASK_DELAYED) {
		rq_lock(s, from);
		rq_update(s, from);
		rq_finish_delayed(s, from, task);
		rq_unlock(s, from);
		return;
	}
	to = wake_fallback_cpu(s, task);
	rq_lock_pair(s, from, to);
	rq_move(s, task, from, to);
	rq_unlock_pair(s, from, to);
}

uint64_t sched_set_affinity(struct sched *s, uint64_t now_ns, uint32_t cpu, uint32_t task,
			    uint32_t set)
{
	struct sched_task *t = &s->task[task];

	CHECK(task < s->max_tasks && set < s->nr_sets);
	CHECK(t->state != TASK_UNUSED && t->state != TASK_EXITED);
	verb_begin(s, now_ns, cpu);
	touch_lock(s, FIELD_task_pi_lock, task);
	rq_lock(s, t->cpu);
	rq_update(s, t->cpu);
	touch_write(s, FIELD_task_allowed, task);
	t->set = set;
	if (t->is_running && !task_may_run_on(s, task, t->cpu))
		rq_resched(s, t->cpu);
	rq_unlock(s, t->cpu);
	if (task_on_rq(t) && !t->is_running && !task_may_run_on(s, task, t->cpu))
		move_queued(s, task);
	touch_unlock(s, FIELD_task_pi_lock, task);
	return verb_end(s);
}

/* A running task that became less important may have to go, one that waits more so may come. */
static void check_nice_preempts(struct sched *s, uint32_t task, int from, int to)
{
	struct sched_task *t = &s->task[task];

	if (t->is_running) {
		if (to > from && s->rq[t->cpu].nr_queued > 1)
			rq_resched(s, t->cpu);
	} else if (t->state == TASK_QUEUED) {
		rq_wakeup_preempt(s, t->cpu, task, QUEUE_NEW);
	}
}

uint64_t sched_set_nice(struct sched *s, uint64_t now_ns, uint32_t cpu, uint32_t task, int nice)
{
	struct sched_task *t = &s->task[task];
	int old = t->nice;

	CHECK(task < s->max_tasks && nice >= -20 && nice <= 19);
	CHECK(t->state != TASK_UNUSED && t->state != TASK_EXITED);
	verb_begin(s, now_ns, cpu);
	touch_lock(s, FIELD_task_pi_lock, task);
	rq_lock(s, t->cpu);
	rq_update(s, t->cpu);
	pelt_update_task(s, task);
	touch_write(s, FIELD_task_se, task);
	t->nice = (int8_t)nice;
	rq_reweigh(s, task, weight_of_nice(nice));
	check_nice_preempts(s, task, old, nice);
	rq_unlock(s, t->cpu);
	touch_unlock(s, FIELD_task_pi_lock, task);
	return verb_end(s);
}
