/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A random run for property tests: a small machine with or without SMT, polling and slow cpus, a
 * random program that is certain to end, and an engine: mostly the model with any profile.
 */
#ifndef TESTS_SIM_RANDOM_H
#define TESTS_SIM_RANDOM_H

#include "base/random.h"
#include "engine/model/model.h"
#include "program/random.h"
#include "sched/config.h"
#include "sim/sim.h"

#include "first_idle.h"
#include "sim_machine.h"

enum { SIM_RANDOM_TASKS = 40, SIM_RANDOM_CPUS = 32 };

static inline struct machine *sim_random_machine(struct arena *arena, struct random *r)
{
	struct sim_shape shape = { 1 + (uint32_t)random_below(r, 2),
				   1 + (uint32_t)random_below(r, 2),
				   1 + (uint32_t)random_below(r, 4),
				   1 + (uint32_t)random_below(r, 2) };
	struct machine *m = sim_machine(arena, shape);

	m->costs.of[COST_op_jitter].value = random_below(r, 3) * 20000;
	m->costs.of[COST_ipi_near].value = 1 + random_below(r, 3000);
	m->costs.of[COST_irq_entry].value = random_below(r, 1000);
	m->costs.of[COST_syscall].value = random_below(r, 500);
	m->costs.nr_idle_states = 1 + (uint32_t)random_below(r, 2);
	if (random_below(r, 2)) {
		m->costs.idle_state[0].polling = false;
		m->costs.idle_state[0].exit_latency_ns = random_below(r, 1000);
	}
	if (m->nr_cpus > 2 && random_below(r, 3) == 0)
		for (uint32_t core = 0; core < m->nr_cores; core += 2)
			cpuset_for_each (c, &m->present)
				if (m->cpu[c].core == core)
					m->cpu[c].capacity = 512;
	return m;
}

static inline struct sim_config sim_random_config(struct arena *arena, uint64_t seed)
{
	struct random r = random_stream(seed, RANDOM_TEST, 0);
	struct machine *m = sim_random_machine(arena, &r);
	struct program_random limits = { .seed = seed,
					 .max_tasks = 2 + (uint32_t)random_below(
								  &r, SIM_RANDOM_TASKS - 2),
					 .max_loops = 1 + (uint32_t)random_below(&r, 30),
					 .max_ns = 1 + random_below(&r, 300000) };
	struct sim_config config = { .machine = m, .seed = seed, .max_ns = 60000000000 };

	config.programs = program_random(arena, &m->online, &limits);
	config.engine = random_below(&r, 4) ? engine_model() : &first_idle_ops;
	config.profile = sched_profile_name((uint32_t)random_below(&r, sched_nr_profiles()));
	return config;
}

#endif
