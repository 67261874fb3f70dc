/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When something that serves one at a time is free: a contended line, a lock.
 *
 * Requests do not come in the order of their times: the work of one cpu is played to its end
 * before that of another cpu which began a little later. So a busy thing knows two things. The
 * front is the newest solid period [from, until): a request within it waits for its end, one
 * after it finds the thing free. A request before the front must not wait for what happens later;
 * it finds its place in the calendar, which remembers how much of each of the last slots of time
 * is taken. Work is never lost: what does not fit into a slot moves into the next.
 *
 * Older than BUSY_SLOTS slots before the newest one nothing is remembered, and nothing is waited
 * for. All zero is a thing that was never busy.
 */
#ifndef MEMORY_BUSY_H
#define MEMORY_BUSY_H

#include <stdint.h>

enum busy_limits {
	BUSY_SLOTS = 16,
	BUSY_LINE_SHIFT =
		8, /* slots of 256 ns: 4 us of memory, a line is held for some 50 to 300 */
	BUSY_LOCK_SHIFT = 10, /* slots of 1,024 ns: 16 us of memory */
};

struct busy_front {
	uint64_t from, until; /* ns; solidly busy in between */
};

struct busy_calendar {
	uint64_t newest;	    /* number of the newest slot: its time >> shift */
	uint16_t taken[BUSY_SLOTS]; /* ns taken in slot n: taken[n % BUSY_SLOTS] */
};

/* When a request that comes at t_ns before `until` is served: at least t_ns. Changes nothing. */
uint64_t busy_start(const struct busy_front *front, const struct busy_calendar *calendar,
		    unsigned int shift, uint64_t t_ns);

/* Takes it from start_ns, which busy_start() gave, to end_ns. */
void busy_take(struct busy_front *front, struct busy_calendar *calendar, unsigned int shift,
	       uint64_t start_ns, uint64_t end_ns);

#endif
