/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Earliest eligible virtual deadline first (Stoica, Abdel-Wahab 1995; kernel since v6.6).
 *
 *   V     = sum w_i v_i / sum w_i      the runqueue's average virtual time, curr included
 *   lag_i = V - v_i                    in virtual time; eligible: lag_i >= 0
 *   d_i   = v_i + slice * 1024 / w_i   the deadline
 *
 * Sums are kept relative to min_vruntime so that they stay small. A task that joins with lag L
 * moves V, hence it is placed with L (W + w) / W, after which its lag is L (v6.6, 86bfbb7ce4f6).
 */
#include "base/check.h"
#include "sched/fair.h"

static uint32_t queued_curr(const struct sched *s, const struct rq *rq)
{
	return rq->curr != TASK_NONE && task_on_rq(&s->task[rq->curr]) ? rq->curr : TASK_NONE;
}

/* V, rounded towards the past. */
static uint64_t average_vns(const struct sched *s, const struct rq *rq)
{
	uint32_t curr = queued_curr(s, rq);
	int64_t sum = rq->sum_key_vns, weight = (int64_t)rq->sum_wt;

	if (curr != TASK_NONE) {
		const struct sched_task *t = &s->task[curr];

		sum += vns_delta(t->vruntime_vns, rq->min_vruntime_vns) * t->weight_wt;
		weight += t->weight_wt;
	}
	if (weight == 0)
		return rq->min_vruntime_vns;
	if (sum < 0)
		sum -= weight - 1;
	return rq->min_vruntime_vns + (uint64_t)(sum / weight);
}

static bool is_eligible(const struct sched *s, const struct rq *rq, uint32_t task)
{
	return !vns_before(average_vns(s, rq), s->task[task].vruntime_vns);
}

/* No task keeps more lag than two slices or a tick of its own. */
static int64_t bounded_lag(const struct sched *s, const struct rq *rq, uint32_t task)
{
	const struct sched_task *t = &s->task[task];
	int64_t lag_vns = vns_delta(average_vns(s, rq), t->vruntime_vns);
	int64_t limit_vns = (int64_t)weight_vns(max_u64(2 * t->slice_ns, s->tick_ns), t->weight_wt);

	if (lag_vns > limit_vns)
		return limit_vns;
	return lag_vns < -limit_vns ? -limit_vns : lag_vns;
}

static void eevdf_fork(struct sched *s, uint32_t cpu, uint32_t child)
{
	struct sched_task *t = &s->task[child];

	t->vruntime_vns = s->rq[cpu].min_vruntime_vns;
	t->lag_vns = 0;
	t->is_relative = false;
}

/* The lag that must be put in so that `lag_vns` is left once the task has joined. */
static int64_t inflated_lag(const struct sched *s, const struct rq *rq, const struct sched_task *t)
{
	uint32_t curr = queued_curr(s, rq);
	uint64_t weight = rq->sum_wt, size;

	if (curr != TASK_NONE)
		weight += s->task[curr].weight_wt;
	if (weight == 0)
		return 0;
	size = (uint64_t)(t->lag_vns < 0 ? -t->lag_vns : t->lag_vns);
	size = mul_div_floor(size, weight + t->weight_wt, weight);
	return t->lag_vns < 0 ? -(int64_t)size : (int64_t)size;
}

static void eevdf_place(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags)
{
	struct rq *rq = &s->rq[cpu];
	struct sched_task *t = &s->task[task];
	uint64_t slice_vns = weight_vns(t->slice_ns, t->weight_wt);
	int64_t lag_vns = 0;

	if (sched_has(s, FEATURE_PLACE_LAG) && t->lag_vns)
		lag_vns = inflated_lag(s, rq, t);
	t->vruntime_vns = average_vns(s, rq) - (uint64_t)lag_vns;
	if (t->is_relative) {
		t->is_relative = false;
		t->deadline_vns += t->vruntime_vns;
		return;
	}
	if (flags & QUEUE_NEW && sched_has(s, FEATURE_PLACE_DEADLINE_INITIAL))
		slice_vns /= 2;
	t->deadline_vns = t->vruntime_vns + slice_vns;
}

static void eevdf_leave(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags)
{
	struct sched_task *t = &s->task[task];

	t->lag_vns = bounded_lag(s, &s->rq[cpu], task);
	if (t->state == TASK_DELAYED && flags & QUEUE_SLEEP && t->lag_vns > 0 &&
	    sched_has(s, FEATURE_DELAY_ZERO))
		t->lag_vns = 0;
	if (!(flags & QUEUE_SLEEP) && sched_has(s, FEATURE_PLACE_REL_DEADLINE)) {
		t->deadline_vns -= t->vruntime_vns;
		t->is_relative = true;
	}
}

