/* SPDX-License-Identifier: GPL-2.0-only */
/* The comparison of two samples, and by simulation: false positives, coverage, power. */
#include "base/random.h"
#include "stats/bootstrap.h"
#include "stats/compare.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { RUNS = 4000, SEEDS = 10 };

static struct sides sides_of(const double *base, const double *other, uint32_t n)
{
	return (struct sides){ { base, n }, { other, n } };
}

static void within(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.17g is not within %g of %.17g", a, tolerance, b);
}

static double normal(struct random *r)
{
	return qnorm(((double)(random_next(r) >> 11) + 0.5) * 0x1p-53, 0, 1, 1, 0);
}

static void change_is_relative_to_the_base(void **state)
{
	static const double a[] = { 10, 12, 11, 9 }, b[] = { 9, 11, 10.5, 8 };
	struct comparison c = compare(sides_of(a, b, 4), true, BETTER_LOWER);
	struct ttest t = ttest_paired(sides_of(a, b, 4), 0.95);

	within(c.change_pct, -100 * 0.875 / 10.5, 1e-12);
	within(c.ci95_pct[0], 100 * t.low / 10.5, 1e-12);
	within(c.ci95_pct[1], 100 * t.high / 10.5, 1e-12);
	assert_true(c.p == t.p && c.p_paired == t.p && c.p_welch > c.p);
	assert_int_equal(c.compared, COMPARED_BETTER);
	assert_int_equal(compare(sides_of(a, b, 4), true, BETTER_HIGHER).compared, COMPARED_WORSE);
	assert_int_equal(compare(sides_of(a, b, 4), true, BETTER_NEITHER).compared,
			 COMPARED_CHANGED);
	assert_int_equal(compare(sides_of(a, b, 4), false, BETTER_LOWER).compared,
			 COMPARED_UNSETTLED);
}

static void failed_seeds_drop_their_pair_only(void **state)
{
	static const double a[] = { 10, 12, NAN, 9, 100 }, b[] = { 9, 11, 10.5, 8.5, NAN };
	static const double a3[] = { 10, 12, 9 }, b3[] = { 9, 11, 8.5 };
	struct comparison c = compare(sides_of(a, b, 5), true, BETTER_LOWER);
	struct comparison whole = compare(sides_of(a3, b3, 3), true, BETTER_LOWER);

	assert_int_equal(c.n, 3);
	assert_int_equal(c.base.n, 4);
	assert_int_equal(c.other.n, 4);
	assert_true(c.change_pct == whole.change_pct && c.p == whole.p);
}

static void identical_runs_say_so(void **state)
{
	static const double a[] = { 1, 2, 3 };
	struct comparison c = compare(sides_of(a, a, 3), true, BETTER_LOWER);
	struct comparison one = compare(sides_of(a, a, 1), true, BETTER_LOWER);

	assert_true(c.identical && c.change_pct == 0 && c.ci95_pct[0] == 0 && c.ci95_pct[1] == 0);
	assert_true(c.p == 1);
	assert_int_equal(c.compared, COMPARED_IDENTICAL);
	assert_int_equal(c.runs_needed, 0);
	assert_true(one.identical && one.change_pct == 0 && isnan(one.p));
}

static void odd_samples_are_handled(void **state)
{
	static const double zero[] = { 0, 0, 0 }, some[] = { 1, 2, 3 }, bad[] = { NAN, NAN, NAN };
	static const double minus[] = { -4, -4, -4 }, huge[] = { 1e308, -1e308, 1e308 };
	struct comparison c = compare(sides_of(zero, some, 3), true, BETTER_LOWER);

	assert_true(isnan(c.change_pct) && isnan(c.ci95_pct[0]) && c.p > 0);
	c = compare(sides_of(bad, some, 3), true, BETTER_LOWER);
	assert_int_equal(c.compared, COMPARED_UNKNOWN);
	assert_true(isnan(c.change_pct) && isnan(c.p) && !c.identical && c.n == 0);
	c = compare(sides_of(NULL, NULL, 0), false, BETTER_LOWER);
	assert_int_equal(c.compared, COMPARED_UNKNOWN);
	c = compare(sides_of(minus, some, 3), true, BETTER_HIGHER);
	assert_true(c.change_pct == 150);
	c = compare(sides_of(huge, some, 3), false, BETTER_LOWER);
	assert_true(c.p > 0 || isnan(c.p));
	c = compare(sides_of(some, minus, 1), true, BETTER_LOWER);
	assert_int_equal(c.compared, COMPARED_UNKNOWN);
	assert_true(c.change_pct == -500 && isnan(c.ci95_pct[0]));
}

static void family_leaves_identical_cells_out(void **state)
{
	struct comparison a = { .p = 0.02 }, b = { .p = 1, .identical = true }, c = { .p = 0.04 };
	struct comparison *cell[] = { &a, &b, &c };

	compare_family(cell, 3);
	within(a.p_holm, 0.04, 1e-15);
	within(b.p_holm, 1, 0);
	within(c.p_holm, 0.04, 1e-15);
}

static void gain_is_positive_when_better(void **state)
{
	assert_true(compare_gain_pct(-3, BETTER_LOWER) == 3);
	assert_true(compare_gain_pct(-3, BETTER_HIGHER) == -3);
	assert_true(compare_gain_pct(3, BETTER_NEITHER) == 3);
}

