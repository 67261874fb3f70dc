/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Regular machines with plain costs for tests of the simulation: no jitter, 1 GHz so that a cycle
 * is a ns, two idle states of which the first polls. Threads of a core follow each other.
 */
#ifndef TESTS_SIM_MACHINE_H
#define TESTS_SIM_MACHINE_H

#include "machine/machine.h"

struct sim_shape {
	uint32_t nodes, llcs, cores, threads; /* each per unit before it */
};

static inline void sim_machine_costs(struct machine_costs *costs)
{
	static const uint64_t value[NR_COSTS] = {
		[COST_line_smt] = 5,
		[COST_line_cluster] = 20,
		[COST_line_llc] = 40,
		[COST_line_node] = 90,
		[COST_line_l2] = 10,
		[COST_atomic_hold] = 5,
		[COST_scan_overlap] = 200,
		[COST_ipi_send] = 100,
		[COST_ipi_near] = 500,
		[COST_ipi_far] = 1000,
		[COST_irq_entry] = 200,
		[COST_poll_notice] = 30,
		[COST_cpu] = 1000,
		[COST_kernel_ipc] = 100,
		[COST_smt_share] = 60,
		[COST_syscall] = 100,
		[COST_switch] = 800,
		[COST_switch_mm] = 400,
		[COST_pipe] = 300,
		[COST_socket] = 600,
		[COST_futex] = 200,
		[COST_fork] = 50000,
		[COST_thread] = 10000,
		[COST_tick] = 1000,
		[COST_timer] = 300,
		[COST_idle_loop] = 200,
		[COST_copy_kib] = 100,
		[COST_refill_core_kib] = 20,
		[COST_refill_llc_kib] = 60,
		[COST_refill_node_kib] = 100,
		[COST_l2] = 512,
	};

	for (uint32_t i = 0; i < NR_COSTS; i++)
		costs->of[i] = (struct cost_value){ value[i], "test", false };
	costs->nr_distances = 1;
	costs->line_distance[0].distance = 20;
	costs->line_distance[0].line_ns = (struct cost_value){ 130, "test", false };
	costs->nr_idle_states = 2;
	costs->idle_state[0] = (struct idle_state){ "POLL", 0, 0, true };
	costs->idle_state[1] = (struct idle_state){ "C1", 2000, 4000, false };
	costs->idle_source = "test";
}

static inline void sim_machine_cpu(struct machine *m, struct sim_shape s, uint32_t i)
{
	struct machine_cpu *c = &m->cpu[i];

	c->core = c->cluster = i / s.threads;
	c->llc = c->die = c->core / s.cores;
	c->node = c->package = c->llc / s.llcs;
	c->capacity = CAPACITY_FULL;
	cpuset_add(&m->node_cpus[c->node], i);
}

static inline struct machine *sim_machine(struct arena *arena, struct sim_shape s)
{
	struct machine *m = ARENA_NEW(arena, struct machine);
	uint32_t cpus = s.nodes * s.llcs * s.cores * s.threads;

	m->name = m->title = "test";
	m->arch = "x86_64";
	m->nr_nodes = m->nr_packages = s.nodes;
	m->nr_llcs = m->nr_dies = s.nodes * s.llcs;
	m->nr_cores = m->nr_clusters = m->nr_llcs * s.cores;
	m->nr_cpus = cpus;
	m->present = cpuset_new(arena, cpus);
	cpuset_fill(&m->present);
	m->online = cpuset_clone(arena, &m->present);
	m->cpu = ARENA_ARRAY(arena, struct machine_cpu, cpus);
	m->nodes = cpuset_new(arena, s.nodes);
	cpuset_fill(&m->nodes);
	m->node_cpus = ARENA_ARRAY(arena, struct cpuset, s.nodes);
	m->distance = ARENA_ARRAY(arena, uint32_t, (size_t)s.nodes * s.nodes);
	for (uint32_t n = 0; n < s.nodes; n++)
		m->node_cpus[n] = cpuset_new(arena, cpus);
	for (uint32_t i = 0; i < cpus; i++)
		sim_machine_cpu(m, s, i);
	for (uint32_t a = 0; a < s.nodes; a++)
		for (uint32_t b = 0; b < s.nodes; b++)
			m->distance[a * s.nodes + b] = a == b ? 10 : 20;
	sim_machine_costs(&m->costs);
	return m;
}

#endif
