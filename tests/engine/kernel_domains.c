/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_domains RELEASE IMAGE: the domains that the kernel builds equal the topology module's, on
 * every preset, on random machines that people could buy (nodes with random distances, LLCs,
 * clusters, threads, offline cpus), and on as many that nobody sells (support/random_machine.h).
 * MACHINES=N sets how many of each (1000); SEED=N begins elsewhere.
 */
#include "../support/random_machine.h"
#include "../support/sim_machine.h"
#include "engine/kernel/domains.h"
#include "machine/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counts {
	uint32_t equal, refused, different;
};

static uint64_t number(const char *text, uint64_t otherwise)
{
	return text ? strtoull(text, NULL, 10) : otherwise;
}

static uint32_t below(struct random *r, uint32_t n)
{
	return (uint32_t)random_below(r, n);
}

/* Symmetric; some machines have levels, some a different distance for every pair. */
static void random_distances(struct machine *m, struct random *r)
{
	uint32_t kinds = 1 + below(r, 5);

	for (uint32_t a = 0; a < m->nr_nodes; a++)
		for (uint32_t b = 0; b < a; b++) {
			uint32_t d = 11 + 5 * (1 + below(r, kinds));

			m->distance[a * m->nr_nodes + b] = d;
			m->distance[b * m->nr_nodes + a] = d;
		}
}

static void random_offline(struct machine *m, struct random *r)
{
	for (uint32_t n = below(r, 4); n--;) {
		uint32_t cpu = 1 + below(r, m->nr_cpus);

		if (cpu < m->nr_cpus)
			cpuset_del(&m->online, cpu);
	}
}

static struct machine *regular_machine(struct arena *arena, struct random *r, struct err *err)
{
	const char *clusters = below(r, 3) ? "" : arena_printf(arena, "l2:%u ", 1 + below(r, 3));
	const char *spec =
		arena_printf(arena, "numa:%u l3:%u %score:%u pu:%u", 1 + below(r, 6),
			     1 + below(r, 3), clusters, 1 + below(r, 3), 1 + below(r, 3));
	struct machine *m = machine_read(arena, spec, err);

	if (!m)
		return NULL;
	random_distances(m, r);
	if (!below(r, 4))
		random_offline(m, r);
	m->name = spec;
	return m;
}

/* Of an architecture that kernel engines have, with cpus of one capacity. */
static struct machine *odd_machine(struct arena *arena, struct random *r, uint64_t number,
				   struct err *err)
{
	struct random_machine random = { .arena = arena, .random = r };
	struct machine *m;

	random_machine_make(&random);
	m = random.m;
	m->arch = "x86_64";
	m->name = arena_printf(arena, "odd machine %llu", (unsigned long long)number);
	cpuset_for_each (cpu, &m->present)
		m->cpu[cpu].capacity = CAPACITY_FULL;
	sim_machine_costs(&m->costs);
	return machine_check(m, err) ? m : NULL;
}

static struct machine *machine_of(struct arena *arena, uint64_t seed, uint64_t i, uint64_t machines,
				  struct err *err)
{
	uint32_t presets = machine_nr_presets();
	struct random r = random_stream(seed, RANDOM_TEST, i);

	if (i < presets)
		return machine_read(arena, machine_preset_name((uint32_t)i), err);
	if (i < presets + machines)
		return regular_machine(arena, &r, err);
	return odd_machine(arena, &r, i, err);
}

static void ask(struct arena *arena, const struct machine *m, const char *image,
		const char *release, struct counts *counts)
{
	struct kernel_domains domains;
	struct err err = { 0 };
	const char *difference;

	if (!kernel_domains_read(&domains, arena, m, image, release, &err)) {
		counts->refused++;
		printf("%s: %s\n", m->name, err.what);
		return;
	}
	difference = kernel_domains_difference(&domains, arena);
	counts->equal += !difference;
	counts->different += difference != NULL;
	if (difference)
		printf("%s: %s\n", m->name, difference);
}

int main(int argc, char **argv)
{
	uint64_t machines = number(getenv("MACHINES"), 1000), seed = number(getenv("SEED"), 1);
	struct counts counts = { 0 };

	if (argc < 3)
		return 2;
	for (uint64_t i = 0; i < machine_nr_presets() + 2 * machines; i++) {
		struct err err = { 0 };
		struct machine *m;
		struct arena arena;

		arena_init(&arena);
		m = machine_of(&arena, seed, i, machines, &err);
		if (m)
			ask(&arena, m, argv[2], argv[1], &counts);
		else
			printf("machine %llu: %s\n", (unsigned long long)i, err.what);
		counts.refused += !m;
		arena_release(&arena);
	}
	printf("%u machines have equal domains, %u differ, %u are refused\n", counts.equal,
	       counts.different, counts.refused);
	return counts.different || counts.refused || !counts.equal;
}
