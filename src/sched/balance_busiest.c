/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The busiest group by classes (v5.5, 0b0695f2b34a), and what to take from it.
 *
 * The group of the worst class is the busiest; within a class it is decided by what matters there.
 * The unit follows from the pair (local class, busiest class): tasks where the question is how
 * many run, utilisation where there is room for some of it, load where all are overloaded.
 * SMT groups (v6.6) and shares by cores follow fee1759e4f04 and 7ff1693236f5.
 */
#include "sched/balance.h"

#include "base/check.h"

static bool has_smt_groups(const struct sched *s)
{
	return s->config.version >= 606;
}

static bool is_smt(const struct sched_group *group)
{
	return group->flags & SD_SHARE_CPUCAPACITY;
}

/* A core whose threads share it among several tasks, seen by an idle cpu. */
static bool needs_smt_balance(const struct sched *s, const struct balance *b,
			      const struct sched_group *group, const struct group_stats *stats)
{
	return has_smt_groups(s) && b->idle != BALANCE_BUSY && is_smt(group) &&
	       stats->nr_running > 1;
}

static void classify(const struct sched *s, const struct balance *b,
		     const struct sched_group *group, struct group_stats *stats, bool is_local)
{
	group_stats_classify(s, stats, group, b->sd->imbalance_pct);
	if (!is_local && stats->class < GROUP_SMT_BALANCE && needs_smt_balance(s, b, group, stats))
		stats->class = GROUP_SMT_BALANCE;
}

/* ---- which is busier ---- */

static bool has_less_spare(const struct sched *s, const struct domain_stats *old,
			   const struct sched_group *group, const struct group_stats *new)
{
	const struct group_stats *busiest = &old->busiest_stats;

	if (has_smt_groups(s) && is_smt(old->busiest) != is_smt(group))
		return !(is_smt(group) && new->nr_running <= 1);
	if (new->idle_cpus != busiest->idle_cpus)
		return new->idle_cpus < busiest->idle_cpus;
	return new->nr_running > busiest->nr_running;
}

static bool is_busier_of_busy(const struct sched *s, const struct domain_stats *old,
			      const struct group_stats *new)
{
	const struct group_stats *busiest = &old->busiest_stats;

	if (!has_smt_groups(s))
		return new->avg_load > busiest->avg_load;
	/* Among equals one whose cores are shared needs help more: it stays. */
	if (new->avg_load == busiest->avg_load)
		return !is_smt(old->busiest);
	return new->avg_load > busiest->avg_load;
}

static bool is_busier(const struct sched *s, const struct domain_stats *old,
		      const struct sched_group *group, const struct group_stats *new)
{
	const struct group_stats *busiest = &old->busiest_stats;

	if (!new->nr_running)
		return false;
	if (!old->busiest)
		return true;
	if (new->class != busiest->class)
		return new->class > busiest->class;
	switch (new->class) {
	case GROUP_OVERLOADED: return new->avg_load > busiest->avg_load;
	case GROUP_IMBALANCED: return false;
	case GROUP_SMT_BALANCE:
		if (new->idle_cpus || busiest->idle_cpus)
			return has_less_spare(s, old, group, new);
		return is_busier_of_busy(s, old, new);
	case GROUP_FULLY_BUSY: return is_busier_of_busy(s, old, new);
	case GROUP_HAS_SPARE: return has_less_spare(s, old, group, new);
	}
	CHECK(false);
	return false;
}

static bool prefers_sibling(const struct sched *s, const struct balance *b,
			    const struct domain_stats *stats)
{
	if (s->config.version >= 606)
		return stats->busiest && (stats->busiest->flags & SD_PREFER_SIBLING);
	return b->sd->child != DOMAIN_NONE &&
	       (s->topology->domain[b->sd->child].flags & SD_PREFER_SIBLING);
}

static struct domain_stats read_domain(struct sched *s, const struct balance *b)
{
	struct domain_stats d = { 0 };
	bool overloaded = false;

