/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one sample says by itself.
 *
 * A value that is not finite stands for a run that failed: it is left out and n counts the rest.
 * What cannot be known is NaN: everything of an empty sample, sd of one value, %std of a mean of
 * zero. Results depend on the set of values, not on their order.
 */
#ifndef STATS_SAMPLE_H
#define STATS_SAMPLE_H

#include <stdint.h>

struct sample {
	const double *value;
	uint32_t count; /* slots, failed runs included */
};

struct moments {
	uint32_t n;	/* finite values */
	double mean;	/* arithmetic (Amean) */
	double sd;	/* of the sample: divides by n - 1 */
	double pop_sd;	/* of the population: divides by n */
	double std_pct; /* 100 sd / |mean| */
	double pop_std_pct;
	double min, median, max;
};

struct moments sample_moments(struct sample sample);

/* Quantile of type 7 (Hyndman and Fan 1996): linear between order statistics; 0 <= part <= 1. */
double sample_quantile(struct sample sample, double part);

/* Of positive values only; NaN when one is not above zero. */
double sample_harmonic_mean(struct sample sample);
double sample_geometric_mean(struct sample sample);

#endif
