/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The root is entry 3, so the children of node i are 4 (i - 2) … 4 (i - 2) + 3 and its parent is
 * i / 4 + 2: with the array on a cache line, four entries of 16 bytes are one line. A parent is
 * never later than its children in (time, sequence); sequences differ, so the order is total.
 */
#include "base/heap.h"
#include "base/check.h"
#include "base/fixed.h"

static inline u128 key_of(const struct heap_entry *entry)
{
	return (u128)entry->time << 64 | entry->order;
}

void heap_init(struct heap *heap, struct arena *arena, uint32_t nr_slots)
{
	CHECK(nr_slots > 0 && nr_slots <= HEAP_MAX_SLOTS);
	heap->entry = ARENA_LINES(arena, struct heap_entry, (size_t)nr_slots + HEAP_ROOT + 4);
	heap->at = ARENA_ARRAY(arena, uint32_t, nr_slots);
	heap->end = HEAP_ROOT;
	heap->nr_slots = nr_slots;
	heap->sequence = 0;
}

static inline void put(struct heap *heap, uint32_t i, struct heap_entry entry)
{
	heap->entry[i] = entry;
	heap->at[entry.order & (HEAP_MAX_SLOTS - 1)] = i;
}

static void sift_up(struct heap *heap, uint32_t i, struct heap_entry entry)
{
	u128 key = key_of(&entry);

	while (i > HEAP_ROOT) {
		uint32_t parent = i / 4 + 2;

		if (key_of(&heap->entry[parent]) <= key)
			break;
		put(heap, i, heap->entry[parent]);
		i = parent;
	}
	put(heap, i, entry);
}

/* The earliest of the children first … last. */
static inline uint32_t least_child(const struct heap *heap, uint32_t first, uint32_t last)
{
	uint32_t least = first;
	u128 best = key_of(&heap->entry[first]);

	for (uint32_t child = first + 1; child <= last; child++) {
		u128 key = key_of(&heap->entry[child]);

		least = key < best ? child : least;
		best = key < best ? key : best;
	}
	return least;
}

static void sift_down(struct heap *heap, uint32_t i, struct heap_entry entry)
{
	u128 key = key_of(&entry);

	for (;;) {
		uint32_t first = 4 * (i - 2), least;

		if (first + 3 < heap->end)
			least = least_child(heap, first, first + 3);
		else if (first < heap->end)
			least = least_child(heap, first, heap->end - 1);
		else
			break;
		if (key <= key_of(&heap->entry[least]))
			break;
		put(heap, i, heap->entry[least]);
		i = least;
	}
	put(heap, i, entry);
}

static void place(struct heap *heap, uint32_t i, struct heap_entry entry)
{
	if (i > HEAP_ROOT && key_of(&entry) < key_of(&heap->entry[i / 4 + 2]))
		sift_up(heap, i, entry);
	else
		sift_down(heap, i, entry);
}

void heap_set(struct heap *heap, uint32_t slot, uint64_t time)
{
	struct heap_entry entry = { heap->sequence++ << HEAP_SLOT_BITS | slot, time };
	uint32_t i = heap->at[slot];

	if (i)
		place(heap, i, entry);
	else
		sift_up(heap, heap->end++, entry);
}

void heap_remove(struct heap *heap, uint32_t slot)
{
	uint32_t i = heap->at[slot];

	if (!i)
		return;
	heap->at[slot] = 0;
	heap->end--;
	if (i != heap->end)
		place(heap, i, heap->entry[heap->end]);
}
