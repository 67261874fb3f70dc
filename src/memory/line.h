/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of memory.h: the accesses, of which hits are inline. All take the time of the access
 * in ns and return what it costs in ns, waiting included. Include memory/memory.h.
 *
 * A line is held by nobody, by one core alone (`owner`) or by several (the bitmap). Most accesses
 * are to a line that the own core holds alone: they look at its first bytes and, where user data
 * passes through private caches, at one stamp.
 */
#ifndef MEMORY_LINE_H
#define MEMORY_LINE_H

#include "memory/state.h"

/* Out of line: all but hits. `id` is core + 1, `counts` those of the line's class. */
uint64_t memory_read_slow(struct memory *mem, struct memory_counts *counts, uint32_t id,
			  uint32_t line, uint64_t t_ns);
uint64_t memory_scan_slow(struct memory *mem, struct memory_counts *counts, uint32_t id,
			  uint32_t line, uint64_t t_ns);
uint64_t memory_write_slow(struct memory *mem, struct memory_counts *counts, uint32_t id,
			   uint32_t line, uint64_t t_ns, uint32_t hold_ns);

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
	if (memory_line_held(mem, line, id))
		return memory_hit(mem, counts, id, line);
	return memory_read_slow(mem, counts, id, line, t_ns);
}

static inline uint64_t memory_read_scan(struct memory *mem, uint32_t cpu, uint32_t line,
					uint64_t t_ns)
{
	struct memory_counts *counts = memory_counts_of(mem, line);
	uint32_t id = mem->core_of[cpu];

	counts->reads++;
	if (memory_line_held(mem, line, id))
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
	l->writer = (uint16_t)id;
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
	l->writer = (uint16_t)id;
	ns = memory_hit(mem, counts, id, line) + mem->hold_ns;
	if (t_ns >= l->front_until_ns)
		memory_set_front(l, (struct busy_front){ t_ns, t_ns + ns });
	return ns;
}

static inline uint64_t memory_transfer_ns(const struct memory *mem, uint32_t to, uint32_t from)
{
	uint32_t a = mem->core_of[to], b = mem->core_of[from];

	return a == b ? 0 : memory_price_of(mem, a - 1u, b - 1u)->ns;
}

#endif
