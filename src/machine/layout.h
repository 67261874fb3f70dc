/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Regular machines: so many packages of so many nodes of so many cores of so many threads.
 *
 * AxBxC and the "topology" of a JSON machine are both this. Counts are per the unit above; a core
 * count that divides nothing evenly is an error that names the two counts.
 */
#ifndef MACHINE_LAYOUT_H
#define MACHINE_LAYOUT_H

#include "machine/draft.h"

enum numbering {
	THREADS_LAST,	  /* first threads of all cores, then second ones: x86 servers */
	THREADS_ADJACENT, /* the threads of a core follow each other */
	NR_NUMBERINGS
};
extern const char *const numbering_names[NR_NUMBERINGS];

/* How nodes are wired when no matrix is given: 10 + 10 for each hop, or 20 for all. */
enum wiring { WIRING_MESH, WIRING_RING, WIRING_LINE, NR_WIRINGS };
extern const char *const wiring_names[NR_WIRINGS];

struct layout {
	uint64_t packages, dies_per_package, nodes_per_package, cores_per_node, threads_per_core;
	uint64_t cores_per_cluster; /* 0: no clusters */
	uint64_t cores_per_llc;	    /* 0: one LLC a node */
	enum numbering numbering;
};

/* Starts a draft with all cpus of the layout and its nodes; costs, names and distances are left. */
bool layout_draft(struct draft *d, struct arena *arena, const struct layout *layout,
		  struct err *err);

/* Distances of nodes 0 … nr_nodes - 1 so wired; an error when one would pass 255. */
bool layout_distances(struct draft *d, enum wiring wiring, struct err *err);

/* True when spec looks like AxBxC: digits, 'x', digits. */
bool layout_is_grid(const char *spec);
struct machine *layout_read_grid(struct arena *arena, const char *spec, struct err *err);

#endif