/*
 * Null hypothesis, unequal deviations, shared noise between pairs: 5 % of cells are significant and
 * 95 % of intervals cover the truth. 4000 cells: the standard error of the share is 0.34 %.
 */
static void simulated_rates(bool paired, double *positive, double *covered, double *rank_positive)
{
	struct random r = random_stream(5, RANDOM_TEST, paired);
	const double truth = 105;
	uint32_t found = 0, inside = 0, rank = 0;

	for (int run = 0; run < RUNS; run++) {
		double a[SEEDS], b[SEEDS], null[SEEDS];
		struct comparison c;

		for (int i = 0; i < SEEDS; i++) {
			double shared = paired ? 3 * normal(&r) : 0, noise = normal(&r);

			a[i] = 100 + shared + normal(&r);
			null[i] = 100 + shared + (paired ? 1 : 3) * noise;
			b[i] = truth + shared + (paired ? 1 : 3) * noise;
		}
		c = compare(sides_of(a, null, SEEDS), paired, BETTER_LOWER);
		found += c.p < 0.05;
		rank += c.p_mann_whitney < 0.05;
		c = compare(sides_of(a, b, SEEDS), paired, BETTER_LOWER);
		inside += c.ci95_pct[0] * c.base.mean <= 500 && 500 <= c.ci95_pct[1] * c.base.mean;
	}
	*positive = (double)found / RUNS;
	*covered = (double)inside / RUNS;
	*rank_positive = (double)rank / RUNS;
}

static void welch_is_wrong_in_five_percent(void **state)
{
	double positive, covered, rank;

	simulated_rates(false, &positive, &covered, &rank);
	within(positive, 0.05, 0.0102);
	within(covered, 0.95, 0.0102);
	assert_true(rank < 0.09);
}

static void paired_is_wrong_in_five_percent(void **state)
{
	double positive, covered, rank;

	simulated_rates(true, &positive, &covered, &rank);
	within(positive, 0.05, 0.0102);
	within(covered, 0.95, 0.0102);
	/* Blind to pairs, so far too careful: the shared noise drowns the difference. */
	assert_true(rank < 0.06);
}

static void runs_needed_reach_their_power(void **state)
{
	struct random r = random_stream(6, RANDOM_TEST, 0);
	static double a[1000], b[1000];
	struct comparison c;
	uint32_t found = 0;

	for (int i = 0; i < 1000; i++) {
		a[i] = 100 + normal(&r);
		b[i] = a[i] + 0.5 + normal(&r);
	}
	c = compare(sides_of(a, b, 1000), true, BETTER_LOWER);
	/* effect 0.5, sd 1: R says 33.4; the estimate from 1000 runs is near */
	assert_in_range(c.runs_needed, 26, 44);
	for (int run = 0; run < RUNS; run++) {
		for (int i = 0; i < 34; i++) {
			a[i] = 100 + normal(&r);
			b[i] = a[i] + 0.5 + normal(&r);
		}
		found += compare(sides_of(a, b, 34), true, BETTER_LOWER).p < 0.05;
	}
	within((double)found / RUNS, 0.8, 0.03);
}

static void bootstrap_interval_is_near_students(void **state)
{
	struct random r = random_stream(7, RANDOM_TEST, 0);
	struct bootstrap_plan plan = { true, 2000, 0.95, 42 };
	struct bootstrap_interval i, again;
	double a[60], b[60];
	struct comparison c;

	for (int k = 0; k < 60; k++) {
		a[k] = 100 + normal(&r);
		b[k] = a[k] * 1.05 + normal(&r);
	}
	c = compare(sides_of(a, b, 60), true, BETTER_LOWER);
	i = bootstrap_change(sides_of(a, b, 60), &plan);
	within(i.low_pct, c.ci95_pct[0], 0.06);
	within(i.high_pct, c.ci95_pct[1], 0.06);
	again = bootstrap_change(sides_of(a, b, 60), &plan);
	assert_true(i.low_pct == again.low_pct && i.high_pct == again.high_pct);
	plan.seed++;
	assert_true(bootstrap_change(sides_of(a, b, 60), &plan).low_pct != i.low_pct);
	plan.paired = false;
	c = compare(sides_of(a, b, 60), false, BETTER_LOWER);
	i = bootstrap_change(sides_of(a, b, 60), &plan);
	within(i.low_pct, c.ci95_pct[0], 0.1);
	assert_true(isnan(bootstrap_change(sides_of(a, b, 1), &plan).low_pct));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(change_is_relative_to_the_base),
		cmocka_unit_test(failed_seeds_drop_their_pair_only),
		cmocka_unit_test(identical_runs_say_so),
		cmocka_unit_test(odd_samples_are_handled),
		cmocka_unit_test(family_leaves_identical_cells_out),
		cmocka_unit_test(gain_is_positive_when_better),
		cmocka_unit_test(welch_is_wrong_in_five_percent),
		cmocka_unit_test(paired_is_wrong_in_five_percent),
		cmocka_unit_test(runs_needed_reach_their_power),
		cmocka_unit_test(bootstrap_interval_is_near_students),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
