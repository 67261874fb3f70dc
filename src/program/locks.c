/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One pass in order suffices: a round that ends as it began makes every round alike.
 */
#include "program/locks.h"

#include "program/place.h"

#include <string.h>

struct mutex_key {
	uint32_t resource;
	uint8_t by_base, by_loop;
};

struct held {
	uint32_t count;
	struct mutex_key key[PROGRAM_MAX_HELD];
};

static bool same_key(struct mutex_key a, struct mutex_key b)
{
	return a.resource == b.resource && a.by_base == b.by_base && a.by_loop == b.by_loop;
}

static uint32_t find(const struct held *held, struct mutex_key key)
{
	uint32_t i = 0;

	while (i < held->count && !same_key(held->key[i], key))
		i++;
	return i;
}

static bool take(struct held *held, struct mutex_key key, struct place at, struct err *err)
{
	if (find(held, key) < held->count)
		return place_err(at, err, "takes mutex %u, which it holds already", key.resource);
	if (held->count == PROGRAM_MAX_HELD)
		return place_err(at, err, "holds more than %d mutexes", PROGRAM_MAX_HELD);
	held->key[held->count++] = key;
	return true;
}

static bool release(struct held *held, struct mutex_key key, struct place at, struct err *err)
{
	uint32_t i = find(held, key);

	if (i == held->count)
		return place_err(at, err, "releases mutex %u, which it does not hold",
				 key.resource);
	held->count--;
	memmove(&held->key[i], &held->key[i + 1], (held->count - i) * sizeof(held->key[0]));
	return true;
}

static bool same_held(const struct held *a, const struct held *b)
{
	bool same = a->count == b->count;

	for (uint32_t i = 0; same && i < a->count; i++)
		same = find(b, a->key[i]) < b->count;
	return same;
}

/* before: what was held at the LOOP of each depth. */
static bool step(const struct op *op, struct held *held, struct held *before, struct place at,
		 struct err *err)
{
	struct mutex_key key = { op->resource, op->by_base, op->by_loop };
	struct mutex_key released = { (uint32_t)op->b, 0, 0 }; /* of WAIT */

	switch (op->kind) {
	case OP_LOOP: before[op->depth] = *held; return true;
	case OP_LOCK: return take(held, key, at, err);
	case OP_UNLOCK: return release(held, key, at, err);
	case OP_END:
		return same_held(held, &before[op->depth]) ||
		       place_err(at, err, "ends a round with other mutexes than it began with");
	case OP_EXIT:
		return !held->count ||
		       place_err(at, err, "ends with mutex %u taken", held->key[0].resource);
	case OP_WAIT:
		return find(held, released) < held->count ||
		       place_err(at, err, "waits with mutex %llu, which it does not hold",
				 (unsigned long long)op->b);
	}
	return true;
}

bool program_check_locks(const struct program_set *set, uint32_t program, struct err *err)
{
	const struct task_program *p = &set->program[program];
	struct held held = { 0 }, before[PROGRAM_MAX_DEPTH] = { 0 };

	for (uint32_t i = p->first_op; i < p->first_op + p->nr_ops; i++)
		if (!step(&set->op[i], &held, before, (struct place){ set, program, i }, err))
			return false;
	return true;
}
