/* SPDX-License-Identifier: GPL-2.0-only */
/* The first pair of farthest nodes decides, in the order of their numbers. */
#include "topology/numa_type.h"

static bool has_cpus(const struct topology *t, uint32_t node)
{
	return cpuset_intersects(&t->machine->node_cpus[node], &t->online);
}

static bool has_node_between(const struct topology *t, uint32_t a, uint32_t b, uint32_t farthest)
{
	cpuset_for_each (c, &t->machine->nodes) {
		if (has_cpus(t, c) && machine_distance(t->machine, a, c) < farthest &&
		    machine_distance(t->machine, b, c) < farthest)
			return true;
	}
	return false;
}

static uint32_t farthest_distance(const struct topology *t, uint32_t *nr_levels)
{
	uint32_t farthest = 0;

	*nr_levels = 0;
	for (uint32_t l = 0; l < t->nr_levels; l++) {
		if (t->level[l].kind != LEVEL_NUMA)
			continue;
		(*nr_levels)++;
		farthest = t->level[l].numa_distance;
	}
	return farthest;
}

enum numa_type topology_numa_type(const struct topology *t)
{
	uint32_t nr_levels, farthest = farthest_distance(t, &nr_levels);

	if (nr_levels <= 1)
		return NUMA_DIRECT;
	cpuset_for_each (a, &t->machine->nodes) {
		cpuset_for_each (b, &t->machine->nodes) {
			if (!has_cpus(t, a) || !has_cpus(t, b) ||
			    machine_distance(t->machine, a, b) < farthest)
				continue;
			return has_node_between(t, a, b, farthest) ? NUMA_GLUELESS_MESH
								   : NUMA_BACKPLANE;
		}
	}
	return NUMA_DIRECT;
}
