/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The least busy group of a domain: by classes since v5.5, by load before.
 *
 * By classes, the better class wins; within one class overloaded and busy groups compare loads,
 * groups with room their idle cpus. The local group wins unless another is clearly better.
 */
#include "sched/group_class.h"
#include "sched/place.h"

#include "base/check.h"

#define GROUP_NONE UINT32_MAX

struct candidate {
	uint32_t at; /* place in the ring, GROUP_NONE when none yet */
	const struct sched_group *group;
	struct group_stats stats;
};

static struct group_stats stats_for_wakeup(struct sched *s, const struct place *p,
					   const struct sched_group *group, uint32_t imbalance_pct)
{
	struct group_stats stats = { .weight = group->weight, .capacity = group->capacity };

	touch_path(s, PATH_scan_group, 1);
	cpuset_for_each (cpu, group->span) {
		s->counter[COUNT_slow_scanned]++;
		group_stats_add(s, &stats, cpu);
	}
	if (cpuset_has(group->span, s->task[p->task].cpu))
		group_stats_without(s, &stats, p->task);
	group_stats_classify(s, &stats, group, imbalance_pct);
	return stats;
}

/* Whether `new` is a better remote choice than `old`; equal ones leave the first in the ring. */
static bool is_better(const struct sched *s, const struct candidate *old,
		      const struct candidate *new)
{
	if (old->at == GROUP_NONE)
		return true;
	if (new->stats.class != old->stats.class)
		return new->stats.class < old->stats.class;
	switch (new->stats.class) {
	case GROUP_OVERLOADED:
	case GROUP_FULLY_BUSY: return new->stats.avg_load < old->stats.avg_load;
	case GROUP_IMBALANCED:
	case GROUP_SMT_BALANCE: return false;
	case GROUP_HAS_SPARE:
		if (new->stats.idle_cpus != old->stats.idle_cpus)
			return new->stats.idle_cpus > old->stats.idle_cpus;
		/* v5.10, 3edecfef0284 */
		return s->config.version >= 510 && new->stats.util < old->stats.util;
	}
	CHECK(false);
	return false;
}

/* Both have no room: go when the other's load is lower by a margin. */
static bool stays_by_load(const struct sched_domain *sd, const struct group_stats *local,
			  const struct group_stats *idlest)
{
	uint64_t margin = (uint64_t)CAPACITY_FULL * (sd->imbalance_pct - 100) / 100;

	if ((sd->flags & SD_NUMA) && idlest->avg_load + margin >= local->avg_load)
		return true;
	if (idlest->avg_load >= local->avg_load + margin)
		return true;
	return 100 * local->avg_load <= sd->imbalance_pct * idlest->avg_load;
}

static uint32_t weight_of_both(const struct cpuset *a, const struct cpuset *b)
{
	uint32_t weight = 0;

	for (uint32_t w = 0; w < a->words; w++)
		weight += (uint32_t)__builtin_popcountll(a->word[w] & b->word[w]);
	return weight;
}

/* A task may leave its node only when enough run there already. */
static bool stays_on_node(const struct sched *s, const struct place *p,
			  const struct sched_domain *sd, const struct candidate *local,
			  const struct candidate *idlest)
{
	uint32_t running = local->stats.nr_running, nr = sd->imb_numa_nr;
	uint32_t a = local->stats.idle_cpus, b = idlest->stats.idle_cpus;

	if (!sched_has(s, FEATURE_NUMA_IMBALANCE))
		return false;
	if (s->config.version < 511)
		return local->stats.idle_cpus > 0;
	if (s->config.version < 518)
		return numa_imbalance_allowed(s, running, sd->weight, nr);
	if (s->config.version < 600)
		return numa_imbalance_allowed(s, running + 1, sd->weight, nr);
	/* v6.0, cb29a5c19d2d: of the cpus the task may use; a difference of more than two goes. */
	nr = (uint32_t)min_u64(nr, weight_of_both(local->group->span, p->allowed));
	return numa_imbalance_allowed(s, running + 1, sd->weight, nr) &&
	       (a > b ? a - b : b - a) <= 2;
}

