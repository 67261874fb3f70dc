/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cpu becomes idle and busy again: stamps, average idle time, idle cores, idle masks, the tick.
 *
 * What others read of an idle cpu is written here, and paid for: the has_idle_cores flag of the LLC
 * (v4.9), nr_busy_cpus and nohz.idle_cpus_mask when the tick stops, the LLC's idle mask if there
 * is one. A cpu leaves the nohz mask at its first busy tick, not when it wakes (see nohz.c).
 */
#include "sched/nohz.h"

/* A running mean that takes an eighth of each new sample. */
static uint64_t average(uint64_t mean, uint64_t sample)
{
	return mean + (uint64_t)((int64_t)(sample - mean) / 8);
}

void idle_woken(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];

	if (!rq->idle_stamp_ns)
		return;
	touch_write(s, FIELD_rq_idle, cpu);
	rq->avg_idle_ns = average(rq->avg_idle_ns, s->t_ns - min_u64(s->t_ns, rq->idle_stamp_ns));
	rq->avg_idle_ns = min_u64(rq->avg_idle_ns, 2 * rq->max_idle_balance_ns);
	rq->wake_stamp_ns = s->t_ns;
	rq->wake_avg_idle_ns = rq->avg_idle_ns / 2;
	rq->idle_stamp_ns = 0;
}

/* ---- the LLC's idle mask ---- */

static void idle_mask_write(struct sched *s, uint32_t cpu, bool idle)
{
	uint32_t llc = s->topology->llc_shared[cpu];

	if (llc == LLC_NONE)
		return;
	touch_pay(s, memory_atomic(s->memory, s->cpu, touch_mask_line(s, FIELD_idle_mask, llc, cpu),
				   s->t_ns));
	if (idle)
		cpuset_add(&s->llc[llc].idle_mask, cpu);
	else
		cpuset_del(&s->llc[llc].idle_mask, cpu);
}

void idle_mask_tick(struct sched *s, uint32_t cpu)
{
	uint32_t llc = s->topology->llc_shared[cpu];

	if (!sched_has(s, FEATURE_SIS_IDLE_CPUMASK) || !sched_has(s, FEATURE_IDLE_MASK_TICK_CLEAR))
		return;
	if (llc != LLC_NONE && cpuset_has(&s->llc[llc].idle_mask, cpu))
		idle_mask_write(s, cpu, false);
}

/* ---- idle cores ---- */

/* The last thread of a core to become idle says so, unless the LLC's flag says it already. */
static void update_idle_core(struct sched *s, uint32_t cpu)
{
	uint32_t llc = s->topology->llc_shared[cpu];

	if (!s->topology->has_smt || !sched_has(s, FEATURE_SIS_CORE) || llc == LLC_NONE)
		return;
	touch_read(s, FIELD_has_idle_cores, llc);
	if (s->llc[llc].has_idle_cores)
		return;
	cpuset_for_each (sibling, s->topology->smt_mask[cpu]) {
		if (sibling == cpu)
			continue;
		touch_read(s, FIELD_rq_curr, sibling);
		if (!cpu_is_idle(s, sibling))
			return;
	}
	s->llc[llc].has_idle_cores = true;
	touch_write(s, FIELD_has_idle_cores, llc);
}

/* ---- entry and exit ---- */

void idle_begin(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];

	rq->idle_since_ns = s->t_ns;
	if (!rq->idle_stamp_ns)
		rq->idle_stamp_ns = max_u64(s->t_ns, 1);
	update_idle_core(s, cpu);
	if (sched_has(s, FEATURE_SIS_IDLE_CPUMASK) && !sched_has(s, FEATURE_IDLE_MASK_TICK_STOP))
		idle_mask_write(s, cpu, true);
	/* Until v4.15 every idle entry leaves the busy count, not only one that stops the tick. */
	if (s->config.version < 416)
		nohz_count_idle(s, cpu);
}

void idle_end(struct sched *s, uint32_t cpu)
{
	uint32_t llc = s->topology->llc_shared[cpu];

	idle_woken(s, cpu);
	idle_learn(s, cpu);
	if (!sched_has(s, FEATURE_SIS_IDLE_CPUMASK) || sched_has(s, FEATURE_IDLE_MASK_TICK_CLEAR))
		return;
	if (!sched_has(s, FEATURE_IDLE_MASK_TICK_STOP) ||
	    (llc != LLC_NONE && cpuset_has(&s->llc[llc].idle_mask, cpu)))
		idle_mask_write(s, cpu, false);
}

/* ---- the tick ---- */

void idle_enter_tick(struct sched *s, uint32_t cpu, bool stop_tick)
{
	struct rq *rq = &s->rq[cpu];

	if (!stop_tick || rq->tick_stopped)
		return;
	touch_path(s, PATH_nohz, 1);
	rq->tick_stopped = true;
	s->counter[COUNT_tick_stop]++;
	sched_effect(s, SCHED_TICK_STOP, cpu, TASK_NONE, 0);
	nohz_enter(s, cpu);
	if (sched_has(s, FEATURE_SIS_IDLE_CPUMASK) && sched_has(s, FEATURE_IDLE_MASK_TICK_STOP))
		idle_mask_write(s, cpu, true);
}

void idle_exit_tick(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];

	if (!rq->tick_stopped)
		return;
	touch_path(s, PATH_nohz, 1);
	rq->tick_stopped = false;
	sched_effect(s, SCHED_TICK_START, cpu, TASK_NONE, 0);
}
