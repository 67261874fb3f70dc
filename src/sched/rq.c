/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runqueues: counts, load, list, clock. Which virtual time a task gets is the picker's business.
 *
 * Touches follow the order in which enqueue_task_fair(), dequeue_task_fair() and their callees
 * reach the fields: clock, the running entity, averages, the entity, counts, timeline.
 */
#include "base/check.h"
#include "sched/fair.h"

void rq_lock(struct sched *s, uint32_t cpu)
{
	touch_lock(s, FIELD_rq_lock, cpu);
}

void rq_unlock(struct sched *s, uint32_t cpu)
{
	touch_unlock(s, FIELD_rq_lock, cpu);
}

void rq_lock_pair(struct sched *s, uint32_t a, uint32_t b)
{
	uint32_t first = a < b ? a : b, second = a < b ? b : a;

	rq_lock(s, first);
	if (second != first)
		rq_lock(s, second);
}

void rq_unlock_pair(struct sched *s, uint32_t a, uint32_t b)
{
	rq_unlock(s, a);
	if (a != b)
		rq_unlock(s, b);
}

/* The PELT clock of a slow cpu runs at the pace of its capacity and catches up when it idles. */
void rq_update_clock(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	int64_t passed_ns = vns_delta(s->t_ns, rq->clock_ns);
	uint32_t capacity = s->machine->cpu[cpu].capacity;

	touch_write(s, FIELD_rq_clock, cpu);
	if (passed_ns > 0) {
		rq->clock_ns += (uint64_t)passed_ns;
		if (capacity != CAPACITY_FULL)
			rq->clock_pelt_ns += (uint64_t)passed_ns * capacity / CAPACITY_FULL;
	}
	if (capacity == CAPACITY_FULL || rq->curr == TASK_NONE)
		rq->clock_pelt_ns = rq->clock_ns;
}

/* Charges the running task for its time since it was charged last. */
static void charge_curr(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	struct sched_task *t;
	int64_t ran_ns;

	if (rq->curr == TASK_NONE || !task_on_rq(&s->task[rq->curr]))
		return;
	t = &s->task[rq->curr];
	touch_write(s, FIELD_task_se, rq->curr);
	touch_write(s, FIELD_cfs_vruntime, cpu);
	ran_ns = vns_delta(rq->clock_ns, t->exec_start_ns);
	if (ran_ns <= 0)
		return;
	t->exec_start_ns = rq->clock_ns;
	t->sum_exec_ns += (uint64_t)ran_ns;
	t->vruntime_vns += weight_vns((uint64_t)ran_ns, t->weight_wt);
	if (s->picker->advance(s, rq))
		rq_resched(s, cpu);
}

void rq_update(struct sched *s, uint32_t cpu)
{
	rq_update_clock(s, cpu);
	charge_curr(s, cpu);
	pelt_update_rq(s, cpu);
}

static void list_add(struct sched *s, struct rq *rq, uint32_t task)
{
	struct sched_task *t = &s->task[task];

	t->list_prev = TASK_NONE;
	t->list_next = rq->list_first;
	if (rq->list_first == TASK_NONE)
		rq->list_last = task;
	else
		s->task[rq->list_first].list_prev = task;
	rq->list_first = task;
}

static void list_del(struct sched *s, struct rq *rq, uint32_t task)
{
	struct sched_task *t = &s->task[task];

	if (t->list_prev == TASK_NONE)
		rq->list_first = t->list_next;
	else
		s->task[t->list_prev].list_next = t->list_next;
	if (t->list_next == TASK_NONE)
		rq->list_last = t->list_prev;
	else
		s->task[t->list_next].list_prev = t->list_prev;
}

void rq_list_to_front(struct sched *s, uint32_t cpu, uint32_t task)
{
	struct rq *rq = &s->rq[cpu];

	if (rq->list_first == task)
		return;
	list_del(s, rq, task);
	list_add(s, rq, task);
}

/* The timeline's root and the neighbour that links to the task. */
static void touch_timeline(struct sched *s, uint32_t cpu, uint32_t task)
{
	uint32_t parent = s->node[task].parent;

	touch_write(s, FIELD_cfs_tree, cpu);
	if (parent != TREE_NONE)
		touch_write(s, FIELD_task_se, parent);
}

static void insert(struct sched *s, uint32_t cpu, uint32_t task)
{
	s->picker->insert(s, &s->rq[cpu], task);
	touch_timeline(s, cpu, task);
}

