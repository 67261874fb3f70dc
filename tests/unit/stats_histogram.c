/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/random.h"
#include "stats/histogram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void buckets_tile_all_numbers(void **state)
{
	struct arena arena;

	arena_init(&arena);
	for (uint32_t bits = 1; bits <= 12; bits++) {
		struct histogram h = histogram_new(&arena, bits);
		uint64_t next = 0;

		for (uint32_t b = 0; b < h.buckets; b++) {
			uint64_t first = histogram_first(&h, b), last = histogram_last(&h, b);

			assert_true(first == next && last >= first);
			assert_int_equal(histogram_bucket(&h, first), b);
			assert_int_equal(histogram_bucket(&h, last), b);
			assert_true((last - first) >> 1 <= first >> bits >> 1 ||
				    last - first <= first >> bits);
			next = last + 1;
		}
		assert_true(next == 0);
	}
	arena_release(&arena);
}

static void quantiles_of_small_values_are_exact(void **state)
{
	struct arena arena;
	struct histogram h;

	arena_init(&arena);
	h = histogram_new(&arena, 7);
	assert_true(histogram_quantile(&h, 500000) == 0 && histogram_mean_floor(&h) == 0);
	for (uint64_t v = 1; v <= 100; v++)
		histogram_add(&h, v, 1);
	assert_int_equal(histogram_quantile(&h, 0), 1);
	assert_int_equal(histogram_quantile(&h, 500000), 50);
	assert_int_equal(histogram_quantile(&h, 990000), 99);
	assert_int_equal(histogram_quantile(&h, 999000), 100);
	assert_int_equal(histogram_quantile(&h, 1000000), 100);
	assert_int_equal(histogram_mean_floor(&h), 50);
	arena_release(&arena);
}

static void quantiles_stay_within_the_precision(void **state)
{
	struct random r = random_stream(3, RANDOM_TEST, 0);
	struct arena arena;
	struct histogram h;

	arena_init(&arena);
	h = histogram_new(&arena, 7);
	for (int i = 0; i < 1000; i++) {
		uint64_t value = random_next(&r) >> random_below(&r, 64), q;

		memset(h.count, 0, h.buckets * sizeof(h.count[0]));
		h.total = 0;
		h.min = UINT64_MAX;
		h.max = 0;
		histogram_add(&h, value, 3);
		histogram_add(&h, UINT64_MAX, 1);
		q = histogram_quantile(&h, 500000);
		assert_true(q >= value && q - value <= value >> 7);
		assert_true(histogram_quantile(&h, 1000000) == UINT64_MAX);
	}
	arena_release(&arena);
}

static void merging_equals_adding(void **state)
{
	struct random r = random_stream(4, RANDOM_TEST, 0);
	struct histogram all, part[2];
	struct arena arena;

	arena_init(&arena);
	all = histogram_new(&arena, 5);
	part[0] = histogram_new(&arena, 5);
	part[1] = histogram_new(&arena, 5);
	for (int i = 0; i < 5000; i++) {
		uint64_t value = random_next(&r) >> random_below(&r, 64);

		histogram_add(&all, value, 2);
		histogram_add(&part[i % 2], value, 2);
	}
	histogram_merge(&part[0], &part[1]);
	assert_memory_equal(all.count, part[0].count, all.buckets * sizeof(all.count[0]));
	assert_true(all.total == part[0].total && all.min == part[0].min &&
		    all.max == part[0].max && all.sum == part[0].sum);
	assert_true(all.sum == UINT64_MAX);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_tile_all_numbers),
		cmocka_unit_test(quantiles_of_small_values_are_exact),
		cmocka_unit_test(quantiles_stay_within_the_precision),
		cmocka_unit_test(merging_equals_adding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
