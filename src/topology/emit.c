/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The surviving drafts as flat arrays.
 *
 * Groups get dense numbers in the order in which domains first use them. A shared ring is written
 * twice in a row, so that each rotation of it is a slice.
 */
#include "topology/builder.h"

#include <string.h>

struct emitter {
	struct builder *b;
	struct topology *t;
	uint32_t cap_domains, cap_groups, cap_ring;
};

/* Stamps by core follow those by cpu. */
static void add_capacity(const struct builder *b, struct sched_group *g)
{
	g->min_capacity = UINT64_MAX;
	cpuset_for_each (cpu, g->span) {
		uint32_t *core = &b->stamp[b->machine->nr_cpus + b->machine->cpu[cpu].core];
		uint64_t capacity = b->machine->cpu[cpu].capacity;

		g->cores += *core != b->token;
		*core = b->token;
		g->capacity += capacity;
		if (capacity < g->min_capacity)
			g->min_capacity = capacity;
		if (capacity > g->max_capacity)
			g->max_capacity = capacity;
	}
}

static uint32_t emit_copy(struct emitter *e, const struct draft_group *draft, uint32_t flags)
{
	struct topology *t = e->t;
	struct sched_group *g;

	t->group = grow(&e->b->scratch, t->group, t->nr_groups, &e->cap_groups, sizeof(*g));
	g = &t->group[t->nr_groups];
	*g = (struct sched_group){ .span = draft->span,
				   .mask = draft->mask,
				   .weight = cpuset_weight(draft->span),
				   .flags = flags,
				   .id = t->nr_groups,
				   .kernel_id = draft->kernel_id };
	e->b->token++;
	add_capacity(e->b, g);
	return t->nr_groups++;
}

static uint32_t emit_group(struct emitter *e, uint32_t group)
{
	struct draft_group *draft = &e->b->group[group];

	if (draft->emitted == GROUP_NONE)
		draft->emitted = emit_copy(e, draft, draft->flags);
	return draft->emitted;
}

static void emit_slot(struct emitter *e, uint32_t id)
{
	struct topology *t = e->t;

	t->ring = grow(&e->b->scratch, t->ring, t->nr_ring, &e->cap_ring, sizeof(*t->ring));
	t->ring[t->nr_ring++] = id;
}

static void emit_shared_ring(struct emitter *e, uint32_t first)
{
	struct draft_group *group = e->b->group;
	uint32_t at = e->t->nr_ring, nr = 0;

	for (uint32_t g = first;;) {
		group[g].ring_at = at + nr++;
		emit_slot(e, emit_group(e, g));
		g = group[g].next;
		if (g == first)
			break;
	}
	for (uint32_t i = 0; i + 1 < nr; i++)
		emit_slot(e, e->t->ring[at + i]);
	for (uint32_t g = first, i = 0; i < nr; i++, g = group[g].next)
		group[g].ring_nr = nr;
}

static bool ring_misses(struct emitter *e, const struct draft_ring *ring, const struct cpuset *span)
{
	struct cpuset *work = &e->b->work;

	cpuset_clear(work);
	for (uint32_t i = 0; i < ring->nr; i++)
		cpuset_or(work, work, e->b->group[e->b->ring_group[ring->at + i]].span);
	return !cpuset_equal(work, span);
}

static void emit_own_ring(struct emitter *e, struct draft_ring *ring, uint32_t first_flags,
			  const struct cpuset *span)
{
	const uint32_t *from = &e->b->ring_group[ring->at];
	const struct draft_group *first = &e->b->group[from[0]];

	ring->emitted_at = e->t->nr_ring;
	ring->emitted_flags = first_flags;
	ring->misses_span = ring_misses(e, ring, span);
	if (first->flags == first_flags)
		emit_slot(e, emit_group(e, from[0]));
	else
		emit_slot(e, emit_copy(e, first, first_flags));
	for (uint32_t i = 1; i < ring->nr; i++)
		emit_slot(e, emit_group(e, from[i]));
}

static void set_ring(struct emitter *e, const struct draft_domain *draft, struct sched_domain *sd)
{
	struct builder *b = e->b;

	if (draft->ring != RING_NONE) {
		struct draft_ring *ring = &b->ring[draft->ring];

		if (ring->emitted_at == RING_NONE || ring->emitted_flags != draft->first_flags)
			emit_own_ring(e, ring, draft->first_flags, draft->span);
		sd->first_group = ring->emitted_at;
		sd->nr_groups = ring->nr;
		sd->groups_miss_span = ring->misses_span;
	} else {
		if (b->group[draft->first_group].ring_at == RING_NONE)
			emit_shared_ring(e, draft->first_group);
		sd->first_group = b->group[draft->first_group].ring_at;
		sd->nr_groups = b->group[draft->first_group].ring_nr;
	}
}

static uint32_t emit_domain(struct emitter *e, uint32_t cpu, uint32_t l, uint32_t child)
{
	const struct draft_domain *draft = draft_domain(e->b, cpu, l);
	struct topology *t = e->t;
	struct sched_domain *sd;

	t->domain = grow(&e->b->scratch, t->domain, t->nr_domains, &e->cap_domains, sizeof(*sd));
	sd = &t->domain[t->nr_domains];
	*sd = (struct sched_domain){ .span = draft->span,
				     .cpu = cpu,
				     .parent = DOMAIN_NONE,
				     .child = child,
				     .level = l,
				     .weight = draft->weight,
				     .flags = draft->flags,
				     .imbalance_pct = draft->imbalance_pct,
				     .busy_factor = draft->busy_factor,
				     .min_interval_ms = draft->min_interval_ms,
				     .max_interval_ms = draft->max_interval_ms,
				     .cache_nice_tries = draft->cache_nice_tries,
				     .imb_numa_nr = draft->imb_numa_nr };
	set_ring(e, draft, sd);
	if (child != DOMAIN_NONE)
		t->domain[child].parent = t->nr_domains;
	return t->nr_domains++;
}

static void *to_arena(struct builder *b, const void *array, uint32_t nr, size_t size)
{
	void *copy = arena_alloc(b->arena, nr ? nr : 1, size, 64);

	if (nr)
		memcpy(copy, array, (size_t)nr * size);
	return copy;
}

void emit_topology(struct builder *b)
{
	struct topology *t = b->t;
	struct emitter e = { .b = b, .t = t };

	cpuset_for_each (cpu, &t->active) {
		uint32_t child = DOMAIN_NONE;

		for (uint32_t l = 0; l < b->nr_levels; l++) {
			if (!draft_domain(b, cpu, l)->span)
				continue;
			child = emit_domain(&e, cpu, l, child);
			if (t->base[cpu] == DOMAIN_NONE)
				t->base[cpu] = child;
		}
	}
	t->domain = to_arena(b, t->domain, t->nr_domains, sizeof(*t->domain));
	t->group = to_arena(b, t->group, t->nr_groups, sizeof(*t->group));
	t->ring = to_arena(b, t->ring, t->nr_ring, sizeof(*t->ring));
	t->nr_levels = b->nr_levels;
	for (uint32_t l = 0; l < b->nr_levels; l++)
		t->level[l] = (struct topology_level){
			.kind = b->level[l].kind,
			.name = b->rules.level_name[b->level[l].kind],
			.numa_distance = b->level[l].numa_distance,
		};
}
