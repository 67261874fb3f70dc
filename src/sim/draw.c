/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With u uniform in (0, 1], -mean ln u is exponentially distributed. u = x / 2^64, x = m 2^(63 - n)
 * with m in [1, 2), so -log2 u = n + 1 - log2 m; squaring m yields the bits of log2 m one by one.
 */
#include "sim/draw.h"
#include "base/fixed.h"

enum { LOG_BITS = 24 };
#define LN2_Q32 2977044472ull /* ln 2 in 2^32 */

/* -log2(x / 2^64) in 2^LOG_BITS; x > 0. */
static uint64_t minus_log2(uint64_t x)
{
	uint64_t n = (uint64_t)__builtin_clzll(x), fraction = 0;
	uint64_t m = x << n >> 1; /* in 2^62 */

	for (uint32_t i = 0; i < LOG_BITS; i++) {
		m = (uint64_t)((u128)m * m >> 62);
		fraction <<= 1;
		if (m >> 63) {
			m >>= 1;
			fraction |= 1;
		}
	}
	return ((n + 1) << LOG_BITS) - fraction;
}

uint64_t draw_exponential(struct random *r, uint64_t mean)
{
	uint64_t ln_q32 = mul_div_floor(minus_log2(random_next(r) | 1), LN2_Q32, 1 << LOG_BITS);

	return mul_div_floor(mean, ln_q32, 1ull << 32);
}

uint64_t draw_spread(struct random *r, uint64_t value, uint64_t part_q32)
{
	uint64_t most = (uint64_t)((u128)value * part_q32 >> 32);

	return value - most + random_below(r, 2 * most + 1);
}
