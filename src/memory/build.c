/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Making a memory: who shares what with whom, as masks over cores, and the arrays of lines.
 *
 * Groups keep only the words between their first and last core, and cores are numbered by their
 * first cpu, so the masks of a large machine stay small. Arrays by line are zero and untouched
 * until a line is used.
 */
#include "base/check.h"
#include "memory/memory.h"

#include <string.h>

enum { STAMPS_TOTAL = 1 << 22, STAMPS_MIN = 256, SUMMARY_BITS = 64 };

/* Words of one of nr_groups groups; group_of[core] says which. */
static const struct memory_group *groups_new(struct arena *arena, const struct memory *mem,
					     uint32_t nr_groups, const uint32_t *group_of)
{
	struct memory_group *g = ARENA_ARRAY(arena, struct memory_group, nr_groups);
	uint64_t **word = ARENA_ARRAY(arena, uint64_t *, nr_groups);

	for (uint32_t i = 0; i < nr_groups; i++)
		g[i] = (struct memory_group){ .first = 1, .last = 0 }; /* no words */
	for (uint32_t c = 0; c < mem->nr_cores; c++) {
		struct memory_group *mine = &g[group_of[c]];

		CHECK(group_of[c] < nr_groups);
		if (mine->first > mine->last)
			mine->first = c / 64;
		mine->last = c / 64;
	}
	for (uint32_t i = 0; i < nr_groups; i++) {
		word[i] = ARENA_ARRAY(arena, uint64_t, g[i].last + 1 - g[i].first);
		g[i].word = word[i];
	}
	for (uint32_t c = 0; c < mem->nr_cores; c++)
		word[group_of[c]][c / 64 - g[group_of[c]].first] |= 1ull << (c % 64);
	return g;
}

/* The nodes that have cpus, in the order of their ids: their ids and how many. */
static uint32_t nodes_with_cpus(const struct machine *m, uint32_t *id, uint32_t *dense)
{
	uint32_t n = 0;

	cpuset_for_each (cpu, &m->present)
		dense[m->cpu[cpu].node] = 1;
	for (uint32_t node = 0; node < m->nr_nodes; node++) {
		if (!dense[node])
			continue;
		id[n] = node;
		dense[node] = n++;
	}
	return n;
}

static void cores_new(struct arena *arena, struct memory *mem, const struct machine *m)
{
	struct memory_core *core = ARENA_ARRAY(arena, struct memory_core, m->nr_cores);
	uint32_t *cluster = ARENA_ARRAY(arena, uint32_t, m->nr_cores);
	uint32_t *llc = ARENA_ARRAY(arena, uint32_t, m->nr_cores);
	uint32_t *node = ARENA_ARRAY(arena, uint32_t, m->nr_cores);
	uint32_t *id = ARENA_ARRAY(arena, uint32_t, m->nr_nodes);
	uint32_t *dense = ARENA_ARRAY(arena, uint32_t, m->nr_nodes);
	bool *seen = ARENA_ARRAY(arena, bool, m->nr_cores);
	uint32_t *node_ns;

	mem->nr_nodes = nodes_with_cpus(m, id, dense);
	mem->core_of = ARENA_ARRAY(arena, uint32_t, m->nr_cpus);
	cpuset_for_each (cpu, &m->present) {
		const struct machine_cpu *c = &m->cpu[cpu];

		CHECK(c->core < m->nr_cores);
		mem->core_of[cpu] = c->core + 1;
		if (seen[c->core])
			continue; /* a core is where its first cpu is */
		seen[c->core] = true;
		cluster[c->core] = c->cluster;
		llc[c->core] = c->llc;
		node[c->core] = dense[c->node];
		core[c->core] = (struct memory_core){ c->cluster, c->llc, dense[c->node] };
	}
	mem->core = core;
	mem->cluster = groups_new(arena, mem, m->nr_clusters, cluster);
	mem->llc = groups_new(arena, mem, m->nr_llcs, llc);
	mem->node = groups_new(arena, mem, mem->nr_nodes, node);
	node_ns = ARENA_ARRAY(arena, uint32_t, (size_t)mem->nr_nodes * mem->nr_nodes);
	for (uint32_t a = 0; a < mem->nr_nodes; a++)
		for (uint32_t b = 0; b < mem->nr_nodes; b++)
			if (a != b)
				node_ns[a * mem->nr_nodes + b] = (uint32_t)machine_distance_ns(
					m, machine_distance(m, id[a], id[b]));
	mem->node_ns = node_ns;
}

