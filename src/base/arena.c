/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks come from calloc, so that fresh memory is zero without being touched: a machine of 4096
 * cpus reserves much that a short run never reads. Under AddressSanitizer each piece is followed
 * by a poisoned gap.
 */
#include "base/arena.h"

#include "base/check.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
enum { GAP_BYTES = 64 };
#else
#define ASAN_POISON_MEMORY_REGION(at, size)   ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
enum { GAP_BYTES = 0 };
#endif

enum { BLOCK_BYTES = 256 * 1024, ALIGN_MAX = 64 };

struct arena_block {
	struct arena_block *previous;
	size_t size, used;
	char *data; /* aligned to ALIGN_MAX within the allocation */
};

void arena_init(struct arena *arena)
{
	*arena = (struct arena){ 0 };
}

void arena_release(struct arena *arena)
{
	while (arena->last) {
		struct arena_block *block = arena->last;

		arena->last = block->previous;
		ASAN_UNPOISON_MEMORY_REGION(block->data, block->size);
		free(block);
	}
	arena->total_bytes = 0;
}

static struct arena_block *block_new(struct arena *arena, size_t need)
{
	size_t size = need > BLOCK_BYTES / 4 ? need : BLOCK_BYTES;
	struct arena_block *block = calloc(1, sizeof(*block) + ALIGN_MAX + size);

	if (!block)
		die("out of memory (%zu bytes wanted)", size);
	block->data =
		(char *)(((uintptr_t)(block + 1) + ALIGN_MAX - 1) & ~(uintptr_t)(ALIGN_MAX - 1));
	block->size = size;
	/* A large piece gets a block of its own, behind the one still being filled. */
	if (arena->last && size != BLOCK_BYTES) {
		block->previous = arena->last->previous;
		arena->last->previous = block;
	} else {
		block->previous = arena->last;
		arena->last = block;
	}
	ASAN_POISON_MEMORY_REGION(block->data, block->size);
	return block;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size, size_t align)
{
	struct arena_block *block = arena->last;
	size_t bytes, start = 0;

	CHECK(align && align <= ALIGN_MAX && (align & (align - 1)) == 0);
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
		die("out of memory (%zu times %zu bytes wanted)", count, size);
	if (block)
		start = (block->used + align - 1) & ~(align - 1);
	if (!block || start > block->size || block->size - start < bytes + GAP_BYTES) {
		block = block_new(arena, bytes + GAP_BYTES);
		start = 0;
	}
	block->used = start + bytes + GAP_BYTES;
	arena->total_bytes += bytes;
	ASAN_UNPOISON_MEMORY_REGION(block->data + start, bytes);
	return block->data + start;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(arena_alloc(arena, size, 1, 1), text, size);
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	int length;
	char *text;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	CHECK(length >= 0);
	text = arena_alloc(arena, (size_t)length + 1, 1, 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}