/* Lag needs no translation between runqueues. */
static void eevdf_migrate_asleep(struct sched *s, uint32_t from, uint32_t task)
{
}

static void eevdf_insert(struct sched *s, struct rq *rq, uint32_t task)
{
	const struct sched_task *t = &s->task[task];

	s->node[task].key = t->deadline_vns;
	s->node[task].value = t->vruntime_vns;
	tree_insert(&rq->tree, s->node, task);
	rq->sum_key_vns += vns_delta(t->vruntime_vns, rq->min_vruntime_vns) * t->weight_wt;
	rq->sum_wt += t->weight_wt;
}

static void eevdf_remove(struct sched *s, struct rq *rq, uint32_t task)
{
	const struct sched_task *t = &s->task[task];

	tree_remove(&rq->tree, s->node, task);
	rq->sum_key_vns -= vns_delta(t->vruntime_vns, rq->min_vruntime_vns) * t->weight_wt;
	rq->sum_wt -= t->weight_wt;
}

static void move_minimum(const struct sched *s, struct rq *rq, uint32_t curr)
{
	uint32_t root = rq->tree.root;
	uint64_t least_vns;
	int64_t step_vns;

	if (curr == TASK_NONE && root == TREE_NONE)
		return;
	least_vns = curr != TASK_NONE ? s->task[curr].vruntime_vns : s->node[root].least;
	if (root != TREE_NONE && vns_before(s->node[root].least, least_vns))
		least_vns = s->node[root].least;
	step_vns = vns_delta(least_vns, rq->min_vruntime_vns);
	if (step_vns <= 0)
		return;
	rq->min_vruntime_vns = least_vns;
	rq->sum_key_vns -= step_vns * (int64_t)rq->sum_wt;
}

/* A task that reached its deadline gets the next one and lets others run. */
static bool eevdf_advance(struct sched *s, struct rq *rq)
{
	uint32_t curr = queued_curr(s, rq);
	struct sched_task *t = curr == TASK_NONE ? NULL : &s->task[curr];
	bool is_over = t && !vns_before(t->vruntime_vns, t->deadline_vns);

	if (is_over) {
		t->slice_ns = s->tunable[TUNABLE_base_slice_ns];
		t->deadline_vns = t->vruntime_vns + weight_vns(t->slice_ns, t->weight_wt);
	}
	move_minimum(s, rq, curr);
	if (!is_over || rq->nr_queued < 2)
		return false;
	rq_clear_buddies(rq, curr);
	return true;
}

static bool eevdf_delays(const struct sched *s, const struct rq *rq, uint32_t task)
{
	return sched_has(s, FEATURE_DELAY_DEQUEUE) && !is_eligible(s, rq, task);
}

/* With DELAY_ZERO a sleeper that has outlived its debt comes back with no lag at all. */
static void eevdf_undelay(struct sched *s, uint32_t cpu, uint32_t task)
{
	struct rq *rq = &s->rq[cpu];
	struct sched_task *t = &s->task[task];

	if (!sched_has(s, FEATURE_DELAY_ZERO) || t->is_running || bounded_lag(s, rq, task) <= 0)
		return;
	eevdf_remove(s, rq, task);
	t->lag_vns = 0;
	eevdf_place(s, cpu, task, 0);
	eevdf_insert(s, rq, task);
}

static bool is_protected(const struct sched *s, uint32_t task)
{
	return sched_has(s, FEATURE_RUN_TO_PARITY) &&
	       s->task[task].protect_vns == s->task[task].deadline_vns;
}

static uint32_t eevdf_pick(struct sched *s, struct rq *rq)
{
	uint32_t curr = queued_curr(s, rq), best;
	uint64_t limit_vns;

	if (rq->nr_queued == 1)
		return curr != TASK_NONE ? curr : rq->tree.first;
	limit_vns = average_vns(s, rq);
	if (sched_has(s, FEATURE_NEXT_BUDDY) && rq->next_buddy != TASK_NONE &&
	    !vns_before(limit_vns, s->task[rq->next_buddy].vruntime_vns))
		return rq->next_buddy;
	if (curr != TASK_NONE && vns_before(limit_vns, s->task[curr].vruntime_vns))
		curr = TASK_NONE;
	if (curr != TASK_NONE && is_protected(s, curr))
		return curr;
	best = tree_first_within(&rq->tree, s->node, limit_vns);
	if (best == TREE_NONE || (curr != TASK_NONE && vns_before(s->task[curr].deadline_vns,
								  s->task[best].deadline_vns)))
		best = curr;
	CHECK(best != TASK_NONE); /* someone is at or below the average */
	return best;
}

static void eevdf_start(struct sched *s, struct rq *rq, uint32_t task)
{
	s->task[task].protect_vns = s->task[task].deadline_vns;
}

