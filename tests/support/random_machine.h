/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random machines: nodes, with cpus or without, distances (also asymmetric), sparse ids, caches
 * within a node or across, clusters, threads on some cores only, capacities, offline cpus. They
 * have no costs. What was drawn before stays what it is: seeds are replayed.
 */
#ifndef TESTS_RANDOM_MACHINE_H
#define TESTS_RANDOM_MACHINE_H

#include "base/random.h"
#include "machine/machine.h"

enum { RANDOM_MACHINE_CPUS = 96, RANDOM_MACHINE_NODES = 64, RANDOM_MACHINE_IDS = 4099 };

struct random_machine {
	struct arena *arena;
	struct random *random;
	struct machine *m; /* made by random_machine_make() */
};

static inline uint32_t random_machine_below(struct random_machine *s, uint32_t n)
{
	return (uint32_t)random_below(s->random, n);
}

static inline bool random_machine_one_in(struct random_machine *s, uint32_t n)
{
	return random_machine_below(s, n) == 0;
}

/* Dense ids from 0 in the order of their first cpus; `of` counts modulo RANDOM_MACHINE_IDS. */
static inline uint32_t random_machine_number_ids(struct random_machine *s, uint32_t *id,
						 const uint32_t *of)
{
	uint32_t *known = ARENA_ARRAY(s->arena, uint32_t, RANDOM_MACHINE_IDS), nr = 0;

	cpuset_for_each (cpu, &s->m->present) {
		uint32_t *at = &known[of[cpu] % RANDOM_MACHINE_IDS];

		if (!*at)
			*at = ++nr;
		id[cpu] = *at - 1;
	}
	return nr;
}

static inline void random_machine_distances(struct random_machine *s)
{
	struct machine *m = s->m;
	uint32_t kinds = 1 + random_machine_below(s, 12), step = 1 + random_machine_below(s, 12);
	bool symmetric = !random_machine_one_in(s, 4);

	m->distance = ARENA_ARRAY(s->arena, uint32_t, m->nr_nodes * m->nr_nodes);
	for (uint32_t from = 0; from < m->nr_nodes; from++) {
		for (uint32_t to = 0; to < m->nr_nodes; to++) {
			uint32_t *at = &m->distance[from * m->nr_nodes + to];

			*at = from == to ? 10 : 11 + step * random_machine_below(s, kinds);
			if (symmetric && to < from)
				*at = m->distance[to * m->nr_nodes + from];
		}
	}
}

/* Cpus in blocks or dealt out in turn; some cores have two threads. */
static inline void random_machine_places(struct random_machine *s, uint32_t *core, uint32_t *node)
{
	struct machine *m = s->m;
	uint32_t threads = 1 + random_machine_below(s, 3), nodes = m->nr_nodes;
	uint32_t cores_per_node = 1 + random_machine_below(s, 12), nr = 0;
	bool threads_last = random_machine_one_in(s, 2), in_turn = random_machine_one_in(s, 3);

	cpuset_for_each (cpu, &m->present) {
		uint32_t nr_cores = cpuset_weight(&m->present) / threads + 1;

		core[cpu] = threads_last ? nr % nr_cores : nr / threads;
		if (random_machine_one_in(s, 16))
			core[cpu] = 1024 + cpu;
		node[cpu] = in_turn ? core[cpu] % nodes : core[cpu] / cores_per_node % nodes;
		nr++;
	}
}

static inline void random_machine_ids(struct random_machine *s)
{
	struct machine *m = s->m;
	uint32_t *core = ARENA_ARRAY(s->arena, uint32_t, RANDOM_MACHINE_CPUS);
	uint32_t *node = ARENA_ARRAY(s->arena, uint32_t, RANDOM_MACHINE_CPUS);
	uint32_t *of = ARENA_ARRAY(s->arena, uint32_t, RANDOM_MACHINE_CPUS);
	uint32_t *id = ARENA_ARRAY(s->arena, uint32_t, RANDOM_MACHINE_CPUS);
	uint32_t per_llc = 1 + random_machine_below(s, 10),
		 per_cluster = 1 + random_machine_below(s, 4);
	uint32_t nodes_per_package = 1 + random_machine_below(s, 3);
	bool llc_in_node = !random_machine_one_in(s, 4);

	random_machine_places(s, core, node);
	m->nr_cores = random_machine_number_ids(s, id, core);
	cpuset_for_each (cpu, &m->present) {
		m->cpu[cpu].core = id[cpu];
		m->cpu[cpu].node = node[cpu];
		cpuset_add(&m->node_cpus[node[cpu]], cpu);
		of[cpu] = core[cpu] / per_llc + (llc_in_node ? 1100 * node[cpu] : 0);
	}
	m->nr_llcs = random_machine_number_ids(s, id, of);
	cpuset_for_each (cpu, &m->present) {
		m->cpu[cpu].llc = id[cpu];
		of[cpu] = core[cpu] / per_cluster + 1100 * m->cpu[cpu].llc;
	}
	m->nr_clusters = random_machine_number_ids(s, id, of);
	cpuset_for_each (cpu, &m->present) {
		m->cpu[cpu].cluster = id[cpu];
		of[cpu] = node[cpu] / nodes_per_package;
	}
	m->nr_packages = m->nr_dies = random_machine_number_ids(s, id, of);
	cpuset_for_each (cpu, &m->present)
		m->cpu[cpu].package = m->cpu[cpu].die = id[cpu];
}

static inline void random_machine_capacities(struct random_machine *s)
{
	static const uint32_t capacities[] = { 1024, 512, 768, 300 };
	uint32_t kinds = random_machine_one_in(s, 4) ? 1 + random_machine_below(s, 4) : 1;

	cpuset_for_each (cpu, &s->m->present)
		s->m->cpu[cpu].capacity = capacities[s->m->cpu[cpu].core % kinds];
}

static inline void random_machine_make(struct random_machine *s)
{
	struct machine *m = s->m = ARENA_NEW(s->arena, struct machine);
	uint32_t holes = random_machine_one_in(s, 4) ? 2 + random_machine_below(s, 6) : 0;

	m->name = m->title = "random";
	m->arch = random_machine_one_in(s, 2) ? "x86_64" : "arm64";
	m->has_clusters = random_machine_one_in(s, 2);
	m->nr_cpus = 1 + random_machine_below(s, RANDOM_MACHINE_CPUS);
	m->nr_nodes = random_machine_one_in(s, 4)
			      ? 1 + random_machine_below(s, RANDOM_MACHINE_NODES)
			      : 1 + random_machine_below(s, 8);
	m->present = cpuset_new(s->arena, m->nr_cpus);
	m->cpu = ARENA_ARRAY(s->arena, struct machine_cpu, m->nr_cpus);
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		if (!holes || !random_machine_one_in(s, holes) || (cpu + 1 == m->nr_cpus))
			cpuset_add(&m->present, cpu);
	}
	m->online = cpuset_clone(s->arena, &m->present);
	for (uint32_t cpu = 0; random_machine_one_in(s, 4) && cpu + 1 < m->nr_cpus; cpu++)
		cpuset_del(&m->online, random_machine_below(s, m->nr_cpus - 1));
	m->nodes = cpuset_new(s->arena, m->nr_nodes);
	cpuset_fill(&m->nodes);
	m->node_cpus = ARENA_ARRAY(s->arena, struct cpuset, m->nr_nodes);
	for (uint32_t node = 0; node < m->nr_nodes; node++)
		m->node_cpus[node] = cpuset_new(s->arena, m->nr_cpus);
	random_machine_ids(s);
	random_machine_distances(s);
	random_machine_capacities(s);
}

#endif
