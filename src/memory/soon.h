/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hints to the host: the records of lines that a cpu is about to touch come into the host's caches.
 * No state and no result depends on them.
 */
#ifndef MEMORY_SOON_H
#define MEMORY_SOON_H

#include "memory/memory.h"

/* `count` lines from `first`, which `cpu` will touch. */
static inline void memory_soon(const struct memory *mem, uint32_t cpu, uint32_t first,
			       uint32_t count)
{
	if (mem->has_passed) {
		const uint32_t *stamp = mem->cache[mem->core_of[cpu] - 1].stamp;

		__builtin_prefetch(&stamp[first & mem->stamp_mask], 1);
		__builtin_prefetch(&stamp[(first + count - 1) & mem->stamp_mask], 1);
	}
	for (uint32_t line = first; line < first + count; line += MEMORY_RECORDS)
		__builtin_prefetch(memory_line_at(mem, line), 1);
	__builtin_prefetch(memory_line_at(mem, first + count - 1), 1);
}

/* A line that will be taken as a lock. */
static inline void memory_lock_soon(const struct memory *mem, uint32_t line)
{
	__builtin_prefetch(&mem->lock[line], 1);
}

#endif