/* PREEMPT_SHORT: an eligible task with a shorter slice ends the protection of what runs. */
static bool is_short_enough(const struct sched *s, const struct rq *rq, uint32_t task)
{
	const struct sched_task *t = &s->task[task], *curr = &s->task[rq->curr];

	if (!sched_has(s, FEATURE_PREEMPT_SHORT) || t->slice_ns >= curr->slice_ns ||
	    !is_eligible(s, rq, task))
		return false;
	return vns_before(t->deadline_vns, curr->deadline_vns) || !is_eligible(s, rq, rq->curr);
}

static bool eevdf_preempts(struct sched *s, struct rq *rq, uint32_t task, uint32_t flags)
{
	if (sched_has(s, FEATURE_NEXT_BUDDY) && !(flags & QUEUE_NEW))
		rq->next_buddy = task;
	if (rq->need_resched || !sched_has(s, FEATURE_WAKEUP_PREEMPTION))
		return false;
	touch_read(s, FIELD_task_se, rq->curr);
	if (is_short_enough(s, rq, task))
		s->task[rq->curr].protect_vns = s->task[rq->curr].deadline_vns + 1;
	return eevdf_pick(s, rq) == task;
}

/* Deadlines are looked at whenever time is charged, see eevdf_advance(). */
static bool eevdf_tick(struct sched *s, struct rq *rq)
{
	return false;
}

static void eevdf_yield(struct sched *s, struct rq *rq)
{
	struct sched_task *t = &s->task[rq->curr];

	rq_clear_buddies(rq, rq->curr);
	if (rq->nr_queued > 1)
		t->deadline_vns += weight_vns(t->slice_ns, t->weight_wt);
}

/* lag * weight and the distance to the deadline in real time stay what they were. */
static void eevdf_reweigh(struct sched *s, struct rq *rq, uint32_t task, uint32_t weight_wt)
{
	struct sched_task *t = &s->task[task];
	int64_t left_vns = vns_delta(t->deadline_vns, t->vruntime_vns);
	bool was_protected = t->protect_vns == t->deadline_vns;

	left_vns = left_vns * (int64_t)t->weight_wt / (int64_t)weight_wt;
	t->deadline_vns = t->vruntime_vns + (uint64_t)left_vns;
	if (was_protected)
		t->protect_vns = t->deadline_vns;
}

/* Lags weighted sum to zero, but for V being rounded down: at most the sum of weights - 1. */
static bool lags_cancel(const struct sched *s, const struct rq *rq)
{
	uint32_t curr = queued_curr(s, rq);
	uint64_t average = average_vns(s, rq);
	int64_t sum = 0, weight = 0;

	for (uint32_t at = rq->list_first; at != TASK_NONE; at = s->task[at].list_next) {
		const struct sched_task *t = &s->task[at];

		if (at != curr && t->is_running)
			continue;
		sum += vns_delta(average, t->vruntime_vns) * t->weight_wt;
		weight += t->weight_wt;
	}
	return sum <= 0 && sum >= (weight ? 1 - weight : 0);
}

static bool eevdf_check(const struct sched *s, uint32_t cpu, struct err *err)
{
	const struct rq *rq = &s->rq[cpu];
	int64_t sum_key = 0;
	uint64_t sum_wt = 0;

	for (uint32_t at = rq->tree.first; at != TREE_NONE; at = tree_next(s->node, at)) {
		const struct sched_task *t = &s->task[at];

		if (s->node[at].key != t->deadline_vns || s->node[at].value != t->vruntime_vns)
			return err_set(err, "cpu %u: task %u is filed under another deadline", cpu,
				       at);
		sum_key += vns_delta(t->vruntime_vns, rq->min_vruntime_vns) * t->weight_wt;
		sum_wt += t->weight_wt;
	}
	if (sum_key != rq->sum_key_vns || sum_wt != rq->sum_wt)
		return err_set(err, "cpu %u: sums of the timeline are wrong", cpu);
	if (!lags_cancel(s, rq))
		return err_set(err, "cpu %u: lags do not sum to zero", cpu);
	return true;
}

const struct sched_picker picker_eevdf = {
	.name = "eevdf",
	.fork = eevdf_fork,
	.place = eevdf_place,
	.leave = eevdf_leave,
	.migrate_asleep = eevdf_migrate_asleep,
	.insert = eevdf_insert,
	.remove = eevdf_remove,
	.advance = eevdf_advance,
	.delays = eevdf_delays,
	.undelay = eevdf_undelay,
	.pick = eevdf_pick,
	.start = eevdf_start,
	.preempts = eevdf_preempts,
	.tick = eevdf_tick,
	.yield = eevdf_yield,
	.reweigh = eevdf_reweigh,
	.check = eevdf_check,
};
