/* SPDX-License-Identifier: GPL-2.0-only */
/* Moments, quantiles, sums and orders. Known values are R's or follow by hand. */
#include "base/random.h"
#include "stats/order.h"
#include "stats/sample.h"
#include "stats/sum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SAMPLE(...)                                                                                \
	((struct sample){ (const double[]){ __VA_ARGS__ },                                         \
			  sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double) })

static void near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-12 * fmax(1, fabs(b))))
		fail_msg("%.17g is not %.17g", a, b);
}

static void moments_match_known_values(void **state)
{
	struct moments m = sample_moments(SAMPLE(2, 4, 4, 4, 5, 5, 7, 9));

	assert_int_equal(m.n, 8);
	near(m.mean, 5);
	near(m.pop_sd, 2);
	near(m.sd, 2.1380899352993950774764278470380281724);
	near(m.std_pct, 42.761798705987901549528556940760563);
	near(m.pop_std_pct, 40);
	near(m.median, 4.5);
	near(m.min, 2);
	near(m.max, 9);
}

static void quantiles_are_of_type_7(void **state)
{
	struct sample s = SAMPLE(10, 1, 2, 3, 4, 5, 6, 7, 8, 9);

	near(sample_quantile(s, 0), 1);
	near(sample_quantile(s, 0.25), 3.25);
	near(sample_quantile(s, 0.5), 5.5);
	near(sample_quantile(s, 0.9), 9.1);
	near(sample_quantile(s, 1), 10);
	near(sample_quantile(SAMPLE(3), 0.7), 3);
	assert_true(isnan(sample_quantile((struct sample){ NULL, 0 }, 0.5)));
}

static void failed_runs_are_left_out(void **state)
{
	struct moments m = sample_moments(SAMPLE(NAN, 1, INFINITY, 3, -INFINITY));

	assert_int_equal(m.n, 2);
	near(m.mean, 2);
	near(m.sd, sqrt(2));
}

static void what_cannot_be_known_is_nan(void **state)
{
	struct moments none = sample_moments((struct sample){ NULL, 0 });
	struct moments one = sample_moments(SAMPLE(7));
	struct moments zero = sample_moments(SAMPLE(-1, 1));

	assert_int_equal(none.n, 0);
	assert_true(isnan(none.mean) && isnan(none.sd) && isnan(none.min) && isnan(none.median));
	near(one.mean, 7);
	near(one.pop_sd, 0);
	assert_true(isnan(one.sd) && isnan(one.std_pct));
	assert_true(isnan(zero.std_pct));
}

static void constant_samples_have_no_deviation(void **state)
{
	struct moments m = sample_moments(SAMPLE(0.1, 0.1, 0.1));

	assert_true(m.mean == 0.1 && m.sd == 0 && m.std_pct == 0);
}

static void other_means(void **state)
{
	near(sample_harmonic_mean(SAMPLE(40, 60)), 48);
	near(sample_geometric_mean(SAMPLE(2, 8)), 4);
	assert_true(isnan(sample_harmonic_mean(SAMPLE(1, 0))));
	assert_true(isnan(sample_geometric_mean((struct sample){ NULL, 0 })));
}

static void sums_are_exact(void **state)
{
	struct sum s = { 0 }, half = { 0 };

	for (int i = 0; i < 10; i++)
		sum_add(&s, 0.1);
	assert_true(sum_value(&s) == 1.0);
	s = (struct sum){ 0 };
	sum_add(&s, 1e100);
	sum_add(&s, 1);
	sum_add(&s, -1e100);
	assert_true(sum_value(&s) == 1);
	/* exactly half a unit above an even mantissa, and a little more: must round up */
	sum_add(&half, 1);
	sum_add(&half, 0x1p-53);
	assert_true(sum_value(&half) == 1);
	sum_add(&half, 0x1p-120);
	assert_true(sum_value(&half) == 1 + 0x1p-52);
}

static void sums_do_not_depend_on_order(void **state)
{
	enum { N = 200 };
	struct random r = random_stream(1, RANDOM_TEST, 0);
	double term[N];
	struct sum first = { 0 };

	for (int i = 0; i < N; i++) {
		term[i] = ldexp((double)(int64_t)random_next(&r), (int)random_below(&r, 200) - 100);
		sum_add(&first, term[i]);
	}
	for (int round = 0; round < 200; round++) {
		struct sum again = { 0 };

		for (uint32_t i = N; i-- > 1;) {
			uint64_t j = random_below(&r, i + 1);
			double moved = term[i];

			term[i] = term[j];
			term[j] = moved;
		}
		for (int i = 0; i < N; i++)
			sum_add(&again, term[i]);
		assert_true(sum_value(&again) == sum_value(&first));
	}
}

static void order_sorts_and_breaks_ties_by_index(void **state)
{
	struct random r = random_stream(2, RANDOM_TEST, 0);

	for (uint32_t n = 0; n < 200; n++) {
		struct ordered item[200];

		for (uint32_t i = 0; i < n; i++)
			item[i] = (struct ordered){ (double)random_below(&r, 20), i };
		order_sort(item, n);
		for (uint32_t i = 1; i < n; i++)
			assert_true(item[i - 1].value < item[i].value ||
				    (item[i - 1].value == item[i].value &&
				     item[i - 1].index < item[i].index));
	}
}

static void ranks_share_ties(void **state)
{
	struct ordered item[] = { { 5, 0 }, { 1, 1 }, { 5, 2 }, { 3, 3 }, { 5, 4 } };
	double rank[5];

	order_sort(item, 5);
	assert_true(order_ranks(item, 5, rank) == 24);
	assert_true(rank[0] == 4 && rank[1] == 1 && rank[2] == 4 && rank[3] == 2 && rank[4] == 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments_match_known_values),
		cmocka_unit_test(quantiles_are_of_type_7),
		cmocka_unit_test(failed_runs_are_left_out),
		cmocka_unit_test(what_cannot_be_known_is_nan),
		cmocka_unit_test(constant_samples_have_no_deviation),
		cmocka_unit_test(other_means),
		cmocka_unit_test(sums_are_exact),
		cmocka_unit_test(sums_do_not_depend_on_order),
		cmocka_unit_test(order_sorts_and_breaks_ties_by_index),
		cmocka_unit_test(ranks_share_ties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
