/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machines made by hand for tests of the topology: regular shapes, any distances. The record has
 * no costs and is not meant for machine_check().
 */
#ifndef TOPOLOGY_MACHINE_H
#define TOPOLOGY_MACHINE_H

#include "machine/machine.h"

#include <string.h>

struct made {
	uint32_t nodes, cores; /* cores a node */
	uint32_t threads, cores_per_cluster, cores_per_llc,
		nodes_per_package; /* 0: 1, none, all, 1 */
	const uint32_t *distance;  /* NULL: 10 and 20 */
	const char *arch;	   /* NULL: x86_64 */
};

/* Cpus count threads within cores within nodes. */
static inline void place_made_cpu(struct machine *m, const struct made *made, uint32_t cpu)
{
	uint32_t core = cpu / made->threads, node = core / made->cores;
	uint32_t within = core % made->cores;
	uint32_t llcs = (made->cores + made->cores_per_llc - 1) / made->cores_per_llc;
	uint32_t clusters = made->cores / made->cores_per_cluster;
	struct machine_cpu *c = &m->cpu[cpu];

	c->core = core;
	c->cluster = node * clusters + within / made->cores_per_cluster;
	c->llc = node * llcs + within / made->cores_per_llc;
	c->package = c->die = node / made->nodes_per_package;
	c->node = node;
	c->capacity = CAPACITY_FULL;
	cpuset_add(&m->present, cpu);
	cpuset_add(&m->online, cpu);
	cpuset_add(&m->node_cpus[node], cpu);
	m->nr_llcs = c->llc + 1;
	m->nr_clusters = c->cluster + 1;
	m->nr_cores = core + 1;
	m->nr_packages = m->nr_dies = c->package + 1;
}

static inline void made_distances(struct arena *arena, struct machine *m, const struct made *made)
{
	uint32_t nr = m->nr_nodes * m->nr_nodes;

	m->distance = ARENA_ARRAY(arena, uint32_t, nr);
	for (uint32_t i = 0; i < nr; i++)
		m->distance[i] = made->distance			      ? made->distance[i]
				 : i / m->nr_nodes == i % m->nr_nodes ? 10
								      : 20;
}

static inline struct machine *make_machine(struct arena *arena, struct made made)
{
	struct machine *m = ARENA_NEW(arena, struct machine);

	made.threads = made.threads ? made.threads : 1;
	m->has_clusters = made.cores_per_cluster != 0;
	made.cores_per_cluster = made.cores_per_cluster ? made.cores_per_cluster : 1;
	made.cores_per_llc = made.cores_per_llc ? made.cores_per_llc : made.cores;
	made.nodes_per_package = made.nodes_per_package ? made.nodes_per_package : 1;
	m->name = "made";
	m->title = "made by a test";
	m->arch = made.arch ? made.arch : "x86_64";
	m->nr_cpus = made.nodes * made.cores * made.threads;
	m->nr_nodes = made.nodes;
	m->present = cpuset_new(arena, m->nr_cpus);
	m->online = cpuset_new(arena, m->nr_cpus);
	m->nodes = cpuset_new(arena, m->nr_nodes);
	cpuset_fill(&m->nodes);
	m->cpu = ARENA_ARRAY(arena, struct machine_cpu, m->nr_cpus);
	m->node_cpus = ARENA_ARRAY(arena, struct cpuset, m->nr_nodes);
	for (uint32_t node = 0; node < m->nr_nodes; node++)
		m->node_cpus[node] = cpuset_new(arena, m->nr_cpus);
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		place_made_cpu(m, &made, cpu);
	made_distances(arena, m, &made);
	return m;
}

#endif
