/* SPDX-License-Identifier: GPL-2.0-only */
/* Each build starts with a new arena, as a program does. Cpu time is taken: others may run. */
#include "topology/build_bench.h"

#include "base/check.h"
#include "machine/read.h"
#include "topology/topology.h"

#include <time.h>

enum { RUNS = 15 };

struct shape {
	const char *spec, *about;
	uint64_t goal_us;
	uint32_t (*distance)(uint32_t from, uint32_t to); /* NULL: as the machine has it */
};

/* A hypercube: a hop for every different bit. */
static uint32_t cube(uint32_t from, uint32_t to)
{
	return 10 + 4 * (uint32_t)__builtin_popcount(from ^ to);
}

/* A line of quads: a level for every length. */
static uint32_t quads_in_line(uint32_t from, uint32_t to)
{
	uint32_t a = from / 4, b = to / 4;

	if (from == to)
		return 10;
	return 12 + 4 * (a > b ? a - b : b - a);
}

static const struct shape shapes[] = {
	{ "4x24x2", "192 cpus, 4 nodes", 5000 },
	{ "8x32x2", "512 cpus, 8 nodes", 10000 },
	{ "8x32x2/ring", "512 cpus, 8 nodes in a ring", 10000 },
	{ "64x32x2", "4096 cpus, 64 nodes", 300000 },
	{ "64x32x2", "4096 cpus, 64 nodes as a cube", 300000, cube },
	{ "64x32x2", "4096 cpus, 16 quads in a line", 300000, quads_in_line },
};

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static uint64_t time_one(const struct machine *m, const struct topology_rules *rules,
			 uint32_t *nr_domains, size_t *bytes)
{
	struct arena arena;
	struct topology *t;
	uint64_t start, end;

	arena_init(&arena);
	start = now_us();
	t = topology_build(&arena, m, rules, NULL, NULL);
	end = now_us();
	CHECK(t);
	*nr_domains = t->nr_domains;
	*bytes = arena.total_bytes;
	arena_release(&arena);
	return end - start;
}

static void sort(uint64_t *value, uint32_t nr)
{
	for (uint32_t i = 1; i < nr; i++) {
		uint64_t moved = value[i];
		uint32_t at = i;

		for (; at && value[at - 1] > moved; at--)
			value[at] = value[at - 1];
		value[at] = moved;
	}
}

static void time_shape(FILE *out, const struct shape *shape)
{
	struct topology_rules rules;
	struct err err = { 0 };
	uint64_t us[RUNS];
	uint32_t nr_domains = 0;
	size_t bytes = 0;
	struct arena arena;
	struct machine *m;

	arena_init(&arena);
	m = machine_read(&arena, shape->spec, &err);
	if (!m)
		die("%s", err.what);
	rules = topology_rules_default(m->arch);
	for (uint32_t i = 0; shape->distance && i < m->nr_nodes * m->nr_nodes; i++)
		m->distance[i] = shape->distance(i / m->nr_nodes, i % m->nr_nodes);
	for (uint32_t i = 0; i < RUNS; i++)
		us[i] = time_one(m, &rules, &nr_domains, &bytes);
	sort(us, RUNS);
	fprintf(out,
		"%-32s %7u domains %6zu KiB  best %8.3f ms  median %8.3f ms  goal %3llu ms%s\n",
		shape->about, nr_domains, bytes / 1024, (double)us[0] / 1000,
		(double)us[RUNS / 2] / 1000, (unsigned long long)shape->goal_us / 1000,
		us[RUNS / 2] > shape->goal_us ? "  MISSED" : "");
	arena_release(&arena);
}

void topology_build_bench(FILE *out)
{
	for (uint32_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		time_shape(out, &shapes[i]);
}
