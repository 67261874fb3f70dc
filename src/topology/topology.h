/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sched domains and groups as Linux builds them from a machine.
 *
 * Every online cpu has a chain of domains, innermost first; every domain a ring of groups that
 * starts with the group of that cpu. Domains and groups are numbered in flat arrays and read-only
 * once built; what changes while running (intervals, failures) belongs to the scheduler.
 * Spans are shared: equal sets of one level are one set in memory.
 */
#ifndef TOPOLOGY_TOPOLOGY_H
#define TOPOLOGY_TOPOLOGY_H

#include "machine/machine.h"

#define DOMAIN_NONE UINT32_MAX
#define LLC_NONE    UINT32_MAX

enum topology_limits { TOPOLOGY_MAX_LEVELS = 5 + 32 };

enum level_kind { LEVEL_SMT, LEVEL_CLS, LEVEL_MC, LEVEL_PKG, LEVEL_NODE, LEVEL_NUMA };

enum {
#define SD_FLAG(name, phrase) SD_BIT_##name,
#include "topology/sd_flags.def"
#undef SD_FLAG
	NR_SD_FLAGS
};
enum {
#define SD_FLAG(name, phrase) SD_##name = 1 << SD_BIT_##name,
#include "topology/sd_flags.def"
#undef SD_FLAG
};

/* What differs between kernel versions and architectures: data of a profile. */
struct topology_rules {
	bool has_cluster_level;	  /* CLS exists (5.16 and later) */
	bool pkg_is_named_die;	  /* DIE until 6.6, PKG since 6.7 */
	bool numa_dedups_levels;  /* distances that give equal masks everywhere are one level */
	bool fixes_numa_diameter; /* overlapping groups of far nodes are built from the child's (5.12) */
	bool numa_shows_overlap;  /* NUMA domains carry SD_OVERLAP (not from 7.x on) */
	bool has_node_level;	  /* NODE is told apart from NUMA (4.17); not from 7.x on */
	bool block_copy;	  /* the default level table is copied in one block */
	uint32_t reclaim_distance; /* beyond it NUMA levels do not balance on fork, exec, wake; 30 */
	uint32_t busy_factor;	   /* 32 until 5.9, 16 since */
	uint32_t imbalance_pct_llc, imbalance_pct_other; /* 117 and 125 / 117 */
	uint32_t imb_numa_rule;	   /* 0: none; 1: 5.18 and later */
};

struct sched_group {
	const struct cpuset *span;
	const struct cpuset *mask; /* balance mask: who may balance for the group; may equal span */
	uint32_t weight;	   /* cpus in span */
	uint32_t cores;		   /* cores in span */
	uint32_t flags;		   /* of the child domain it was made from; 0 if of one cpu */
	uint64_t capacity;	   /* CAPACITY_FULL a full cpu; summed over the span */
	uint64_t min_capacity, max_capacity; /* of one cpu */
	uint32_t id;		   /* dense; groups shared by cpus are one */
};

struct sched_domain {
	const struct cpuset *span;
	uint32_t cpu;		      /* whose it is */
	uint32_t parent, child;	      /* index or DOMAIN_NONE */
	uint32_t level;		      /* index into topology.level */
	uint32_t weight;	      /* cpus in span */
	uint32_t flags;
	uint32_t first_group, nr_groups; /* topology.ring[first_group + i] are group ids */
	uint32_t imbalance_pct, busy_factor;
	uint32_t min_interval_ms, max_interval_ms;
	uint32_t cache_nice_tries, imb_numa_nr;
};

struct topology_level {
	enum level_kind kind;
	const char *name;	/* as the kernel prints it */
	uint32_t numa_distance; /* of a NUMA level */
};

struct topology {
	const struct machine *machine;
	struct topology_rules rules;
	uint32_t nr_cpus;	     /* as in the machine, holes included */
	struct cpuset active;	     /* online cpus that are in domains; isolated ones are not */
	uint32_t nr_levels;
	struct topology_level level[TOPOLOGY_MAX_LEVELS];
	uint32_t nr_domains, nr_groups, nr_ring;
	struct sched_domain *domain;
	struct sched_group *group;
	uint32_t *ring;

	/* Shortcuts by cpu: DOMAIN_NONE when there is none. */
	uint32_t *base;		  /* innermost domain */
	uint32_t *sd_llc;	  /* highest domain with SD_SHARE_LLC */
	uint32_t *sd_numa;	  /* lowest with SD_NUMA */
	uint32_t *sd_asym_packing, *sd_asym_capacity;
	uint32_t *llc_id;	  /* first cpu of sd_llc's span, or the cpu itself */
	uint32_t *llc_size;	  /* cpus in sd_llc's span, 1 without */
	uint32_t *llc_shared;	  /* dense index of the LLC's shared state, LLC_NONE without sd_llc */
	uint32_t nr_llc_shared;
	const struct cpuset **smt_mask; /* SMT siblings with the cpu itself */
	const struct cpuset **cluster_mask; /* cpus of the cluster; the cpu alone without clusters */
	bool has_smt, has_clusters; /* any active core with two threads; any cluster domain */
};

struct topology_options {
	const struct cpuset *offline, *isolated; /* NULL: none; bits = machine's nr_cpus */
};

/* What 6.12 on the machine's architecture does; the profiles in sched/ hold the other versions. */
struct topology_rules topology_rules_default(const char *arch);

/* NULL and err set when the options leave no cpu. All memory from `arena`. */
struct topology *topology_build(struct arena *arena, const struct machine *machine,
				const struct topology_rules *rules,
				const struct topology_options *options, struct err *err);

/* Every invariant of a hierarchy; false with the first violation and its cpu and domain. */
bool topology_check(const struct topology *t, struct err *err);

static inline const struct sched_group *topology_group(const struct topology *t,
						       const struct sched_domain *sd, uint32_t i)
{
	return &t->group[t->ring[sd->first_group + i]];
}

#endif
