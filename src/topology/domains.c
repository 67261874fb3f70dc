/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A draft domain for every cpu and level, as the kernel initialises them.
 *
 * The span is the level's mask cut to the root domain. A cpu's chain ends at the first level that
 * spans the whole root domain. A level whose masks overlap without being equal is refused, unless
 * it is a NUMA level, and so is one that does not hold the level below (the kernel says BUG, goes
 * on and links groups of one ring into another).
 */
#include "topology/builder.h"

/* Every cpu of a mask must have that same mask. */
static bool level_is_sane(const struct builder *b, uint32_t l, const struct cpuset *map)
{
	const struct draft_level *level = &b->level[l];
	const struct cpuset *checked = NULL;

	if (level->kind == LEVEL_NUMA)
		return true;
	cpuset_for_each (cpu, map) {
		const struct cpuset *mask = level->mask[cpu];

		if (mask == checked)
			continue;
		checked = mask;
		cpuset_for_each (other, mask) {
			if (cpuset_has(map, other) && level->mask[other] != mask)
				return false;
		}
	}
	return true;
}

/* Two capacities within the span make it asymmetric, all that the root has make it FULL. */
static uint32_t asym_flags_of(const struct builder *b, const struct cpuset *span,
			      const struct cpuset *map)
{
	uint32_t within = 0, missed = 0;

	if (b->nr_capacities < 2)
		return 0;
	for (uint32_t i = 0; i < b->nr_capacities; i++) {
		if (cpuset_intersects(span, &b->capacity_cpus[i]))
			within++;
		else if (cpuset_intersects(map, &b->capacity_cpus[i]))
			missed++;
	}
	if (within < 2)
		return 0;
	return SD_ASYM_CPUCAPACITY | (missed ? 0 : SD_ASYM_CPUCAPACITY_FULL);
}

/*
 * Until 5.13 one level is marked for all cpus: the lowest at which every cpu sees a cpu of the
 * highest capacity, found cpu by cpu; a cpu never looks below the level found so far.
 */
static uint32_t highest_visible_level(const struct builder *b, uint32_t cpu, uint32_t level,
				      const struct cpuset *map)
{
	uint32_t max = b->machine->cpu[cpu].capacity;
	uint32_t from = level == DOMAIN_NONE ? 0 : level;

	for (uint32_t l = from; l < b->nr_levels; l++) {
		const struct cpuset *mask = b->level[l].mask[cpu];

		for (uint32_t i = cpuset_next_and(mask, map, 0); i != CPU_NONE;
		     i = cpuset_next_and(mask, map, i + 1)) {
			if (b->machine->cpu[i].capacity > max) {
				max = b->machine->cpu[i].capacity;
				level = l;
			}
		}
	}
	return level;
}

static uint32_t find_asym_level(const struct builder *b, const struct cpuset *map)
{
	uint32_t level = DOMAIN_NONE;

	if (b->rules.asym != ASYM_LOWEST_LEVEL || b->nr_capacities < 2)
		return DOMAIN_NONE;
	cpuset_for_each (cpu, map)
		level = highest_visible_level(b, cpu, level, map);
	return level;
}

static uint32_t asym_flags(const struct builder *b, const struct cpuset *span, uint32_t l,
			   const struct cpuset *map)
{
	switch (b->rules.asym) {
	case ASYM_NONE: return 0;
	case ASYM_LOWEST_LEVEL: return l == b->asym_level ? SD_ASYM_CPUCAPACITY : 0;
	case ASYM_CLASSIFIED: return asym_flags_of(b, span, map);
	}
	return 0;
}

/* Weight of the level around the cpu, from which the intervals follow. */
static uint32_t level_weight(const struct builder *b, const struct draft_domain *sd,
			     const struct cpuset *mask)
{
	bool of_span = b->rules.weight == WEIGHT_OF_SPAN || mask == sd->span;

	return of_span ? sd->weight : cpuset_weight(mask);
}

/* Before 3.16 each level had its own table. */
static void set_static(struct draft_domain *sd, enum level_kind kind)
{
	if (kind == LEVEL_NUMA) {
		sd->cache_nice_tries = 2;
		return;
	}
	sd->min_interval_ms = 1;
	sd->max_interval_ms = kind == LEVEL_SMT ? 2 : 4;
	sd->busy_factor = 64;
	sd->imbalance_pct = kind == LEVEL_SMT ? 110 : 125;
	sd->cache_nice_tries = kind == LEVEL_SMT ? 0 : 1;
	if (kind != LEVEL_PKG)
		sd->flags &= ~(uint32_t)SD_PREFER_SIBLING;
}

static uint32_t reclaim_distance(const struct builder *b)
{
	uint32_t own = b->rules.reclaim_by_machine ? b->machine->reclaim_distance : 0;

	return own ? own : b->rules.reclaim_distance;
}

static void set_numa(const struct builder *b, struct draft_domain *sd, uint32_t distance)
{
	sd->cache_nice_tries = 2;
	sd->flags &= ~(uint32_t)SD_PREFER_SIBLING;
	sd->flags |= SD_SERIALIZE;
	if (distance > reclaim_distance(b))
		sd->flags &= ~(uint32_t)(SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE);
}

static void set_by_flags(const struct builder *b, struct draft_domain *sd,
			 const struct draft_level *level)
{
	sd->cache_nice_tries = 1;
	if (sd->flags & SD_SHARE_CPUCAPACITY) {
		sd->imbalance_pct = 110;
		sd->cache_nice_tries = 0;
	} else if (sd->flags & SD_SHARE_LLC) {
		sd->imbalance_pct = 117;
	} else if (sd->flags & SD_NUMA) {
		set_numa(b, sd, level->numa_distance);
	}
	if (b->rules.static_intervals)
		set_static(sd, level->kind);
}

