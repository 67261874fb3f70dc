/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between kernel versions in building sched domains: data, one row a version.
 *
 * The rows are in topology/rules.def. A profile names its row; a caller may change single fields
 * of its copy (a distribution's configuration, an experiment).
 */
#ifndef TOPOLOGY_RULES_H
#define TOPOLOGY_RULES_H

#include "base/err.h"

#include <stdint.h>

enum level_kind {
	LEVEL_SMT,
	LEVEL_CLS,
	LEVEL_MC,
	LEVEL_PKG,
	LEVEL_NODE,
	LEVEL_NUMA,
	NR_LEVEL_KINDS
};

/* Which cpus a level's mask holds. */
enum mask_rule {
	MASKS_X86,   /* core, L2, LLC, each cut at the node */
	MASKS_ARM64, /* MC is the smallest of node, package, LLC, but at least the cluster */
	MASKS_PLAIN, /* core, LLC, node */
};

/* When a package that holds several nodes makes the kernel leave PKG out. */
enum numa_in_package_rule {
	NUMA_IN_PACKAGE_KEEPS_PKG, /* before 4.9, and everywhere but on x86 */
	NUMA_IN_PACKAGE_BY_CPUS,   /* two cpus of one package are on different nodes */
	NUMA_IN_PACKAGE_BY_COUNT,  /* more nodes than packages (7.x) */
};

/* How the levels' distances are found. */
enum numa_distance_rule {
	NUMA_DISTANCES_OF_NODE0, /* node 0's row is taken for all (until 5.11) */
	NUMA_DISTANCES_GROWING,	 /* the same under sched_debug: other rows add what is farther */
	NUMA_DISTANCES_OF_ALL,	 /* every distance between nodes with cpus (5.12) */
};

/* How groups of overlapping domains come to be. */
enum overlap_rule {
	OVERLAP_FROM_SPAN_START, /* in ascending order, own group rotated to the front (3.x) */
	OVERLAP_FROM_CHILD,	 /* from the sibling's child, which may reach beyond (4.13) */
	OVERLAP_FITS_SPAN,	 /* from a descendant that stays within the domain (5.12) */
};

/* From which cpus the initial intervals follow. */
enum weight_rule {
	WEIGHT_OF_MASK, /* the level's, isolated ones and other partitions' included */
	WEIGHT_OF_SPAN, /* the domain's own (7.x) */
};

enum asym_rule {
	ASYM_NONE,
	ASYM_LOWEST_LEVEL, /* one level: the lowest that has every capacity (4.20) */
	ASYM_CLASSIFIED,   /* every level that has two capacities; FULL where it has all (5.14) */
};

enum imb_numa_rule {
	IMB_NUMA_NONE,
	IMB_NUMA_QUARTER, /* one LLC a node: a quarter of the node (5.18) */
	IMB_NUMA_EIGHTH,  /* an eighth (6.0) */
};

/* In which order cpus come up at boot. */
enum boot_rule {
	BOOT_BY_ID,
	BOOT_BY_PRIMARY, /* the first thread of every core, then the others (x86, 6.5) */
};

struct topology_rules {
	const char *version;
	enum mask_rule masks;
	const char *level_name[NR_LEVEL_KINDS];
	const char *share_llc_name;   /* of the flag: SHARE_PKG_RESOURCES until 6.8 */
	bool has_cluster_level;	      /* CLS (5.16) */
	bool has_cluster_flag;	      /* and its domains carry SD_CLUSTER (6.7) */
	bool has_node_level;	      /* NODE is told apart from NUMA (4.14) */
	bool smt_needs_threads;	      /* no SMT level when booted without threads (x86, 6.17) */
	bool static_intervals;	      /* intervals, factors from one table a level (until 3.15) */
	bool every_flag_needs_groups; /* all but WAKE_AFFINE are void with one group (5.10) */
	bool has_group_flags;	      /* groups remember their child's flags (5.16) */
	bool group_flags_follow;      /* when a domain in between is removed (6.6) */
	bool numa_shows_overlap;      /* NUMA domains carry SD_OVERLAP (until 6.16) */
	bool masks_have_leaving_cpu;  /* while a cpu goes offline it still counts as tied (6.10) */
	bool relax_is_inclusive;      /* relax_domain_level=N takes level N too (6.10) */
	bool block_copy;	      /* the default level table is copied in one block */
	enum numa_in_package_rule numa_in_package;
	enum numa_distance_rule numa_distances;
	enum overlap_rule overlap;
	enum weight_rule weight;
	enum asym_rule asym;
	enum imb_numa_rule imb_numa;
	enum boot_rule boot;
	uint32_t reclaim_distance; /* beyond it NUMA levels do not balance on fork, exec, wake; */
	bool reclaim_by_machine;   /* a machine may have its own (5.4) */
	uint32_t busy_factor;	   /* 32 until 5.9, 16 since */
	uint32_t imbalance_pct;	   /* of levels above the LLC: 125 until 5.9, 117 since */
};

/*
 * The row of a version ("v5.12", "v6.12", "debian-6.1") for an architecture ("x86_64", "arm64",
 * others plain). False with the names allowed when there is none.
 */
bool topology_rules_for(const char *version, const char *arch, struct topology_rules *rules,
			struct err *err);

/* v6.12's on that architecture. */
struct topology_rules topology_rules_default(const char *arch);

uint32_t topology_nr_rules(void);
const char *topology_rules_name(uint32_t i);

#endif
