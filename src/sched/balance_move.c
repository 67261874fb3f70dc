/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moves tasks from one runqueue to another.
 *
 * Candidates come from the end of the queue's list: those that have waited longest since they ran
 * or came. A task is left where it is when it runs, may not run on the destination, is cache hot
 * (unless balancing has failed often enough), or is too large for what is to be moved. The kernel
 * takes one lock after the other and drops them every 32 tasks; here both are held for the move.
 */
#include "sched/balance.h"

/* Ran less than migration_cost ago: its working set is still here. */
static bool is_cache_hot(struct sched *s, const struct balance *b, uint32_t task)
{
	const struct rq *src = &s->rq[b->src_cpu];

	if (b->sd->flags & SD_SHARE_CPUCAPACITY)
		return false;
	if (sched_has(s, FEATURE_CACHE_HOT_BUDDY) && s->rq[b->dst_cpu].nr_running &&
	    (src->next_buddy == task || src->last_buddy == task))
		return true;
	touch_read(s, FIELD_task_se, task);
	return (int64_t)(s->t_ns - s->task[task].exec_start_ns) <
	       (int64_t)s->tunable[TUNABLE_migration_cost_ns];
}

/* Remembers that affinity was in the way, and another cpu of the group that would do. */
static void note_pinned(struct sched *s, struct balance *b, uint32_t task)
{
	const struct cpuset *group = topology_group(s->topology, b->sd, 0)->mask;
	const struct cpuset *allowed = &s->set[s->task[task].set];

	b->some_pinned = true;
	if (b->idle == BALANCE_NEWIDLE || b->other_dst != CPU_NONE)
		return;
	for (uint32_t cpu = cpuset_next_and(group, allowed, 0); cpu != CPU_NONE;
	     cpu = cpuset_next_and(group, allowed, cpu + 1)) {
		if (cpu != b->src_cpu && cpuset_has(b->cpus, cpu)) {
			b->other_dst = cpu;
			return;
		}
	}
}

static bool may_move(struct sched *s, struct balance *b, uint32_t task)
{
	const struct sched_task *t = &s->task[task];

	if (t->state != TASK_QUEUED)
		return false;
	touch_read(s, FIELD_task_allowed, task);
	if (!task_may_run_on(s, task, b->dst_cpu)) {
		note_pinned(s, b, task);
		return false;
	}
	b->all_pinned = false;
	if (t->is_running)
		return false;
	return b->state->nr_balance_failed > b->sd->cache_nice_tries || !is_cache_hot(s, b, task);
}

static uint64_t shift_bound(uint64_t value, uint32_t shift)
{
	return shift < 64 ? value >> shift : 0;
}

/* More than is left to move: a load counts half until v5.9; failures shrink it later. */
static bool load_is_too_large(const struct sched *s, const struct balance *b, uint64_t load)
{
	uint32_t failed = b->state->nr_balance_failed;

	if (sched_has(s, FEATURE_LB_MIN) && load < 16 && !failed)
		return true;
	if (s->config.version >= 510)
		return (int64_t)shift_bound(load, failed) > b->imbalance;
	if (s->config.version >= 505 && failed > b->sd->cache_nice_tries)
		return false;
	return (int64_t)(load / 2) > b->imbalance;
}

/* What the task takes off the imbalance, or 0 when it is too large for it. */
static uint64_t share_of(struct sched *s, const struct balance *b, uint32_t task)
{
	uint64_t amount = 1;

	if (b->unit == MOVE_TASKS)
		return amount;
	touch_read(s, FIELD_task_avg, task);
	if (b->unit == MOVE_LOAD) {
		amount = max_u64(task_load(s, task), 1);
		return load_is_too_large(s, b, amount) ? 0 : amount;
	}
	amount = max_u64(task_util(s, task), 1);
	if (s->config.version >= 603)
		return (int64_t)shift_bound(amount, b->state->nr_balance_failed) > b->imbalance
			       ? 0
			       : amount;
	return (int64_t)amount > b->imbalance ? 0 : amount;
}

/* How many tasks to look at: more while only pinned ones were seen (v6.2, b0defa7ae03e). */
static uint32_t most_to_examine(const struct sched *s, const struct balance *b)
{
	const struct rq *src = &s->rq[b->src_cpu];

	if (s->config.version >= 602 && b->all_pinned)
		return src->nr_queued;
	return (uint32_t)min_u64(s->tunable[TUNABLE_nr_migrate], src->nr_queued);
}

/* Looks at one task of the source, at `task`; returns how many moved. */
static uint32_t try_one(struct sched *s, struct balance *b, uint32_t task)
{
	uint64_t share = may_move(s, b, task) ? share_of(s, b, task) : 0;

	if (!share) {
		rq_list_to_front(s, b->src_cpu, task);
		return 0;
	}
	b->imbalance -= (int64_t)share;
	rq_move(s, task, b->src_cpu, b->dst_cpu);
	s->counter[COUNT_lb_moved]++;
	return 1;
}

static uint32_t move_locked(struct sched *s, struct balance *b)
{
	struct rq *src = &s->rq[b->src_cpu];
	uint32_t moved = 0;

	if (src->nr_running <= 1) {
		b->all_pinned = false;
		return 0;
	}
	while (b->imbalance > 0 && b->examined < most_to_examine(s, b)) {
		/* An idle cpu leaves the source its last task. */
		if (b->idle != BALANCE_BUSY && src->nr_running <= 1)
			break;
		b->examined++;
		moved += try_one(s, b, src->list_last);
	}
	return moved;
}

uint32_t move_tasks(struct sched *s, struct balance *b)
{
	uint32_t moved;

	rq_lock_pair(s, b->src_cpu, b->dst_cpu);
	rq_update(s, b->src_cpu);
	rq_update(s, b->dst_cpu);
	moved = move_locked(s, b);
	rq_unlock_pair(s, b->src_cpu, b->dst_cpu);
	return moved;
}

/* ---- active balance ---- */

/* The domain of `to` that holds `from`, or DOMAIN_NONE. */
static uint32_t common_domain(const struct sched *s, uint32_t to, uint32_t from)
{
	const struct topology *t = s->topology;
	uint32_t i = t->base[to];

	while (i != DOMAIN_NONE && !cpuset_has(t->domain[i].span, from))
		i = t->domain[i].parent;
	return i;
}

/* The first task from the end of the list that may go. */
static bool push_one(struct sched *s, uint32_t from, uint32_t to)
{
	for (uint32_t task = s->rq[from].list_last; task != TASK_NONE;
	     task = s->task[task].list_prev) {
		touch_read(s, FIELD_task_allowed, task);
		if (s->task[task].state != TASK_QUEUED || s->task[task].is_running ||
		    !task_may_run_on(s, task, to))
			continue;
		rq_move(s, task, from, to);
		s->counter[COUNT_lb_moved]++;
		return true;
	}
	return false;
}

/* The stopper of the busiest cpu has taken it: what ran is queued and may go. */
void balance_push(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	uint32_t to = rq->push_cpu, domain;

	if (!rq->active_balance)
		return;
	rq->active_balance = false;
	domain = common_domain(s, to, cpu);
	if (domain == DOMAIN_NONE || !rq->nr_running)
		return;
	rq_lock_pair(s, cpu, to);
	rq_update(s, cpu);
	rq_update(s, to);
	rq_stop_curr(s, cpu);
	if (push_one(s, cpu, to))
		s->domain[domain].nr_balance_failed = 0;
	rq_unlock_pair(s, cpu, to);
}
