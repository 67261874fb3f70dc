/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Named random streams: a value depends on (seed, stream, entity) and on nothing else, so that a
 * new consumer moves no other. SplitMix64 (Steele, Lea, Flood 2014) drawn in order.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include "base/fixed.h"

#include <stdint.h>

enum random_stream {
	RANDOM_START_OFFSET, /* entity: task */
	RANDOM_TICK_PHASE,   /* entity: cpu */
	RANDOM_SCAN_START,   /* entity: cpu */
	RANDOM_JITTER,	     /* entity: task */
	RANDOM_WORKLOAD,     /* entity: task; what the workload's own program draws */
	RANDOM_TEST,	     /* scenarios of property tests */
	RANDOM_BOOTSTRAP,    /* resampling in statistics; entity 0 */
	RANDOM_KERNEL,	     /* what kernel code asks for; entity 0 */
};

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static inline struct random random_stream(uint64_t seed, enum random_stream stream, uint64_t entity)
{
	struct random r = { seed };

	r.state = random_next(&r) ^ ((uint64_t)stream << 56 | entity);
	r.state = random_next(&r);
	return r;
}

/* 0 … below - 1, below > 0. The bias of the multiply-shift is below 2^-32 for small ranges. */
static inline uint64_t random_below(struct random *r, uint64_t below)
{
	return (uint64_t)((u128)random_next(r) * below >> 64);
}

#endif