	for (uint32_t i = 0; i < b->sd->nr_groups; i++) {
		const struct sched_group *group = topology_group(s->topology, b->sd, i);
		struct group_stats stats = group_stats_of(s, b, group);
		bool is_local = cpuset_has(group->span, b->dst_cpu);

		classify(s, b, group, &stats, is_local);
		if (is_local) {
			d.local = group;
			d.local_stats = stats;
		} else if (is_busier(s, &d, group, &stats)) {
			d.busiest = group;
			d.busiest_stats = stats;
		}
		d.total_load += stats.load;
		d.total_util += stats.util;
		d.total_capacity += stats.capacity;
		overloaded |= stats.is_overloaded;
	}
	d.prefer_sibling = prefers_sibling(s, b, &d);
	domain_stats_publish(s, b, &d, overloaded);
	return d;
}

/* ---- how much ---- */

/* How many tasks the busiest has too many, twice over: per core since v6.6. */
static uint64_t sibling_imbalance(const struct sched *s, const struct balance *b,
				  const struct domain_stats *d)
{
	uint64_t local = d->local_stats.nr_running, busiest = d->busiest_stats.nr_running;
	uint64_t nl = d->local_stats.cores, nb = d->busiest_stats.cores, imbalance;

	if (has_smt_groups(s) && (b->idle == BALANCE_BUSY || !busiest))
		return 0;
	if (!has_smt_groups(s) || nl == nb)
		return busiest > local ? busiest - local : 0;
	imbalance = nl * busiest > nb * local ? nl * busiest - nb * local : 0;
	imbalance = (2 * imbalance + nl + nb) / (nl + nb);
	if (imbalance <= 1 && !local && busiest > 1)
		imbalance = 2;
	return imbalance;
}

static void take_tasks(struct balance *b, uint64_t count)
{
	b->unit = MOVE_TASKS;
	b->imbalance = (int64_t)count;
}

/* There is room here: fill it with utilisation, else even out tasks or idle cpus. */
static void imbalance_with_spare(struct sched *s, struct balance *b, const struct domain_stats *d)
{
	const struct group_stats *local = &d->local_stats, *busiest = &d->busiest_stats;
	uint64_t count;

	if (busiest->class > GROUP_FULLY_BUSY && !(b->sd->flags & SD_SHARE_LLC)) {
		b->unit = MOVE_UTIL;
		b->imbalance = (int64_t)(local->capacity - min_u64(local->capacity, local->util));
		if (b->idle != BALANCE_BUSY && !b->imbalance)
			take_tasks(b, 1);
		return;
	}
	if (busiest->weight == 1 || d->prefer_sibling)
		count = sibling_imbalance(s, b, d);
	else
		count = local->idle_cpus > busiest->idle_cpus
				? local->idle_cpus - busiest->idle_cpus
				: 0;
	if ((b->sd->flags & SD_NUMA) && sched_has(s, FEATURE_NUMA_IMBALANCE))
		count = numa_imbalance_left(s, b->sd, count, busiest->nr_running,
					    local->nr_running + 1, busiest->weight);
	take_tasks(b, count / 2);
}

/* No room: bring both towards the mean load of the domain. */
static void imbalance_of_load(const struct sched *s, struct balance *b, struct domain_stats *d)
{
	struct group_stats *local = &d->local_stats, *busiest = &d->busiest_stats;

	b->unit = MOVE_LOAD;
	b->imbalance = 0;
	d->avg_load = d->total_load * CAPACITY_FULL / d->total_capacity;
	if (local->class < GROUP_OVERLOADED) {
		local->avg_load = group_avg_load(local);
		if (local->avg_load >= busiest->avg_load)
			return;
		if (s->config.version >= 600 && local->avg_load >= d->avg_load)
			return;
	}
	if (busiest->avg_load <= d->avg_load || local->avg_load >= d->avg_load)
		return;
	b->imbalance = (int64_t)(min_u64((busiest->avg_load - d->avg_load) * busiest->capacity,
					 (d->avg_load - local->avg_load) * local->capacity) /
				 CAPACITY_FULL);
}

static void set_imbalance(struct sched *s, struct balance *b, struct domain_stats *d)
{
	if (d->busiest_stats.class == GROUP_IMBALANCED ||
	    d->busiest_stats.class == GROUP_SMT_BALANCE)
		take_tasks(b, 1);
	else if (d->local_stats.class == GROUP_HAS_SPARE)
		imbalance_with_spare(s, b, d);
	else
		imbalance_of_load(s, b, d);
}

/* ---- whether ---- */