static void remove_from_timeline(struct sched *s, uint32_t cpu, uint32_t task)
{
	touch_timeline(s, cpu, task);
	s->picker->remove(s, &s->rq[cpu], task);
}

/* A second runnable task makes the root domain worth balancing. */
static void add_running(struct sched *s, uint32_t cpu)
{
	touch_write(s, FIELD_rq_nr_running, cpu);
	if (++s->rq[cpu].nr_running == 2)
		balance_note_overload(s);
}

static void sub_running(struct sched *s, uint32_t cpu)
{
	CHECK(s->rq[cpu].nr_running > 0);
	touch_write(s, FIELD_rq_nr_running, cpu);
	s->rq[cpu].nr_running--;
}

void rq_enqueue(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags)
{
	struct sched_task *t = &s->task[task];
	struct rq *rq = &s->rq[cpu];

	CHECK(t->cpu == cpu && !t->is_running);
	touch_path(s, PATH_enqueue, 1);
	pelt_update_task(s, task);
	if (!t->is_attached)
		pelt_attach(s, cpu, task);
	util_est_enqueue(s, cpu, task);
	touch_write(s, FIELD_task_se, task);
	s->picker->place(s, cpu, task, flags);
	touch_write(s, FIELD_cfs_load, cpu);
	rq->load_wt += t->weight_wt;
	rq->nr_queued++;
	if (t->state != TASK_DELAYED) {
		t->state = TASK_QUEUED;
		add_running(s, cpu);
	}
	list_add(s, rq, task);
	insert(s, cpu, task);
}

void rq_clear_buddies(struct rq *rq, uint32_t task)
{
	if (rq->next_buddy == task)
		rq->next_buddy = TASK_NONE;
	if (rq->last_buddy == task)
		rq->last_buddy = TASK_NONE;
	if (rq->skip_buddy == task)
		rq->skip_buddy = TASK_NONE;
}

/* The task leaves counts and timeline; its state is the caller's to set. */
static void take_off(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags)
{
	struct sched_task *t = &s->task[task];
	struct rq *rq = &s->rq[cpu];

	touch_path(s, PATH_dequeue, 1);
	pelt_update_task(s, task);
	touch_write(s, FIELD_task_se, task);
	s->picker->leave(s, cpu, task, flags);
	rq_clear_buddies(rq, task);
	if (t->is_running)
		t->is_running = false;
	else
		remove_from_timeline(s, cpu, task);
	touch_write(s, FIELD_cfs_load, cpu);
	rq->load_wt -= t->weight_wt;
	rq->nr_queued--;
	list_del(s, rq, task);
	util_est_dequeue(s, cpu, task, flags & QUEUE_SLEEP);
	if (flags & QUEUE_MIGRATED)
		pelt_detach(s, task);
}

bool rq_dequeue(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags)
{
	struct sched_task *t = &s->task[task];
	struct rq *rq = &s->rq[cpu];
	uint8_t state = t->state;

	CHECK(task_on_rq(t) && t->cpu == cpu);
	if (state == TASK_QUEUED)
		sub_running(s, cpu);
	if (flags & QUEUE_SLEEP && !(flags & QUEUE_NEW) && s->picker->delays(s, rq, task)) {
		touch_path(s, PATH_dequeue, 1);
		pelt_update_task(s, task);
		touch_write(s, FIELD_task_se, task);
		t->state = TASK_DELAYED;
		return false;
	}
	take_off(s, cpu, task, flags);
	t->state = TASK_BLOCKED;
	/* The smallest virtual time may have left. */
	s->picker->advance(s, rq);
	return true;
}

void rq_finish_delayed(struct sched *s, uint32_t cpu, uint32_t task)
{
	CHECK(s->task[task].state == TASK_DELAYED);
	take_off(s, cpu, task, QUEUE_SLEEP);
	s->task[task].state = TASK_BLOCKED;
	s->picker->advance(s, &s->rq[cpu]);
}

void rq_wake_delayed(struct sched *s, uint32_t cpu, uint32_t task)
{
	pelt_update_task(s, task);
	touch_write(s, FIELD_task_se, task);
	s->picker->undelay(s, cpu, task);
	s->task[task].state = TASK_QUEUED;
	add_running(s, cpu);
}

void rq_put_curr(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	struct sched_task *t = &s->task[rq->curr];

	CHECK(t->is_running && task_on_rq(t));
	pelt_update_task(s, rq->curr);
	t->is_running = false;
	insert(s, cpu, rq->curr);
}

