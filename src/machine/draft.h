/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine being read.
 *
 * A reader fills a draft with what its source says, in the source's own ids; draft_finish() turns
 * it into a record: ids made dense, what is missing assumed or inherited, all of it checked.
 * Two cpus share a core, cluster, LLC, die or package when they have the same label there; labels
 * mean nothing else. Everything lives in the arena given to draft_init().
 */
#ifndef MACHINE_DRAFT_H
#define MACHINE_DRAFT_H

#include "machine/machine.h"

enum label { LABEL_CORE, LABEL_CLUSTER, LABEL_LLC, LABEL_DIE, LABEL_PACKAGE, NR_LABELS };

enum { DRAFT_MAX_ASSUMED = 64 };

struct draft_cpu {
	bool present, online;
	uint32_t node, capacity;
	uint64_t label[NR_LABELS];
};

struct draft {
	struct arena *arena;
	const char *name, *title, *arch; /* arch NULL: assumed */
	bool has_clusters;		 /* false: the cluster label is not looked at */
	uint32_t nr_cpus;
	struct draft_cpu *cpu;
	uint32_t nr_nodes;
	struct cpuset nodes;
	uint32_t *distance;	    /* nr_nodes x nr_nodes, or NULL: assumed */
	uint32_t reclaim_distance;  /* as in the record */
	const char *inherit;	    /* preset that has the missing costs; NULL: by arch */
	bool inherit_said;	    /* the source names it: no assumption */
	struct machine_costs costs; /* missing: source NULL, nr_distances 0, idle_source NULL */
	uint32_t nr_assumed;
	const char *assumed[DRAFT_MAX_ASSUMED];
};

/* Room for ids 0 … nr_cpus - 1 and 0 … nr_nodes - 1; no cpu present, no node existing yet. */
void draft_init(struct draft *d, struct arena *arena, uint32_t nr_cpus, uint32_t nr_nodes);

/* Allocates the distance matrix, all zero; returns it. */
uint32_t *draft_distances(struct draft *d);

/* Adds a present, online cpu of full capacity on `node`, which then exists. Labels are 0. */
struct draft_cpu *draft_cpu(struct draft *d, uint32_t cpu, uint32_t node);

/* A sentence on what the source did not say; later ones are dropped when there are too many. */
void draft_assume(struct draft *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The reclaim_distance of a cpu family: 32 on AMD Zen and its licensees', else 0. */
uint32_t draft_zen_reclaim(bool zen_vendor, uint32_t family);

/* States one cost. */
void draft_cost(struct draft *d, enum cost cost, uint64_t value, const char *source);

/* The record, or NULL and err. */
struct machine *draft_finish(struct draft *d, struct err *err);

/* Fills what `costs` lacks from preset `name`; false when there is no such preset. */
bool costs_inherit(struct arena *arena, struct machine_costs *costs, const char *name,
		   struct err *err);

#endif
