/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The completely fair scheduler (sched-design-CFS.rst): the task with the least virtual time runs.
 *
 *   vruntime += time * 1024 / weight
 *   slice     = max(latency, n * min_granularity) * weight / sum of weights
 *
 * The runqueue's min_vruntime only grows; a task that goes elsewhere takes its distance from it.
 */
#include "base/check.h"
#include "sched/fair.h"

static uint32_t queued_curr(const struct sched *s, const struct rq *rq)
{
	return rq->curr != TASK_NONE && task_on_rq(&s->task[rq->curr]) ? rq->curr : TASK_NONE;
}

/* The slice of a task among those queued; `joins`: it is not yet one of them. */
static uint64_t slice_ns(const struct sched *s, const struct rq *rq, uint32_t weight_wt, bool joins)
{
	uint64_t latency_ns = s->tunable[TUNABLE_sched_latency_ns];
	uint64_t least_ns = s->tunable[TUNABLE_min_granularity_ns];
	uint64_t count = rq->nr_queued + joins, load_wt = rq->load_wt + (joins ? weight_wt : 0);
	uint64_t period_ns = max_u64(latency_ns, count * least_ns);
	uint64_t slice = mul_div_floor(period_ns, weight_wt, load_wt);

	/* v5.13, 0c2de3f054a5: no slice below the granularity. */
	return s->config.version >= 513 ? max_u64(slice, least_ns) : slice;
}

static void cfs_fork(struct sched *s, uint32_t cpu, uint32_t child)
{
	struct rq *rq = &s->rq[cpu];
	struct sched_task *t = &s->task[child];
	uint32_t curr = queued_curr(s, rq);
	uint64_t start_vns = rq->min_vruntime_vns;

	t->vruntime_vns = curr == TASK_NONE ? start_vns : s->task[curr].vruntime_vns;
	if (sched_has(s, FEATURE_START_DEBIT))
		start_vns += weight_vns(slice_ns(s, rq, t->weight_wt, true), t->weight_wt);
	if (vns_before(t->vruntime_vns, start_vns))
		t->vruntime_vns = start_vns;
	if (s->tunable[TUNABLE_child_runs_first] && curr != TASK_NONE &&
	    vns_before(s->task[curr].vruntime_vns, t->vruntime_vns)) {
		uint64_t parent_vns = s->task[curr].vruntime_vns;

		s->task[curr].vruntime_vns = t->vruntime_vns;
		t->vruntime_vns = parent_vns;
		rq_resched(s, cpu);
	}
	t->vruntime_vns -= rq->min_vruntime_vns;
	t->is_normalized = true;
}

/* A sleeper may come back with a credit of one latency, or half of it, but never gains. */
static void cfs_place(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags)
{
	struct rq *rq = &s->rq[cpu];
	struct sched_task *t = &s->task[task];
	uint64_t credit_ns = s->tunable[TUNABLE_sched_latency_ns];
	uint64_t least_vns;

	if (t->is_normalized)
		t->vruntime_vns += rq->min_vruntime_vns;
	t->is_normalized = false;
	if (!(flags & QUEUE_WAKEUP))
		return;
	if (sched_has(s, FEATURE_GENTLE_FAIR_SLEEPERS))
		credit_ns /= 2;
	least_vns = rq->min_vruntime_vns - credit_ns;
	if (vns_before(t->vruntime_vns, least_vns))
		t->vruntime_vns = least_vns;
}

static void cfs_leave(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags)
{
	struct sched_task *t = &s->task[task];

	if (flags & QUEUE_SLEEP)
		return;
	t->vruntime_vns -= s->rq[cpu].min_vruntime_vns;
	t->is_normalized = true;
}

static void cfs_migrate_asleep(struct sched *s, uint32_t from, uint32_t task)
{
	struct sched_task *t = &s->task[task];

	if (t->is_normalized)
		return;
	touch_read(s, FIELD_cfs_vruntime, from);
	touch_write(s, FIELD_task_se, task);
	t->vruntime_vns -= s->rq[from].min_vruntime_vns;
	t->is_normalized = true;
}

static void cfs_insert(struct sched *s, struct rq *rq, uint32_t task)
{
	s->node[task].key = s->node[task].value = s->task[task].vruntime_vns;
	tree_insert(&rq->tree, s->node, task);
}

static void cfs_remove(struct sched *s, struct rq *rq, uint32_t task)
{
	tree_remove(&rq->tree, s->node, task);
}

static bool cfs_advance(struct sched *s, struct rq *rq)
{
	uint32_t curr = queued_curr(s, rq), first = rq->tree.first;
	uint64_t least_vns;

	if (curr == TASK_NONE && first == TREE_NONE)
		return false;
	least_vns = curr != TASK_NONE ? s->task[curr].vruntime_vns : s->node[first].key;
	if (first != TREE_NONE && vns_before(s->node[first].key, least_vns))
		least_vns = s->node[first].key;
	if (vns_before(rq->min_vruntime_vns, least_vns))
		rq->min_vruntime_vns = least_vns;
	return false;
}

static bool cfs_delays(const struct sched *s, const struct rq *rq, uint32_t task)
{
	return false;
}

