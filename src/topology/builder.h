/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the steps of topology_build() share; private to this folder.
 *
 * The order of the steps is the kernel's, because later steps see what earlier ones left:
 * levels (masks of every cpu) -> for each root domain: a draft domain a cpu and level, then groups
 * cpu by cpu, then what adds nothing is removed cpu by cpu -> the survivors are emitted.
 */
#ifndef TOPOLOGY_BUILDER_H
#define TOPOLOGY_BUILDER_H

#include "topology/topology.h"

#define GROUP_NONE UINT32_MAX
#define RING_NONE  UINT32_MAX

/* Equal sets are one set. */
struct set_pool {
	struct arena *arena;   /* of the sets */
	struct arena *scratch; /* of the table */
	const struct cpuset **slot;
	uint32_t nr, nr_slots;
};

struct draft_level {
	enum level_kind kind;
	uint32_t numa_distance;
	uint32_t flags;
	const struct cpuset **mask; /* by cpu: online cpus of the level around it; NULL offline */
};

struct draft_domain {
	const struct cpuset *span; /* NULL: the chain of this cpu is shorter */
	uint32_t weight, flags;
	uint32_t imbalance_pct, busy_factor;
	uint32_t min_interval_ms, max_interval_ms;
	uint32_t cache_nice_tries, imb_numa_nr;
	uint32_t parent, child; /* levels; DOMAIN_NONE at the ends */
	uint32_t first_group;	/* draft group, of a level whose groups are shared */
	uint32_t ring;		/* of an overlapping level: index into draft rings */
	uint32_t first_flags;	/* flags of the first group of an overlapping domain */
};

struct draft_group {
	const struct cpuset *span, *mask;
	uint32_t level, kernel_id, flags;
	uint32_t next;		   /* ring of a level whose groups are shared */
	uint32_t other;		   /* next draft of the same level and kernel_id with other flags */
	uint32_t ring_at, ring_nr; /* where its rotation was emitted */
	uint32_t emitted;	   /* index in the topology or GROUP_NONE */
};

struct draft_ring {
	uint32_t at, nr; /* in ring_group */
	uint32_t emitted_at, emitted_flags;
	bool misses_span; /* its groups are not the domain's span */
};

struct builder {
	struct arena *arena, scratch;
	const struct machine *machine;
	struct topology_rules rules;
	struct topology_options options;
	struct topology *t;
	struct set_pool sets;
	struct cpuset work;		 /* scratch set */
	const struct cpuset *level_cpus; /* whom the level masks may hold, */
	const struct cpuset *numa_cpus;	 /* and those of NUMA levels */
	uint32_t nr_capacities;		 /* different ones among cpus that may be in domains */
	struct cpuset *capacity_cpus;
	uint32_t asym_level; /* until 5.13: the level marked in this root domain */
	uint32_t nr_levels;
	struct draft_level level[TOPOLOGY_MAX_LEVELS];
	struct draft_domain *domain; /* cpu * nr_levels + level */
	const struct cpuset **span;  /* level * nr_cpus + cpu: the same spans, side by side */
	struct draft_group *group;
	uint32_t nr_group, cap_group;
	uint32_t *by_cpu; /* level * nr_cpus + cpu: draft group or GROUP_NONE */
	struct draft_ring *ring;
	uint32_t nr_ring, cap_ring;
	uint32_t *ring_group;
	uint32_t nr_ring_group, cap_ring_group;
	uint32_t *stamp, token; /* by cpu or core: marked when equal to token */
};

static inline struct draft_domain *draft_domain(const struct builder *b, uint32_t cpu, uint32_t l)
{
	return &b->domain[(size_t)cpu * b->nr_levels + l];
}

static inline const struct cpuset **span_at(const struct builder *b, uint32_t l, uint32_t cpu)
{
	return &b->span[(size_t)l * b->machine->nr_cpus + cpu];
}

static inline bool level_overlaps(const struct builder *b, uint32_t l)
{
	return b->level[l].kind == LEVEL_NUMA;
}

/* set_pool.c */
void set_pool_init(struct set_pool *pool, struct arena *arena, struct arena *scratch);
const struct cpuset *set_pool_get(struct set_pool *pool, const struct cpuset *set);
/* Doubles an array in scratch memory so that index nr exists. */
void *grow(struct arena *scratch, void *array, uint32_t nr, uint32_t *cap, size_t size);

/* levels.c: b->level and the masks by cpu in the topology; leaving: the last cpu taken offline */
void build_levels(struct builder *b, uint32_t leaving);
/* domains.c: false when the kernel refuses the level's masks */
bool build_domains(struct builder *b, const struct cpuset *map);
/* groups.c */
void build_groups(struct builder *b, const struct cpuset *map);
/* attach.c */
void attach_domains(struct builder *b, const struct cpuset *map);
/* emit.c */
void emit_topology(struct builder *b);

#endif
