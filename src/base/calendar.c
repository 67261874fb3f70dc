/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With u = time >> shift and n = the current u, an entry lies in the lowest level k for which u and
 * n agree above their 12 (k + 1) lowest bits, in the bucket named by bits 12 k … 12 k + 11 of u.
 * So the buckets of a level follow those of the levels below in time, and the first bucket that is
 * not empty holds what is due first. When that bucket is above level 0, n moves to its beginning
 * and its entries go down. Lists have no order; their least (time, order) is searched.
 */
#include "base/calendar.h"
#include "base/check.h"

enum { INDEX_MASK = CALENDAR_BUCKETS - 1 };

void calendar_init(struct calendar *calendar, struct arena *arena, uint32_t nr_slots,
		   uint64_t width)
{
	CHECK(nr_slots > 0 && nr_slots <= CALENDAR_MAX_SLOTS);
	*calendar = (struct calendar){
		.entry = ARENA_LINES(arena, struct calendar_entry, nr_slots),
		.first = ARENA_LINES(arena, uint32_t, CALENDAR_LEVELS * CALENDAR_BUCKETS),
		.words = ARENA_LINES(arena, uint64_t, CALENDAR_LEVELS * CALENDAR_WORDS),
	};
	while (width > 1ull << calendar->shift && calendar->shift < CALENDAR_BITS)
		calendar->shift++;
}

static inline void insert(struct calendar *calendar, uint32_t slot)
{
	struct calendar_entry *entry = &calendar->entry[slot];
	uint64_t u = entry->time >> calendar->shift, differs = u ^ calendar->now;
	uint32_t level = 0, index, bucket, word;

	while (differs >> CALENDAR_BITS) {
		differs >>= CALENDAR_BITS;
		u >>= CALENDAR_BITS;
		level++;
	}
	index = (uint32_t)u & INDEX_MASK;
	bucket = level * CALENDAR_BUCKETS + index;
	word = index / 64;
	entry->bucket = bucket + 1;
	entry->prev = 0;
	entry->next = calendar->first[bucket];
	if (entry->next)
		calendar->entry[entry->next - 1].prev = slot + 1;
	calendar->first[bucket] = slot + 1;
	calendar->words[level * CALENDAR_WORDS + word] |= 1ull << index % 64;
	calendar->summary[level] |= 1ull << word;
}

static inline void bucket_emptied(struct calendar *calendar, uint32_t bucket)
{
	uint32_t level = bucket / CALENDAR_BUCKETS, index = bucket & INDEX_MASK;
	uint64_t *word = &calendar->words[level * CALENDAR_WORDS + index / 64];

	*word &= ~(1ull << index % 64);
	if (!*word)
		calendar->summary[level] &= ~(1ull << index / 64);
}

static inline void unlink_entry(struct calendar *calendar, struct calendar_entry *entry)
{
	if (entry->next)
		calendar->entry[entry->next - 1].prev = entry->prev;
	if (entry->prev) {
		calendar->entry[entry->prev - 1].next = entry->next;
	} else {
		calendar->first[entry->bucket - 1] = entry->next;
		if (!entry->next)
			bucket_emptied(calendar, entry->bucket - 1);
	}
}

void calendar_set(struct calendar *calendar, uint32_t slot, uint64_t time)
{
	struct calendar_entry *entry = &calendar->entry[slot];

	CHECK(time >> calendar->shift >= calendar->now && time <= CALENDAR_MAX_TIME);
	if (entry->bucket)
		unlink_entry(calendar, entry);
	else
		calendar->nr_queued++;
	entry->time = time;
	entry->order = calendar->order++;
	insert(calendar, slot);
}

void calendar_remove(struct calendar *calendar, uint32_t slot)
{
	struct calendar_entry *entry = &calendar->entry[slot];

	if (!entry->bucket)
		return;
	unlink_entry(calendar, entry);
	entry->bucket = 0;
	calendar->nr_queued--;
}

/* The first bucket of the level that is not empty; the level is not. */
static uint32_t first_index(const struct calendar *calendar, uint32_t level)
{
	uint32_t word = (uint32_t)__builtin_ctzll(calendar->summary[level]);

	return word * 64 +
	       (uint32_t)__builtin_ctzll(calendar->words[level * CALENDAR_WORDS + word]);
}

/* Moves to the first bucket above level 0 and sends its entries down. */
static void descend(struct calendar *calendar)
{
	uint32_t level = 1, index, bits, slot;

	while (!calendar->summary[level])
		level++;
	index = first_index(calendar, level);
	bits = level * CALENDAR_BITS;
	calendar->now = (calendar->now >> bits >> CALENDAR_BITS << CALENDAR_BITS | index) << bits;
	slot = calendar->first[level * CALENDAR_BUCKETS + index];
	calendar->first[level * CALENDAR_BUCKETS + index] = 0;
	bucket_emptied(calendar, level * CALENDAR_BUCKETS + index);
	while (slot) {
		uint32_t next = calendar->entry[slot - 1].next;

		insert(calendar, slot - 1);
		slot = next;
	}
}

uint32_t calendar_take(struct calendar *calendar, uint64_t *time)
{
	uint32_t index, least;

	CHECK(calendar->nr_queued);
	while (!calendar->summary[0])
		descend(calendar);
	index = first_index(calendar, 0);
	calendar->now = (calendar->now & ~(uint64_t)INDEX_MASK) | index;
	least = calendar->first[index];
	for (uint32_t i = calendar->entry[least - 1].next; i; i = calendar->entry[i - 1].next) {
		const struct calendar_entry *a = &calendar->entry[i - 1];
		const struct calendar_entry *b = &calendar->entry[least - 1];

		if (a->time < b->time || (a->time == b->time && a->order < b->order))
			least = i;
	}
	unlink_entry(calendar, &calendar->entry[least - 1]);
	calendar->entry[least - 1].bucket = 0;
	calendar->nr_queued--;
	*time = calendar->entry[least - 1].time;
	return least - 1;
}
