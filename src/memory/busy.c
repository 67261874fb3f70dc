/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In the order of time the front alone is exact: first come, first served.
 *
 * Behind the front the calendar gives an estimate. The taken part of a slot counts as lying at its
 * beginning, and full slots push requests on, so that a saturated thing is saturated in whatever
 * order the requests come. Of random requests in random order the waits found are about half the
 * true ones where they are rare and small (load 0.3), nine tenths at load 0.95. A request that is
 * pushed into the front joins its end.
 */
#include "memory/busy.h"

#include <string.h>

static uint64_t calendar_start(const struct busy_calendar *c, unsigned int shift, uint64_t t_ns)
{
	uint64_t width = 1ull << shift, slot = t_ns >> shift;

	if (slot + BUSY_SLOTS <= c->newest)
		return t_ns;
	for (; slot <= c->newest; slot++) {
		uint64_t taken = c->taken[slot % BUSY_SLOTS], at = (slot << shift) + taken;

		if (taken < width)
			return at > t_ns ? at : t_ns;
	}
	return slot << shift > t_ns ? slot << shift : t_ns;
}

/* Makes `slot` the newest: the slots between are new and empty. */
static void calendar_turn(struct busy_calendar *c, uint64_t slot)
{
	if (slot - c->newest >= BUSY_SLOTS)
		memset(c->taken, 0, sizeof(c->taken));
	else
		for (uint64_t n = c->newest + 1; n <= slot; n++)
			c->taken[n % BUSY_SLOTS] = 0;
	c->newest = slot;
}

static void calendar_take(struct busy_calendar *c, unsigned int shift, uint64_t start_ns,
			  uint64_t end_ns)
{
	uint64_t width = 1ull << shift, carry = 0;

	if (end_ns - start_ns > width * BUSY_SLOTS)
		start_ns = end_ns - width * BUSY_SLOTS;
	while (start_ns < end_ns || carry) {
		uint64_t slot = start_ns >> shift, next_ns = (slot + 1) << shift;
		uint64_t stop_ns = end_ns < next_ns ? end_ns : next_ns;
		uint64_t add = carry + (stop_ns > start_ns ? stop_ns - start_ns : 0);

		carry = 0;
		start_ns = next_ns;
		if (slot > c->newest)
			calendar_turn(c, slot);
		else if (slot + BUSY_SLOTS <= c->newest)
			continue;
		add += c->taken[slot % BUSY_SLOTS];
		carry = add > width ? add - width : 0;
		c->taken[slot % BUSY_SLOTS] = (uint16_t)(add - carry);
	}
}

uint64_t busy_start(const struct busy_front *front, const struct busy_calendar *calendar,
		    unsigned int shift, uint64_t t_ns)
{
	uint64_t at;

	if (t_ns >= front->until)
		return t_ns;
	if (t_ns >= front->from)
		return front->until;
	at = calendar_start(calendar, shift, t_ns);
	return at < front->from ? at : front->until;
}

void busy_take(struct busy_front *front, struct busy_calendar *calendar, unsigned int shift,
	       uint64_t start_ns, uint64_t end_ns)
{
	if (start_ns >= front->until) {
		if (start_ns > front->until)
			front->from = start_ns;
		front->until = end_ns;
	} else if (end_ns > front->from) { /* pushes the front by what it overlaps */
		front->until += end_ns - front->from;
		front->from = start_ns;
	}
	calendar_take(calendar, shift, start_ns, end_ns);
}