static void costs_read(struct memory *mem, const struct machine *m)
{
	mem->tie_ns[TIE_CLUSTER] = (uint32_t)machine_cost(m, COST_line_cluster);
	mem->tie_ns[TIE_LLC] = (uint32_t)machine_cost(m, COST_line_llc);
	mem->tie_ns[TIE_NODE] = (uint32_t)machine_cost(m, COST_line_node);
	mem->hold_ns = (uint32_t)machine_cost(m, COST_atomic_hold);
	mem->overlap_pct = (uint32_t)machine_cost(m, COST_scan_overlap);
	mem->l2_kib = (uint32_t)machine_cost(m, COST_l2);
	mem->aged_ns = (uint32_t)machine_cost(m, COST_line_l2);
	CHECK(mem->overlap_pct >= 100);
	mem->aged_scan_ns = (mem->aged_ns * 100 + mem->overlap_pct - 1) / mem->overlap_pct;
}

static void lines_new(struct arena *arena, struct memory *mem, uint32_t max_lines)
{
	uint32_t words = (mem->nr_cores + 63) / 64, header = sizeof(struct memory_line) / 8;
	uint32_t room = max_lines ? max_lines : 1;

	while ((words - 1) >> mem->summary_shift >= SUMMARY_BITS)
		mem->summary_shift++;
	while (words & ((1u << mem->summary_shift) - 1))
		words++;
	mem->max_lines = max_lines;
	/* A small record is a whole line of the host, so that none straddles two. */
	mem->line_words = header + words <= 8 ? 8 : header + words;
	mem->line = ARENA_LINES(arena, uint64_t, (size_t)room * mem->line_words);
	mem->class_of = ARENA_ARRAY(arena, uint8_t, room);
	mem->calendar = ARENA_ARRAY(arena, struct busy_calendar, room);
	mem->lock = ARENA_LINES(arena, struct memory_lock, room);
}

/* As many stamps a core as lines, a power of two, within STAMPS_TOTAL for all cores. */
static void caches_new(struct arena *arena, struct memory *mem)
{
	uint64_t stamps = STAMPS_MIN;
	uint32_t *stamp;

	while (stamps < mem->max_lines && stamps * 2 * mem->nr_cores <= STAMPS_TOTAL)
		stamps *= 2;
	mem->stamp_mask = (uint32_t)stamps - 1;
	mem->cache = ARENA_LINES(arena, struct memory_cache, mem->nr_cores);
	stamp = ARENA_LINES(arena, uint32_t, stamps * mem->nr_cores);
	for (uint32_t c = 0; c < mem->nr_cores; c++)
		mem->cache[c].stamp = stamp + c * stamps;
}

struct memory *memory_new(struct arena *arena, const struct machine *machine, uint32_t max_lines)
{
	struct memory *mem = ARENA_NEW(arena, struct memory);

	_Static_assert(sizeof(struct memory_line) == 32, "four words of bitmap fit one host line");
	_Static_assert(sizeof(struct memory_lock) == 64, "a lock is one host line");
	_Static_assert(MEMORY_MAX_CLASSES <= 256, "classes are bytes");
	mem->nr_cores = machine->nr_cores;
	costs_read(mem, machine);
	cores_new(arena, mem, machine);
	lines_new(arena, mem, max_lines);
	caches_new(arena, mem);
	return mem;
}

uint32_t memory_class(struct memory *mem, const char *name)
{
	for (uint32_t i = 0; i < mem->nr_classes; i++)
		if (!strcmp(mem->class_name[i], name))
			return i;
	CHECK(mem->nr_classes < MEMORY_MAX_CLASSES);
	mem->class_name[mem->nr_classes] = name;
	return mem->nr_classes++;
}

uint32_t memory_lines(struct memory *mem, uint32_t class, uint32_t count)
{
	uint32_t first = mem->nr_lines;

	CHECK(class < mem->nr_classes);
	CHECK(count <= mem->max_lines - first);
	memset(mem->class_of + first, (int)class, count);
	mem->nr_lines += count;
	return first;
}
