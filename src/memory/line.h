/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of memory.h: the records, and the accesses that hit. Include memory/memory.h.
 * A line is held by nobody, by one core alone (`owner`) or by several (the bitmap). Most accesses
 * are to a line that the own core holds alone: they look at its first 16 bytes and at one stamp. Up
 * to 256 cores a whole record is one cache line of the host.
 */
#ifndef MEMORY_LINE_H
#define MEMORY_LINE_H

#include "memory/busy.h"
#include "memory/memory.h"

#define MEMORY_SHARED UINT32_MAX /* as owner; the bitmap says who holds the line */

/* Cores are named by number + 1 here, so that fresh zeros are a line that nobody holds. */
struct memory_line {
	uint32_t owner;	  /* core + 1, 0 nobody, or MEMORY_SHARED */
	uint32_t writer;  /* core + 1 of the last write, 0 never */
	uint64_t summary; /* while shared: bit i = words i << shift … of holder are not all zero */
	struct busy_front busy;
	uint64_t holder[]; /* while shared: bit per core, valid where the summary says so */
};

struct memory_lock {
	_Alignas(64) struct busy_front busy;
	uint64_t granted; /* ns + 1 at which the holder's turn began; 0 while free */
	struct busy_calendar calendar;
};

struct memory_group {	      /* the cores of a cluster, LLC or node */
	uint32_t first, last; /* words of the bitmap */
	const uint64_t *word;
};

struct memory_core {
	uint32_t cluster, llc, node; /* node: dense index of nodes with cpus */
};

struct memory_cache {	    /* of a core */
	uint32_t *stamp;    /* by line & stamp_mask: clock at the last use */
	uint32_t clock_kib; /* data that passed through; wraps */
};

struct memory {
	uint32_t nr_lines, max_lines, nr_cores, nr_nodes, nr_classes;
	uint32_t line_words,
		summary_shift; /* u64 of one record; holder words a summary bit: shift */
	uint32_t stamp_mask, l2_kib, aged_ns, aged_scan_ns, hold_ns, overlap_pct;
	uint32_t *core_of;		/* by cpu: core + 1, 0 for a cpu that is not there */
	uint64_t *line;			/* records of line_words words */
	uint8_t *class_of;		/* by line */
	struct memory_cache *cache;	/* by core */
	struct busy_calendar *calendar; /* by line */
	struct memory_lock *lock;	/* by line */
	const struct memory_core *core;
	const struct memory_group *cluster, *llc, *node;
	const uint32_t *node_ns; /* nr_nodes x nr_nodes, row = who wants the line */
	uint32_t tie_ns[NR_TIES];
	const char *class_name[MEMORY_MAX_CLASSES];
	struct memory_counts counts[MEMORY_MAX_CLASSES];
};

/* Out of line: all but hits. `id` is core + 1; overlap_pct 100 pays the whole transfer. */
uint64_t memory_read_slow(struct memory *mem, uint32_t id, uint32_t line, uint64_t t_ns,
			  uint32_t overlap_pct);
uint64_t memory_write_slow(struct memory *mem, uint32_t id, uint32_t line, uint64_t t_ns,
			   uint32_t hold_ns);

static inline struct memory_line *memory_line_at(const struct memory *mem, uint32_t line)
{
	return (struct memory_line *)(void *)(mem->line + (size_t)line * mem->line_words);
}

static inline bool memory_line_held(const struct memory *mem, struct memory_line *l, uint32_t id)
{
	uint32_t word = (id - 1) / 64;

	if (l->owner != MEMORY_SHARED)
		return l->owner == id;
	return l->summary >> (word >> mem->summary_shift) & 1 &&
	       l->holder[word] >> ((id - 1) % 64) & 1;
}

/* A hit by core `id`: what bringing an aged copy back from the LLC costs. Stamps the use. */
static inline uint64_t memory_hit(struct memory *mem, uint32_t id, uint32_t line)
{
	const struct memory_cache *cache = &mem->cache[id - 1];
	uint32_t *stamp = &cache->stamp[line & mem->stamp_mask];
	uint32_t age_kib = cache->clock_kib - *stamp;

	if (!age_kib)
		return 0;
	*stamp += age_kib;
	if (age_kib <= mem->l2_kib)
		return 0;
	mem->counts[mem->class_of[line]].aged++;
	return mem->aged_ns;
}

static inline uint64_t memory_read(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns)
{
	uint32_t id = mem->core_of[cpu];

	mem->counts[mem->class_of[line]].reads++;
	if (memory_line_held(mem, memory_line_at(mem, line), id))
		return memory_hit(mem, id, line);
	return memory_read_slow(mem, id, line, t_ns, 100);
}

static inline uint64_t memory_read_scan(struct memory *mem, uint32_t cpu, uint32_t line,
					uint64_t t_ns)
{
	uint32_t id = mem->core_of[cpu];

	mem->counts[mem->class_of[line]].reads++;
	if (memory_line_held(mem, memory_line_at(mem, line), id))
		return memory_hit(mem, id, line) ? mem->aged_scan_ns : 0;
	return memory_read_slow(mem, id, line, t_ns, mem->overlap_pct);
}

static inline uint64_t memory_write(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns)
{
	struct memory_line *l = memory_line_at(mem, line);
	uint32_t id = mem->core_of[cpu];

	mem->counts[mem->class_of[line]].writes++;
	if (l->owner != id)
		return memory_write_slow(mem, id, line, t_ns, 0);
	l->writer = id;
	return memory_hit(mem, id, line);
}

static inline uint64_t memory_atomic(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns)
{
	struct memory_line *l = memory_line_at(mem, line);
	uint32_t id = mem->core_of[cpu];
	uint64_t ns;

	mem->counts[mem->class_of[line]].atomics++;
	if (l->owner != id)
		return memory_write_slow(mem, id, line, t_ns, mem->hold_ns);
	l->writer = id;
	ns = memory_hit(mem, id, line) + mem->hold_ns;
	if (t_ns >= l->busy.until)
		l->busy = (struct busy_front){ t_ns, t_ns + ns };
	return ns;
}

#endif