void rq_set_curr(struct sched *s, uint32_t cpu, uint32_t task)
{
	struct rq *rq = &s->rq[cpu];
	struct sched_task *t = &s->task[task];

	CHECK(t->state == TASK_QUEUED && !t->is_running);
	remove_from_timeline(s, cpu, task);
	touch_write(s, FIELD_task_se, task);
	pelt_update_task(s, task);
	rq_clear_buddies(rq, task);
	t->is_running = true;
	t->exec_start_ns = rq->clock_ns;
	t->prev_sum_exec_ns = t->sum_exec_ns;
	rq_list_to_front(s, cpu, task);
	rq->curr = task;
	s->picker->start(s, rq, task);
}

void rq_reweigh(struct sched *s, uint32_t task, uint32_t weight_wt)
{
	struct sched_task *t = &s->task[task];
	struct rq *rq = &s->rq[t->cpu];

	if (!task_on_rq(t)) {
		pelt_reweigh(s, task, weight_wt);
		return;
	}
	if (!t->is_running)
		remove_from_timeline(s, t->cpu, task);
	rq->load_wt -= t->weight_wt;
	s->picker->reweigh(s, rq, task, weight_wt);
	pelt_reweigh(s, task, weight_wt);
	rq->load_wt += weight_wt;
	if (!t->is_running)
		insert(s, t->cpu, task);
	s->picker->advance(s, rq);
}

void rq_wakeup_preempt(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags)
{
	struct rq *rq = &s->rq[cpu];

	touch_path(s, PATH_preempt_check, 1);
	touch_read(s, FIELD_rq_curr, cpu);
	if (rq->curr == TASK_NONE || !task_on_rq(&s->task[rq->curr])) {
		rq_resched(s, cpu);
		return;
	}
	if (rq->curr == task || !s->picker->preempts(s, rq, task, flags))
		return;
	s->counter[COUNT_preempt]++;
	rq_resched(s, cpu);
}

/* Whether the idle cpu sees its flag without an interrupt. */
bool rq_polls(const struct sched *s, uint32_t cpu)
{
	const struct rq *rq = &s->rq[cpu];

	return rq->curr == TASK_NONE && sched_has(s, FEATURE_MWAIT_POLLING) &&
	       (rq->idle_state == IDLE_STATE_NONE || rq->polling);
}

/* Sets the flag where the cpu's current thread keeps it; other cpus write it atomically. */
void rq_resched(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	enum sched_field field = rq->curr == TASK_NONE ? FIELD_idle_flags : FIELD_task_flags;
	uint32_t instance = rq->curr == TASK_NONE ? cpu : rq->curr;

	touch_read(s, field, instance);
	if (rq->need_resched)
		return;
	rq->need_resched = true;
	touch_atomic(s, field, instance);
	if (cpu == s->cpu)
		return;
	if (rq_polls(s, cpu)) {
		s->counter[COUNT_poll_kick]++;
		sched_effect(s, SCHED_KICK_POLLER, cpu, TASK_NONE, s->cpu);
	} else {
		rq_send_ipi(s, cpu, SCHED_IPI_RESCHED);
	}
}

void rq_send_ipi(struct sched *s, uint32_t cpu, enum sched_effect_kind kind)
{
	s->counter[kind == SCHED_IPI_RESCHED ? COUNT_ipi_resched : COUNT_ipi_call]++;
	s->t_ns += s->ipi_send_ns;
	sched_effect(s, kind, cpu, TASK_NONE, s->cpu);
}

void rq_move(struct sched *s, uint32_t task, uint32_t from, uint32_t to)
{
	struct sched_task *t = &s->task[task];
	uint8_t state = t->state;

	CHECK(task_on_rq(t) && !t->is_running && t->cpu == from && from != to);
	touch_path(s, PATH_migrate, 1);
	rq_update(s, from);
	rq_dequeue(s, from, task, QUEUE_MIGRATED);
	touch_write(s, FIELD_task_on_cpu, task);
	t->cpu = to;
	t->nr_migrations++;
	rq_update(s, to);
	t->state = state;
	rq_enqueue(s, to, task, QUEUE_MIGRATED);
	sched_effect(s, SCHED_MIGRATED, to, task, from);
	if (state == TASK_QUEUED)
		rq_wakeup_preempt(s, to, task, QUEUE_MIGRATED);
}
