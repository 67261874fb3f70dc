/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Welch:   se^2 = s_a^2 / n_a + s_b^2 / n_b
 *          df   = se^4 / ((s_a^2 / n_a)^2 / (n_a - 1) + (s_b^2 / n_b)^2 / (n_b - 1))
 * Paired:  se   = s_d / sqrt(n), df = n - 1, of the differences d.
 * Both:    t = difference / se, p = 2 P(T_df > |t|), interval = difference -+ t_(1+c)/2 se.
 */
#include "stats/ttest.h"

#include "base/arena.h"
#include "base/check.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

static struct ttest unknown(double difference, uint32_t n)
{
	return (struct ttest){ TEST_TOO_FEW, n, difference, NAN, NAN, NAN, NAN, NAN, NAN };
}

/* Deviation (or difference) so small against the values that it is rounding. */
static bool is_rounding(double size, double level)
{
	return fabs(size) <= 4 * DBL_EPSILON * fabs(level);
}

/* test: difference and n are filled; level: the mean that the difference stands against. */
static struct ttest without_deviation(struct ttest test, double level, double arrangements)
{
	test.p = is_rounding(test.difference, level) ? 1 : fmax(fmin(1, 2 / arrangements), DBL_MIN);
	test.verdict = test.difference == 0 ? TEST_IDENTICAL : TEST_CONSTANT;
	test.se = 0;
	test.t = test.df = NAN;
	test.low = test.high = test.difference;
	return test;
}

static struct ttest student(struct ttest test, double confidence)
{
	double reach = qt((1 + confidence) / 2, test.df, 1, 0) * test.se;

	test.verdict = TEST_NORMAL;
	test.t = test.difference / test.se;
	test.p = fmax(fmin(1, 2 * pt(-fabs(test.t), test.df, 1, 0)), DBL_MIN);
	test.low = test.difference - reach;
	test.high = test.difference + reach;
	return test;
}

struct ttest ttest_welch(struct sides sides, double confidence)
{
	struct moments a = sample_moments(sides.base), b = sample_moments(sides.other);
	double va = a.sd * a.sd / a.n, vb = b.sd * b.sd / b.n;
	struct ttest test = unknown(b.mean - a.mean, a.n + b.n);

	CHECK(confidence > 0 && confidence < 1);
	if (a.n < 2 || b.n < 2)
		return test;
	test.se = sqrt(va + vb);
	if (is_rounding(test.se, a.mean))
		return without_deviation(test, a.mean, choose(a.n + b.n, a.n));
	test.df = (va + vb) * (va + vb) / (va * va / (a.n - 1) + vb * vb / (b.n - 1));
	return student(test, confidence);
}

struct ttest ttest_paired(struct sides sides, double confidence)
{
	uint32_t count = sides.base.count;
	struct moments d, a = sample_moments(sides.base);
	struct arena arena;
	struct ttest test;
	double *difference;

	CHECK(confidence > 0 && confidence < 1 && count == sides.other.count);
	arena_init(&arena);
	difference = ARENA_ARRAY(&arena, double, count + 1);
	for (uint32_t i = 0; i < count; i++)
		difference[i] = sides.other.value[i] - sides.base.value[i];
	d = sample_moments((struct sample){ difference, count });
	arena_release(&arena);

	test = unknown(d.mean, d.n);
	if (d.n < 2)
		return test;
	test.se = d.sd / sqrt(d.n);
	test.df = d.n - 1;
	if (is_rounding(test.se, a.mean))
		return without_deviation(test, a.mean, exp2(d.n));
	return student(test, confidence);
}
