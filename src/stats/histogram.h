/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Log-linear histograms of whole numbers (latencies in ns), in the manner of HdrHistogram.
 *
 * Each power of two is cut into 2^precision_bits equal buckets, so a value is known to one part
 * in 2^precision_bits; values below that are exact. Integers throughout: merging in any order
 * gives the same bytes. Counts live in the caller's arena.
 */
#ifndef STATS_HISTOGRAM_H
#define STATS_HISTOGRAM_H

#include "base/arena.h"

#include <stdint.h>

struct histogram {
	uint32_t precision_bits, buckets;
	uint64_t *count;   /* buckets of them */
	uint64_t total;	   /* values added */
	uint64_t min, max; /* UINT64_MAX and 0 when empty */
	uint64_t sum;	   /* saturates */
};

/* precision_bits: 1 to 12; 7 keeps values within 0.8 % and takes 58 KiB. */
struct histogram histogram_new(struct arena *arena, uint32_t precision_bits);
void histogram_add(struct histogram *h, uint64_t value, uint64_t times);
/* Both of one precision. */
void histogram_merge(struct histogram *into, const struct histogram *from);

/*
 * The largest value of the bucket that holds the value of rank ceil(total * part_ppm / 10^6),
 * rank 1 at least, cut to [min, max]. 990000 is the 99th percentile. 0 when empty.
 */
uint64_t histogram_quantile(const struct histogram *h, uint32_t part_ppm);
/* Rounded down; 0 when empty. */
uint64_t histogram_mean_floor(const struct histogram *h);

/* Bucket of a value and the first and last value of a bucket. */
uint32_t histogram_bucket(const struct histogram *h, uint64_t value);
uint64_t histogram_first(const struct histogram *h, uint32_t bucket);
uint64_t histogram_last(const struct histogram *h, uint32_t bucket);

#endif
