/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A wake-up: the task's lock, its state, a cpu for it, and either that cpu's runqueue at once or
 * its wake list and an interrupt. The order is try_to_wake_up()'s.
 *
 * A verb is over before the next begins, yet a task may be woken at a time at which its cpu is
 * still switching away from it (off_cpu_ns): the waker leaves the rest to that cpu or spins.
 */
#include "base/check.h"
#include "sched/fair.h"

enum { V_CALL_QUEUE = 508 }; /* wake lists are function calls; before, reschedule interrupts */

/* What ttwu_do_activate() does on a cpu whose lock is held. */
static void activate(struct sched *s, uint32_t cpu, uint32_t task)
{
	struct sched_task *t = &s->task[task];
	uint32_t flags = QUEUE_WAKEUP | (t->woken_from != cpu ? QUEUE_MIGRATED : 0);

	rq_enqueue(s, cpu, task, flags);
	rq_wakeup_preempt(s, cpu, task, flags);
	touch_write(s, FIELD_task_state, task);
	idle_woken(s, cpu);
	sched_effect(s, SCHED_WOKEN, cpu, task, t->woken_from);
}

void wake_set_cpu(struct sched *s, uint32_t task, uint32_t cpu)
{
	struct sched_task *t = &s->task[task];

	if (t->cpu == cpu)
		return;
	s->picker->migrate_asleep(s, t->cpu, task);
	pelt_remove_asleep(s, task);
	touch_write(s, FIELD_task_on_cpu, task);
	t->cpu = cpu;
	t->nr_migrations++;
}

/* Whether the wakee goes to cpu's wake list; `is_leaving`: cpu is still switching away from it. */
static bool queues_remotely(struct sched *s, uint32_t cpu, bool is_leaving)
{
	uint32_t limit;

	if (!sched_has(s, FEATURE_TTWU_QUEUE) || cpu == s->cpu)
		return false;
	if (s->topology->llc_id[cpu] != s->topology->llc_id[s->cpu])
		return true;
	if (sched_has(s, FEATURE_TTWU_QUEUE_IDLE))
		limit = 0;
	else if (is_leaving && sched_has(s, FEATURE_TTWU_QUEUE_ON_CPU))
		limit = 1;
	else
		return false;
	touch_read(s, FIELD_rq_nr_running, cpu);
	return s->rq[cpu].nr_running <= limit;
}

void rq_call(struct sched *s, uint32_t cpu)
{
	if (rq_polls(s, cpu)) {
		touch_atomic(s, FIELD_idle_flags, cpu);
		if (s->rq[cpu].need_resched)
			return;
		s->rq[cpu].need_resched = true;
		s->counter[COUNT_poll_kick]++;
		sched_effect(s, SCHED_KICK_POLLER, cpu, TASK_NONE, s->cpu);
	} else if (s->config.version >= V_CALL_QUEUE) {
		rq_send_ipi(s, cpu, SCHED_IPI_CALL);
	} else {
		rq_send_ipi(s, cpu, SCHED_IPI_RESCHED);
	}
}

/* Onto the list; the first entry sends the interrupt. */
static void queue_remotely(struct sched *s, uint32_t cpu, uint32_t task)
{
	struct sched_task *t = &s->task[task];
	struct rq *rq = &s->rq[cpu];
	bool was_empty = rq->wake_list == TASK_NONE;

	t->state = TASK_WAKING;
	t->next_wake = TASK_NONE;
	s->counter[COUNT_wake_remote_queued]++;
	touch_write(s, FIELD_rq_ttwu_pending, cpu);
	rq->ttwu_pending = true;
	touch_atomic(s, FIELD_rq_wake_list, cpu);
	if (was_empty)
		rq->wake_list = task;
	else
		s->task[rq->wake_list_last].next_wake = task;
	rq->wake_list_last = task;
	if (was_empty)
		rq_call(s, cpu);
}

uint32_t wake_fallback_cpu(struct sched *s, uint32_t task)
{
	const struct cpuset *allowed = &s->set[s->task[task].set];
	const struct cpuset *online = &s->topology->online;
	uint32_t cpu = cpuset_next_and(allowed, online, s->last_distributed + 1);

	if (cpu == CPU_NONE)
		cpu = cpuset_next_and(allowed, online, 0);
	s->last_distributed = cpu;
	return cpu;
}

