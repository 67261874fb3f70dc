/* SPDX-License-Identifier: GPL-2.0-only */
/* Random lengths, in integers. Internal to sim/. */
#ifndef SIM_DRAW_H
#define SIM_DRAW_H

#include "base/random.h"

/* Exponentially distributed, rounded down; the logarithm is exact to 2^-24. */
uint64_t draw_exponential(struct random *r, uint64_t mean);

/* Uniform from value - value * part to value + value * part; the part in 2^32, up to 1. */
uint64_t draw_spread(struct random *r, uint64_t value, uint64_t part_q32);

#endif
