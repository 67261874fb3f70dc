/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random machines pass topology_check(): nodes, distances (also asymmetric), sparse ids, caches,
 * clusters, threads on some cores only, capacities, offline and isolated cpus, partitions, every
 * version's rules. A failure prints its seed; SEED=N replays it alone, MACHINES=N sets how many
 * (100000 for a thorough run).
 */
#include "base/random.h"
#include "topology/print.h"
#include "topology/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { USUAL_MACHINES = 3000, MAX_CPUS = 96, MAX_NODES = 64, NR_IDS = 4099 };

struct scenario {
	struct arena arena;
	struct random random;
	struct machine *m;
	struct topology_rules rules;
	struct topology_options options;
};

static uint32_t below(struct scenario *s, uint32_t n)
{
	return (uint32_t)random_below(&s->random, n);
}

static bool one_in(struct scenario *s, uint32_t n)
{
	return below(s, n) == 0;
}

/* Dense ids from 0 in the order of their first cpus; `of` counts modulo NR_IDS. */
static uint32_t number_ids(struct scenario *s, uint32_t *id, const uint32_t *of)
{
	uint32_t *known = ARENA_ARRAY(&s->arena, uint32_t, NR_IDS), nr = 0;

	cpuset_for_each (cpu, &s->m->present) {
		uint32_t *at = &known[of[cpu] % NR_IDS];

		if (!*at)
			*at = ++nr;
		id[cpu] = *at - 1;
	}
	return nr;
}

static void random_distances(struct scenario *s)
{
	struct machine *m = s->m;
	uint32_t kinds = 1 + below(s, 12), step = 1 + below(s, 12);
	bool symmetric = !one_in(s, 4);

	m->distance = ARENA_ARRAY(&s->arena, uint32_t, m->nr_nodes * m->nr_nodes);
	for (uint32_t from = 0; from < m->nr_nodes; from++) {
		for (uint32_t to = 0; to < m->nr_nodes; to++) {
			uint32_t *at = &m->distance[from * m->nr_nodes + to];

			*at = from == to ? 10 : 11 + step * below(s, kinds);
			if (symmetric && to < from)
				*at = m->distance[to * m->nr_nodes + from];
		}
	}
}

/* Cpus in blocks or dealt out in turn; some cores have two threads. */
static void random_places(struct scenario *s, uint32_t *core, uint32_t *node)
{
	struct machine *m = s->m;
	uint32_t threads = 1 + below(s, 3), nodes = m->nr_nodes;
	uint32_t cores_per_node = 1 + below(s, 12), nr = 0;
	bool threads_last = one_in(s, 2), in_turn = one_in(s, 3);

	cpuset_for_each (cpu, &m->present) {
		uint32_t nr_cores = cpuset_weight(&m->present) / threads + 1;

		core[cpu] = threads_last ? nr % nr_cores : nr / threads;
		if (one_in(s, 16))
			core[cpu] = 1024 + cpu;
		node[cpu] = in_turn ? core[cpu] % nodes : core[cpu] / cores_per_node % nodes;
		nr++;
	}
}

static void random_ids(struct scenario *s)
{
	struct machine *m = s->m;
	uint32_t *core = ARENA_ARRAY(&s->arena, uint32_t, MAX_CPUS);
	uint32_t *node = ARENA_ARRAY(&s->arena, uint32_t, MAX_CPUS);
	uint32_t *of = ARENA_ARRAY(&s->arena, uint32_t, MAX_CPUS);
	uint32_t *id = ARENA_ARRAY(&s->arena, uint32_t, MAX_CPUS);
	uint32_t per_llc = 1 + below(s, 10), per_cluster = 1 + below(s, 4);
	uint32_t nodes_per_package = 1 + below(s, 3);
	bool llc_in_node = !one_in(s, 4);

	random_places(s, core, node);
	m->nr_cores = number_ids(s, id, core);
	cpuset_for_each (cpu, &m->present) {
		m->cpu[cpu].core = id[cpu];
		m->cpu[cpu].node = node[cpu];
		cpuset_add(&m->node_cpus[node[cpu]], cpu);
		of[cpu] = core[cpu] / per_llc + (llc_in_node ? 1100 * node[cpu] : 0);
	}
	m->nr_llcs = number_ids(s, id, of);
	cpuset_for_each (cpu, &m->present) {
		m->cpu[cpu].llc = id[cpu];
		of[cpu] = core[cpu] / per_cluster + 1100 * m->cpu[cpu].llc;
	}
	m->nr_clusters = number_ids(s, id, of);
	cpuset_for_each (cpu, &m->present) {
		m->cpu[cpu].cluster = id[cpu];
		of[cpu] = node[cpu] / nodes_per_package;
	}
	m->nr_packages = m->nr_dies = number_ids(s, id, of);
	cpuset_for_each (cpu, &m->present)
		m->cpu[cpu].package = m->cpu[cpu].die = id[cpu];
}

