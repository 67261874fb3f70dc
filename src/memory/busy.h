/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When something that serves one at a time is free: a contended line, a lock.
 *
 * Requests do not come in the order of their times: the work of one cpu is played to its end
 * before that of another cpu which began a little later. So a busy thing knows two things. The
 * front is the newest solid period [from, until): a request within it waits for its end, one
 * after it finds the thing free. A request before the front must not wait for what happens later;
 * it finds its place in the calendar, which remembers how much of each of the last slots of time
 * is taken by what is not the front. Work is never lost: what does not fit into a slot moves into
 * the next.
 *
 * Older than BUSY_SLOTS slots before the front's end nothing is remembered, and nothing is waited
 * for. All zero is a thing that was never busy.
 */
#ifndef MEMORY_BUSY_H
#define MEMORY_BUSY_H

#include <stdint.h>

enum busy_limits {
	BUSY_SLOTS = 8,
	BUSY_LINE_SHIFT = 9,  /* slots of 512 ns: 4 us of memory; a line is held for 50 to 300 ns */
	BUSY_LOCK_SHIFT = 11, /* slots of 2,048 ns: 16 us of memory */
	BUSY_TAKEN_BITS = 12, /* a slot's taken ns, at most 1 << BUSY_LOCK_SHIFT */
};

struct busy_front {
	uint64_t from, until; /* ns; solidly busy in between */
};

/*
 * Slot n = t >> shift is in entry n % BUSY_SLOTS: n / BUSY_SLOTS << BUSY_TAKEN_BITS | taken. An
 * entry with other upper bits speaks of another slot: this one is empty. (The upper bits repeat
 * after four seconds; that an entry is so old and matches does no harm.)
 */
struct busy_calendar {
	uint32_t entry[BUSY_SLOTS];
};

static inline uint32_t busy_tag(uint64_t slot)
{
	return (uint32_t)(slot / BUSY_SLOTS) << BUSY_TAKEN_BITS;
}

static inline uint32_t busy_taken(const struct busy_calendar *calendar, uint64_t slot)
{
	uint32_t of_slot = calendar->entry[slot % BUSY_SLOTS] - busy_tag(slot);

	return of_slot >> BUSY_TAKEN_BITS ? 0 : of_slot;
}

/* The less common part of busy_start(): the place of a request behind the front. */
uint64_t busy_start_behind(const struct busy_front *front, const struct busy_calendar *calendar,
			   unsigned int shift, uint64_t t_ns);

/* Notes a service that is not, or no longer, part of the front; newest_ns is the front's time. */
void busy_note(struct busy_calendar *calendar, unsigned int shift, uint64_t newest_ns,
	       uint64_t start_ns, uint64_t end_ns);

/* When a request that comes at t_ns is served: at least t_ns. Changes nothing. */
static inline uint64_t busy_start(const struct busy_front *front,
				  const struct busy_calendar *calendar, unsigned int shift,
				  uint64_t t_ns)
{
	if (t_ns >= front->until)
		return t_ns;
	if (t_ns >= front->from)
		return front->until;
	return busy_start_behind(front, calendar, shift, t_ns);
}

/* Takes it from start_ns, which busy_start() gave, to end_ns. */
static inline void busy_take(struct busy_front *front, struct busy_calendar *calendar,
			     unsigned int shift, uint64_t start_ns, uint64_t end_ns)
{
	if (start_ns == front->until) {
		front->until = end_ns;
	} else if (start_ns > front->until) {
		if (start_ns >> shift < (front->until >> shift) + BUSY_SLOTS)
			busy_note(calendar, shift, start_ns, front->from, front->until);
		front->from = start_ns;
		front->until = end_ns;
	} else if (end_ns > front->from) { /* pushes the front by what it overlaps */
		front->until += end_ns - front->from;
		front->from = start_ns;
	} else {
		busy_note(calendar, shift, front->until, start_ns, end_ns);
	}
}

#endif
