/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Classes of groups after 0b0695f2b34a (v5.5) and 070f5e860ee2 (v5.7, runnable average):
 * with pct = imbalance_pct > 100
 *   overloaded:   tasks > cpus and (100 * cap < util * pct  or  cap * pct < 100 * runnable)
 *   has spare:    tasks < cpus, or  100 * cap > util * pct  and  cap * pct >= 100 * runnable
 */
#include "sched/group_class.h"

enum { NUMA_IMBALANCE_MIN = 2 };

bool group_stats_add(struct sched *s, struct group_stats *stats, uint32_t cpu)
{
	const struct rq *rq = &s->rq[cpu];
	bool idle;

	touch_path(s, PATH_balance_cpu, 1);
	touch_scan(s, FIELD_cfs_avg, cpu);
	touch_scan(s, FIELD_cfs_load, cpu);
	touch_scan(s, FIELD_rq_nr_running, cpu);
	stats->load += cpu_load(s, cpu);
	stats->util += cpu_util(s, cpu);
	stats->runnable += cpu_runnable(s, cpu);
	stats->queued_load += min_u64(cpu_load(s, cpu), rq->load_wt);
	stats->nr_running += rq->nr_running;
	stats->is_overloaded |= rq->nr_running > 1;
	if (rq->nr_running)
		return false;
	touch_scan(s, FIELD_rq_curr, cpu);
	idle = cpu_is_idle(s, cpu);
	stats->idle_cpus += idle;
	return idle;
}

void group_stats_without(struct sched *s, struct group_stats *stats, uint32_t task)
{
	if (!s->task[task].is_attached)
		return;
	stats->load = sub_to_zero_u64(stats->load, task_load(s, task));
	stats->util = sub_to_zero_u64(stats->util, task_util(s, task));
	stats->runnable = sub_to_zero_u64(stats->runnable, s->task[task].avg.runnable_avg);
}

bool group_is_overloaded(const struct group_stats *stats, uint32_t imbalance_pct)
{
	if (stats->nr_running <= stats->weight)
		return false;
	return stats->capacity * 100 < stats->util * imbalance_pct ||
	       stats->capacity * imbalance_pct < stats->runnable * 100;
}

bool group_has_capacity(const struct group_stats *stats, uint32_t imbalance_pct)
{
	if (stats->nr_running < stats->weight)
		return true;
	if (stats->capacity * imbalance_pct < stats->runnable * 100)
		return false;
	return stats->capacity * 100 > stats->util * imbalance_pct;
}

uint64_t group_avg_load(const struct group_stats *stats)
{
	return stats->load * CAPACITY_FULL / stats->capacity;
}

void group_stats_classify(const struct sched *s, struct group_stats *stats,
			  const struct sched_group *group, uint32_t imbalance_pct)
{
	if (group_is_overloaded(stats, imbalance_pct))
		stats->class = GROUP_OVERLOADED;
	else if (s->group_imbalance[group->id])
		stats->class = GROUP_IMBALANCED;
	else if (group_has_capacity(stats, imbalance_pct))
		stats->class = GROUP_HAS_SPARE;
	else
		stats->class = GROUP_FULLY_BUSY;
	if (stats->class == GROUP_OVERLOADED || stats->class == GROUP_FULLY_BUSY)
		stats->avg_load = group_avg_load(stats);
}

bool numa_imbalance_allowed(const struct sched *s, uint32_t running, uint32_t weight,
			    uint32_t imb_numa_nr)
{
	return s->config.version >= 518 ? running <= imb_numa_nr : running < weight / 4;
}

uint64_t numa_imbalance_left(const struct sched *s, const struct sched_domain *sd,
			     uint64_t imbalance, uint32_t src_running, uint32_t dst_running,
			     uint32_t weight)
{
	/* v5.7: two tasks on the busiest node are a pair. v5.11 asks how many run there, v5.18
	 * here. */
	if (s->config.version < 511)
		return src_running <= NUMA_IMBALANCE_MIN ? 0 : imbalance;
	if (!numa_imbalance_allowed(s, s->config.version < 518 ? src_running : dst_running, weight,
				    sd->imb_numa_nr))
		return imbalance;
	return imbalance <= NUMA_IMBALANCE_MIN ? 0 : imbalance;
}
