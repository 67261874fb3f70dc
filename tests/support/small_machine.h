/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine for tests of what only looks at cpus and nodes: cpus 0 to 3 on node 0, 4 to 7 on node
 * 1, cpu 7 offline, node 2 with memory only. It has no costs.
 */
#ifndef TESTS_SMALL_MACHINE_H
#define TESTS_SMALL_MACHINE_H

#include "machine/machine.h"

static inline struct machine *small_machine(struct arena *arena)
{
	struct machine *m = ARENA_NEW(arena, struct machine);

	m->name = "small";
	m->nr_cpus = 8;
	m->present = cpuset_new(arena, 8);
	cpuset_fill(&m->present);
	m->online = cpuset_clone(arena, &m->present);
	cpuset_del(&m->online, 7);
	m->nr_nodes = 3;
	m->nodes = cpuset_new(arena, 3);
	cpuset_fill(&m->nodes);
	m->node_cpus = ARENA_ARRAY(arena, struct cpuset, 3);
	for (uint32_t node = 0; node < 3; node++) {
		m->node_cpus[node] = cpuset_new(arena, 8);
		for (uint32_t i = 0; node < 2 && i < 4; i++)
			cpuset_add(&m->node_cpus[node], node * 4 + i);
	}
	return m;
}

#endif
