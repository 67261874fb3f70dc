/* SPDX-License-Identifier: GPL-2.0-only */
/* Invariants of the state, by looking at everything: for tests, never on a hot path. */
#include "sched/fair.h"

struct totals {
	uint32_t running, queued;
	uint64_t load_wt, util_est;
};

/* The tasks of one runqueue by its list. */
static bool check_list(const struct sched *s, uint32_t cpu, struct totals *sum, struct err *err)
{
	const struct rq *rq = &s->rq[cpu];
	uint32_t last = TASK_NONE;

	for (uint32_t at = rq->list_first; at != TASK_NONE; at = s->task[at].list_next) {
		const struct sched_task *t = &s->task[at];

		if (t->list_prev != last)
			return err_set(err, "cpu %u: list is broken at task %u", cpu, at);
		if (t->cpu != cpu || !task_on_rq(t))
			return err_set(err, "cpu %u: task %u is listed, but is not queued here",
				       cpu, at);
		if (!t->is_attached)
			return err_set(err, "cpu %u: load of task %u is not counted", cpu, at);
		if (t->is_running != (rq->curr == at))
			return err_set(err, "cpu %u: task %u runs, or does not, against curr", cpu,
				       at);
		if (++sum->queued > s->max_tasks)
			return err_set(err, "cpu %u: list has no end", cpu);
		sum->running += t->state == TASK_QUEUED;
		sum->load_wt += t->weight_wt;
		sum->util_est += t->avg.util_est;
		last = at;
	}
	if (rq->list_last != last)
		return err_set(err, "cpu %u: list ends elsewhere", cpu);
	return true;
}

static bool check_sums(const struct sched *s, uint32_t cpu, const struct totals *sum,
		       struct err *err)
{
	const struct rq *rq = &s->rq[cpu];

	if (rq->nr_running != sum->running || rq->nr_queued != sum->queued)
		return err_set(err, "cpu %u: counts %u running of %u, found %u of %u", cpu,
			       rq->nr_running, rq->nr_queued, sum->running, sum->queued);
	if (rq->load_wt != sum->load_wt)
		return err_set(err, "cpu %u: load weight is wrong", cpu);
	if (rq->avg.util_est != sum->util_est)
		return err_set(err, "cpu %u: estimated utilisation is wrong", cpu);
	return true;
}

static bool check_timeline(const struct sched *s, uint32_t cpu, struct err *err)
{
	const struct rq *rq = &s->rq[cpu];
	uint32_t count, others = rq->nr_queued - (rq->curr != TASK_NONE);

	if (!tree_check(&rq->tree, s->node, &count))
		return err_set(err, "cpu %u: timeline is out of order", cpu);
	if (count != others)
		return err_set(err, "cpu %u: %u in the timeline, %u wait", cpu, count, others);
	for (uint32_t at = rq->tree.first; at != TREE_NONE; at = tree_next(s->node, at))
		if (s->task[at].cpu != cpu || s->task[at].is_running || !task_on_rq(&s->task[at]))
			return err_set(err, "cpu %u: task %u does not belong in the timeline", cpu,
				       at);
	return s->picker->check(s, cpu, err);
}

static bool check_curr(const struct sched *s, uint32_t cpu, struct err *err)
{
	const struct rq *rq = &s->rq[cpu];

	if (rq->in_idle_loop && rq->curr != TASK_NONE)
		return err_set(err, "cpu %u: idles and runs task %u", cpu, rq->curr);
	if (rq->curr == TASK_NONE) {
		if (rq->nr_queued && !rq->need_resched)
			return err_set(err, "cpu %u: idles with %u tasks queued, unasked", cpu,
				       rq->nr_queued);
		return true;
	}
	if (s->task[rq->curr].cpu != cpu || s->task[rq->curr].state != TASK_QUEUED)
		return err_set(err, "cpu %u: runs task %u, which is not runnable here", cpu,
			       rq->curr);
	if (!task_may_run_on(s, rq->curr, cpu) && !rq->need_resched)
		return err_set(err, "cpu %u: runs task %u against its affinity", cpu, rq->curr);
	return true;
}

static bool check_wake_list(const struct sched *s, uint32_t cpu, struct err *err)
{
	const struct rq *rq = &s->rq[cpu];
	uint32_t last = TASK_NONE, count = 0;

	for (uint32_t at = rq->wake_list; at != TASK_NONE; at = s->task[at].next_wake) {
		if (s->task[at].state != TASK_WAKING || s->task[at].cpu != cpu)
			return err_set(err, "cpu %u: task %u does not wake here", cpu, at);
		if (++count > s->max_tasks)
			return err_set(err, "cpu %u: wake list has no end", cpu);
		last = at;
	}
	if (last != rq->wake_list_last || (last != TASK_NONE) != rq->ttwu_pending)
		return err_set(err, "cpu %u: end of the wake list or its flag is wrong", cpu);
	return true;
}

/* Each task is where its state says: `listed` are queued, `waking` on wake lists. */
static bool check_tasks(const struct sched *s, uint32_t listed, uint32_t waking, struct err *err)
{
	for (uint32_t at = 0; at < s->max_tasks; at++) {
		const struct sched_task *t = &s->task[at];

		if (t->state == TASK_UNUSED || t->state == TASK_EXITED)
			continue;
		listed -= task_on_rq(t);
		waking -= t->state == TASK_WAKING;
		if (t->weight_wt != weight_of_nice(t->nice))
			return err_set(err, "task %u: weight is not that of its nice value", at);
		if (task_on_rq(t) && !t->is_running && !task_may_run_on(s, at, t->cpu))
			return err_set(err, "task %u: queued on cpu %u against its affinity", at,
				       t->cpu);
		if (!task_on_rq(t) && t->is_running)
			return err_set(err, "task %u: runs, but is not queued", at);
	}
	if (listed || waking)
		return err_set(err, "a queued or waking task is on no list");
	return true;
}

bool sched_check(const struct sched *s, struct err *err)
{
	uint32_t listed = 0, waking = 0;

	for (uint32_t cpu = 0; cpu < s->nr_cpus; cpu++) {
		struct totals sum = { 0 };

		if (!check_list(s, cpu, &sum, err) || !check_sums(s, cpu, &sum, err) ||
		    !check_timeline(s, cpu, err) || !check_curr(s, cpu, err) ||
		    !check_wake_list(s, cpu, err))
			return false;
		listed += sum.queued;
		for (uint32_t at = s->rq[cpu].wake_list; at != TASK_NONE;
		     at = s->task[at].next_wake)
			waking++;
	}
	return check_tasks(s, listed, waking, err) && balance_check(s, err);
}
