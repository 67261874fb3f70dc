/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/heap.h"
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
	struct arena arena;
	struct heap heap;

	(void)state;
	arena_init(&arena);
	heap_init(&heap, &arena, 8);
	heap_set(&heap, 5, 10);
	heap_set(&heap, 2, 10);
	heap_set(&heap, 7, 10);
	assert_int_equal(heap_first(&heap), 5);
	heap_set(&heap, 5, 10);
	assert_int_equal(heap_first(&heap), 2);
	heap_remove(&heap, 2);
	assert_int_equal(heap_first(&heap), 7);
	heap_remove(&heap, 7);
	assert_int_equal(heap_first(&heap), 5);
	arena_release(&arena);
}

static void removing_what_is_not_queued_changes_nothing(void **state)
{
	struct arena arena;
	struct heap heap;

	(void)state;
	arena_init(&arena);
	heap_init(&heap, &arena, 2);
	heap_remove(&heap, 1);
	assert_true(heap_empty(&heap));
	heap_set(&heap, 0, 3);
	heap_remove(&heap, 1);
	assert_true(heap_has(&heap, 0));
	assert_false(heap_has(&heap, 1));
	assert_int_equal(heap_time(&heap, 1), UINT64_MAX);
	arena_release(&arena);
}

static void queue_agrees_with_a_searched_list(void **state)
{
	struct random r = random_stream(1, RANDOM_TEST, 0);
	struct arena arena;
	struct heap heap;
	struct plain p;

	(void)state;
	memset(&p, 0, sizeof(p));
	arena_init(&arena);
	heap_init(&heap, &arena, SLOTS);
	for (uint32_t i = 0; i < 200000; i++) {
		uint32_t slot = (uint32_t)random_below(&r, SLOTS);

		if (random_below(&r, 3)) {
			p.queued[slot] = true;
			p.time[slot] = random_below(&r, 100);
			p.order[slot] = p.next++;
			heap_set(&heap, slot, p.time[slot]);
		} else {
			p.queued[slot] = false;
			heap_remove(&heap, slot);
		}
		slot = plain_first(&p);
		assert_int_equal(heap_empty(&heap), slot == SLOTS);
		if (slot == SLOTS)
			continue;
		assert_int_equal(heap_first(&heap), slot);
		assert_int_equal(heap_first_time(&heap), p.time[slot]);
		assert_int_equal(heap_time(&heap, slot), p.time[slot]);
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queue_breaks_ties_by_order_of_setting),
		cmocka_unit_test(removing_what_is_not_queued_changes_nothing),
		cmocka_unit_test(queue_agrees_with_a_searched_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
