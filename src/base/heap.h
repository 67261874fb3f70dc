/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A queue of events in time: an indexed heap in one flat array.
 *
 * There are nr_slots things that can each be due once; setting a slot that is in the queue moves
 * it. Order is by time, then by the order in which slots were set: the earlier set first. All
 * memory is taken at the start; the queue never grows. Four children a node, and the children of
 * one node share a cache line, so that a step down costs one line.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum heap_limits {
	HEAP_SLOT_BITS = 24,
	HEAP_MAX_SLOTS = 1 << HEAP_SLOT_BITS,
	HEAP_ROOT = 3, /* so that the children of any node start on a cache line */
};

struct heap_entry {
	uint64_t order; /* sequence number above, slot in the low HEAP_SLOT_BITS */
	uint64_t time;
};

struct heap {
	struct heap_entry *entry; /* from HEAP_ROOT to end - 1 */
	uint32_t *at;		  /* by slot: where its entry is, 0 when it is not queued */
	uint32_t end, nr_slots;
	uint64_t sequence;
};

/* Empty. nr_slots is 1 … HEAP_MAX_SLOTS. */
void heap_init(struct heap *heap, struct arena *arena, uint32_t nr_slots);

/* Queues the slot or moves it; either way it now comes after all of equal time. */
void heap_set(struct heap *heap, uint32_t slot, uint64_t time);
/* Takes the slot out; nothing happens when it is not queued. */
void heap_remove(struct heap *heap, uint32_t slot);

static inline bool heap_empty(const struct heap *heap)
{
	return heap->end == HEAP_ROOT;
}

/* What is due first; the heap is not empty. */
static inline uint32_t heap_first(const struct heap *heap)
{
	return (uint32_t)heap->entry[HEAP_ROOT].order & (HEAP_MAX_SLOTS - 1);
}

static inline uint64_t heap_first_time(const struct heap *heap)
{
	return heap->entry[HEAP_ROOT].time;
}

static inline bool heap_has(const struct heap *heap, uint32_t slot)
{
	return heap->at[slot] != 0;
}

/* UINT64_MAX when the slot is not queued. */
static inline uint64_t heap_time(const struct heap *heap, uint32_t slot)
{
	return heap->at[slot] ? heap->entry[heap->at[slot]].time : UINT64_MAX;
}

#endif
