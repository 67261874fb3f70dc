/* SPDX-License-Identifier: GPL-2.0-only */
/* Bootstrap intervals of a relative change: no shape of distribution is assumed. */
#ifndef STATS_BOOTSTRAP_H
#define STATS_BOOTSTRAP_H

#include "stats/ttest.h"

#include <stdbool.h>
#include <stdint.h>

struct bootstrap_plan {
	bool paired;	    /* draw pairs (equal counts), or each side by itself */
	uint32_t resamples; /* at least 100; 2000 is usual */
	double confidence;
	uint64_t seed; /* the same seed gives the same interval */
};

struct bootstrap_interval {
	double low_pct, high_pct; /* of 100 (mean other - mean base) / |mean base|; NaN: unknown */
};

/* Percentile interval. NaN with fewer than two values a side, or a resampled base mean of 0. */
struct bootstrap_interval bootstrap_change(struct sides sides, const struct bootstrap_plan *plan);

#endif
