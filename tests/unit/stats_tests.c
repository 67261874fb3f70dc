/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of differences against known answers: Student's sleep data as in R's manual, and others. */
#include "stats/family.h"
#include "stats/power.h"
#include "stats/ranks.h"
#include "stats/ttest.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Extra sleep in hours of ten patients with two drugs (Student 1908). */
static const double drug_1[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
static const double drug_2[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };

static struct sides sides_of(const double *base, const double *other, uint32_t n)
{
	return (struct sides){ { base, n }, { other, n } };
}

static void within(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.17g is not %.17g", a, b);
}

static void welch_matches_r(void **state)
{
	struct ttest t = ttest_welch(sides_of(drug_1, drug_2, 10), 0.95);

	assert_int_equal(t.verdict, TEST_NORMAL);
	within(t.t, 1.8608, 5e-5);
	within(t.df, 17.776, 5e-4);
	within(t.p, 0.07939, 5e-6);
	within(t.low, -0.2054832, 5e-8);
	within(t.high, 3.3654832, 5e-8);
	within(t.difference, 1.58, 1e-12);
}

static void paired_matches_r(void **state)
{
	struct ttest t = ttest_paired(sides_of(drug_1, drug_2, 10), 0.95);

	within(t.t, 4.0621, 5e-5);
	assert_true(t.df == 9 && t.n == 10);
	within(t.p, 0.002833, 5e-7);
	within(t.low, 0.7001142, 5e-8);
	within(t.high, 2.4598858, 5e-8);
}

static void interval_and_p_agree(void **state)
{
	/* At confidence 1 - p the interval ends at zero. */
	struct ttest t = ttest_welch(sides_of(drug_1, drug_2, 10), 0.95);

	within(ttest_welch(sides_of(drug_1, drug_2, 10), 1 - t.p).low, 0, 1e-9);
	t = ttest_paired(sides_of(drug_1, drug_2, 10), 0.95);
	within(ttest_paired(sides_of(drug_1, drug_2, 10), 1 - t.p).low, 0, 1e-9);
}

static void runs_that_never_differ_are_identical(void **state)
{
	static const double same[] = { 1.5, 1.5, 1.5 }, wild[] = { 1, 5, 3 };
	struct ttest w = ttest_welch(sides_of(same, same, 3), 0.95);
	struct ttest p = ttest_paired(sides_of(wild, wild, 3), 0.95);

	assert_int_equal(w.verdict, TEST_IDENTICAL);
	assert_int_equal(p.verdict, TEST_IDENTICAL);
	assert_true(w.p == 1 && p.p == 1 && w.low == 0 && p.high == 0);
}

static void difference_without_deviation_has_permutation_p(void **state)
{
	static const double a[] = { 0.1, 0.2, 0.3, 0.4 }, b[] = { 1.1, 1.2, 1.3, 1.4 };
	static const double two[] = { 2, 2, 2, 2 }, three[] = { 3, 3, 3, 3 };
	struct ttest p = ttest_paired(sides_of(a, b, 4), 0.95);
	struct ttest w = ttest_welch(sides_of(two, three, 4), 0.95);

	assert_int_equal(p.verdict, TEST_CONSTANT);
	within(p.p, 2.0 / 16, 1e-15);
	within(p.low, 1, 1e-12);
	within(p.high, 1, 1e-12);
	assert_int_equal(w.verdict, TEST_CONSTANT);
	within(w.p, 2.0 / 70, 1e-15);
	assert_true(w.low == 1 && w.high == 1 && isnan(w.t));
}

static void too_few_runs_have_no_p(void **state)
{
	static const double a[] = { 1, NAN }, b[] = { 2, 3 };
	struct ttest w = ttest_welch(sides_of(a, b, 2), 0.95);
	struct ttest p = ttest_paired(sides_of(a, b, 2), 0.95);
	struct ttest none = ttest_paired(sides_of(NULL, NULL, 0), 0.95);

	assert_int_equal(w.verdict, TEST_TOO_FEW);
	assert_int_equal(p.verdict, TEST_TOO_FEW);
	assert_int_equal(none.verdict, TEST_TOO_FEW);
	assert_true(isnan(w.p) && isnan(p.p) && isnan(p.low) && isnan(none.difference));
	within(w.difference, 1.5, 1e-15);
	within(p.difference, 1, 1e-15);
	assert_int_equal(p.n, 1);
}

static void p_is_never_zero(void **state)
{
	double a[1000], b[1000];

	for (int i = 0; i < 1000; i++) {
		a[i] = 1 + 1e-9 * (i % 7);
		b[i] = 1000 + 1e-9 * (i % 5);
	}
	assert_true(ttest_welch(sides_of(a, b, 1000), 0.95).p > 0);
	assert_true(ttest_paired(sides_of(a, b, 1000), 0.95).p > 0);
	assert_true(mann_whitney(sides_of(a, b, 1000)).p > 0);
}

static void mann_whitney_matches_r(void **state)
{
	/* R's manual, wilcox.test: depression scores, x and y; W = 58 for x against y shifted */
	static const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	static const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	struct sides sides = { { x, 10 }, { y, 5 } };
	struct mann_whitney exact = mann_whitney(sides);
	struct mann_whitney tied = mann_whitney(sides_of(drug_1, drug_2, 10));

	assert_true(exact.exact && exact.u == 35);
	within(exact.p, 0.2544, 5e-5);
	/* R: wilcox.test(extra ~ group, data = sleep): W = 25.5, p-value = 0.06933 */
	assert_false(tied.exact);
	assert_true(tied.u == 25.5);
	within(tied.p, 0.06933, 5e-6);
}

static void mann_whitney_counts_like_rmath(void **state)
{
	double a[30], b[30];

	for (uint32_t m = 1; m <= 30; m += 3)
		for (uint32_t n = 1; n <= 30; n += 4) {
			struct sides sides = { { a, m }, { b, n } };
			struct mann_whitney test;
			double low;

			for (uint32_t i = 0; i < m; i++)
				a[i] = 3 * i + 1;
			for (uint32_t i = 0; i < n; i++)
				b[i] = 4 * i + 0.5;
			test = mann_whitney(sides);
			low = fmin(test.u, m * n - test.u);
			assert_true(test.exact);
			within(test.p, fmin(1, 2 * pwilcox(low, m, n, 1, 0)), 1e-12);
		}
}

static void mann_whitney_of_constants_says_nothing(void **state)
{
	static const double same[] = { 2, 2, 2 };

	assert_true(mann_whitney(sides_of(same, same, 3)).p == 1);
	assert_true(isnan(mann_whitney(sides_of(same, NULL, 0)).p));
}

static void spearman_matches_known_values(void **state)
{
	/* IQ and hours of television: rho = -29/165, p about 0.627 by t */
	static const double iq[] = { 106, 100, 86, 101, 99, 103, 97, 113, 112, 110 };
	static const double tv[] = { 7, 27, 2, 50, 28, 29, 20, 12, 6, 17 };
	static const double up[] = { 1, 2, 3, 4, 5 }, down[] = { 9, 7, 6, 2, 1 };
	struct spearman s = spearman(sides_of(iq, tv, 10)), t = spearman(sides_of(up, down, 5));

	within(s.rho, -29.0 / 165, 1e-12);
	within(s.p, 0.627188, 5e-5);
	assert_true(t.rho == -1);
	within(t.p, 2.0 / 120, 1e-15);
	assert_true(isnan(spearman(sides_of(up, up, 1)).rho));
}

static void signs_agree_where_both_are_known(void **state)
{
	static const double a[] = { 1, -1, 2, 0, NAN, 5 }, b[] = { 3, 4, 1, 1, 2, NAN };
	struct sign_agreement s = sign_agreement(sides_of(a, b, 6));

	assert_int_equal(s.n, 3);
	assert_int_equal(s.agree, 2);
}

static void holm_matches_known_values(void **state)
{
	double p[] = { 0.01, 0.04, NAN, 0.03, 0.005 };

	family_holm(p, 5, p);
	within(p[0], 0.03, 1e-15);
	within(p[1], 0.06, 1e-15);
	assert_true(isnan(p[2]));
	within(p[3], 0.06, 1e-15);
	within(p[4], 0.02, 1e-15);
	p[0] = 0.9;
	p[1] = 0.8;
	family_holm(p, 2, p);
	assert_true(p[0] == 1 && p[1] == 1);
}

static void runs_needed_match_power_t_test(void **state)
{
	/* R: power.t.test(n = 20, delta = 1, sd = 1): power = 0.8689528 */
	struct power_question q = { 1, 1, 0.05, 0.9, false };

	within(power_of(&q, 20), 0.8689528, 5e-7);
	/* R: power.t.test(power = .90, delta = 1): n = 22.02110 */
	assert_int_equal(power_runs_needed(&q), 23);
	q.paired = true;
	q.power = 0.8;
	/* R: power.t.test(power = .8, delta = 1, type = "paired"): n = 9.93785 */
	assert_int_equal(power_runs_needed(&q), 10);
	q.effect = 1e-9;
	assert_int_equal(power_runs_needed(&q), RUNS_LIMIT);
	q.effect = 0;
	assert_int_equal(power_runs_needed(&q), RUNS_UNKNOWN);
	q.effect = 1e9;
	assert_int_equal(power_runs_needed(&q), 2);
	q.sd = 0;
	assert_int_equal(power_runs_needed(&q), 2);
	q.sd = NAN;
	assert_int_equal(power_runs_needed(&q), RUNS_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(welch_matches_r),
		cmocka_unit_test(paired_matches_r),
		cmocka_unit_test(interval_and_p_agree),
		cmocka_unit_test(runs_that_never_differ_are_identical),
		cmocka_unit_test(difference_without_deviation_has_permutation_p),
		cmocka_unit_test(too_few_runs_have_no_p),
		cmocka_unit_test(p_is_never_zero),
		cmocka_unit_test(mann_whitney_matches_r),
		cmocka_unit_test(mann_whitney_counts_like_rmath),
		cmocka_unit_test(mann_whitney_of_constants_says_nothing),
		cmocka_unit_test(spearman_matches_known_values),
		cmocka_unit_test(signs_agree_where_both_are_known),
		cmocka_unit_test(holm_matches_known_values),
		cmocka_unit_test(runs_needed_match_power_t_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
