/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Group statistics of a balance, and what they leave behind: the overload flag of the root domain
 * and the scan limit of SIS_UTIL.
 */
#include "sched/balance.h"
#include "sched/place.h"

struct group_stats group_stats_of(struct sched *s, const struct balance *b,
				  const struct sched_group *group)
{
	struct group_stats stats = {
		.weight = group->weight,
		.capacity = group->capacity,
		.cores = group->cores,
	};

	touch_path(s, PATH_scan_group, 1);
	for (uint32_t cpu = cpuset_next_and(group->span, b->cpus, 0); cpu != CPU_NONE;
	     cpu = cpuset_next_and(group->span, b->cpus, cpu + 1))
		group_stats_add(s, &stats, cpu);
	return stats;
}

/* Only the highest domain sees all cpus of the root domain. */
static void publish_overload(struct sched *s, bool overloaded)
{
	touch_read(s, FIELD_rd_overload, 0);
	if (s->rd_overload == overloaded)
		return;
	s->rd_overload = overloaded;
	touch_write(s, FIELD_rd_overload, 0);
}

static void publish_scan_limit(struct sched *s, const struct balance *b, uint64_t total_util)
{
	uint32_t llc = s->topology->llc_shared[b->dst_cpu];
	uint32_t weight = s->topology->llc_size[b->dst_cpu], nr;

	if (!sched_has(s, FEATURE_SIS_UTIL) || b->idle == BALANCE_NEWIDLE ||
	    b->sd->weight != weight || llc == LLC_NONE)
		return;
	nr = scan_nr_of_util(total_util, weight, b->sd->imbalance_pct);
	touch_read(s, FIELD_nr_idle_scan, llc);
	if (nr == s->llc[llc].nr_idle_scan)
		return;
	s->llc[llc].nr_idle_scan = nr;
	touch_write(s, FIELD_nr_idle_scan, llc);
}

void domain_stats_publish(struct sched *s, const struct balance *b,
			  const struct domain_stats *stats, bool overloaded)
{
	if (b->sd->parent == DOMAIN_NONE && s->config.version >= 317)
		publish_overload(s, overloaded);
	publish_scan_limit(s, b, stats->total_util);
}
