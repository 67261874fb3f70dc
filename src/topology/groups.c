/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups of every draft domain, cpu by cpu in ascending order.
 *
 * Below NUMA, groups are the children's spans and shared by all cpus of a level: each cpu links
 * the ring anew, starting from itself, so the last cpu's order is the one that stays.
 *
 * NUMA domains overlap, so each cpu has a ring of its own: walking the span from the cpu on, each
 * cpu not covered yet gives its child's span as a group. Where that would reach beyond the domain
 * (nodes three hops apart) a lower level of that cpu is taken. The balance mask holds the cpus
 * that would build the same group; its first one numbers the group. Neighbouring cpus with the
 * same domain and child walk the same way, hence share the ring.
 */
#include "topology/builder.h"

#include "base/check.h"

static uint32_t *by_cpu(struct builder *b, uint32_t l, uint32_t cpu)
{
	return &b->by_cpu[(size_t)l * b->machine->nr_cpus + cpu];
}

static uint32_t new_group(struct builder *b, struct draft_group group)
{
	b->group = grow(&b->scratch, b->group, b->nr_group, &b->cap_group, sizeof(*b->group));
	group.next = group.other = group.emitted = GROUP_NONE;
	group.ring_at = RING_NONE;
	b->group[b->nr_group] = group;
	return b->nr_group++;
}

static const struct cpuset *only(struct builder *b, uint32_t cpu)
{
	cpuset_clear(&b->work);
	cpuset_add(&b->work, cpu);
	return set_pool_get(&b->sets, &b->work);
}

static void cover(struct builder *b, const struct cpuset *span)
{
	cpuset_for_each (cpu, span)
		b->stamp[cpu] = b->token;
}

static bool covered(const struct builder *b, uint32_t cpu)
{
	return b->stamp[cpu] == b->token;
}

/* The next cpu of span after `from`, wrapping; CPU_NONE when back at `start`. */
static uint32_t next_wrapped(const struct cpuset *span, uint32_t from, uint32_t start)
{
	uint32_t cpu = cpuset_next(span, from + 1);

	if (from >= start) {
		if (cpu != CPU_NONE)
			return cpu;
		cpu = cpuset_first(span);
	}
	return cpu < start ? cpu : CPU_NONE;
}

static uint32_t shared_group(struct builder *b, uint32_t l, uint32_t cpu)
{
	const struct draft_domain *child = l ? draft_domain(b, cpu, l - 1) : NULL;
	uint32_t number = child ? cpuset_first(child->span) : cpu;
	uint32_t *at = by_cpu(b, l, number);
	const struct cpuset *span;

	if (*at != GROUP_NONE)
		return *at;
	span = child ? child->span : only(b, cpu);
	*at = new_group(b, (struct draft_group){
				   .span = span,
				   .mask = span,
				   .level = l,
				   .kernel_id = number,
				   .flags = child && b->rules.has_group_flags ? child->flags : 0,
			   });
	return *at;
}

static void link_shared(struct builder *b, uint32_t cpu, uint32_t l)
{
	struct draft_domain *sd = draft_domain(b, cpu, l);
	uint32_t first = GROUP_NONE, last = GROUP_NONE;

	b->token++;
	for (uint32_t i = cpu; i != CPU_NONE; i = next_wrapped(sd->span, i, cpu)) {
		uint32_t group;

		if (covered(b, i))
			continue;
		group = shared_group(b, l, i);
		cover(b, b->group[group].span);
		if (first == GROUP_NONE)
			first = group;
		else
			b->group[last].next = group;
		last = group;
	}
	b->group[last].next = first;
	sd->first_group = first;
}

/* The cpu's domain at `l` or below whose child makes a group that fits into span. */
static uint32_t fitting_level(const struct builder *b, uint32_t cpu, uint32_t l,
			      const struct cpuset *span)
{
	const struct draft_domain *sd = draft_domain(b, cpu, l);

	if (b->rules.overlap != OVERLAP_FITS_SPAN || !l || cpuset_subset(sd[-1].span, span))
		return l;
	while (l && !cpuset_subset(draft_domain(b, cpu, l - 1)->span, span))
		l--;
	return l;
}

/* Cpus of the group whose own child at that level spans the same: they may balance for it. */
static const struct cpuset *balance_mask(struct builder *b, const struct cpuset *span, uint32_t l)
{
	if (b->rules.overlap == OVERLAP_FROM_SPAN_START || !l)
		return span;
	cpuset_clear(&b->work);
	cpuset_for_each (cpu, span) {
		if (*span_at(b, l, cpu) && *span_at(b, l - 1, cpu) == span)
			cpuset_add(&b->work, cpu);
	}
	return set_pool_get(&b->sets, &b->work);
}

