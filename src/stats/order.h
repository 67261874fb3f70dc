/* SPDX-License-Identifier: GPL-2.0-only */
/* Sorting and ranking of doubles. Values must not be NaN; equal values keep their index order. */
#ifndef STATS_ORDER_H
#define STATS_ORDER_H

#include <stdint.h>

struct ordered {
	double value;
	uint32_t index; /* where the value stood before sorting */
};

/* Ascending by value, then index. In place, O(n log n) at worst. */
void order_sort(struct ordered *item, uint32_t n);

/*
 * Ranks from 1, ties sharing the mean of theirs: rank[item[i].index] for sorted items.
 * Returns the sum of t^3 - t over the groups of t equal values (0 without ties).
 */
double order_ranks(const struct ordered *item, uint32_t n, double *rank);

#endif
