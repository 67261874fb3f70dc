/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine: cpus, how they are tied together, and what crossing each tie costs.
 *
 * One record, whatever it was read from (machine/read.h). Cpus have the ids of the kernel that
 * saw them: 0 … nr_cpus - 1, perhaps with holes and offline ones. All other ids (core, cluster,
 * llc, die, package, node) are dense from 0, numbered by their first cpu; node ids are the
 * kernel's and may have holes. The record is read-only once made and lives in one arena.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/cpuset.h"

enum machine_limits {
	MACHINE_MAX_CPUS = 8192,
	MACHINE_MAX_NODES = 1024,
	MACHINE_MAX_IDLE_STATES = 10,
	MACHINE_MAX_DISTANCES = 32, /* different node distances with a cost of their own */
	CAPACITY_FULL = 1024,
};

/* How near two cpus are; the order is from near to far. Another node's distance is separate. */
enum tie { TIE_SELF, TIE_SMT, TIE_CLUSTER, TIE_LLC, TIE_NODE, TIE_REMOTE, NR_TIES };

enum cost {
#define COST(name, unit, minimum, maximum, phrase) COST_##name,
#include "machine/costs.def"
#undef COST
	NR_COSTS
};

struct cost_value {
	uint64_t value;	    /* in the row's unit */
	const char *source; /* where the figure comes from; never NULL */
	bool inherited;	    /* taken from another machine, named in `source` */
};

/* Line transfer between nodes `distance` apart, in ns; between rows it is interpolated. */
struct distance_cost {
	uint32_t distance;
	struct cost_value line_ns;
};

struct idle_state {
	const char *name;
	uint64_t exit_latency_ns, target_residency_ns;
	bool polling; /* the cpu watches its need_resched flag: no IPI is needed */
};

struct machine_costs {
	struct cost_value of[NR_COSTS];
	uint32_t nr_distances; /* ascending by distance */
	struct distance_cost line_distance[MACHINE_MAX_DISTANCES];
	uint32_t nr_idle_states; /* ascending by exit latency; at least one */
	struct idle_state idle_state[MACHINE_MAX_IDLE_STATES];
	const char *idle_source;
	bool idle_inherited;
};

struct machine_cpu {
	uint32_t core, cluster, llc, die, package, node;
	uint32_t capacity; /* CAPACITY_FULL = the fastest cpu of the machine */
};

struct machine {
	const char *name;	       /* preset's name or what it was read from */
	const char *title;	       /* one line for people */
	const char *arch;	       /* "x86_64", "arm64", … */
	bool has_clusters;	       /* the source describes clusters */
	uint32_t nr_cpus;	       /* ids, holes included */
	struct cpuset present, online; /* bits = nr_cpus */
	struct machine_cpu *cpu;
	uint32_t nr_cores, nr_clusters, nr_llcs, nr_dies, nr_packages;
	uint32_t nr_nodes;	   /* ids, holes included */
	struct cpuset nodes;	   /* nodes that exist, with or without cpus; bits = nr_nodes */
	struct cpuset *node_cpus;  /* by node: its present cpus */
	uint32_t *distance;	   /* nr_nodes x nr_nodes, row = from; 10 = local */
	uint32_t reclaim_distance; /* NUMA levels farther apart do not balance on fork, exec,
				    * wake; 0: the architecture's, 30 */
	struct machine_costs costs;
	uint32_t nr_assumed;
	const char *const *assumed; /* sentences: what the source did not say */
};

static inline uint32_t machine_distance(const struct machine *m, uint32_t from, uint32_t to)
{
	return m->distance[from * m->nr_nodes + to];
}

static inline uint64_t machine_cost(const struct machine *m, enum cost cost)
{
	return m->costs.of[cost].value;
}

/* Kernel cycles at the machine's clock as nanoseconds, rounded down. */
uint64_t machine_cycles_ns(const struct machine *m, uint64_t cycles);

/* The nearest tie of two present cpus. TIE_NODE: same node, different LLC. */
enum tie machine_tie(const struct machine *m, uint32_t a, uint32_t b);

/*
 * One-way line transfer from cpu b to cpu a in ns. TIE_SELF costs 0. Between nodes the distance
 * table is used: exact rows as they are, others on the straight line between their neighbours,
 * beyond the last row in proportion to the distance.
 */
uint64_t machine_line_ns(const struct machine *m, uint32_t a, uint32_t b);

/* The same for two cpus of nodes `distance` apart. Below the first row: towards (10, line_node). */
uint64_t machine_distance_ns(const struct machine *m, uint32_t distance);

/* Name ("line_llc_ns"), unit and phrase of a cost row. */
const char *cost_name(enum cost cost);
const char *cost_unit(enum cost cost);
const char *cost_phrase(enum cost cost);
uint64_t cost_min(enum cost cost);
uint64_t cost_max(enum cost cost);

/*
 * Every invariant of a record: ids in range and dense, each core within one cluster, cluster in
 * one LLC or the reverse, distances at least 10 and 10 only on the diagonal, costs within their
 * rows' limits, at least one online cpu. False with the first violation.
 */
bool machine_check(const struct machine *m, struct err *err);

#endif
