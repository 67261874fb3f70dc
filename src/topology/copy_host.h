/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The host's side of the copy benchmark: its counter, and the copies as its kernel compiles them.
 * Private to copy_bench.c. The only file that knows the host's architecture.
 */
#ifndef TOPOLOGY_COPY_HOST_H
#define TOPOLOGY_COPY_HOST_H

#include <stddef.h>
#include <stdint.h>

enum { COPY_MAX_ENTRIES = 4 };

/* As long and as aligned as the kernel's entry: two functions, flags, level, data, name. */
struct copy_level {
	const void *mask, *sd_flags;
	int32_t flags, numa_level;
	void *data[4];
	const char *name;
};

_Static_assert(sizeof(struct copy_level) == 64, "an entry of the level table has 64 bytes");

/* entries: terminator included. All leave the same bytes in `to` when it was zero before. */
typedef void copy_table(struct copy_level *to, const struct copy_level *from, uint32_t entries);

copy_table copy_nothing, copy_elements, copy_elements_by_string, copy_words;
/* The copy by string instructions that the host has, and its name. */
copy_table *copy_block(void);
const char *copy_block_name(void);

/* NULL when there is no counter; then the others must not be called. */
const char *copy_counter_name(void);
uint64_t copy_counter_start(void);
uint64_t copy_counter_end(void);
void copy_flush(const void *data, size_t size);

#endif
