/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The busiest group by load alone, as until v5.4; written after v3.13.
 *
 * A group counts as too full when it runs more tasks than it has capacity for: one a core. Load is
 * that of queued tasks. What is taken brings both groups towards the mean but leaves the busiest
 * its capacity's worth; below one task's load it is decided whether moving one task gains
 * throughput. The history of loads (busy_idx, idle_idx) is not modelled: every level reads the
 * present load.
 */
#include "sched/balance.h"

/* A group's view in this calculation: load is that of queued tasks. */
struct load_group {
	const struct sched_group *group;
	uint64_t avg_load, load_per_task, power;
	uint32_t nr_running, idle_cpus, capacity, weight;
	bool is_imbalanced, has_capacity;
};

struct load_domain {
	struct load_group local, busiest;
	uint64_t total_load, total_util, total_power, avg_load;
	bool is_overloaded;
};

/* Tasks a group may hold: its cores, the number of full cpus that its power makes at most. */
static uint32_t capacity_of_group(const struct sched_group *group)
{
	uint64_t by_power = (group->capacity + CAPACITY_FULL / 2) / CAPACITY_FULL;

	return (uint32_t)max_u64(min_u64(group->cores, by_power), 1);
}

static struct load_group read_group(struct sched *s, const struct balance *b,
				    const struct sched_group *group, struct load_domain *d)
{
	struct group_stats stats = group_stats_of(s, b, group);
	struct load_group g = {
		.group = group,
		.power = group->capacity,
		.nr_running = stats.nr_running,
		.idle_cpus = stats.idle_cpus,
		.capacity = capacity_of_group(group),
		.weight = group->weight,
		.is_imbalanced = s->group_imbalance[group->id],
	};

	g.avg_load = stats.queued_load * CAPACITY_FULL / g.power;
	if (stats.nr_running)
		g.load_per_task = stats.queued_load / stats.nr_running;
	g.has_capacity = g.capacity > stats.nr_running;
	d->total_load += stats.queued_load;
	d->total_util += stats.util;
	d->total_power += g.power;
	d->is_overloaded |= stats.is_overloaded;
	return g;
}

static bool is_busier(const struct load_domain *d, const struct load_group *g)
{
	if (g->avg_load <= d->busiest.avg_load)
		return false;
	return g->nr_running > g->capacity || g->is_imbalanced;
}

static struct load_domain read_domain(struct sched *s, const struct balance *b)
{
	bool prefer_sibling = b->sd->child != DOMAIN_NONE &&
			      (s->topology->domain[b->sd->child].flags & SD_PREFER_SIBLING);
	struct load_domain d = { 0 };
	struct domain_stats left = { 0 };

	for (uint32_t i = 0; i < b->sd->nr_groups; i++) {
		const struct sched_group *group = topology_group(s->topology, b->sd, i);
		struct load_group g = read_group(s, b, group, &d);

		if (cpuset_has(group->span, b->dst_cpu)) {
			d.local = g;
		} else {
			/* The child wants its tasks spread: one a sibling while there is room here.
			 */
			if (prefer_sibling && d.local.group && d.local.has_capacity) {
				g.capacity = 1;
				g.has_capacity = !g.nr_running;
			}
			if (is_busier(&d, &g))
				d.busiest = g;
		}
	}
	if (d.total_power)
		d.avg_load = d.total_load * CAPACITY_FULL / d.total_power;
	left.total_util = d.total_util;
	domain_stats_publish(s, b, &left, d.is_overloaded);
	return d;
}

static bool is_balanced(const struct balance *b, const struct load_domain *d)
{
	const struct load_group *local = &d->local, *busiest = &d->busiest;

	if (busiest->is_imbalanced)
		return false;
	if (b->idle == BALANCE_NEWIDLE && local->has_capacity && !busiest->has_capacity)
		return false;
	if (local->avg_load >= busiest->avg_load || local->avg_load >= d->avg_load)
		return true;
	if (b->idle == BALANCE_IDLE)
		return local->idle_cpus < busiest->idle_cpus &&
		       busiest->nr_running <= busiest->weight;
	return 100 * busiest->avg_load <= b->sd->imbalance_pct * local->avg_load;
}

/* Throughput of a group whose load is `avg`: what fits into one task's share of its power. */
static uint64_t throughput(const struct load_group *g, uint64_t per_task, uint64_t avg)
{
	return g->power * min_u64(per_task, avg);
}

/* Less than a task's load: take one task if that raises the sum of throughputs. */
static uint64_t small_imbalance(const struct sched *s, const struct balance *b,
				const struct load_domain *d)
{
	const struct load_group *busiest = &d->busiest;
	struct load_group local = d->local;
	uint64_t times = 2, scaled, now, moved, taken, given;

	if (!local.nr_running)
		local.load_per_task =
			s->rq[b->dst_cpu].nr_running
				? s->rq[b->dst_cpu].load_wt / s->rq[b->dst_cpu].nr_running
				: 0;
	else if (busiest->load_per_task > local.load_per_task)
		times = 1;
	scaled = busiest->load_per_task * CAPACITY_FULL / busiest->power;
	if (busiest->avg_load + scaled >= local.avg_load + scaled * times)
		return busiest->load_per_task;
	now = throughput(busiest, busiest->load_per_task, busiest->avg_load) +
	      throughput(&local, local.load_per_task, local.avg_load);
	taken = scaled;
	moved = throughput(busiest, busiest->load_per_task,
			   sub_to_zero_u64(busiest->avg_load, taken));
	given = min_u64(busiest->avg_load * busiest->power,
			busiest->load_per_task * CAPACITY_FULL) /
		local.power;
	moved += throughput(&local, local.load_per_task, local.avg_load + given);
	return moved / CAPACITY_FULL > now / CAPACITY_FULL ? busiest->load_per_task : 0;
}

static uint64_t imbalance_of(const struct sched *s, const struct balance *b, struct load_domain *d)
{
	struct load_group *local = &d->local, *busiest = &d->busiest;
	uint64_t above = UINT64_MAX, pull, imbalance;

	if (busiest->is_imbalanced)
		busiest->load_per_task = min_u64(busiest->load_per_task, d->avg_load);
	if (busiest->avg_load <= d->avg_load || local->avg_load >= d->avg_load)
		return small_imbalance(s, b, d);
	if (!busiest->is_imbalanced)
		above = sub_to_zero_u64(busiest->nr_running, busiest->capacity) * CAPACITY_FULL *
			CAPACITY_FULL / busiest->power;
	pull = min_u64(busiest->avg_load - d->avg_load, above);
	imbalance = min_u64(pull * busiest->power, (d->avg_load - local->avg_load) * local->power) /
		    CAPACITY_FULL;
	return imbalance < busiest->load_per_task ? small_imbalance(s, b, d) : imbalance;
}

const struct sched_group *find_busiest_by_load(struct sched *s, struct balance *b)
{
	struct load_domain d = read_domain(s, b);

	if (!d.busiest.group || !d.local.group || !d.busiest.nr_running || is_balanced(b, &d))
		return NULL;
	b->unit = MOVE_LOAD;
	b->imbalance = (int64_t)imbalance_of(s, b, &d);
	return b->imbalance > 0 ? d.busiest.group : NULL;
}
