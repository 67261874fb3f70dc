/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machines made by hand for the tests of what machines cost: regular, with costs that tell every
 * tie apart. Cpu ids: core by core, the threads of a core next to each other.
 */
#ifndef TESTS_MEMORY_MACHINE_H
#define TESTS_MEMORY_MACHINE_H

#include "machine/machine.h"

struct shape {
	uint32_t nodes, llcs, clusters, cores, threads; /* each per unit before it */
};

static inline struct machine *machine_by_hand(struct arena *arena, struct shape s)
{
	struct machine *m = ARENA_NEW(arena, struct machine);
	uint32_t cpus;

	m->name = "by hand";
	m->arch = "x86_64";
	m->nr_nodes = m->nr_packages = s.nodes;
	m->nr_llcs = m->nr_dies = s.nodes * s.llcs;
	m->nr_clusters = m->nr_llcs * s.clusters;
	m->nr_cores = m->nr_clusters * s.cores;
	m->nr_cpus = cpus = m->nr_cores * s.threads;
	m->has_clusters = s.clusters > 1;
	m->present = cpuset_new(arena, cpus);
	m->online = cpuset_new(arena, cpus);
	cpuset_fill(&m->present);
	cpuset_fill(&m->online);
	m->cpu = ARENA_ARRAY(arena, struct machine_cpu, cpus);
	m->nodes = cpuset_new(arena, s.nodes);
	cpuset_fill(&m->nodes);
	m->node_cpus = ARENA_ARRAY(arena, struct cpuset, s.nodes);
	m->distance = ARENA_ARRAY(arena, uint32_t, s.nodes * s.nodes);
	for (uint32_t n = 0; n < s.nodes; n++)
		m->node_cpus[n] = cpuset_new(arena, cpus);
	for (uint32_t i = 0; i < cpus; i++) {
		struct machine_cpu *c = &m->cpu[i];

		c->core = i / s.threads;
		c->cluster = c->core / s.cores;
		c->llc = c->die = c->cluster / s.clusters;
		c->node = c->package = c->llc / s.llcs;
		c->capacity = CAPACITY_FULL;
		cpuset_add(&m->node_cpus[c->node], i);
	}
	for (uint32_t a = 0; a < s.nodes; a++)
		for (uint32_t b = 0; b < s.nodes; b++)
			m->distance[a * s.nodes + b] =
				a == b ? 10 : 10 + 10 * (a > b ? a - b : b - a);
	for (uint32_t i = 0; i < NR_COSTS; i++)
		m->costs.of[i] = (struct cost_value){ 1, "by hand", false };
	m->costs.of[COST_line_smt].value = 7;
	m->costs.of[COST_line_cluster].value = 20;
	m->costs.of[COST_line_llc].value = 40;
	m->costs.of[COST_line_node].value = 90;
	m->costs.of[COST_line_l2].value = 11;
	m->costs.of[COST_atomic_hold].value = 5;
	m->costs.of[COST_scan_overlap].value = 300;
	m->costs.of[COST_l2].value = 512;
	m->costs.of[COST_cpu].value = 2000;
	m->costs.nr_distances = 2;
	m->costs.line_distance[0].distance = 20;
	m->costs.line_distance[0].line_ns = (struct cost_value){ 130, "by hand", false };
	m->costs.line_distance[1].distance = 30;
	m->costs.line_distance[1].line_ns = (struct cost_value){ 200, "by hand", false };
	return m;
}

#endif
