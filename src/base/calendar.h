/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A queue of events in time: a calendar of buckets, each a list.
 *
 * There are nr_slots things that can each be due once; setting a slot that is in the queue moves
 * it. Order is by time, then by the order in which slots were set: the earlier set first. All
 * memory is taken at the start; the queue never grows. Setting, removing and taking cost the same
 * however many are queued, as long as few are due within one bucket's width.
 *
 * Time does not go back: nothing may be set earlier than what calendar_take() has returned.
 */
#ifndef BASE_CALENDAR_H
#define BASE_CALENDAR_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum calendar_limits {
	CALENDAR_LEVELS = 5,
	CALENDAR_BITS = 12, /* of a level: each has 4096 buckets */
	CALENDAR_BUCKETS = 1 << CALENDAR_BITS,
	CALENDAR_WORDS = CALENDAR_BUCKETS / 64,
	CALENDAR_MAX_SLOTS = 1 << 28,
};

#define CALENDAR_MAX_TIME ((1ull << CALENDAR_LEVELS * CALENDAR_BITS) - 1)

struct calendar_entry {
	uint64_t time, order;
	uint32_t next, prev; /* slot + 1 in its bucket, 0 ends */
	uint32_t bucket;     /* level * CALENDAR_BUCKETS + index + 1; 0: not queued */
};

struct calendar {
	struct calendar_entry *entry;	   /* by slot */
	uint32_t *first;		   /* by bucket: slot + 1, 0 when empty */
	uint64_t *words;		   /* by level: a bit for each bucket that is not empty */
	uint64_t summary[CALENDAR_LEVELS]; /* a bit for each word that is not 0 */
	uint64_t now;			   /* in widths: what is queued is not earlier */
	uint64_t order;
	uint32_t nr_queued, shift; /* a bucket of level 0 is 1 << shift wide */
};

/*
 * Empty. `width` is about the time between two events and is rounded up to a power of two; it
 * changes the speed and nothing else.
 */
void calendar_init(struct calendar *calendar, struct arena *arena, uint32_t nr_slots,
		   uint64_t width);

/* Queues the slot or moves it; it now comes after all of equal time. time: CALENDAR_MAX_TIME at
 * most. */
void calendar_set(struct calendar *calendar, uint32_t slot, uint64_t time);
/* Takes the slot out; nothing happens when it is not queued. */
void calendar_remove(struct calendar *calendar, uint32_t slot);
/* What is due first, taken out; the queue is not empty. */
uint32_t calendar_take(struct calendar *calendar, uint64_t *time);

static inline bool calendar_empty(const struct calendar *calendar)
{
	return calendar->nr_queued == 0;
}

static inline bool calendar_has(const struct calendar *calendar, uint32_t slot)
{
	return calendar->entry[slot].bucket != 0;
}

/* UINT64_MAX when the slot is not queued. */
static inline uint64_t calendar_time(const struct calendar *calendar, uint32_t slot)
{
	const struct calendar_entry *entry = &calendar->entry[slot];

	return entry->bucket ? entry->time : UINT64_MAX;
}

#endif
