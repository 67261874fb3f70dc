/* SPDX-License-Identifier: GPL-2.0-only */
#include "sim/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { DRAWS = 200000 };

/* Of an exponential distribution: mean, and shares above ln 2 and 3 means. */
static void exponential_has_its_mean_and_tails(void **state)
{
	struct random r = random_stream(3, RANDOM_TEST, 0);
	struct draw_table table;
	uint64_t sum = 0, above_median = 0, above_three = 0;

	(void)state;
	draw_table_init(&table);
	for (uint32_t i = 0; i < DRAWS; i++) {
		uint64_t value = draw_exponential(&table, &r, 1000000);

		sum += value;
		above_median += value > 693147;
		above_three += value > 3000000;
	}
	assert_in_range(sum / DRAWS, 990000, 1010000);
	assert_in_range(above_median, DRAWS / 2 - 1000, DRAWS / 2 + 1000);
	assert_in_range(above_three, DRAWS * 48 / 1000, DRAWS * 52 / 1000);
}

static void exponential_of_the_longest_operation_fits(void **state)
{
	struct random r = random_stream(4, RANDOM_TEST, 0);
	struct draw_table table;

	(void)state;
	draw_table_init(&table);
	for (uint32_t i = 0; i < DRAWS; i++)
		assert_true(draw_exponential(&table, &r, 1000000000000000ull) <
			    45000000000000000ull);
}

static void spread_keeps_its_bounds_and_mean(void **state)
{
	struct random r = random_stream(5, RANDOM_TEST, 0);
	uint64_t sum = 0;

	(void)state;
	for (uint32_t i = 0; i < DRAWS; i++) {
		uint64_t value = draw_spread(&r, 1000000, 1ull << 30);

		assert_in_range(value, 750000, 1250000);
		sum += value;
	}
	assert_in_range(sum / DRAWS, 998000, 1002000);
	assert_int_equal(draw_spread(&r, 7, 0), 7);
}

static void the_table_has_the_logarithms_of_1_to_2(void **state)
{
	struct draw_table table;

	(void)state;
	draw_table_init(&table);
	assert_int_equal(table.log2_q24[0], 0);
	assert_int_equal(table.log2_q24[128], 9814042); /* log2(1.5) = 0.5849625 */
	assert_int_equal(table.log2_q24[256], 1 << 24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_has_the_logarithms_of_1_to_2),
		cmocka_unit_test(exponential_has_its_mean_and_tails),
		cmocka_unit_test(exponential_of_the_longest_operation_fits),
		cmocka_unit_test(spread_keeps_its_bounds_and_mean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
