/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrays double inside the arena and leave their old halves behind: at most twice the memory, and
 * nothing to free on any path.
 */
#include "program/build.h"

#include "base/check.h"

#include <stddef.h>
#include <string.h>

enum { MAX_PROGRAMS = 1 << 20, MAX_SETS = 1 << 20, FIRST_ROOM = 16 };

struct program_builder {
	struct arena *arena;
	struct program_set *set;
	uint32_t op_room, program_room, task_room, resource_room, set_room;
	struct err err; /* the first limit passed */
};

/* Makes room for `count` more of the nr elements in use; false when that passes the limit. */
static bool grow(struct program_builder *b, void **array, uint32_t *room, uint32_t nr,
		 uint32_t count, uint32_t limit, size_t size, const char *what)
{
	uint64_t wanted = (uint64_t)nr + count, next = *room ? *room : FIRST_ROOM;
	void *larger;

	if (wanted > limit)
		return err_set(&b->err, "%llu %s (allowed: at most %u)", (unsigned long long)wanted,
			       what, limit);
	if (wanted <= *room)
		return true;
	while (next < wanted)
		next *= 2;
	larger = arena_alloc(b->arena, next, size, _Alignof(max_align_t));
	if (nr)
		memcpy(larger, *array, nr * size);
	*array = larger;
	*room = (uint32_t)next;
	return true;
}

#define GROW(b, array, nr, room, count, limit, what)                                               \
	grow(b, (void **)&(b)->set->array, &(b)->room, (b)->set->nr, count, limit,                 \
	     sizeof(*(b)->set->array), what)

struct program_builder *program_builder_new(struct arena *arena, const struct cpuset *cpus)
{
	struct program_builder *b = ARENA_NEW(arena, struct program_builder);

	b->arena = arena;
	b->set = ARENA_NEW(arena, struct program_set);
	b->set->until_task = PROGRAM_ALL_TASKS;
	program_cpus(b, cpus);
	return b;
}

uint32_t program_begin(struct program_builder *b, const char *name)
{
	struct program_set *set = b->set;

	if (!GROW(b, program, nr_programs, program_room, 1, MAX_PROGRAMS, "programs"))
		return 0;
	set->program[set->nr_programs] =
		(struct task_program){ .first_op = set->nr_ops,
				       .name = arena_strdup(b->arena, name) };
	return set->nr_programs++;
}

void program_op(struct program_builder *b, struct op op)
{
	struct program_set *set = b->set;

	CHECK(set->nr_programs || b->err.set);
	if (!GROW(b, op, nr_ops, op_room, 1, PROGRAM_MAX_OPS, "operations") || !set->nr_programs)
		return;
	set->op[set->nr_ops++] = op;
	set->program[set->nr_programs - 1].nr_ops++;
}

uint32_t program_resource(struct program_builder *b, enum resource_kind kind, uint32_t value,
			  uint32_t count)
{
	struct program_set *set = b->set;
	uint32_t first = set->nr_resources;

	if (!GROW(b, resource, nr_resources, resource_room, count, PROGRAM_MAX_RESOURCES,
		  "resources"))
		return 0;
	for (uint32_t i = 0; i < count; i++)
		set->resource[first + i] = (struct resource){ kind, value };
	set->nr_resources += count;
	return first;
}

uint32_t program_cpus(struct program_builder *b, const struct cpuset *cpus)
{
	struct program_set *set = b->set;

	if (!GROW(b, set, nr_sets, set_room, 1, MAX_SETS, "cpu sets"))
		return 0;
	set->set[set->nr_sets] = cpuset_clone(b->arena, cpus);
	return set->nr_sets++;
}

uint32_t program_task(struct program_builder *b, struct task_spec spec)
{
	struct program_set *set = b->set;

	if (!GROW(b, task, nr_tasks, task_room, 1, PROGRAM_MAX_TASKS, "tasks"))
		return 0;
	set->task[set->nr_tasks] = spec;
	return set->nr_tasks++;
}

uint32_t program_nr_tasks(const struct program_builder *b)
{
	return b->set->nr_tasks;
}

void program_until(struct program_builder *b, uint32_t task)
{
	b->set->until_task = task;
}

struct program_set *program_finish(struct program_builder *b, struct err *err)
{
	if (b->err.set) {
		err_set(err, "%s", b->err.what);
		return NULL;
	}
	return program_check(b->set, err) ? b->set : NULL;
}
