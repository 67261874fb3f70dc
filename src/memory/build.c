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

struct group {				/* the cores of a cluster, LLC or node */
	uint32_t first, last, nr_cores; /* words of the bitmap */
	const uint64_t *word;
};

struct levels {
	const struct group *cluster, *llc, *node;
	const uint32_t *node_order; /* nr_nodes x nr_nodes: a node, then the others, near to far */
	uint64_t *seen;		    /* cores that the ladder has */
};

/* Words of one of nr_groups groups; group_of[core] says which. */
static const struct group *groups_new(struct arena *arena, const struct memory *mem,
				      uint32_t nr_groups, const uint32_t *group_of)
{
	struct group *g = ARENA_ARRAY(arena, struct group, nr_groups);
	uint64_t **word = ARENA_ARRAY(arena, uint64_t *, nr_groups);

	for (uint32_t i = 0; i < nr_groups; i++)
		g[i] = (struct group){ .first = 1, .last = 0 }; /* no words */
	for (uint32_t c = 0; c < mem->nr_cores; c++) {
		struct group *mine = &g[group_of[c]];

		CHECK(group_of[c] < nr_groups);
		if (mine->first > mine->last)
			mine->first = c / 64;
		mine->last = c / 64;
		mine->nr_cores++;
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

static struct memory_price price_of(const struct memory *mem, uint64_t ns, enum tie tie)
{
	return (struct memory_price){
		.ns = (uint32_t)ns,
		.scan_ns = (uint32_t)((ns * 100 + mem->overlap_pct - 1) / mem->overlap_pct),
		.tie = tie,
	};
}

/* A row for each node whose cores want a line: enum memory_price_row. */
static const struct memory_price *prices_new(struct arena *arena, const struct memory *mem,
					     const struct machine *m, const uint32_t *id)
{
	uint32_t n = mem->nr_nodes, width = PRICE_NODES + n;
	struct memory_price *price = ARENA_ARRAY(arena, struct memory_price, (size_t)n * width);

	for (uint32_t a = 0; a < n; a++) {
		struct memory_price *row = price + (size_t)a * width;

		row[PRICE_CLUSTER] = price_of(mem, machine_cost(m, COST_line_cluster), TIE_CLUSTER);
		row[PRICE_LLC] = price_of(mem, machine_cost(m, COST_line_llc), TIE_LLC);
		for (uint32_t b = 0; b < n; b++) {
			uint32_t distance = machine_distance(m, id[a], id[b]);

			row[PRICE_NODES + b] =
				a == b ? price_of(mem, machine_cost(m, COST_line_node), TIE_NODE)
				       : price_of(mem, machine_distance_ns(m, distance),
						  TIE_REMOTE);
		}
	}
	return price;
}

/* Each node's row: itself, then the others by price; equal prices by their order. */
static const uint32_t *node_order_new(struct arena *arena, uint32_t n,
				      const struct memory_price *price)
{
	uint32_t *order = ARENA_ARRAY(arena, uint32_t, (size_t)n * n);

	for (uint32_t a = 0; a < n; a++) {
		const struct memory_price *to = price + (size_t)a * (PRICE_NODES + n) + PRICE_NODES;
		uint32_t *row = order + (size_t)a * n, nr = 1;

		row[0] = a;
		for (uint32_t b = 0; b < n; b++) {
			uint32_t at = nr;

			if (b == a)
				continue;
			for (; at > 1 && to[row[at - 1]].ns > to[b].ns; at--)
				row[at] = row[at - 1];
			row[at] = b;
			nr++;
		}
	}
	return order;
}

/* The cores of `g` that the ladder does not have yet become a rung, if there are any. */
static void rung_add(struct arena *arena, const struct levels *levels, struct memory_core *core,
		     struct memory_rung *rung, const struct group *g, struct memory_price price)
{
	uint64_t *word = ARENA_ARRAY(arena, uint64_t, g->last + 1 - g->first);
	uint32_t first = UINT32_MAX, last = 0;

	for (uint32_t w = g->first; w <= g->last; w++) {
		word[w - g->first] = g->word[w - g->first] & ~levels->seen[w];
		levels->seen[w] |= g->word[w - g->first];
		if (!word[w - g->first])
			continue;
		first = first == UINT32_MAX ? w : first;
		last = w;
	}
	if (first == UINT32_MAX)
		return;
	word += first - g->first;
	rung[core->nr_rungs++] = (struct memory_rung){ first, last, word[0], word + 1, price };
}

/* A group of the own core alone is no rung, so that the cores around it share a ladder. */
static void ladder_new(struct arena *arena, const struct memory *mem, const struct levels *levels,
		       struct memory_core *core)
{
	const uint32_t *node = levels->node_order + (size_t)core->node * mem->nr_nodes;
	struct memory_rung *rung = ARENA_ARRAY(arena, struct memory_rung, mem->nr_nodes + 2);

	memset(levels->seen, 0, ((size_t)mem->nr_cores + 63) / 64 * sizeof(*levels->seen));
	core->rung = rung;
	if (levels->cluster[core->cluster].nr_cores > 1)
		rung_add(arena, levels, core, rung, &levels->cluster[core->cluster],
			 core->price[PRICE_CLUSTER]);
	if (levels->llc[core->llc].nr_cores > 1)
		rung_add(arena, levels, core, rung, &levels->llc[core->llc],
			 core->price[PRICE_LLC]);
	for (uint32_t i = 0; i < mem->nr_nodes; i++)
		if (i || levels->node[node[0]].nr_cores > 1)
			rung_add(arena, levels, core, rung, &levels->node[node[i]],
				 core->price[PRICE_NODES + node[i]]);
}

static bool same_or_alone(const struct group *group, uint32_t a, uint32_t b)
{
	return a == b || (group[a].nr_cores == 1 && group[b].nr_cores == 1);
}

/* The newest core before `at` with the same ladder, or NULL. */
static const struct memory_core *ladder_find(const struct levels *levels,
					     const struct memory_core *core, uint32_t at)
{
	for (uint32_t c = at; c--;)
		if (core[c].node == core[at].node &&
		    same_or_alone(levels->llc, core[c].llc, core[at].llc) &&
		    same_or_alone(levels->cluster, core[c].cluster, core[at].cluster))
			return &core[c];
	return NULL;
}

static void ladders_new(struct arena *arena, const struct memory *mem, const struct levels *levels,
			struct memory_core *core)
{
	for (uint32_t c = 0; c < mem->nr_cores; c++) {
		const struct memory_core *like = ladder_find(levels, core, c);

		if (!like) {
			ladder_new(arena, mem, levels, &core[c]);
			continue;
		}
		core[c].rung = like->rung;
		core[c].nr_rungs = like->nr_rungs;
	}
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
	const struct memory_price *price;
	struct levels levels;

	mem->nr_nodes = nodes_with_cpus(m, id, dense);
	price = prices_new(arena, mem, m, id);
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
		core[c->core] = (struct memory_core){
			.cluster = c->cluster,
			.llc = c->llc,
			.node = dense[c->node],
			.price = price + (size_t)dense[c->node] * (PRICE_NODES + mem->nr_nodes),
		};
	}
	mem->core = core;
	levels = (struct levels){
		.cluster = groups_new(arena, mem, m->nr_clusters, cluster),
		.llc = groups_new(arena, mem, m->nr_llcs, llc),
		.node = groups_new(arena, mem, mem->nr_nodes, node),
		.node_order = node_order_new(arena, mem->nr_nodes, price),
		.seen = ARENA_ARRAY(arena, uint64_t, (mem->nr_cores + 63) / 64),
	};
	ladders_new(arena, mem, &levels, core);
}

static void costs_read(struct memory *mem, const struct machine *m)
{
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

void memory_set_class(struct memory *mem, uint32_t first, uint32_t count, uint32_t class)
{
	CHECK(class < mem->nr_classes);
	CHECK(count <= mem->nr_lines && first <= mem->nr_lines - count);
	memset(mem->class_of + first, (int)class, count);
}