static bool stays_local(const struct sched *s, const struct place *p, const struct sched_domain *sd,
			const struct candidate *local, const struct candidate *idlest)
{
	if (local->stats.class != idlest->stats.class)
		return local->stats.class < idlest->stats.class;
	switch (local->stats.class) {
	case GROUP_OVERLOADED:
	case GROUP_FULLY_BUSY: return stays_by_load(sd, &local->stats, &idlest->stats);
	case GROUP_IMBALANCED:
	case GROUP_SMT_BALANCE: return true;
	case GROUP_HAS_SPARE:
		if ((sd->flags & SD_NUMA) && stays_on_node(s, p, sd, local, idlest))
			return true;
		return local->stats.idle_cpus >= idlest->stats.idle_cpus;
	}
	CHECK(false);
	return true;
}

static uint32_t idlest_by_class(struct sched *s, const struct place *p,
				const struct sched_domain *sd, uint32_t cpu)
{
	struct candidate local = { .at = GROUP_NONE }, idlest = { .at = GROUP_NONE };

	for (uint32_t i = 0; i < sd->nr_groups; i++) {
		struct candidate c = { .at = i, .group = topology_group(s->topology, sd, i) };

		if (!cpuset_intersects(c.group->span, p->allowed))
			continue;
		c.stats = stats_for_wakeup(s, p, c.group, sd->imbalance_pct);
		if (cpuset_has(c.group->span, cpu))
			local = c;
		else if (is_better(s, &idlest, &c))
			idlest = c;
	}
	if (idlest.at == GROUP_NONE || local.at == GROUP_NONE)
		return idlest.at;
	return stays_local(s, p, sd, &local, &idlest) ? GROUP_NONE : idlest.at;
}

/* Load a full capacity of the cpus of a group; see affine.c for what load means in v3.13. */
static uint64_t load_of_group(struct sched *s, const struct sched_group *group)
{
	uint64_t load = 0;

	touch_path(s, PATH_scan_group, 1);
	cpuset_for_each (cpu, group->span) {
		s->counter[COUNT_slow_scanned]++;
		touch_path(s, PATH_scan_cpu, 1);
		touch_scan(s, FIELD_cfs_avg, cpu);
		load += min_u64(cpu_load(s, cpu), s->rq[cpu].load_wt);
	}
	return load * CAPACITY_FULL / group->capacity;
}

/* Until v5.4: least load, and by more than half the imbalance percentage below the local group's.
 */
static uint32_t idlest_by_load(struct sched *s, const struct place *p,
			       const struct sched_domain *sd, uint32_t cpu)
{
	uint64_t least = UINT64_MAX, local = 0, margin = 100 + (sd->imbalance_pct - 100) / 2;
	uint32_t idlest = GROUP_NONE;

	for (uint32_t i = 0; i < sd->nr_groups; i++) {
		const struct sched_group *group = topology_group(s->topology, sd, i);
		uint64_t load;

		if (!cpuset_intersects(group->span, p->allowed))
			continue;
		load = load_of_group(s, group);
		if (cpuset_has(group->span, cpu)) {
			local = load;
		} else if (load < least) {
			least = load;
			idlest = i;
		}
	}
	if (idlest == GROUP_NONE || 100 * local < margin * least)
		return GROUP_NONE;
	return idlest;
}

uint32_t find_idlest_group(struct sched *s, const struct place *p, uint32_t domain, uint32_t cpu)
{
	const struct sched_domain *sd = &s->topology->domain[domain];

	if (sched_has(s, FEATURE_GROUP_CLASSIFICATION))
		return idlest_by_class(s, p, sd, cpu);
	return idlest_by_load(s, p, sd, cpu);
}
