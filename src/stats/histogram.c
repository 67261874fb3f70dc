/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With B = 2^bits: values below B have buckets of their own; a value v with floor(log2 v) = e >=
 * bits is in bucket  B (e - bits + 1) + (v >> (e - bits)) - B.
 */
#include "stats/histogram.h"

#include "base/check.h"
#include "base/fixed.h"

struct histogram histogram_new(struct arena *arena, uint32_t precision_bits)
{
	struct histogram h = { .precision_bits = precision_bits, .min = UINT64_MAX };

	CHECK(precision_bits >= 1 && precision_bits <= 12);
	h.buckets = (64 - precision_bits + 1) << precision_bits;
	h.count = ARENA_ARRAY(arena, uint64_t, h.buckets);
	return h;
}

uint32_t histogram_bucket(const struct histogram *h, uint64_t value)
{
	uint32_t bits = h->precision_bits, shift;

	if (value >> bits == 0)
		return (uint32_t)value;
	shift = 63 - (uint32_t)__builtin_clzll(value) - bits;
	return (shift << bits) + (uint32_t)(value >> shift);
}

uint64_t histogram_first(const struct histogram *h, uint32_t bucket)
{
	uint32_t bits = h->precision_bits, shift;

	CHECK(bucket < h->buckets);
	if (bucket >> bits == 0)
		return bucket;
	shift = (bucket >> bits) - 1;
	return (uint64_t)(bucket - (shift << bits)) << shift;
}

uint64_t histogram_last(const struct histogram *h, uint32_t bucket)
{
	if (bucket + 1 == h->buckets)
		return UINT64_MAX;
	return histogram_first(h, bucket + 1) - 1;
}

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void histogram_add(struct histogram *h, uint64_t value, uint64_t times)
{
	uint64_t product;

	if (!times)
		return;
	h->count[histogram_bucket(h, value)] += times;
	h->total += times;
	h->min = min_u64(h->min, value);
	h->max = max_u64(h->max, value);
	if (__builtin_mul_overflow(value, times, &product))
		product = UINT64_MAX;
	h->sum = add_saturated(h->sum, product);
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	CHECK(into->precision_bits == from->precision_bits);
	for (uint32_t b = 0; b < from->buckets; b++)
		into->count[b] += from->count[b];
	into->total += from->total;
	into->min = min_u64(into->min, from->min);
	into->max = max_u64(into->max, from->max);
	into->sum = add_saturated(into->sum, from->sum);
}

uint64_t histogram_quantile(const struct histogram *h, uint32_t part_ppm)
{
	uint64_t rank, seen = 0;

	CHECK(part_ppm <= 1000000);
	if (!h->total)
		return 0;
	rank = max_u64(1, mul_div_ceil(h->total, part_ppm, 1000000));
	for (uint32_t b = 0; b < h->buckets; b++) {
		seen += h->count[b];
		if (seen >= rank)
			return max_u64(h->min, min_u64(h->max, histogram_last(h, b)));
	}
	return h->max;
}

uint64_t histogram_mean_floor(const struct histogram *h)
{
	return h->total ? h->sum / h->total : 0;
}