static bool overload_is_balanced(const struct balance *b, struct domain_stats *d)
{
	const struct group_stats *local = &d->local_stats, *busiest = &d->busiest_stats;

	if (local->avg_load >= busiest->avg_load)
		return true;
	d->avg_load = d->total_load * CAPACITY_FULL / d->total_capacity;
	if (local->avg_load >= d->avg_load)
		return true;
	return 100 * busiest->avg_load <= b->sd->imbalance_pct * local->avg_load;
}

/* No group is overloaded: move only towards more idle cpus, and only what waits. */
static bool spare_is_balanced(const struct sched *s, const struct balance *b,
			      const struct domain_stats *d)
{
	const struct group_stats *local = &d->local_stats, *busiest = &d->busiest_stats;

	if (b->idle == BALANCE_BUSY)
		return true;
	if (busiest->class == GROUP_SMT_BALANCE && is_smt(d->local) != is_smt(d->busiest))
		return false;
	if (busiest->weight > 1 && local->idle_cpus <= busiest->idle_cpus + 1)
		return true;
	return busiest->nr_running == 1;
}

static bool is_balanced(const struct sched *s, const struct balance *b, struct domain_stats *d)
{
	const struct group_stats *local = &d->local_stats, *busiest = &d->busiest_stats;

	if (busiest->class == GROUP_IMBALANCED)
		return false;
	if (local->class > busiest->class)
		return true;
	if (local->class == GROUP_OVERLOADED && overload_is_balanced(b, d))
		return true;
	if (d->prefer_sibling && local->class == GROUP_HAS_SPARE && sibling_imbalance(s, b, d) > 1)
		return false;
	return busiest->class != GROUP_OVERLOADED && spare_is_balanced(s, b, d);
}

const struct sched_group *find_busiest_by_class(struct sched *s, struct balance *b)
{
	struct domain_stats d = read_domain(s, b);

	if (!d.busiest || !d.local || is_balanced(s, b, &d))
		return NULL;
	set_imbalance(s, b, &d);
	return b->imbalance > 0 ? d.busiest : NULL;
}

/* ---- which cpu of the group ---- */

struct busiest_cpu {
	uint32_t cpu, nr_running;
	uint64_t load, util, capacity;
};

static void consider_load(const struct sched *s, const struct balance *b, struct busiest_cpu *best,
			  uint32_t cpu)
{
	uint64_t load = cpu_load(s, cpu);

	if (s->config.version < 507)
		load = min_u64(load, s->rq[cpu].load_wt);
	if (s->rq[cpu].nr_running == 1 && load > (uint64_t)b->imbalance)
		return;
	/* load / capacity > best.load / best.capacity */
	if (load * best->capacity > best->load * s->rq[cpu].capacity) {
		best->cpu = cpu;
		best->load = load;
		best->capacity = s->rq[cpu].capacity;
	}
}

static void consider_cpu(const struct sched *s, const struct balance *b, struct busiest_cpu *best,
			 uint32_t cpu)
{
	uint32_t nr_running = s->rq[cpu].nr_running;
	uint64_t util;

	switch (b->unit) {
	case MOVE_LOAD: consider_load(s, b, best, cpu); return;
	case MOVE_UTIL:
		util = cpu_util(s, cpu);
		if (nr_running > 1 && util > best->util) {
			best->cpu = cpu;
			best->util = util;
		}
		return;
	case MOVE_TASKS:
		if (nr_running > best->nr_running) {
			best->cpu = cpu;
			best->nr_running = nr_running;
		}
		return;
	}
	CHECK(false);
}

uint32_t find_busiest_cpu(struct sched *s, const struct balance *b, const struct sched_group *group)
{
	struct busiest_cpu best = { .cpu = CPU_NONE, .capacity = 1 };

	for (uint32_t cpu = cpuset_next_and(group->span, b->cpus, 0); cpu != CPU_NONE;
	     cpu = cpuset_next_and(group->span, b->cpus, cpu + 1)) {
		touch_path(s, PATH_scan_cpu, 1);
		touch_scan(s, FIELD_rq_nr_running, cpu);
		if (s->rq[cpu].nr_running)
			consider_cpu(s, b, &best, cpu);
	}
	return best.cpu == b->dst_cpu ? CPU_NONE : best.cpu;
}