/* The draft of that level with that span and flags, made when there is none yet. */
static uint32_t overlap_group(struct builder *b, uint32_t cpu, uint32_t l)
{
	const struct draft_domain *sd = draft_domain(b, cpu, l);
	const struct cpuset *span = l ? sd[-1].span : sd->span;
	uint32_t flags = l && b->rules.has_group_flags ? sd[-1].flags : 0;
	uint32_t *at = by_cpu(b, l, cpu);
	const struct cpuset *mask;
	uint32_t first, group;

	if (*at != GROUP_NONE && b->group[*at].flags == flags)
		return *at;
	mask = balance_mask(b, span, l);
	first = cpuset_first(mask);
	CHECK(first != CPU_NONE);
	for (group = *by_cpu(b, l, first); group != GROUP_NONE; group = b->group[group].other) {
		if (b->group[group].flags == flags && b->group[group].span == span)
			break;
	}
	if (group == GROUP_NONE) {
		group = new_group(b, (struct draft_group){ .span = span,
							   .mask = mask,
							   .level = l,
							   .kernel_id = first,
							   .flags = flags });
		b->group[group].other = *by_cpu(b, l, first);
		*by_cpu(b, l, first) = group;
	}
	if (*at == GROUP_NONE)
		*at = group;
	return group;
}

static void add_to_ring(struct builder *b, uint32_t group)
{
	b->ring_group = grow(&b->scratch, b->ring_group, b->nr_ring_group, &b->cap_ring_group,
			     sizeof(*b->ring_group));
	b->ring_group[b->nr_ring_group++] = group;
	b->ring[b->nr_ring - 1].nr++;
}

/* The group that the cpu numbers, the last one if there are more; else the first that has it. */
static uint32_t own_group(const struct builder *b, const uint32_t *group, uint32_t nr, uint32_t cpu)
{
	uint32_t own = nr;

	for (uint32_t i = 0; i < nr; i++) {
		const struct cpuset *span = b->group[group[i]].span;

		if (cpuset_first(span) == cpu || (own == nr && cpuset_has(span, cpu)))
			own = i;
	}
	CHECK(own < nr);
	return own;
}

static void rotate_to(struct builder *b, struct draft_ring *ring, uint32_t cpu)
{
	uint32_t *group = &b->ring_group[ring->at];

	for (uint32_t i = own_group(b, group, ring->nr, cpu); i; i--) {
		uint32_t front = group[0];

		for (uint32_t k = 1; k < ring->nr; k++)
			group[k - 1] = group[k];
		group[ring->nr - 1] = front;
	}
}

static void link_overlapping(struct builder *b, uint32_t cpu, uint32_t l)
{
	struct draft_domain *sd = draft_domain(b, cpu, l);
	bool from_start = b->rules.overlap == OVERLAP_FROM_SPAN_START;
	uint32_t start = from_start ? cpuset_first(sd->span) : cpu;

	b->ring = grow(&b->scratch, b->ring, b->nr_ring, &b->cap_ring, sizeof(*b->ring));
	b->ring[b->nr_ring++] =
		(struct draft_ring){ .at = b->nr_ring_group, .emitted_at = RING_NONE };
	b->token++;
	for (uint32_t i = start; i != CPU_NONE; i = next_wrapped(sd->span, i, start)) {
		uint32_t group;

		if (covered(b, i) || !*span_at(b, l, i))
			continue;
		group = overlap_group(b, i, fitting_level(b, i, l, sd->span));
		cover(b, b->group[group].span);
		add_to_ring(b, group);
	}
	sd->ring = b->nr_ring - 1;
	if (from_start)
		rotate_to(b, &b->ring[sd->ring], cpu);
	sd->first_flags = b->group[b->ring_group[b->ring[sd->ring].at]].flags;
}

/* The neighbour before, with the same domain and the same child, walked the same way. */
static bool same_walk(const struct builder *b, const struct draft_domain *sd,
		      const struct draft_domain *last, uint32_t l)
{
	if (b->rules.overlap == OVERLAP_FROM_SPAN_START && level_overlaps(b, l))
		return false;
	return l && last->span == sd->span && last[-1].span == sd[-1].span;
}

void build_groups(struct builder *b, const struct cpuset *map)
{
	uint32_t before = CPU_NONE;

	cpuset_for_each (cpu, map) {
		for (uint32_t l = 0; l < b->nr_levels && draft_domain(b, cpu, l)->span; l++) {
			struct draft_domain *sd = draft_domain(b, cpu, l);
			const struct draft_domain *last =
				before == CPU_NONE ? NULL : draft_domain(b, before, l);

			if (last && same_walk(b, sd, last, l)) {
				sd->first_group = last->first_group;
				sd->ring = last->ring;
				sd->first_flags = last->first_flags;
			} else if (level_overlaps(b, l)) {
				link_overlapping(b, cpu, l);
			} else {
				link_shared(b, cpu, l);
			}
		}
		before = cpu;
	}
}
