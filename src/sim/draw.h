/* SPDX-License-Identifier: GPL-2.0-only */
/* Random lengths, in integers. Internal to sim/. */
#ifndef SIM_DRAW_H
#define SIM_DRAW_H

#include "base/random.h"

enum { DRAW_LOG_STEPS = 256 };

/* log2(1 + i / DRAW_LOG_STEPS) in 2^24. */
struct draw_table {
	uint32_t log2_q24[DRAW_LOG_STEPS + 1];
};

void draw_table_init(struct draw_table *table);

/* Exponentially distributed, rounded down; the logarithm is exact to 3 in a million. */
uint64_t draw_exponential(const struct draw_table *table, struct random *r, uint64_t mean);

/* Uniform from value - value * part to value + value * part; the part in 2^32, up to 1. */
uint64_t draw_spread(struct random *r, uint64_t value, uint64_t part_q32);

#endif
