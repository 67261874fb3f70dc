/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Student's tests of a difference of means, two-sided, with an interval.
 *
 * `verdict` says what kind of answer there is:
 *   TEST_NORMAL     t, df, p and the interval are Student's.
 *   TEST_IDENTICAL  no deviation and no difference: interval [0, 0], p = 1.
 *   TEST_CONSTANT   a difference without deviation beyond rounding, as deterministic runs give:
 *                   the interval is the difference itself; t has no finite value, so p is that of
 *                   the exact permutation test, 2 / (number of arrangements), never 0.
 *   TEST_TOO_FEW    fewer than two values on a side (or two pairs): t, df, p, interval NaN.
 */
#ifndef STATS_TTEST_H
#define STATS_TTEST_H

#include "stats/sample.h"

enum test_verdict {
	TEST_NORMAL,
	TEST_IDENTICAL,
	TEST_CONSTANT,
	TEST_TOO_FEW,
};

struct ttest {
	enum test_verdict verdict;
	uint32_t n;	   /* pairs, or values on both sides */
	double difference; /* mean of other - mean of base */
	double se;	   /* standard error of the difference */
	double t, df, p;
	double low, high; /* confidence interval of the difference */
};

/* The two samples of a comparison. */
struct sides {
	struct sample base, other;
};

/* Welch's test: unpaired, unequal variances. 0 < confidence < 1, usually 0.95. */
struct ttest ttest_welch(struct sides sides, double confidence);

/* Value i of both sides belongs together; pairs with a failed run are left out; equal counts. */
struct ttest ttest_paired(struct sides sides, double confidence);

#endif
