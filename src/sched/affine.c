/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waker's side or previous side? Three rules over the versions: loads alone until v4.12, then
 * idleness first (WA_IDLE) and loads after (WA_WEIGHT, with WA_BIAS for the waker).
 * Sources: wake_wide() of 63b0e9edceec, wake_affine() of v3.13, d153b153446f and f2cdd9cc6c97.
 */
#include "sched/fair.h"
#include "sched/place.h"

/*
 * flips: how often a task changed whom it wakes. v4.3: both sides must be busy and the busier one
 * more so by the factor of the LLC's size. v3.13: slave > factor and master > factor * slave, where
 * master is the waker.
 */
bool wake_wide(struct sched *s, const struct place *p)
{
	uint32_t waker = s->rq[p->cpu].curr;
	uint64_t master =
		waker == TASK_NONE ? s->rq[p->cpu].idle_flips : s->task[waker].wakee_flips;
	uint64_t slave = s->task[p->task].wakee_flips;
	uint64_t factor = s->topology->llc_size[p->cpu];

	touch_read(s, FIELD_task_wakee, p->task);
	if (s->config.version < 403)
		return slave > factor && master > factor * slave;
	if (master < slave) {
		uint64_t swap = master;

		master = slave;
		slave = swap;
	}
	return slave >= factor && master >= slave * factor;
}

/* What placement reads of a cpu's load: its averages' line and its capacity's. */
static uint64_t read_load(struct sched *s, uint32_t cpu)
{
	touch_read(s, FIELD_cfs_avg, cpu);
	return cpu_load(s, cpu);
}

/*
 * v3.13 sums the averages of runnable tasks only. The averages kept here include sleepers; the
 * weight that is queued bounds them from above, so an idle cpu has no load as it had none there.
 */
static uint64_t read_runnable_load(struct sched *s, uint32_t cpu)
{
	return min_u64(read_load(s, cpu), s->rq[cpu].load_wt);
}

/* With this_load and load, the sides' loads without waker (when it is about to sleep) and wakee:
 *   100 * cap(prev) * (this_load + w)  <=  (100 + (pct - 100) / 2) * cap(this) * load
 */
static bool affine_by_load(struct sched *s, const struct place *p, const struct sched_domain *sd)
{
	uint64_t weight_wt = s->task[p->task].weight_wt;
	uint64_t load = read_runnable_load(s, p->prev);
	uint64_t this_load = read_runnable_load(s, p->cpu);
	uint32_t waker = s->rq[p->cpu].curr;
	bool balanced = true;
	uint64_t per_task;

	if (p->sync && waker != TASK_NONE)
		this_load = sub_to_zero_u64(this_load, s->task[waker].weight_wt);
	if (this_load > 0)
		balanced = 100 * s->rq[p->prev].capacity * (this_load + weight_wt) <=
			   (100 + (uint64_t)(sd->imbalance_pct - 100) / 2) *
				   s->rq[p->cpu].capacity * load;
	if (balanced)
		return true;
	per_task = s->rq[p->cpu].nr_running ? read_load(s, p->cpu) / s->rq[p->cpu].nr_running : 0;
	return this_load <= load && this_load + load <= per_task;
}

/*
 * CPU_NONE: undecided. Idleness is read again from the runqueues, each with its three lines.
 * Delayed sleepers do not keep a sync waker from being alone: v6.13, and 6.12 in its stable form.
 */
static uint32_t affine_by_idle(struct sched *s, const struct place *p)
{
	if (look_idle(s, p->cpu) && cpus_share_cache(s, p->cpu, p->prev))
		return look_idle(s, p->prev) ? p->prev : p->cpu;
	if (p->sync) {
		touch_read(s, FIELD_rq_nr_running, p->cpu);
		if (s->rq[p->cpu].nr_running == 1)
			return p->cpu;
	}
	/* v5.11, d8fcb81f1acf */
	if (s->config.version >= 511 && look_idle(s, p->prev))
		return p->prev;
	return CPU_NONE;
}

/*
 * A task's part of the load of the queue it was last on: with group scheduling the root queue is
 * one level like others, and the division rounds.
 */
static uint64_t h_load(const struct sched *s, uint32_t cpu, uint64_t load)
{
	return load * cpu_load(s, cpu) / (cpu_load(s, cpu) + 1);
}

static uint64_t task_h_load(const struct sched *s, uint32_t task)
{
	return h_load(s, s->task[task].cpu, task_load(s, task));
}

/*
 * The load of what runs on the waking cpu. An interrupt on an idle cpu stands in for its idle task,
 * which has kept the load of a new task; only the boot cpu's idle task never was a new task.
 */
static uint64_t waker_load(const struct sched *s, uint32_t cpu)
{
	if (s->rq[cpu].curr != TASK_NONE)
		return task_h_load(s, s->rq[cpu].curr);
	return cpu == cpuset_first(&s->topology->online) ? 0 : h_load(s, cpu, WEIGHT_NICE_0);
}

/* The same comparison after v4.13: measured loads, the wakee moved from prev to the waker's cpu. */
static uint32_t affine_by_weight(struct sched *s, const struct place *p,
				 const struct sched_domain *sd)
{
	uint64_t this_load = read_load(s, p->cpu), prev_load, load = task_h_load(s, p->task);
	bool bias = sched_has(s, FEATURE_WA_BIAS);

	if (p->sync) {
		uint64_t own = waker_load(s, p->cpu);

		if (own > this_load)
			return p->cpu;
		this_load -= own;
	}
	touch_read(s, FIELD_rq_capacity, p->prev);
	this_load = (this_load + load) * (bias ? 100 : 1) * s->rq[p->prev].capacity;
	prev_load = sub_to_zero_u64(read_load(s, p->prev), load);
	prev_load *= bias ? 100 + (uint64_t)(sd->imbalance_pct - 100) / 2 : 1;
	prev_load *= s->rq[p->cpu].capacity;
	/* Equal loads of a synchronous wake-up go to the waker's cpu. */
	if (p->sync)
		prev_load++;
	return this_load < prev_load ? p->cpu : CPU_NONE;
}

uint32_t wake_affine(struct sched *s, const struct place *p, uint32_t domain)
{
	const struct sched_domain *sd = &s->topology->domain[domain];
	uint32_t cpu = CPU_NONE;

	if (s->config.version < 403 && sched_has(s, FEATURE_WAKE_WIDE) && wake_wide(s, p)) {
		s->counter[COUNT_wake_wide]++;
		return p->prev;
	}
	if (s->config.version < 413 && !sched_has(s, FEATURE_WA_IDLE) &&
	    !sched_has(s, FEATURE_WA_WEIGHT))
		return affine_by_load(s, p, sd) ? p->cpu : p->prev;
	if (sched_has(s, FEATURE_WA_IDLE))
		cpu = affine_by_idle(s, p);
	if (cpu == CPU_NONE && sched_has(s, FEATURE_WA_WEIGHT))
		cpu = affine_by_weight(s, p, sd);
	return cpu == CPU_NONE ? p->prev : cpu;
}
