/* SPDX-License-Identifier: GPL-2.0-only */
/* Open addressing with linear probing, never more than half full; sets are never removed. */
#include "topology/builder.h"

#include "base/check.h"

#include <string.h>

enum { FIRST_SLOTS = 256 };

void set_pool_init(struct set_pool *pool, struct arena *arena, struct arena *scratch)
{
	*pool = (struct set_pool){ .arena = arena, .scratch = scratch, .nr_slots = FIRST_SLOTS };
	pool->slot = ARENA_ARRAY(scratch, const struct cpuset *, FIRST_SLOTS);
}

static uint32_t find_slot(const struct set_pool *pool, const struct cpuset *set)
{
	uint32_t i = (uint32_t)cpuset_hash(set) & (pool->nr_slots - 1);

	while (pool->slot[i] && !cpuset_equal(pool->slot[i], set))
		i = (i + 1) & (pool->nr_slots - 1);
	return i;
}

static void double_slots(struct set_pool *pool)
{
	const struct cpuset **old = pool->slot;
	uint32_t nr_old = pool->nr_slots;

	pool->nr_slots *= 2;
	pool->slot = ARENA_ARRAY(pool->scratch, const struct cpuset *, pool->nr_slots);
	for (uint32_t i = 0; i < nr_old; i++) {
		if (old[i])
			pool->slot[find_slot(pool, old[i])] = old[i];
	}
}

const struct cpuset *set_pool_get(struct set_pool *pool, const struct cpuset *set)
{
	uint32_t i = find_slot(pool, set);
	struct cpuset *copy;

	if (pool->slot[i])
		return pool->slot[i];
	if (pool->nr * 2 >= pool->nr_slots) {
		double_slots(pool);
		i = find_slot(pool, set);
	}
	copy = ARENA_NEW(pool->arena, struct cpuset);
	*copy = cpuset_clone(pool->arena, set);
	pool->slot[i] = copy;
	pool->nr++;
	return copy;
}

void *grow(struct arena *scratch, void *array, uint32_t nr, uint32_t *cap, size_t size)
{
	void *larger;

	if (nr < *cap)
		return array;
	CHECK(*cap < UINT32_MAX / 2);
	*cap = *cap ? *cap * 2 : 64;
	larger = arena_alloc(scratch, *cap, size, 16);
	if (nr)
		memcpy(larger, array, (size_t)nr * size);
	return larger;
}
