/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The running sum is a list of doubles whose bits do not overlap and whose exact total is the sum
 * so far (Shewchuk 1997, "Adaptive precision floating-point arithmetic", grow-expansion). Such a
 * list has at most 2098 / 53 + 1 = 40 parts.
 */
#include "stats/sum.h"

#include "base/check.h"

#include <math.h>

/* Returns a + b rounded; *rest is what the rounding lost, exactly (Dekker 1971). */
static double two_sum(double a, double b, double *rest)
{
	double large = fabs(a) < fabs(b) ? b : a, small = fabs(a) < fabs(b) ? a : b;
	double rounded = large + small;

	*rest = small - (rounded - large);
	return rounded;
}

void sum_add(struct sum *sum, double term)
{
	uint32_t kept = 0;
	double rest;

	for (uint32_t i = 0; i < sum->parts; i++) {
		term = two_sum(term, sum->part[i], &rest);
		if (rest != 0)
			sum->part[kept++] = rest;
	}
	CHECK(kept < SUM_PARTS);
	sum->part[kept] = term;
	sum->parts = kept + 1;
}

double sum_value(const struct sum *sum)
{
	uint32_t i = sum->parts;
	double total, rest = 0;

	if (!i)
		return 0;
	total = sum->part[--i];
	while (i && rest == 0)
		total = two_sum(total, sum->part[--i], &rest);
	/* A rest of exactly half a unit was rounded to even, blind to what lies below it. */
	if (i && rest != 0 && (rest < 0) == (sum->part[i - 1] < 0)) {
		double twice = rest * 2, up = total + twice;

		if (up - total == twice)
			total = up;
	}
	return total;
}
