/* SPDX-License-Identifier: GPL-2.0-only */
#include "program/untimed.h"

#include "base/check.h"
#include "base/random.h"

struct untimed_task {
	uint32_t pc, parent, children;
	uint64_t counter[PROGRAM_MAX_DEPTH];
	uint64_t done;	/* bytes of the current READ or WRITE */
	uint32_t phase; /* of WAIT, FUTEX_WAIT and BARRIER: 1 = has come, 2 = was let go */
	bool running;
};

struct untimed_resource {
	uint64_t level; /* bytes, posts, parties that came, pending wakes, 1 = locked */
	uint32_t owner;
};

static uint32_t untimed_resource(const struct untimed *u, uint32_t task, const struct op *op)
{
	uint32_t r = op->resource;

	if (op->by_base)
		r += u->set->task[task].base;
	if (op->by_loop)
		r += (uint32_t)u->task[task].counter[op->by_loop - 1];
	CHECK(r < u->set->nr_resources);
	return r;
}

static bool untimed_stream(struct untimed *u, uint32_t task, const struct op *op)
{
	struct untimed_task *t = &u->task[task];
	uint32_t id = untimed_resource(u, task, op);
	struct untimed_resource *r = &u->resource[id];
	bool writes = op->kind == OP_WRITE;
	uint64_t room = writes ? u->set->resource[id].value - r->level : r->level;
	uint64_t part = op->a - t->done < room ? op->a - t->done : room;

	r->level += writes ? part : -part;
	t->done += part;
	u->changes += part > 0;
	if (t->done < op->a)
		return false;
	t->done = 0;
	u->writes += writes;
	u->reads += !writes;
	u->bytes_written += writes ? op->a : 0;
	u->bytes_read += writes ? 0 : op->a;
	return true;
}

/* Lets go up to `count` tasks that have come to an operation of this kind on this resource. */
static uint64_t untimed_release(struct untimed *u, enum op_kind kind, uint32_t resource,
				uint64_t count)
{
	uint64_t released = 0;

	for (uint32_t i = 0; i < u->set->nr_tasks && released < count; i++) {
		const struct op *op = &u->set->op[u->task[i].pc];

		if (!u->task[i].running || u->task[i].phase != 1 || op->kind != kind ||
		    untimed_resource(u, i, op) != resource)
			continue;
		u->task[i].phase = 2;
		u->changes++;
		released++;
	}
	return released;
}

static bool untimed_lock(struct untimed *u, uint32_t task, uint64_t mutex)
{
	if (u->resource[mutex].level)
		return false;
	u->resource[mutex].level = 1;
	u->resource[mutex].owner = task;
	return true;
}

static void untimed_unlock(struct untimed *u, uint32_t task, uint64_t mutex)
{
	CHECK(u->resource[mutex].level && u->resource[mutex].owner == task);
	u->resource[mutex].level = 0;
	u->changes++;
}

static bool untimed_wait(struct untimed *u, uint32_t task, const struct op *op)
{
	struct untimed_task *t = &u->task[task];

	if (!t->phase) {
		untimed_unlock(u, task, op->b);
		t->phase = 1;
	}
	if (t->phase == 1 || !untimed_lock(u, task, op->b))
		return false;
	t->phase = 0;
	return true;
}

static bool untimed_futex_wait(struct untimed *u, uint32_t task, struct untimed_resource *r)
{
	struct untimed_task *t = &u->task[task];

	if (!t->phase && r->level) {
		r->level = 0;
		return true;
	}
	if (t->phase == 2) {
		t->phase = 0;
		return true;
	}
	u->changes += t->phase != 1;
	t->phase = 1;
	return false;
}

static bool untimed_barrier(struct untimed *u, uint32_t task, const struct op *op)
{
	struct untimed_task *t = &u->task[task];
	uint32_t id = untimed_resource(u, task, op);

	if (!t->phase) {
		t->phase = 1;
		u->changes++;
		if (++u->resource[id].level == u->set->resource[id].value) {
			u->resource[id].level = 0;
			untimed_release(u, OP_BARRIER, id, UINT64_MAX);
		}
	}
	if (t->phase != 2)
		return false;
	t->phase = 0;
	return true;
}

static void untimed_spawn(struct untimed *u, uint32_t task, const struct op *op)
{
	for (uint64_t child = op->a; child < op->a + op->b; child++) {
		CHECK(!u->task[child].running && !u->task[child].pc);
		u->task[child].running = true;
		u->task[child].parent = task;
		u->task[child].pc = u->set->program[u->set->task[child].program].first_op;
		u->spawned++;
	}
	u->task[task].children += (uint32_t)op->b;
}

