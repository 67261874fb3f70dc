/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that is given back all at once.
 *
 * An arena hands out zeroed, 64-byte-aligned-on-request pieces and frees them together. One arena
 * holds what is built once, one a run, one a report; the owner says so at the field. A failed
 * allocation ends the program (die), so callers never test for NULL.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *last;
	size_t total_bytes; /* handed out so far */
};

void arena_init(struct arena *arena);
/* Frees everything; the arena can be used again. */
void arena_release(struct arena *arena);

/* Zeroed. align is a power of two up to 64. count * size is checked for overflow. */
void *arena_alloc(struct arena *arena, size_t count, size_t size, size_t align);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type) ((type *)arena_alloc(arena, 1, sizeof(type), _Alignof(type)))
#define ARENA_ARRAY(arena, type, count)                                                            \
	((type *)arena_alloc(arena, count, sizeof(type), _Alignof(type)))
/* An array that starts on a cache line: for hot state. */
#define ARENA_LINES(arena, type, count) ((type *)arena_alloc(arena, count, sizeof(type), 64))

#endif
