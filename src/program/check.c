/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * First the shape of each program, which fills jump and depth; then what operations name, task by
 * task where the base matters. A range of resources is checked by its ends: `stretch` says where
 * the run of one class that a resource stands in stops.
 */
#include "base/check.h"
#include "program/locks.h"
#include "program/place.h"
#include "program/spawns.h"

enum class {
	CLASS_NONE,
	CLASS_STREAM,
	CLASS_MUTEX,
	CLASS_CONDITION,
	CLASS_SEMAPHORE,
	CLASS_FUTEX,
	CLASS_BARRIER,
};

static const struct op_row {
	const char *name;
	enum class class;
	bool pauses;
	uint64_t a_min, a_max, b_max;
	const char *a, *b, *phrase;
} op_rows[NR_OPS] = {
#define OP(name, class, pauses, a, a_min, a_max, b, b_max, phrase)                                 \
	[OP_##name] = { #name, CLASS_##class, pauses, a_min, a_max, b_max, a, b, phrase },
#include "program/ops.def"
#undef OP
};

static const struct resource_row {
	const char *name;
	enum class class;
	uint32_t least, most;
	const char *value, *phrase;
} resource_rows[NR_RESOURCE_KINDS] = {
#define RESOURCE(name, class, least, most, value, phrase)                                          \
	[RESOURCE_##name] = { #name, CLASS_##class, least, most, value, phrase },
#include "program/resources.def"
#undef RESOURCE
};

const char *op_name(enum op_kind kind)
{
	CHECK(kind < NR_OPS);
	return op_rows[kind].name;
}

const char *op_phrase(enum op_kind kind)
{
	CHECK(kind < NR_OPS);
	return op_rows[kind].phrase;
}

bool op_uses_resource(enum op_kind kind)
{
	CHECK(kind < NR_OPS);
	return op_rows[kind].class != CLASS_NONE;
}

const char *op_a_phrase(enum op_kind kind)
{
	CHECK(kind < NR_OPS);
	return op_rows[kind].a;
}

const char *op_b_phrase(enum op_kind kind)
{
	CHECK(kind < NR_OPS);
	return op_rows[kind].b;
}

const char *resource_name(enum resource_kind kind)
{
	CHECK(kind < NR_RESOURCE_KINDS);
	return resource_rows[kind].name;
}

const char *resource_value_phrase(enum resource_kind kind)
{
	CHECK(kind < NR_RESOURCE_KINDS);
	return resource_rows[kind].value;
}

static const char *class_phrase(enum class class)
{
	for (uint32_t kind = 0; kind < NR_RESOURCE_KINDS; kind++)
		if (resource_rows[kind].class == class)
			return class == CLASS_STREAM ? "a pipe or socket"
						     : resource_rows[kind].phrase;
	return "nothing";
}

static bool check_resources(const struct program_set *set, struct err *err)
{
	for (uint32_t i = 0; i < set->nr_resources; i++) {
		const struct resource *r = &set->resource[i];

		if (r->kind >= NR_RESOURCE_KINDS)
			return err_set(err, "resource %u is of the unknown kind %u", i, r->kind);
		if (r->value < resource_rows[r->kind].least ||
		    r->value > resource_rows[r->kind].most)
			return err_set(err, "resource %u (%s): %s is %u (allowed: %u to %u)", i,
				       resource_rows[r->kind].name, resource_rows[r->kind].value,
				       r->value, resource_rows[r->kind].least,
				       resource_rows[r->kind].most);
	}
	return true;
}

static bool check_sets(const struct program_set *set, struct err *err)
{
	for (uint32_t i = 0; i < set->nr_sets; i++)
		if (cpuset_empty(&set->set[i]))
			return err_set(err, "cpu set %u has no cpu", i);
	return true;
}

static bool check_arguments(const struct op *op, struct place at, struct err *err)
{
	const struct op_row *row = &op_rows[op->kind];

	if (op->a < row->a_min || op->a > row->a_max)
		return place_err(at, err, "%s is %llu (allowed: %llu to %llu)",
				 row->a[0] ? row->a : "a", (unsigned long long)op->a,
				 (unsigned long long)row->a_min, (unsigned long long)row->a_max);
	if (op->b > row->b_max)
		return place_err(at, err, "%s is %llu (allowed: 0 to %llu)",
				 row->b[0] ? row->b : "b", (unsigned long long)op->b,
				 (unsigned long long)row->b_max);
	if (op->kind == OP_AFFINITY && op->a >= at.set->nr_sets)
		return place_err(at, err, "set %llu does not exist (there are %u)",
				 (unsigned long long)op->a, at.set->nr_sets);
	if (row->class == CLASS_NONE && (op->resource || op->by_base || op->by_loop))
		return place_err(at, err, "uses no resource");
	return true;
}

/* The open loops around an operation, outermost first. */
struct nest {
	uint32_t depth;
	uint32_t loop[PROGRAM_MAX_DEPTH];
	bool pauses[PROGRAM_MAX_DEPTH];
};

static bool open_loop(struct nest *nest, uint32_t at_op, struct place at, struct err *err)
{
	if (nest->depth == PROGRAM_MAX_DEPTH)
		return place_err(at, err, "loops are nested deeper than %d", PROGRAM_MAX_DEPTH);
	nest->loop[nest->depth] = at_op;
	nest->pauses[nest->depth++] = false;
	return true;
}

static bool close_loop(struct program_set *set, struct nest *nest, uint32_t at_op, struct place at,
		       struct err *err)
{
	struct op *end = &set->op[at_op], *begin;

	if (!nest->depth)
		return place_err(at, err, "there is no loop to end");
	end->jump = nest->loop[--nest->depth];
	end->jump_set = 1;
	end->depth = nest->depth;
	begin = &set->op[end->jump];
	begin->jump = at_op;
	begin->jump_set = 1;
	if (!begin->a && !nest->pauses[nest->depth])
		return place_err((struct place){ set, at.program, end->jump }, err,
				 "an endless loop without an operation that takes time or blocks");
	if (nest->depth)
		nest->pauses[nest->depth - 1] |= nest->pauses[nest->depth];
	return true;
}

static bool check_by_loop(const struct program_set *set, const struct op *op,
			  const struct nest *nest, struct place at, struct err *err)
{
	if (op->by_loop > nest->depth)
		return place_err(at, err, "counts loop %u, but %u are around it", op->by_loop,
				 nest->depth);
	if (op->by_loop && !set->op[nest->loop[op->by_loop - 1]].a)
		return place_err(at, err, "counts an endless loop");
	return true;
}

static bool check_shape_op(struct program_set *set, struct nest *nest, struct place at,
			   struct err *err)
{
	const struct task_program *p = &set->program[at.program];
	struct op *op = &set->op[at.op];
	bool last = at.op == p->first_op + p->nr_ops - 1;

	if (op->kind >= NR_OPS)
		return place_err(at, err, "kind %u is unknown", op->kind);
	if (op->by_base > 1)
		return place_err(at, err, "by_base is %u (allowed: 0, 1)", op->by_base);
	op->depth = nest->depth;
	op->jump = 0;
	op->jump_set = 0;
	if (!check_arguments(op, at, err) || !check_by_loop(set, op, nest, at, err))
		return false;
	if ((op->kind == OP_EXIT) != last)
		return place_err(at, err,
				 last ? "is the last operation (allowed: EXIT)"
				      : "stands before the end");
	if (op_rows[op->kind].pauses && nest->depth)
		nest->pauses[nest->depth - 1] = true;
	if (op->kind == OP_LOOP)
		return open_loop(nest, at.op, at, err);
	if (op->kind == OP_END)
		return close_loop(set, nest, at.op, at, err);
	if (last && nest->depth)
		return place_err(at, err, "%u loops are still open", nest->depth);
	return true;
}

static bool check_shape(struct program_set *set, uint32_t program, struct err *err)
{
	const struct task_program *p = &set->program[program];
	struct nest nest = { 0 };

	if (!p->nr_ops)
		return err_set(err, "program '%.80s' is empty (allowed: at least EXIT)", p->name);
	if (p->first_op > set->nr_ops || p->nr_ops > set->nr_ops - p->first_op)
		return err_set(err, "program '%.80s' reaches beyond the operations", p->name);
	for (uint32_t i = p->first_op; i < p->first_op + p->nr_ops; i++)
		if (!check_shape_op(set, &nest, (struct place){ set, program, i }, err))
			return false;
	return program_check_locks(set, program, err);
}

static bool check_task(const struct program_set *set, uint32_t task, struct err *err)
{
	const struct task_spec *spec = &set->task[task];

	if (spec->program >= set->nr_programs)
		return err_set(err, "task %u runs program %u (there are %u)", task, spec->program,
			       set->nr_programs);
	if (spec->set >= set->nr_sets)
		return err_set(err, "task %u is allowed on cpu set %u (there are %u)", task,
			       spec->set, set->nr_sets);
	if (spec->nice < -20 || spec->nice > 19)
		return err_set(err, "task %u has nice value %d (allowed: -20 to 19)", task,
			       spec->nice);
	return true;
}

/* By resource: the end of the run of its class that it stands in. */
static uint32_t *find_stretches(struct arena *arena, const struct program_set *set)
{
	uint32_t *stretch = ARENA_ARRAY(arena, uint32_t, set->nr_resources);

	for (uint32_t i = set->nr_resources; i-- > 0;) {
		bool joins = i + 1 < set->nr_resources &&
			     resource_rows[set->resource[i].kind].class ==
				     resource_rows[set->resource[i + 1].kind].class;

		stretch[i] = joins ? stretch[i + 1] : i + 1;
	}
	return stretch;
}

/* How often the loop runs whose counter is added; 1 when none is. */
static uint64_t spread_of(const struct op *op, struct place at)
{
	const struct program_set *set = at.set;
	uint32_t i = at.op;

	if (!op->by_loop)
		return 1;
	while (set->op[i].kind != OP_LOOP || set->op[i].depth != op->by_loop - 1u ||
	       set->op[i].jump < at.op)
		i--;
	return set->op[i].a;
}

static bool check_use(const struct op *op, uint32_t base, const uint32_t *stretch, struct place at,
		      struct err *err)
{
	const struct program_set *set = at.set;
	enum class class = op_rows[op->kind].class;
	uint64_t first = (uint64_t)op->resource + (op->by_base ? base : 0);
	uint64_t end = first + spread_of(op, at);

	if (class == CLASS_NONE)
		return true;
	if (end > set->nr_resources)
		return place_err(at, err, "uses resources %llu to %llu (there are %u)",
				 (unsigned long long)first, (unsigned long long)end - 1,
				 set->nr_resources);
	if (resource_rows[set->resource[first].kind].class != class || stretch[first] < end)
		return place_err(at, err, "needs %s at resources %llu to %llu (found: %s)",
				 class_phrase(class), (unsigned long long)first,
				 (unsigned long long)end - 1,
				 resource_name(set->resource[first].kind));
	if (op->kind != OP_WAIT)
		return true;
	if (op->b >= set->nr_resources || set->resource[op->b].kind != RESOURCE_MUTEX)
		return place_err(at, err, "needs a mutex at resource %llu",
				 (unsigned long long)op->b);
	return true;
}

/* The operations of a program that go by a task's base, or those that do not. */
static bool check_uses(const struct program_set *set, uint32_t program, bool by_base, uint32_t base,
		       const uint32_t *stretch, struct err *err)
{
	const struct task_program *p = &set->program[program];

	for (uint32_t i = p->first_op; i < p->first_op + p->nr_ops; i++) {
		const struct op *op = &set->op[i];

		if (op->by_base == by_base &&
		    !check_use(op, base, stretch, (struct place){ set, program, i }, err))
			return false;
	}
	return true;
}

static bool check_all_uses(const struct program_set *set, struct err *err)
{
	struct arena arena;
	uint32_t *stretch;
	bool good = true;

	arena_init(&arena);
	stretch = find_stretches(&arena, set);
	for (uint32_t program = 0; good && program < set->nr_programs; program++)
		good = check_uses(set, program, false, 0, stretch, err);
	for (uint32_t task = 0; good && task < set->nr_tasks; task++)
		good = check_uses(set, set->task[task].program, true, set->task[task].base, stretch,
				  err);
	arena_release(&arena);
	return good;
}

static bool is_endless(const struct program_set *set, uint32_t program)
{
	const struct task_program *p = &set->program[program];

	for (uint32_t i = p->first_op; i < p->first_op + p->nr_ops; i++)
		if (set->op[i].kind == OP_LOOP && !set->op[i].a)
			return true;
	return false;
}

static bool check_end(const struct program_set *set, struct err *err)
{
	if (set->until_task != PROGRAM_ALL_TASKS) {
		if (set->until_task >= set->nr_tasks)
			return err_set(err, "the run ends with task %u (there are %u)",
				       set->until_task, set->nr_tasks);
		if (is_endless(set, set->task[set->until_task].program))
			return err_set(err, "the run ends with task %u, which never ends",
				       set->until_task);
		return true;
	}
	for (uint32_t program = 0; program < set->nr_programs; program++)
		if (is_endless(set, program))
			return err_set(err,
				       "program '%.80s' never ends (allowed: only when the run "
				       "ends with a chosen task)",
				       set->program[program].name);
	return true;
}

bool program_check(struct program_set *set, struct err *err)
{
	if (!check_resources(set, err) || !check_sets(set, err))
		return false;
	if (!set->nr_tasks)
		return err_set(err, "there is no task (allowed: at least one)");
	for (uint32_t program = 0; program < set->nr_programs; program++)
		if (!check_shape(set, program, err))
			return false;
	for (uint32_t task = 0; task < set->nr_tasks; task++)
		if (!check_task(set, task, err))
			return false;
	return check_all_uses(set, err) && program_check_spawns(set, err) && check_end(set, err);
}
