/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/calendar.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SLOTS = 61 };

/* The same queue as a list that is searched: time and order of setting by slot. */
struct plain {
	bool queued[SLOTS];
	uint64_t time[SLOTS], order[SLOTS], next;
};

static uint32_t plain_first(const struct plain *p)
{
	uint32_t first = SLOTS;

	for (uint32_t i = 0; i < SLOTS; i++) {
		if (!p->queued[i])
			continue;
		if (first == SLOTS || p->time[i] < p->time[first] ||
		    (p->time[i] == p->time[first] && p->order[i] < p->order[first]))
			first = i;
	}
	return first;
}

static void queue_breaks_ties_by_order_of_setting(void **state)
{
	static const uint32_t order[] = { 7, 5, 1 };
	struct arena arena;
	struct calendar calendar;
	uint64_t time;

	(void)state;
	arena_init(&arena);
	calendar_init(&calendar, &arena, 8, 4);
	calendar_set(&calendar, 5, 10);
	calendar_set(&calendar, 2, 10);
	calendar_set(&calendar, 7, 10);
	calendar_set(&calendar, 5, 10);
	calendar_set(&calendar, 1, 11);
	calendar_remove(&calendar, 2);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(calendar_take(&calendar, &time), order[i]);
	assert_int_equal(time, 11);
	assert_true(calendar_empty(&calendar));
	arena_release(&arena);
}

static void removing_what_is_not_queued_changes_nothing(void **state)
{
	struct arena arena;
	struct calendar calendar;

	(void)state;
	arena_init(&arena);
	calendar_init(&calendar, &arena, 2, 1);
	calendar_remove(&calendar, 1);
	assert_true(calendar_empty(&calendar));
	calendar_set(&calendar, 0, 3);
	calendar_remove(&calendar, 1);
	assert_true(calendar_has(&calendar, 0));
	assert_false(calendar_has(&calendar, 1));
	assert_int_equal(calendar_time(&calendar, 1), UINT64_MAX);
	arena_release(&arena);
}

/* Times ahead of now: mostly near, some far, so that all levels are used. */
static uint64_t some_time(struct random *r, uint64_t now)
{
	return now + random_below(r, 1ull << random_below(r, random_below(r, 50) ? 16 : 58));
}

static void agrees_with_a_searched_list(uint64_t width)
{
	struct random r = random_stream(1, RANDOM_TEST, width);
	struct arena arena;
	struct calendar calendar;
	struct plain p;
	uint64_t now = 0;

	memset(&p, 0, sizeof(p));
	arena_init(&arena);
	calendar_init(&calendar, &arena, SLOTS, width);
	for (uint32_t i = 0; i < 200000 && now < CALENDAR_MAX_TIME / 4; i++) {
		uint32_t slot = (uint32_t)random_below(&r, SLOTS);

		if (random_below(&r, 3)) {
			p.queued[slot] = true;
			p.time[slot] = some_time(&r, now);
			p.order[slot] = p.next++;
			calendar_set(&calendar, slot, p.time[slot]);
		} else {
			p.queued[slot] = false;
			calendar_remove(&calendar, slot);
		}
		slot = plain_first(&p);
		assert_int_equal(calendar_empty(&calendar), slot == SLOTS);
		if (slot == SLOTS || random_below(&r, 2))
			continue;
		assert_int_equal(calendar_time(&calendar, slot), p.time[slot]);
		assert_int_equal(calendar_take(&calendar, &now), slot);
		assert_int_equal(now, p.time[slot]);
		p.queued[slot] = false;
	}
	arena_release(&arena);
}

static void queue_agrees_with_a_searched_list_at_any_width(void **state)
{
	(void)state;
	agrees_with_a_searched_list(1);
	agrees_with_a_searched_list(8);
	agrees_with_a_searched_list(1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queue_breaks_ties_by_order_of_setting),
		cmocka_unit_test(removing_what_is_not_queued_changes_nothing),
		cmocka_unit_test(queue_agrees_with_a_searched_list_at_any_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
