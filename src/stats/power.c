/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * n runs a side:  df = n - 1 (paired) or 2 (n - 1),  ncp = effect / sd sqrt(n) (paired) or
 * effect / sd sqrt(n / 2),  power = P(T_df,ncp > t_(1 - alpha / 2), df).
 */
#include "stats/power.h"

#include "base/check.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>

/* The noncentral t of Rmath is meant for ncp up to 37.62; the normal is near enough beyond. */
static const double NCP_MAX = 37;

double power_of(const struct power_question *q, uint32_t n)
{
	double df = q->paired ? n - 1.0 : 2 * (n - 1.0);
	double ncp = q->effect / q->sd * sqrt(q->paired ? n : n / 2.0);
	double critical = qt(q->alpha / 2, df, 0, 0);

	CHECK(n >= 2 && q->sd > 0 && q->alpha > 0 && q->alpha < 1);
	if (ncp > NCP_MAX)
		return pnorm(ncp - critical, 0, 1, 1, 0);
	return pnt(critical, df, ncp, 0, 0);
}

uint32_t power_runs_needed(const struct power_question *q)
{
	uint32_t low = 1, high = 2; /* low is too few, high may be enough */

	if (!isfinite(q->effect) || !isfinite(q->sd) || q->effect <= 0 || q->sd < 0)
		return RUNS_UNKNOWN;
	if (q->sd == 0)
		return 2;
	while (high < RUNS_LIMIT && power_of(q, high) < q->power) {
		low = high;
		high *= 2;
	}
	if (high >= RUNS_LIMIT)
		return RUNS_LIMIT;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (power_of(q, middle) < q->power)
			low = middle;
		else
			high = middle;
	}
	return high;
}
