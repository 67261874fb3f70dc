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
	const struct memory_place *place;
	const struct memory_price *price;
	uint64_t *seen; /* cores that the ladder has */
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
	uint32_t n = mem->nr_nodes;
	struct memory_price *price =
		ARENA_ARRAY(arena, struct memory_price, (size_t)n * mem->price_width);

	for (uint32_t a = 0; a < n; a++) {
		struct memory_price *row = price + (size_t)a * mem->price_width;

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
static void rung_add(struct arena *arena, const struct levels *levels, struct memory_ladder *ladder,
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
	rung[ladder->nr_rungs++] = (struct memory_rung){ first, last, word[0], word + 1, price };
}

/* A group of the own core alone is no rung, so that the cores around it share a ladder. */
static void ladder_new(struct arena *arena, const struct memory *mem, const struct levels *levels,
		       uint32_t core, struct memory_ladder *ladder)
{
	struct memory_place at = levels->place[core];
	const uint32_t *node = levels->node_order + (size_t)at.node * mem->nr_nodes;
	const struct memory_price *price = levels->price + (size_t)at.node * mem->price_width;
	struct memory_rung *rung = ARENA_ARRAY(arena, struct memory_rung, mem->nr_nodes + 2);

	memset(levels->seen, 0, ((size_t)mem->nr_cores + 63) / 64 * sizeof(*levels->seen));
	ladder->rung = rung;
	if (levels->cluster[at.cluster].nr_cores > 1)
		rung_add(arena, levels, ladder, rung, &levels->cluster[at.cluster],
			 price[PRICE_CLUSTER]);
	if (levels->llc[at.llc].nr_cores > 1)
		rung_add(arena, levels, ladder, rung, &levels->llc[at.llc], price[PRICE_LLC]);
	for (uint32_t i = 0; i < mem->nr_nodes; i++)
		if (i || levels->node[node[0]].nr_cores > 1)
			rung_add(arena, levels, ladder, rung, &levels->node[node[i]],
				 price[PRICE_NODES + node[i]]);
}

static bool same_or_alone(const struct group *group, uint32_t a, uint32_t b)
{
	return a == b || (group[a].nr_cores == 1 && group[b].nr_cores == 1);
}

/* The newest core before `at` with the same ladder, or CPU_NONE. */
static uint32_t ladder_find(const struct levels *levels, uint32_t at)
{
	const struct memory_place *place = levels->place;

	for (uint32_t c = at; c--;)
		if (place[c].node == place[at].node &&
		    same_or_alone(levels->llc, place[c].llc, place[at].llc) &&
		    same_or_alone(levels->cluster, place[c].cluster, place[at].cluster))
			return c;
	return CPU_NONE;
}

static const struct memory_ladder *ladders_new(struct arena *arena, const struct memory *mem,
					       const struct levels *levels)
{
	struct memory_ladder *ladder = ARENA_ARRAY(arena, struct memory_ladder, mem->nr_cores);

	for (uint32_t c = 0; c < mem->nr_cores; c++) {
		uint32_t like = ladder_find(levels, c);

		if (like == CPU_NONE)
			ladder_new(arena, mem, levels, c, &ladder[c]);
		else
			ladder[c] = ladder[like];
	}
	return ladder;
}

/* The ids of a core's groups, in arrays by core. */
struct core_groups {
	uint32_t *cluster, *llc, *node;
};

/* A core is where its first cpu is. */
static const struct memory_place *places_new(struct arena *arena, struct memory *mem,
					     const struct machine *m, const uint32_t *dense,
					     const struct core_groups *of)
{
	struct memory_place *place = ARENA_ARRAY(arena, struct memory_place, m->nr_cores);
	uint16_t *core_of = ARENA_ARRAY(arena, uint16_t, m->nr_cpus);
	bool *seen = ARENA_ARRAY(arena, bool, m->nr_cores);

	_Static_assert((int)MACHINE_MAX_CPUS < (int)MEMORY_SHARED, "cores are named in 16 bits");
	cpuset_for_each (cpu, &m->present) {
		const struct machine_cpu *c = &m->cpu[cpu];

		CHECK(c->core < m->nr_cores && c->cluster < MEMORY_SHARED &&
		      c->llc < MEMORY_SHARED);
		core_of[cpu] = (uint16_t)(c->core + 1);
		if (seen[c->core])
			continue;
		seen[c->core] = true;
		of->cluster[c->core] = c->cluster;
		of->llc[c->core] = c->llc;
		of->node[c->core] = dense[c->node];
		place[c->core] = (struct memory_place){ (uint16_t)c->cluster, (uint16_t)c->llc,
							(uint16_t)dense[c->node] };
	}
	mem->core_of = core_of;
	return place;
}

static void cores_new(struct arena *arena, struct memory *mem, const struct machine *m)
{
	struct core_groups of = { ARENA_ARRAY(arena, uint32_t, m->nr_cores),
				  ARENA_ARRAY(arena, uint32_t, m->nr_cores),
				  ARENA_ARRAY(arena, uint32_t, m->nr_cores) };
	uint32_t *id = ARENA_ARRAY(arena, uint32_t, m->nr_nodes);
	uint32_t *dense = ARENA_ARRAY(arena, uint32_t, m->nr_nodes);
	struct levels levels;

	mem->nr_nodes = nodes_with_cpus(m, id, dense);
	mem->price_width = PRICE_NODES + mem->nr_nodes;
	mem->price = prices_new(arena, mem, m, id);
	mem->place = places_new(arena, mem, m, dense, &of);
	levels = (struct levels){
		.cluster = groups_new(arena, mem, m->nr_clusters, of.cluster),
		.llc = groups_new(arena, mem, m->nr_llcs, of.llc),
		.node = groups_new(arena, mem, mem->nr_nodes, of.node),
		.node_order = node_order_new(arena, mem->nr_nodes, mem->price),
		.place = mem->place,
		.price = mem->price,
		.seen = ARENA_ARRAY(arena, uint64_t, (mem->nr_cores + 63) / 64),
	};
	mem->ladder = ladders_new(arena, mem, &levels);
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
	uint32_t words = (mem->nr_cores + 63) / 64;
	uint32_t room = max_lines ? max_lines : 1;

	while ((words - 1) >> mem->summary_shift >= SUMMARY_BITS)
		mem->summary_shift++;
	while (words & ((1u << mem->summary_shift) - 1))
		words++;
	mem->max_lines = max_lines;
	mem->holder_words = sizeof(struct memory_holders) / sizeof(uint64_t) + words;
	mem->line = ARENA_LINES(arena, struct memory_line, room);
	mem->holders = ARENA_LINES(arena, uint64_t, (size_t)room * mem->holder_words);
	mem->calendar = ARENA_LINES(arena, struct busy_calendar, room);
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

	_Static_assert(sizeof(struct memory_line) * MEMORY_RECORDS == 64, "one host line");
	_Static_assert(sizeof(struct memory_lock) == 64, "a lock is one host line");
	_Static_assert(MEMORY_MAX_CLASSES <= 256, "a class is 8 bits of a record");
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

static void set_class(struct memory *mem, uint32_t first, uint32_t count, uint32_t class)
{
	CHECK(class < mem->nr_classes);
	for (uint32_t line = first; line < first + count; line++)
		mem->line[line].class = (uint8_t) class;
}

uint32_t memory_lines(struct memory *mem, uint32_t class, uint32_t count)
{
	uint32_t first = mem->nr_lines;

	CHECK(count <= mem->max_lines - first);
	set_class(mem, first, count, class);
	mem->nr_lines += count;
	return first;
}

void memory_set_class(struct memory *mem, uint32_t first, uint32_t count, uint32_t class)
{
	CHECK(count <= mem->nr_lines && first <= mem->nr_lines - count);
	set_class(mem, first, count, class);
}
