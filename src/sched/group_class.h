/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums over the cpus of a group, and the class of the group: what the slow path of placement and
 * balancing compare groups by. Classes are in the order in which a group needs help.
 *
 * Not among the classes: misfit tasks and asymmetric packing (docs/MODEL.md).
 */
#ifndef SCHED_GROUP_CLASS_H
#define SCHED_GROUP_CLASS_H

#include "sched/internal.h"

enum group_class {
	GROUP_HAS_SPARE,   /* room for more tasks */
	GROUP_FULLY_BUSY,  /* no room, but no task waits long */
	GROUP_SMT_BALANCE, /* tasks share cores (v6.6) */
	GROUP_IMBALANCED,  /* affinity kept it from being balanced */
	GROUP_OVERLOADED,  /* tasks do not get what they need */
};

struct group_stats {
	uint64_t load, util, runnable; /* sums of the cpus' averages */
	uint64_t queued_load; /* load bounded by the queued weight of each cpu, for v3.13 */
	uint64_t capacity;
	uint64_t avg_load; /* load a full capacity; of overloaded groups, else when asked for */
	uint32_t weight;   /* cpus */
	uint32_t nr_running, idle_cpus;
	uint32_t cores;
	enum group_class class;
	bool is_overloaded; /* some cpu has more than one task */
};

/* Adds one cpu and pays for reading it; returns whether it is idle. */
bool group_stats_add(struct sched *s, struct group_stats *stats, uint32_t cpu);
/* Without the task itself, where it may still count: a wakee's averages stay where it slept. */
void group_stats_without(struct sched *s, struct group_stats *stats, uint32_t task);
/* Sets class, and avg_load where the class is compared by load. */
void group_stats_classify(const struct sched *s, struct group_stats *stats,
			  const struct sched_group *group, uint32_t imbalance_pct);
uint64_t group_avg_load(const struct group_stats *stats);
/* Whether the group still has room, or its tasks do not get what they need. */
bool group_has_capacity(const struct group_stats *stats, uint32_t imbalance_pct);
bool group_is_overloaded(const struct group_stats *stats, uint32_t imbalance_pct);

/*
 * Whether so few tasks run that a small imbalance between nodes is left alone: a pair that talks
 * stays together. v5.11: less than a quarter of the cpus; v5.18: imb_numa_nr at most.
 */
bool numa_imbalance_allowed(const struct sched *s, uint32_t running, uint32_t weight,
			    uint32_t imb_numa_nr);
/* The imbalance that is left after what is allowed; weight: cpus of the busiest group. */
uint64_t numa_imbalance_left(const struct sched *s, const struct sched_domain *sd,
			     uint64_t imbalance, uint32_t src_running, uint32_t dst_running,
			     uint32_t weight);

#endif
