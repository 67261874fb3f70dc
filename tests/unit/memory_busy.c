/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/random.h"
#include "memory/busy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { SHIFT = BUSY_LINE_SHIFT, WIDTH = 1 << SHIFT };
#define BASE (1ull << 30)

struct thing {
	struct busy_front front;
	struct busy_calendar calendar;
};

/* Serves a request of s_ns at t_ns; returns its wait. */
static uint64_t serve(struct thing *thing, uint64_t t_ns, uint64_t s_ns)
{
	uint64_t start = busy_start(&thing->front, &thing->calendar, SHIFT, t_ns);

	busy_take(&thing->front, &thing->calendar, SHIFT, start, start + s_ns);
	return start - t_ns;
}

static void requests_in_order_queue_exactly(void **state)
{
	struct random r = random_stream(1, RANDOM_TEST, 0);
	struct thing thing = { 0 };
	uint64_t t = BASE, until = 0;

	(void)state;
	for (uint32_t i = 0; i < 10000; i++) {
		uint64_t s = 1 + random_below(&r, 300);

		t += random_below(&r, 320);
		assert_int_equal(serve(&thing, t, s), until > t ? until - t : 0);
		until = (until > t ? until : t) + s;
	}
}

static void a_request_before_the_front_starts_at_once_when_its_slot_is_empty(void **state)
{
	struct thing thing = { 0 };

	(void)state;
	serve(&thing, BASE + 3000, 100);
	assert_int_equal(serve(&thing, BASE, 100), 0);
	assert_int_equal(serve(&thing, BASE + 1000, 100), 0);
	assert_int_equal(serve(&thing, BASE + 3050, 100), 50);
}

static void requests_before_the_front_queue_among_themselves(void **state)
{
	struct thing thing = { 0 };

	(void)state;
	serve(&thing, BASE + 3000, 100);
	for (uint64_t i = 0; i < 10; i++)
		assert_int_equal(serve(&thing, BASE, 100), i * 100);
}

static void a_request_pushed_into_the_front_joins_its_end(void **state)
{
	struct thing thing = { 0 };

	(void)state;
	serve(&thing, BASE + WIDTH, 100);
	assert_int_equal(serve(&thing, BASE, WIDTH), 0);
	assert_int_equal(serve(&thing, BASE, 50), WIDTH + 100);
	assert_int_equal(serve(&thing, BASE + WIDTH, 50), 150);
}

static void the_front_is_pushed_by_what_overlaps_it(void **state)
{
	struct thing thing = { 0 };

	(void)state;
	serve(&thing, BASE + WIDTH + 50, 100);
	assert_int_equal(serve(&thing, BASE + WIDTH - 10, 80), 0);
	assert_int_equal(thing.front.until, BASE + WIDTH + 170);
	assert_int_equal(serve(&thing, BASE + WIDTH, 10), 170);
}

static void what_is_older_than_the_calendar_is_forgotten(void **state)
{
	struct thing thing = { 0 };

	(void)state;
	serve(&thing, BASE, WIDTH);
	serve(&thing, BASE + (BUSY_SLOTS - 1) * WIDTH, 10);
	assert_int_equal(serve(&thing, BASE, 1), WIDTH);
	serve(&thing, BASE + BUSY_SLOTS * WIDTH, 10);
	assert_int_equal(serve(&thing, BASE, 1), 0);
}

static void a_long_service_fills_every_slot(void **state)
{
	struct thing thing = { 0 };

	(void)state;
	serve(&thing, BASE, 100ull * WIDTH);
	assert_int_equal(thing.front.until, BASE + 100ull * WIDTH);
	serve(&thing, BASE + 100ull * WIDTH + 10, 1);
	for (uint32_t i = 1; i < BUSY_SLOTS; i++)
		assert_int_equal(serve(&thing, BASE + (100ull - i) * WIDTH, 0), i * WIDTH);
}

/* 20 requests a window in the order of their times, or with each window's shuffled. */
static uint64_t total_wait(uint64_t seed, uint64_t window_ns, uint64_t s_ns, bool shuffled)
{
	struct random r = random_stream(seed, RANDOM_TEST, window_ns);
	struct thing thing = { 0 };
	uint64_t wait = 0;

	for (uint64_t w = 0; w < 3000; w++) {
		uint64_t t[20];

		for (uint32_t i = 0; i < 20; i++)
			t[i] = BASE + w * window_ns + random_below(&r, window_ns);
		for (uint32_t i = 1; i < 20 && !shuffled; i++)
			for (uint32_t j = i; j && t[j - 1] > t[j]; j--) {
				uint64_t swap = t[j];

				t[j] = t[j - 1];
				t[j - 1] = swap;
			}
		for (uint32_t i = 0; i < 20; i++)
			wait += serve(&thing, t[i], s_ns);
	}
	return wait;
}

/* 20 x 90 ns in 2.5 us, load 0.72: the wait out of order is that in order within a third. */
static void disorder_keeps_the_mean_wait(void **state)
{
	uint64_t exact = total_wait(7, 2500, 90, false), found = total_wait(7, 2500, 90, true);

	(void)state;
	assert_in_range(found * 3, exact * 2, exact * 4);
}

static void saturation_is_saturation_in_any_order(void **state)
{
	uint64_t exact = total_wait(9, 1500, 90, false), found = total_wait(9, 1500, 90, true);

	(void)state;
	assert_in_range(found * 10, exact * 9, exact * 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_in_order_queue_exactly),
		cmocka_unit_test(a_request_before_the_front_starts_at_once_when_its_slot_is_empty),
		cmocka_unit_test(requests_before_the_front_queue_among_themselves),
		cmocka_unit_test(a_request_pushed_into_the_front_joins_its_end),
		cmocka_unit_test(the_front_is_pushed_by_what_overlaps_it),
		cmocka_unit_test(what_is_older_than_the_calendar_is_forgotten),
		cmocka_unit_test(a_long_service_fills_every_slot),
		cmocka_unit_test(disorder_keeps_the_mean_wait),
		cmocka_unit_test(saturation_is_saturation_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
