/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In the order of time the front alone is exact: first come, first served.
 *
 * Behind the front the calendar gives an estimate. A front is noted in it when another takes its
 * place, unless that is so much later that it would be forgotten: most lines are touched so rarely
 * that their calendar is never used. The taken part of a slot counts as lying at its beginning, and
 * full slots push requests on, so that a saturated thing is saturated in whatever order the
 * requests come. Of random requests in random order the waits found are half the true ones where
 * they are rare and small (load 0.3), three quarters at 0.6, eight tenths at 0.95 and all of them
 * from 1 on. A request that is pushed into the front joins its end.
 */
#include "memory/busy.h"

static uint64_t calendar_start(const struct busy_calendar *c, unsigned int shift, uint64_t newest,
			       uint64_t t_ns)
{
	uint64_t slot = t_ns >> shift;

	if (slot + BUSY_SLOTS <= newest)
		return t_ns;
	for (; slot <= newest; slot++) {
		uint64_t taken = busy_taken(c, slot), at = (slot << shift) + taken;

		if (taken < 1ull << shift)
			return at > t_ns ? at : t_ns;
	}
	return slot << shift;
}

uint64_t busy_start_behind(const struct busy_front *front, const struct busy_calendar *calendar,
			   unsigned int shift, uint64_t t_ns)
{
	uint64_t at = calendar_start(calendar, shift, front->until >> shift, t_ns);

	return at < front->from ? at : front->until;
}

/* What a slot cannot hold is carried into the next, also past the end of the service. */
static __attribute__((noinline)) void note_slots(struct busy_calendar *calendar, unsigned int shift,
						 uint64_t newest_ns, uint64_t start_ns,
						 uint64_t end_ns)
{
	uint64_t width = 1ull << shift, newest = newest_ns >> shift, carry = 0;

	if (end_ns - start_ns > width * BUSY_SLOTS)
		start_ns = end_ns - width * BUSY_SLOTS;
	for (uint64_t slot = start_ns >> shift; start_ns < end_ns || carry; slot++) {
		uint64_t next_ns = (slot + 1) << shift;
		uint64_t stop_ns = end_ns < next_ns ? end_ns : next_ns;
		uint64_t add = carry + (stop_ns > start_ns ? stop_ns - start_ns : 0);

		start_ns = next_ns;
		carry = 0;
		if (slot + BUSY_SLOTS <= newest)
			continue;
		add += busy_taken(calendar, slot);
		if (add > width) {
			carry = add - width;
			add = width;
		}
		calendar->entry[slot % BUSY_SLOTS] = busy_tag(slot) + (uint32_t)add;
	}
}

/* Most services lie within one slot, which has room for them. */
void busy_note(struct busy_calendar *calendar, unsigned int shift, uint64_t newest_ns,
	       uint64_t start_ns, uint64_t end_ns)
{
	uint64_t slot = start_ns >> shift, taken;

	taken = busy_taken(calendar, slot) + (end_ns - start_ns);
	if (start_ns < end_ns && slot + BUSY_SLOTS > newest_ns >> shift &&
	    (end_ns - 1) >> shift == slot && taken <= 1ull << shift)
		calendar->entry[slot % BUSY_SLOTS] = busy_tag(slot) + (uint32_t)taken;
	else
		note_slots(calendar, shift, newest_ns, start_ns, end_ns);
}
