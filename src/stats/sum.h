/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums of doubles that do not depend on the order of their terms: the exact sum, rounded once.
 *
 * Worker processes finish in any order; their means must not. Terms must be finite and below
 * 1e290 in magnitude; a sum that leaves the range of double becomes infinite or NaN.
 */
#ifndef STATS_SUM_H
#define STATS_SUM_H

#include <stdint.h>

enum { SUM_PARTS = 48 };

struct sum {
	uint32_t parts;
	double part[SUM_PARTS]; /* growing magnitude, no two overlap in bits */
};

/* Start from `struct sum s = { 0 };`. */
void sum_add(struct sum *sum, double term);
double sum_value(const struct sum *sum);

#endif
