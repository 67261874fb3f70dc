/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of small numbers: cpus, cores or nodes. Flat words, sized once.
 *
 * Two sets in one operation must have the same `bits`. Ids run from 0 to bits - 1. A set is plain
 * data in its owner's arena: copying the struct aliases the words.
 */
#ifndef BASE_CPUSET_H
#define BASE_CPUSET_H

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>

/* No cpu; and, for all who number tasks, no task. */
#define CPU_NONE  UINT32_MAX
#define TASK_NONE UINT32_MAX

struct cpuset {
	uint32_t bits, words;
	uint64_t *word; /* words of 64 ids each, unused bits zero */
};

struct cpuset cpuset_new(struct arena *arena, uint32_t bits);
struct cpuset cpuset_clone(struct arena *arena, const struct cpuset *from);
void cpuset_copy(struct cpuset *to, const struct cpuset *from);
void cpuset_clear(struct cpuset *set);
void cpuset_fill(struct cpuset *set);
void cpuset_and(struct cpuset *to, const struct cpuset *a, const struct cpuset *b);
void cpuset_or(struct cpuset *to, const struct cpuset *a, const struct cpuset *b);
void cpuset_andnot(struct cpuset *to, const struct cpuset *a, const struct cpuset *b);
bool cpuset_equal(const struct cpuset *a, const struct cpuset *b);
bool cpuset_subset(const struct cpuset *inner, const struct cpuset *outer);
bool cpuset_intersects(const struct cpuset *a, const struct cpuset *b);
bool cpuset_empty(const struct cpuset *set);
uint32_t cpuset_weight(const struct cpuset *set);
uint64_t cpuset_hash(const struct cpuset *set);

/* The kernel's list form, "0-3,8"; an empty set prints nothing. Returns out. */
char *cpuset_print(const struct cpuset *set, char *out, size_t size);
/* Reads the list form ("0-3,8", also "0-15:2/4" strides); ids beyond bits are an error. */
bool cpuset_parse(struct cpuset *set, const char *text, struct err *err);

static inline void cpuset_add(struct cpuset *set, uint32_t id)
{
	set->word[id / 64] |= 1ull << (id % 64);
}

static inline void cpuset_del(struct cpuset *set, uint32_t id)
{
	set->word[id / 64] &= ~(1ull << (id % 64));
}

static inline bool cpuset_has(const struct cpuset *set, uint32_t id)
{
	return set->word[id / 64] >> (id % 64) & 1;
}

/* The first member at or after `from`; CPU_NONE when there is none. */
static inline uint32_t cpuset_next(const struct cpuset *set, uint32_t from)
{
	uint32_t w = from / 64;
	uint64_t bits;

	if (from >= set->bits)
		return CPU_NONE;
	bits = set->word[w] & ~0ull << (from % 64);
	while (!bits) {
		if (++w >= set->words)
			return CPU_NONE;
		bits = set->word[w];
	}
	return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

static inline uint32_t cpuset_first(const struct cpuset *set)
{
	return cpuset_next(set, 0);
}

/* The first member at or after `from` of both sets. */
static inline uint32_t cpuset_next_and(const struct cpuset *a, const struct cpuset *b,
				       uint32_t from)
{
	uint32_t w = from / 64;
	uint64_t bits;

	if (from >= a->bits)
		return CPU_NONE;
	bits = a->word[w] & b->word[w] & ~0ull << (from % 64);
	while (!bits) {
		if (++w >= a->words)
			return CPU_NONE;
		bits = a->word[w] & b->word[w];
	}
	return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* Members in ascending order; the set must not change inside. */
#define cpuset_for_each(id, set)                                                                   \
	for (uint32_t id = cpuset_first(set); id != CPU_NONE; id = cpuset_next(set, id + 1))

#endif