static void untimed_exit(struct untimed *u, uint32_t task)
{
	struct untimed_task *t = &u->task[task];

	t->running = false;
	u->nr_ended++;
	if (t->parent != PROGRAM_ALL_TASKS)
		u->task[t->parent].children--;
	u->done = u->nr_ended == u->set->nr_tasks || task == u->set->until_task;
}

/* LOOP and END: a finished loop goes on behind its END. */
static void untimed_jump(struct untimed *u, uint32_t task, const struct op *op)
{
	struct untimed_task *t = &u->task[task];
	const struct op *begin = op->kind == OP_LOOP ? op : &u->set->op[op->jump];

	if (op->kind == OP_LOOP)
		t->counter[op->depth] = 0;
	else if (++t->counter[op->depth] != begin->a)
		t->pc = op->jump;
}

/* True when the operation is over. */
static bool untimed_do(struct untimed *u, uint32_t task, const struct op *op)
{
	uint32_t id = op_uses_resource(op->kind) ? untimed_resource(u, task, op) : 0;
	struct untimed_resource *r = op_uses_resource(op->kind) ? &u->resource[id] : NULL;

	switch ((enum op_kind)op->kind) {
	case OP_LOOP:
	case OP_END: untimed_jump(u, task, op); return true;
	case OP_WRITE:
	case OP_READ: return untimed_stream(u, task, op);
	case OP_POLL: return r->level > 0;
	case OP_LOCK: return untimed_lock(u, task, id);
	case OP_UNLOCK: untimed_unlock(u, task, id); return true;
	case OP_WAIT: return untimed_wait(u, task, op);
	case OP_SIGNAL: untimed_release(u, OP_WAIT, id, op->a ? op->a : UINT64_MAX); return true;
	case OP_SEM_WAIT: return r->level && r->level--;
	case OP_SEM_POST: r->level += op->a; return true;
	case OP_FUTEX_WAIT: return untimed_futex_wait(u, task, r);
	case OP_FUTEX_WAKE:
		if (!untimed_release(u, OP_FUTEX_WAIT, id, op->a))
			r->level = 1;
		return true;
	case OP_BARRIER: return untimed_barrier(u, task, op);
	case OP_SPAWN: untimed_spawn(u, task, op); return true;
	case OP_JOIN: return !u->task[task].children;
	case OP_MARK: u->mark_step[op->a] = u->steps; return true;
	case OP_EXIT: untimed_exit(u, task); return true;
	case OP_COMPUTE:
	case OP_COMPUTE_EXP:
	case OP_TOUCH:
	case OP_SLEEP:
	case OP_SLEEP_EXP:
	case OP_PERIOD:
	case OP_IO:
	case OP_YIELD:
	case OP_AFFINITY:
	case OP_NICE:
	case NR_OPS: return true;
	}
	return true;
}

static bool untimed_step(struct untimed *u, uint32_t task)
{
	struct untimed_task *t = &u->task[task];

	if (!t->running || !untimed_do(u, task, &u->set->op[t->pc]))
		return false;
	t->pc++;
	u->changes++;
	u->steps++;
	return true;
}

static void untimed_begin(struct untimed *u, struct arena *arena, const struct program_set *set)
{
	*u = (struct untimed){ .set = set };
	u->task = ARENA_ARRAY(arena, struct untimed_task, set->nr_tasks);
	u->resource = ARENA_ARRAY(arena, struct untimed_resource, set->nr_resources + 1);
	for (uint32_t i = 0; i < set->nr_resources; i++)
		if (set->resource[i].kind == RESOURCE_SEMAPHORE ||
		    set->resource[i].kind == RESOURCE_FUTEX)
			u->resource[i].level = set->resource[i].value;
	for (uint32_t i = 0; i < set->nr_tasks; i++) {
		u->task[i].parent = PROGRAM_ALL_TASKS;
		u->task[i].running = set->task[i].at_start;
		if (set->task[i].at_start)
			u->task[i].pc = set->program[set->task[i].program].first_op;
	}
}

bool untimed_run(struct untimed *u, struct arena *arena, const struct program_set *set,
		 uint64_t seed)
{
	struct random random = random_stream(seed, RANDOM_TEST, 1);

	untimed_begin(u, arena, set);
	while (!u->done && u->steps < UNTIMED_MAX_STEPS) {
		uint32_t first = (uint32_t)random_below(&random, set->nr_tasks);
		uint64_t before = u->changes;

		for (uint32_t i = 0; i < set->nr_tasks && !u->done; i++) {
			uint32_t task = (first + i) % set->nr_tasks;

			for (uint64_t n = random_below(&random, 20) + 1; n > 0 && !u->done; n--)
				if (!untimed_step(u, task))
					break;
		}
		if (u->changes == before)
			return false;
	}
	return u->done;
}
