/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of memory.h: a memory and the accesses that hit. Include memory/memory.h.
 * A line is held by nobody, by one core alone (`owner`) or by several (the bitmap). Most accesses
 * are to a line that the own core holds alone: they look at its first bytes and, where user data
 * passes through private caches, at one stamp.
 */
#ifndef MEMORY_LINE_H
#define MEMORY_LINE_H

#include "memory/memory.h"
#include "memory/record.h"

struct memory {
	uint32_t nr_lines, max_lines, nr_cores, nr_nodes, nr_classes;
	uint32_t line_words,
		summary_shift; /* u64 of one record; holder words a summary bit: shift */
	uint32_t stamp_mask, l2_kib, aged_ns, aged_scan_ns, hold_ns, overlap_pct;
	uint32_t has_passed; /* 0: memory_pass() never was called: clocks and stamps are all zero */
	uint32_t *core_of;   /* by cpu: core + 1, 0 for a cpu that is not there */
	uint64_t *line;	     /* records of line_words words */
	uint8_t *class_of;   /* by line */
	struct memory_cache *cache;	/* by core */
	struct busy_calendar *calendar; /* by line */
	struct memory_lock *lock;	/* by line */
	const struct memory_core *core;
	const char *class_name[MEMORY_MAX_CLASSES];
	struct memory_counts counts[MEMORY_MAX_CLASSES];
};

/* Out of line: all but hits. `id` is core + 1, `counts` those of the line's class. */
uint64_t memory_read_slow(struct memory *mem, struct memory_counts *counts, uint32_t id,
			  uint32_t line, uint64_t t_ns);
uint64_t memory_scan_slow(struct memory *mem, struct memory_counts *counts, uint32_t id,
			  uint32_t line, uint64_t t_ns);
uint64_t memory_write_slow(struct memory *mem, struct memory_counts *counts, uint32_t id,
			   uint32_t line, uint64_t t_ns, uint32_t hold_ns);

static inline struct memory_line *memory_line_at(const struct memory *mem, uint32_t line)
{
	return (struct memory_line *)(void *)(mem->line + (size_t)line * mem->line_words);
}

static inline struct memory_counts *memory_counts_of(struct memory *mem, uint32_t line)
{
	return &mem->counts[mem->class_of[line]];
}

/* One test of a word that may be invalid instead of two branches. */
static inline bool memory_line_held(const struct memory *mem, const struct memory_line *l,
				    uint32_t id)
{
	uint32_t core = id - 1;

	if (l->owner != MEMORY_SHARED)
		return l->owner == id;
	return l->holder[core / 64] >> (core % 64) &
	       l->summary >> (core / 64 >> mem->summary_shift) & 1;
}

/* A hit by core `id`: what bringing an aged copy back from the LLC costs. Stamps the use. */
static inline uint64_t memory_hit(struct memory *mem, struct memory_counts *counts, uint32_t id,
				  uint32_t line)
{
	const struct memory_cache *cache;
	uint32_t *stamp, age_kib;

	if (!mem->has_passed)
		return 0;
	cache = &mem->cache[id - 1];
	stamp = &cache->stamp[line & mem->stamp_mask];
	age_kib = cache->clock_kib - *stamp;
	if (!age_kib)
		return 0;
	*stamp += age_kib;
	if (age_kib <= mem->l2_kib)
		return 0;
	counts->aged++;
	return mem->aged_ns;
}

static inline uint64_t memory_read(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns)
{
	struct memory_counts *counts = memory_counts_of(mem, line);
	uint32_t id = mem->core_of[cpu];

	counts->reads++;
	if (memory_line_held(mem, memory_line_at(mem, line), id))
		return memory_hit(mem, counts, id, line);
	return memory_read_slow(mem, counts, id, line, t_ns);
}

static inline uint64_t memory_read_scan(struct memory *mem, uint32_t cpu, uint32_t line,
					uint64_t t_ns)
{
	struct memory_counts *counts = memory_counts_of(mem, line);
	uint32_t id = mem->core_of[cpu];

	counts->reads++;
	if (memory_line_held(mem, memory_line_at(mem, line), id))
		return memory_hit(mem, counts, id, line) ? mem->aged_scan_ns : 0;
	return memory_scan_slow(mem, counts, id, line, t_ns);
}

static inline uint64_t memory_write(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns)
{
	struct memory_counts *counts = memory_counts_of(mem, line);
	struct memory_line *l = memory_line_at(mem, line);
	uint32_t id = mem->core_of[cpu];

	counts->writes++;
	if (l->owner != id)
		return memory_write_slow(mem, counts, id, line, t_ns, 0);
	l->writer = id;
	return memory_hit(mem, counts, id, line);
}

static inline uint64_t memory_atomic(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns)
{
	struct memory_counts *counts = memory_counts_of(mem, line);
	struct memory_line *l = memory_line_at(mem, line);
	uint32_t id = mem->core_of[cpu];
	uint64_t ns;

	counts->atomics++;
	if (l->owner != id)
		return memory_write_slow(mem, counts, id, line, t_ns, mem->hold_ns);
	l->writer = id;
	ns = memory_hit(mem, counts, id, line) + mem->hold_ns;
	if (t_ns >= l->busy.until)
		l->busy = (struct busy_front){ t_ns, t_ns + ns };
	return ns;
}

#endif