static void set_relax_level(const struct builder *b, struct draft_domain *sd, uint32_t l)
{
	uint32_t from = b->options.relax_level + !b->rules.relax_is_inclusive;

	if (b->options.has_relax_level && l >= from)
		sd->flags &= ~(uint32_t)(SD_BALANCE_WAKE | SD_BALANCE_NEWIDLE);
}

static void init_domain(const struct builder *b, uint32_t cpu, uint32_t l, const struct cpuset *map,
			const struct draft_domain *last)
{
	struct draft_domain *sd = draft_domain(b, cpu, l);
	struct draft_domain *child = l ? sd - 1 : NULL;
	const struct draft_level *level = &b->level[l];
	uint32_t weight;

	sd->weight = last && last->span == sd->span ? last->weight : cpuset_weight(sd->span);
	weight = level_weight(b, sd, level->mask[cpu]);
	sd->min_interval_ms = weight;
	sd->max_interval_ms = 2 * weight;
	sd->busy_factor = b->rules.busy_factor;
	sd->imbalance_pct = b->rules.imbalance_pct;
	sd->parent = sd->child = DOMAIN_NONE;
	sd->first_group = GROUP_NONE;
	sd->ring = RING_NONE;
	sd->flags = SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE |
		    SD_PREFER_SIBLING | level->flags;
	sd->flags |= asym_flags(b, sd->span, l, map);
	if (child && sd->flags & SD_ASYM_CPUCAPACITY)
		child->flags &= ~(uint32_t)SD_PREFER_SIBLING;
	set_by_flags(b, sd, level);
	set_relax_level(b, sd, l);
	if (child) {
		sd->child = l - 1;
		child->parent = l;
	}
}

static const struct cpuset *domain_span(struct builder *b, uint32_t cpu, uint32_t l, uint32_t last,
					const struct cpuset *map)
{
	const struct cpuset *mask = b->level[l].mask[cpu];

	if (last != CPU_NONE && b->level[l].mask[last] == mask && draft_domain(b, last, l)->span)
		return draft_domain(b, last, l)->span;
	cpuset_and(&b->work, mask, map);
	return set_pool_get(&b->sets, &b->work);
}

/* False at a level that does not hold the child's span: the kernel calls that a broken topology. */
static bool build_chain(struct builder *b, uint32_t cpu, uint32_t last, const struct cpuset *map,
			uint32_t map_weight)
{
	for (uint32_t l = 0; l < b->nr_levels; l++) {
		struct draft_domain *sd = draft_domain(b, cpu, l);

		sd->span = *span_at(b, l, cpu) = domain_span(b, cpu, l, last, map);
		if (l && sd->span != sd[-1].span && !cpuset_subset(sd[-1].span, sd->span)) {
			b->t->insane_level = l;
			return false;
		}
		init_domain(b, cpu, l, map, last == CPU_NONE ? NULL : draft_domain(b, last, l));
		if (sd->weight == map_weight)
			break;
	}
	return true;
}

/*
 * How far loads of two nodes may differ: where a domain above the LLC has one LLC, a share of it;
 * where it has more, one task an LLC. Wider domains get as many times that as they are wider than
 * the first NUMA domain.
 */
static uint32_t base_imbalance(const struct builder *b, const struct draft_domain *sd)
{
	uint32_t nr_llcs = sd->weight / sd[-1].weight;
	uint32_t shift = b->rules.imb_numa == IMB_NUMA_QUARTER ? 2 : 3;
	uint32_t imb = nr_llcs == 1 ? sd->weight >> shift : nr_llcs;

	return imb ? imb : 1;
}

static void set_imb_numa(const struct builder *b, uint32_t cpu)
{
	uint32_t imb = 0, imb_span = 1;

	for (uint32_t l = 0; l < b->nr_levels && draft_domain(b, cpu, l)->span; l++) {
		struct draft_domain *sd = draft_domain(b, cpu, l);

		if (l && !(sd->flags & SD_SHARE_LLC) && sd[-1].flags & SD_SHARE_LLC) {
			uint32_t up = sd->parent;

			imb = sd->imb_numa_nr = base_imbalance(b, sd);
			while (up != DOMAIN_NONE && !(draft_domain(b, cpu, up)->flags & SD_NUMA))
				up = draft_domain(b, cpu, up)->parent;
			imb_span =
				up == DOMAIN_NONE ? sd->weight : draft_domain(b, cpu, up)->weight;
		} else {
			uint32_t factor = sd->weight / imb_span;

			sd->imb_numa_nr = imb * (factor ? factor : 1);
		}
	}
}

bool build_domains(struct builder *b, const struct cpuset *map)
{
	uint32_t map_weight = cpuset_weight(map);
	uint32_t last = CPU_NONE;

	for (uint32_t l = 0; l < b->nr_levels; l++) {
		if (!level_is_sane(b, l, map)) {
			b->t->insane_level = l;
			return false;
		}
	}
	b->asym_level = find_asym_level(b, map);
	cpuset_for_each (cpu, map) {
		if (!build_chain(b, cpu, last, map, map_weight))
			return false;
		if (b->rules.imb_numa != IMB_NUMA_NONE)
			set_imb_numa(b, cpu);
		last = cpu;
	}
	return true;
}