static void random_capacities(struct scenario *s)
{
	static const uint32_t capacities[] = { 1024, 512, 768, 300 };
	uint32_t kinds = one_in(s, 4) ? 1 + below(s, 4) : 1;

	cpuset_for_each (cpu, &s->m->present)
		s->m->cpu[cpu].capacity = capacities[s->m->cpu[cpu].core % kinds];
}

static void random_machine(struct scenario *s)
{
	struct machine *m = s->m = ARENA_NEW(&s->arena, struct machine);
	uint32_t holes = one_in(s, 4) ? 2 + below(s, 6) : 0;

	m->name = m->title = "random";
	m->arch = one_in(s, 2) ? "x86_64" : "arm64";
	m->has_clusters = one_in(s, 2);
	m->nr_cpus = 1 + below(s, MAX_CPUS);
	m->nr_nodes = one_in(s, 4) ? 1 + below(s, MAX_NODES) : 1 + below(s, 8);
	m->present = cpuset_new(&s->arena, m->nr_cpus);
	m->cpu = ARENA_ARRAY(&s->arena, struct machine_cpu, m->nr_cpus);
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		if (!holes || !one_in(s, holes) || (cpu + 1 == m->nr_cpus))
			cpuset_add(&m->present, cpu);
	}
	m->online = cpuset_clone(&s->arena, &m->present);
	for (uint32_t cpu = 0; one_in(s, 4) && cpu + 1 < m->nr_cpus; cpu++)
		cpuset_del(&m->online, below(s, m->nr_cpus - 1));
	m->nodes = cpuset_new(&s->arena, m->nr_nodes);
	cpuset_fill(&m->nodes);
	m->node_cpus = ARENA_ARRAY(&s->arena, struct cpuset, m->nr_nodes);
	for (uint32_t node = 0; node < m->nr_nodes; node++)
		m->node_cpus[node] = cpuset_new(&s->arena, m->nr_cpus);
	random_ids(s);
	random_distances(s);
	random_capacities(s);
}

static const struct cpuset *random_subset(struct scenario *s, uint32_t one_of)
{
	struct cpuset *set = ARENA_NEW(&s->arena, struct cpuset);

	*set = cpuset_new(&s->arena, s->m->nr_cpus);
	for (uint32_t cpu = 0; cpu + 1 < s->m->nr_cpus; cpu++) {
		if (one_in(s, one_of))
			cpuset_add(set, cpu);
	}
	return set;
}

static void random_options(struct scenario *s)
{
	struct topology_options *o = &s->options;

	*o = (struct topology_options){ .smt = (enum boot_smt)below(s, 3) };
	if (one_in(s, 3))
		o->offline = random_subset(s, 2 + below(s, 10));
	if (one_in(s, 4))
		o->isolated = random_subset(s, 2 + below(s, 10));
	if (one_in(s, 4)) {
		o->partition = random_subset(s, 2 + below(s, 3));
		o->nr_partitions = 1;
	}
	o->has_relax_level = one_in(s, 6);
	o->relax_level = below(s, 6);
	o->fake_nodes = one_in(s, 6) ? below(s, 5) : 0;
}

static void print_failure(struct scenario *s, const struct topology *t, uint64_t seed,
			  const char *what)
{
	fprintf(stderr, "SEED=%llu (%s, %s): %s\n", (unsigned long long)seed, s->rules.version,
		s->m->arch, what);
	if (t && getenv("SEED"))
		topology_print_verbose(stderr, t);
}

/* False when the scenario breaks an invariant. */
static bool run_scenario(uint64_t seed)
{
	struct scenario s = { .random = random_stream(seed, RANDOM_TEST, 0) };
	struct err err = { 0 };
	struct topology *t;
	bool fine;

	arena_init(&s.arena);
	random_machine(&s);
	random_options(&s);
	assert_true(topology_rules_for(topology_rules_name(below(&s, topology_nr_rules())),
				       s.m->arch, &s.rules, &err));
	t = topology_build(&s.arena, s.m, &s.rules, &s.options, &err);
	fine = t && topology_check(t, &err);
	if (!fine)
		print_failure(&s, t, seed, err.what);
	arena_release(&s.arena);
	return fine;
}

static void random_machines_pass_the_check(void **state)
{
	const char *seed = getenv("SEED"), *machines = getenv("MACHINES");
	uint64_t nr = machines ? strtoull(machines, NULL, 10) : USUAL_MACHINES;
	uint32_t broken = 0;

	if (seed) {
		assert_true(run_scenario(strtoull(seed, NULL, 10)));
		return;
	}
	for (uint64_t i = 1; i <= nr && broken < 5; i++)
		broken += !run_scenario(i);
	assert_int_equal(broken, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_machines_pass_the_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