static void cfs_undelay(struct sched *s, uint32_t cpu, uint32_t task)
{
	CHECK(false);
}

/* The lead in virtual time that `task` must have over what runs. */
static uint64_t granularity_vns(const struct sched *s, uint32_t task)
{
	return weight_vns(s->tunable[TUNABLE_wakeup_granularity_ns], s->task[task].weight_wt);
}

/* Whether running `task` instead of `first` is not too unfair. */
static bool is_close(const struct sched *s, uint32_t task, uint32_t first)
{
	int64_t behind_vns = vns_delta(s->task[task].vruntime_vns, s->task[first].vruntime_vns);

	return behind_vns <= (int64_t)granularity_vns(s, first);
}

/* The least virtual time but `skip`. */
static uint32_t second_best(const struct sched *s, const struct rq *rq, uint32_t skip,
			    uint32_t curr)
{
	uint32_t second = rq->tree.first;

	if (second != TREE_NONE && second == skip)
		second = tree_next(s->node, second);
	if (curr != TASK_NONE && curr != skip &&
	    (second == TREE_NONE ||
	     vns_before(s->task[curr].vruntime_vns, s->task[second].vruntime_vns)))
		second = curr;
	return second;
}

static uint32_t cfs_pick(struct sched *s, struct rq *rq)
{
	uint32_t curr = queued_curr(s, rq), first = second_best(s, rq, TASK_NONE, curr);
	uint32_t best = first;

	if (first == rq->skip_buddy) {
		uint32_t second = second_best(s, rq, first, curr);

		if (second != TREE_NONE && is_close(s, second, first))
			best = second;
	}
	if (rq->next_buddy != TASK_NONE && is_close(s, rq->next_buddy, first))
		return rq->next_buddy;
	if (rq->last_buddy != TASK_NONE && is_close(s, rq->last_buddy, first))
		return rq->last_buddy;
	return best;
}

static void cfs_start(struct sched *s, struct rq *rq, uint32_t task)
{
}

/* Buddies matter when a period has no room for everyone: nr_latency = latency / granularity. */
static bool is_crowded(const struct sched *s, const struct rq *rq)
{
	return rq->nr_queued * s->tunable[TUNABLE_min_granularity_ns] >=
	       s->tunable[TUNABLE_sched_latency_ns];
}

static bool cfs_preempts(struct sched *s, struct rq *rq, uint32_t task, uint32_t flags)
{
	uint32_t curr = rq->curr;
	int64_t lead_vns;

	if (sched_has(s, FEATURE_NEXT_BUDDY) && is_crowded(s, rq) && !(flags & QUEUE_NEW))
		rq->next_buddy = task;
	if (rq->need_resched || !sched_has(s, FEATURE_WAKEUP_PREEMPTION))
		return false;
	touch_read(s, FIELD_task_se, curr);
	lead_vns = vns_delta(s->task[curr].vruntime_vns, s->task[task].vruntime_vns);
	if (lead_vns <= (int64_t)granularity_vns(s, task))
		return false;
	rq->next_buddy = task;
	if (sched_has(s, FEATURE_LAST_BUDDY) && is_crowded(s, rq))
		rq->last_buddy = curr;
	return true;
}

static bool cfs_tick(struct sched *s, struct rq *rq)
{
	const struct sched_task *t = &s->task[rq->curr];
	uint64_t slice, ran_ns = t->sum_exec_ns - t->prev_sum_exec_ns;

	if (rq->nr_queued < 2)
		return false;
	slice = slice_ns(s, rq, t->weight_wt, false);
	if (ran_ns > slice) {
		rq_clear_buddies(rq, rq->curr);
		return true;
	}
	if (ran_ns < s->tunable[TUNABLE_min_granularity_ns])
		return false;
	return vns_delta(t->vruntime_vns, s->node[rq->tree.first].key) > (int64_t)slice;
}

static void cfs_yield(struct sched *s, struct rq *rq)
{
	rq_clear_buddies(rq, rq->curr);
	rq->skip_buddy = rq->curr;
}

static void cfs_reweigh(struct sched *s, struct rq *rq, uint32_t task, uint32_t weight_wt)
{
}

static bool cfs_check(const struct sched *s, uint32_t cpu, struct err *err)
{
	const struct rq *rq = &s->rq[cpu];

	for (uint32_t at = rq->tree.first; at != TREE_NONE; at = tree_next(s->node, at))
		if (s->node[at].key != s->task[at].vruntime_vns)
			return err_set(err, "cpu %u: task %u is filed under another vruntime", cpu,
				       at);
	return true;
}

const struct sched_picker picker_cfs = {
	.name = "cfs",
	.fork = cfs_fork,
	.place = cfs_place,
	.leave = cfs_leave,
	.migrate_asleep = cfs_migrate_asleep,
	.insert = cfs_insert,
	.remove = cfs_remove,
	.advance = cfs_advance,
	.delays = cfs_delays,
	.undelay = cfs_undelay,
	.pick = cfs_pick,
	.start = cfs_start,
	.preempts = cfs_preempts,
	.tick = cfs_tick,
	.yield = cfs_yield,
	.reweigh = cfs_reweigh,
	.check = cfs_check,
};
