/* SPDX-License-Identifier: GPL-2.0-only */
/* Integer arithmetic through 128 bits. Each name says its rounding. */
#ifndef BASE_FIXED_H
#define BASE_FIXED_H

#include <stdbool.h>
#include <stdint.h>

/* Not ISO C, hence the marker; both compilers have it on every 64-bit machine. */
__extension__ typedef unsigned __int128 u128;

/* a * b / c rounded down; c > 0 and the result must fit. */
static inline uint64_t mul_div_floor(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t product;

	if (!__builtin_mul_overflow(a, b, &product))
		return product / c;
	return (uint64_t)((u128)a * b / c);
}

static inline uint64_t mul_div_ceil(uint64_t a, uint64_t b, uint64_t c)
{
	return (uint64_t)(((u128)a * b + c - 1) / c);
}

/* Virtual times wrap: the only way to compare them. */
static inline int64_t vns_delta(uint64_t a_vns, uint64_t b_vns)
{
	return (int64_t)(a_vns - b_vns);
}

static inline bool vns_before(uint64_t a_vns, uint64_t b_vns)
{
	return vns_delta(a_vns, b_vns) < 0;
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* a - b, 0 when b is larger. */
static inline uint64_t sub_to_zero_u64(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif
