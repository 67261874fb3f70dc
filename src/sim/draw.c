/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With u uniform in (0, 1], -mean ln u is exponentially distributed. u = x / 2^64, x = m 2^(63 - n)
 * with m in [1, 2), so -log2 u = n + 1 - log2 m. The logarithm of m comes from a table, on straight
 * lines between its values; the table is made by squaring: each squaring of m yields one more bit.
 */
#include "sim/draw.h"
#include "base/fixed.h"

enum { LOG_BITS = 24 };
#define LN2_Q32 2977044472ull /* ln 2 in 2^32 */

/* log2(m / 2^62) in 2^LOG_BITS; m in [2^62, 2^63). */
static uint32_t log2_by_squaring(uint64_t m)
{
	uint32_t log = 0;

	for (uint32_t i = 0; i < LOG_BITS; i++) {
		m = (uint64_t)((u128)m * m >> 62);
		log = log << 1 | (uint32_t)(m >> 63);
		m >>= m >> 63;
	}
	return log;
}

void draw_table_init(struct draw_table *table)
{
	for (uint64_t i = 0; i < DRAW_LOG_STEPS; i++)
		table->log2_q24[i] =
			log2_by_squaring((1ull << 62) + i * ((1ull << 62) / DRAW_LOG_STEPS));
	table->log2_q24[DRAW_LOG_STEPS] = 1 << LOG_BITS;
}

/* -log2(x / 2^64) in 2^LOG_BITS; x > 0. */
static uint64_t minus_log2(const struct draw_table *table, uint64_t x)
{
	uint64_t n = (uint64_t)__builtin_clzll(x), part = x << n << 1;
	uint32_t i = (uint32_t)(part >> 56), low = table->log2_q24[i];
	uint64_t rest = part << 8 >> 32, slope = table->log2_q24[i + 1] - low;

	return ((n + 1) << LOG_BITS) - low - (slope * rest >> 32);
}

uint64_t draw_exponential(const struct draw_table *table, struct random *r, uint64_t mean)
{
	uint64_t log = minus_log2(table, random_next(r) | 1);

	return (uint64_t)((u128)mean * (log * LN2_Q32 >> LOG_BITS) >> 32);
}

uint64_t draw_spread(struct random *r, uint64_t value, uint64_t part_q32)
{
	uint64_t most = (uint64_t)((u128)value * part_q32 >> 32);

	return value - most + random_below(r, 2 * most + 1);
}
