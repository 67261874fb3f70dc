/* SPDX-License-Identifier: GPL-2.0-only */
/* Invariants of idle bookkeeping and balancing: each mask and count equals a recount. */
#include "sched/nohz.h"

static bool check_cpu(const struct sched *s, uint32_t cpu, struct err *err)
{
	const struct rq *rq = &s->rq[cpu];
	uint32_t llc = s->topology->llc_shared[cpu];
	bool is_lazy = sched_has(s, FEATURE_IDLE_MASK_TICK_STOP) ||
		       sched_has(s, FEATURE_IDLE_MASK_TICK_CLEAR);

	if (rq->tick_stopped && s->topology->base[cpu] != DOMAIN_NONE &&
	    !cpuset_has(&s->nohz.idle_mask, cpu))
		return err_set(err, "cpu %u: has no tick and is not among those without", cpu);
	if (rq->curr != TASK_NONE && rq->idle_stamp_ns)
		return err_set(err, "cpu %u: runs and has an idle stamp", cpu);
	if (rq->nohz_flags && !rq->nohz_kicked)
		return err_set(err, "cpu %u: is to balance and was not kicked", cpu);
	if (sched_has(s, FEATURE_SIS_IDLE_CPUMASK) && !is_lazy && llc != LLC_NONE &&
	    cpuset_has(&s->llc[llc].idle_mask, cpu) != rq->in_idle_loop)
		return err_set(err, "cpu %u: the LLC's idle mask is wrong about it", cpu);
	return true;
}

static bool check_llc(const struct sched *s, uint32_t llc, struct err *err)
{
	uint32_t busy = 0;

	cpuset_for_each (cpu, &s->topology->online)
		busy += s->topology->llc_shared[cpu] == llc && s->rq[cpu].counted_busy;
	if (busy != s->llc[llc].nr_busy_cpus)
		return err_set(err, "LLC %u: counts %u busy cpus, has %u", llc,
			       s->llc[llc].nr_busy_cpus, busy);
	return true;
}

static bool check_domain(const struct sched *s, uint32_t i, struct err *err)
{
	const struct sched_domain *sd = &s->topology->domain[i];
	uint64_t interval_ms = s->domain[i].balance_interval_ms;

	if (interval_ms < sd->min_interval_ms ||
	    interval_ms > 2 * max_u64(sd->max_interval_ms, 512))
		return err_set(err, "domain %u: interval of %llu ms (allowed: from %u)", i,
			       (unsigned long long)interval_ms, sd->min_interval_ms);
	return true;
}

bool balance_check(const struct sched *s, struct err *err)
{
	if (cpuset_weight(&s->nohz.idle_mask) != s->nohz.nr_idle)
		return err_set(err, "%u cpus count as without tick, %u are", s->nohz.nr_idle,
			       cpuset_weight(&s->nohz.idle_mask));
	cpuset_for_each (cpu, &s->topology->online)
		if (!check_cpu(s, cpu, err))
			return false;
	for (uint32_t llc = 0; llc < s->topology->nr_llc_shared; llc++)
		if (!check_llc(s, llc, err))
			return false;
	for (uint32_t i = 0; i < s->topology->nr_domains; i++)
		if (!check_domain(s, i, err))
			return false;
	return true;
}