void wake_list_run(struct sched *s)
{
	uint32_t cpu = s->cpu, task, strays = TASK_NONE;
	struct rq *rq = &s->rq[cpu];

	if (rq->wake_list == TASK_NONE)
		return;
	touch_path(s, PATH_ipi_call, 1);
	touch_atomic(s, FIELD_rq_wake_list, cpu);
	rq_lock(s, cpu);
	rq_update(s, cpu);
	while ((task = rq->wake_list) != TASK_NONE) {
		struct sched_task *t = &s->task[task];

		rq->wake_list = t->next_wake;
		touch_read(s, FIELD_task_on_cpu, task);
		if (task_may_run_on(s, task, cpu)) {
			activate(s, cpu, task);
			continue;
		}
		t->next_wake = strays;
		strays = task;
	}
	rq->wake_list_last = TASK_NONE;
	touch_write(s, FIELD_rq_ttwu_pending, cpu);
	rq->ttwu_pending = false;
	rq_unlock(s, cpu);
	/* Their set changed while they were on the list. */
	while ((task = strays) != TASK_NONE) {
		strays = s->task[task].next_wake;
		s->task[task].state = TASK_BLOCKED;
		wake_set_cpu(s, task, wake_fallback_cpu(s, task));
		wake_on_cpu(s, task);
	}
}

/* The task is to run on t->cpu: by its lock, at once. */
void wake_on_cpu(struct sched *s, uint32_t task)
{
	uint32_t cpu = s->task[task].cpu;

	rq_lock(s, cpu);
	rq_update(s, cpu);
	activate(s, cpu, task);
	rq_unlock(s, cpu);
}

/* A delayed task is still queued: it only has to be runnable again. */
static void wake_queued(struct sched *s, uint32_t task)
{
	uint32_t cpu = s->task[task].cpu;

	touch_path(s, PATH_wake, 1);
	rq_lock(s, cpu);
	rq_update(s, cpu);
	rq_wake_delayed(s, cpu, task);
	rq_wakeup_preempt(s, cpu, task, QUEUE_WAKEUP);
	touch_write(s, FIELD_task_state, task);
	rq_unlock(s, cpu);
	sched_effect(s, SCHED_WOKEN, cpu, task, cpu);
}

/* The cpu that switches away from the task still works on it: true when it may finish the job. */
static bool leave_to_its_cpu(struct sched *s, uint32_t task)
{
	struct sched_task *t = &s->task[task];
	uint64_t wait_ns;

	if (s->t_ns >= t->off_cpu_ns)
		return false;
	if ((sched_has(s, FEATURE_TTWU_QUEUE_ON_CPU) || sched_has(s, FEATURE_TTWU_QUEUE_IDLE)) &&
	    task_may_run_on(s, task, t->cpu) && queues_remotely(s, t->cpu, true)) {
		queue_remotely(s, t->cpu, task);
		return true;
	}
	wait_ns = t->off_cpu_ns - s->t_ns;
	s->t_ns += wait_ns;
	s->counter[COUNT_lock_ns] += wait_ns;
	return false;
}

static void wake_blocked(struct sched *s, uint32_t task, uint32_t flags)
{
	struct sched_task *t = &s->task[task];
	uint32_t waker = s->rq[s->cpu].curr, cpu;

	t->woken_from = t->cpu;
	touch_write(s, FIELD_task_state, task);
	if (leave_to_its_cpu(s, task)) {
		touch_path(s, PATH_wake, 1);
		return;
	}
	touch_path(s, PATH_wake, 1);
	place_record_wakee(s, waker, task);
	cpu = place_task(s, task, t->cpu, PLACE_WAKE, flags & SCHED_WAKE_SYNC);
	CHECK(task_may_run_on(s, task, cpu));
	wake_set_cpu(s, task, cpu);
	s->counter[COUNT_wake_local] += cpu == s->cpu;
	if (queues_remotely(s, cpu, false))
		queue_remotely(s, cpu, task);
	else
		wake_on_cpu(s, task);
}

uint64_t sched_wake(struct sched *s, uint64_t now_ns, uint32_t cpu, uint32_t task, uint32_t flags)
{
	const struct sched_task *t = &s->task[task];
	uint64_t spent_ns;

	CHECK(task < s->max_tasks);
	CHECK(t->state != TASK_UNUSED && t->state != TASK_EXITED);
	verb_begin(s, now_ns, cpu);
	memory_lock_soon(s->memory, touch_line(s, FIELD_task_pi_lock, task));
	touch_task_soon(s, task);
	touch_cpu_soon(s, t->cpu);
	touch_lock(s, FIELD_task_pi_lock, task);
	touch_read(s, FIELD_task_state, task);
	touch_read(s, FIELD_task_on_cpu, task);
	if (t->state == TASK_BLOCKED || t->state == TASK_DELAYED) {
		s->counter[COUNT_wake]++;
		if (t->state == TASK_DELAYED)
			wake_queued(s, task);
		else
			wake_blocked(s, task, flags);
	} else {
		touch_path(s, PATH_wake_noop, 1);
	}
	touch_unlock(s, FIELD_task_pi_lock, task);
	spent_ns = verb_end(s);
	s->counter[COUNT_wake_ns] += spent_ns;
	return spent_ns;
}
