/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sched domains and groups as Linux builds them from a machine.
 *
 * Every active cpu has a chain of domains, innermost first; every domain a ring of groups that
 * starts with the group of that cpu. Domains and groups are numbered in flat arrays and read-only
 * once built; what changes while running (intervals, failures) belongs to the scheduler.
 * Spans are shared: equal sets are one set in memory, so equal pointers mean equal spans. The
 * domains of one cpu are neighbours in `domain`, innermost first.
 */
#ifndef TOPOLOGY_TOPOLOGY_H
#define TOPOLOGY_TOPOLOGY_H

#include "machine/machine.h"
#include "topology/rules.h"

#define DOMAIN_NONE UINT32_MAX
#define LLC_NONE    UINT32_MAX

enum topology_limits { TOPOLOGY_MAX_LEVELS = 5 + 256 };

enum {
#define SD_FLAG(name, shared, phrase) SD_BIT_##name,
#include "topology/sd_flags.def"
#undef SD_FLAG
	NR_SD_FLAGS
};
enum {
#define SD_FLAG(name, shared, phrase) SD_##name = 1 << SD_BIT_##name,
#include "topology/sd_flags.def"
#undef SD_FLAG
};

struct sched_group {
	const struct cpuset *span;
	const struct cpuset *mask; /* balance mask: who may balance for the group; may equal span */
	uint32_t weight;	   /* cpus in span */
	uint32_t cores;		   /* cores in span */
	uint32_t flags;		   /* of the child domain it was made from; 0 if of one cpu */
	uint64_t capacity;	   /* CAPACITY_FULL a full cpu; summed over the span */
	uint64_t min_capacity, max_capacity; /* of one cpu */
	uint32_t id;	    /* dense: its index in topology.group; shared groups are one */
	uint32_t kernel_id; /* the number that the kernel prints: a cpu of the group */
};

struct sched_domain {
	const struct cpuset *span;
	uint32_t cpu;		/* whose it is */
	uint32_t parent, child; /* index or DOMAIN_NONE */
	uint32_t level;		/* index into topology.level, the kernel's sd->level */
	uint32_t weight;	/* cpus in span */
	uint32_t flags;
	uint32_t first_group, nr_groups; /* topology.ring[first_group + i] are group ids */
	uint32_t imbalance_pct, busy_factor;
	uint32_t min_interval_ms, max_interval_ms;
	uint32_t cache_nice_tries, imb_numa_nr;
	bool groups_miss_span; /* the kernel's "groups don't span domain->span" */
};

struct topology_level {
	enum level_kind kind;
	const char *name;	/* as the kernel prints it */
	uint32_t numa_distance; /* of a NUMA level */
};

struct topology {
	const struct machine *machine;
	struct topology_rules rules;
	uint32_t nr_cpus;     /* as in the machine, holes included */
	struct cpuset online; /* the machine's without options.offline */
	struct cpuset active; /* online cpus that may be in domains; isolated ones are not */
	uint32_t nr_roots;    /* root domains: sets that balance among themselves */
	struct cpuset *root;
	uint32_t nr_levels;
	struct topology_level level[TOPOLOGY_MAX_LEVELS];
	uint32_t insane_level; /* DOMAIN_NONE, or one whose masks the kernel refuses: no domains */
	uint32_t nr_domains, nr_groups, nr_ring;
	struct sched_domain *domain;
	struct sched_group *group;
	uint32_t *ring;

	/* Shortcuts by cpu: DOMAIN_NONE when there is none. */
	uint32_t *base;	      /* innermost domain */
	uint32_t *sd_llc;     /* highest domain with SD_SHARE_LLC */
	uint32_t *sd_cluster; /* lowest with SD_CLUSTER: v6.7 has the flag */
	uint32_t *sd_numa;    /* lowest with SD_NUMA */
	uint32_t *sd_asym_packing, *sd_asym_capacity;
	uint32_t *llc_id;     /* first cpu of sd_llc's span, or the cpu itself */
	uint32_t *llc_size;   /* cpus in sd_llc's span, 1 without */
	uint32_t *llc_shared; /* dense index of the LLC's shared state, LLC_NONE without sd_llc */
	uint32_t nr_llc_shared;
	uint32_t *share_id;		/* first cpu of sd_cluster's span, llc_id without */
	const struct cpuset **smt_mask; /* online SMT siblings with the cpu itself */
	bool has_smt, has_clusters;	/* any online core with two threads; any cluster domain */
};

/* Whether the kernel knew of threads when it booted; without, 6.17 on x86 has no SMT level. */
enum boot_smt {
	BOOT_SMT_AS_SEEN, /* as the machine's present cores tell */
	BOOT_SMT_OFF,	  /* nosmt */
	BOOT_SMT_ON,	  /* the siblings are there, but were never brought up */
};

/* Sets have the machine's nr_cpus bits; NULL: none. */
struct topology_options {
	const struct cpuset *down;	/* never brought up (topology/boot.h) */
	const struct cpuset *offline;	/* taken offline after boot, in ascending order */
	const struct cpuset *isolated;	/* in no domain */
	const struct cpuset *partition; /* cpusets that are partitions of their own: disjoint */
	uint32_t nr_partitions;
	enum boot_smt smt;
	uint32_t fake_nodes;  /* numa=fake=N on the command line; of a machine of one node */
	bool has_relax_level; /* relax_domain_level= on the command line */
	uint32_t relax_level;
};

/*
 * NULL and err set when the options leave no cpu. All memory from `arena`. options may be NULL.
 * A hierarchy that the kernel refuses to build has no domains and names the level.
 */
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

/* The flag by which sd_asym_capacity is found: until 5.13 there was no FULL. */
static inline uint32_t topology_asym_flag(const struct topology *t)
{
	return t->rules.asym == ASYM_CLASSIFIED ? SD_ASYM_CPUCAPACITY_FULL : SD_ASYM_CPUCAPACITY;
}

#endif
