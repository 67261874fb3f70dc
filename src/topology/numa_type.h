/* SPDX-License-Identifier: GPL-2.0-only */
/* How the kernel classes a machine's nodes, by which NUMA balancing weighs distant memory. */
#ifndef TOPOLOGY_NUMA_TYPE_H
#define TOPOLOGY_NUMA_TYPE_H

#include "topology/topology.h"

enum numa_type {
	NUMA_DIRECT,	    /* one distance, or no NUMA */
	NUMA_GLUELESS_MESH, /* the farthest nodes have a node between them */
	NUMA_BACKPLANE,	    /* they have none */
};

/* From the distances between nodes with online cpus. */
enum numa_type topology_numa_type(const struct topology *t);

#endif
