/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A task on a cpu goes from stage to stage. It may lose the cpu only where it would return to user
 * mode: before user work and between operations.
 */
#include "sim/task.h"
#include "base/check.h"
#include "base/fixed.h"
#include "sim/draw.h"
#include "sim/plug.h"
#include "sim/wait.h"

/* Operations without time in a row; then the task is charged a ns for each. */
enum { INSTANT_OPS = 256 };

typedef bool stage_function(struct sim *sim, uint32_t cpu, uint32_t task);

static stage_function *const stage_functions[NR_STAGES] = {
#define STAGE(name, function) [STAGE_##name] = function,
#include "sim/stages.def"
#undef STAGE
};

static op_function *const op_functions[NR_OPS] = {
#define OP(name, class, pauses, a, a_min, a_max, b, b_max, phrase) [OP_##name] = op_##name,
#include "program/ops.def"
#undef OP
};

static void begin_user(struct sim *sim, uint32_t c, struct sim_task *task)
{
	task->user = true;
	cpu_user(sim, c, task->left_ns + task->refill_ns);
	task->refill_ns = 0;
}

void task_run(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];

	for (;;) {
		if (task->user || task->stage == STAGE_NEXT) {
			if (sim->cpu[c].pending) {
				cpu_continue(sim, c);
				return;
			}
			if (sim->cpu[c].plug != PLUG_ON) {
				plug_go_on(sim, c);
				return;
			}
			if (sim->ops->need_resched(sim->engine, c)) {
				cpu_schedule(sim, c);
				return;
			}
			if (!task->user)
				task->left_ns = 0;
			if (task->user || task->refill_ns) {
				begin_user(sim, c, task);
				return;
			}
		}
		if (!stage_functions[task->stage](sim, c, t))
			return;
	}
}

static void find_resource(struct sim *sim, struct sim_task *task, const struct op *op)
{
	task->resource = op->resource;
	if (op->by_base)
		task->resource += task->spec->base;
	if (op->by_loop)
		task->resource += (uint32_t)task->counter[op->by_loop - 1];
}

bool stage_next(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];

	for (uint32_t i = 0; i < INSTANT_OPS; i++) {
		const struct op *op = &sim->programs->op[task->op + 1];

		task->op++;
		find_resource(sim, task, op);
		if (!op_functions[op->kind](sim, c, t))
			return false;
		if (task->stage != STAGE_NEXT)
			return true;
	}
	task->left_ns = INSTANT_OPS;
	task->user = true;
	return true;
}

bool op_LOOP(struct sim *sim, uint32_t c, uint32_t t)
{
	sim->task[t].counter[task_op(sim, t)->depth] = 0;
	return true;
}

bool op_END(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	const struct op *op = task_op(sim, t);
	uint64_t count = sim->programs->op[op->jump].a;

	task->counter[op->depth]++;
	if (count == 0 || task->counter[op->depth] < count)
		task->op = op->jump;
	return true;
}

bool op_MARK(struct sim *sim, uint32_t c, uint32_t t)
{
	uint32_t mark = (uint32_t)task_op(sim, t)->a;

	sim->result.mark_ns[mark] = sim->now_ns;
	trace_emit(&sim->trace, sim->now_ns, TRACE_MARK, c, t, mark);
	return true;
}

static bool compute(struct sim *sim, uint32_t c, uint32_t t, uint64_t ns)
{
	sim->task[t].left_ns = task_jitter(sim, t, ns);
	begin_user(sim, c, &sim->task[t]);
	return false;
}

bool op_COMPUTE(struct sim *sim, uint32_t c, uint32_t t)
{
	const struct op *op = task_op(sim, t);
	uint64_t ns = op->a;

	if (op->b)
		ns = draw_spread(&sim->task[t].workload, ns, (op->b << 32) / 1000000);
	return compute(sim, c, t, ns);
}

bool op_COMPUTE_EXP(struct sim *sim, uint32_t c, uint32_t t)
{
	return compute(sim, c, t,
		       draw_exponential(&sim->draws, &sim->task[t].workload, task_op(sim, t)->a));
}

/* What does not fit the private cache comes from the LLC each time. */
bool op_TOUCH(struct sim *sim, uint32_t c, uint32_t t)
{
	uint64_t kib = task_op(sim, t)->a, ns = kib * sim->costs.copy_mib_ns / 1024 / 2;

	if (kib > sim->costs.l2_kib)
		ns += kib * sim->costs.refill_kib_ns[TIE_LLC];
	memory_pass(sim->memory, c, kib);
	return compute(sim, c, t, ns);
}

uint64_t task_jitter(struct sim *sim, uint32_t t, uint64_t ns)
{
	if (!sim->costs.jitter_q32)
		return ns;
	return draw_spread(&sim->task[t].jitter, ns, sim->costs.jitter_q32);
}

bool task_kernel(struct sim *sim, uint32_t c, uint32_t t, uint64_t ns, enum stage stage)
{
	sim->task[t].stage = (uint8_t)stage;
	cpu_kernel(sim, c, task_jitter(sim, t, ns));
	return false;
}

void task_check_deadlock(struct sim *sim)
{
	if (sim->nr_waiting < sim->nr_alive || sim->nr_unborn || sim->over)
		return;
	sim->over = true;
	sim->result.status = SIM_DEADLOCK;
}

void task_block(struct sim *sim, uint32_t c, uint32_t t, enum task_state state)
{
	uint64_t ns;

	sim->task[t].state = (uint8_t)state;
	trace_emit(&sim->trace, sim->now_ns, TRACE_BLOCK, c, t, 0);
	if (state == TASK_WAITING) {
		sim->nr_waiting++;
		task_check_deadlock(sim);
	}
	ns = sim->ops->task_block(sim->engine, sim->now_ns, c);
	cpu_kernel(sim, c, ns);
}

uint64_t task_wake(struct sim *sim, uint32_t c, uint32_t waker, uint32_t t, uint32_t flags)
{
	struct sim_task *task = &sim->task[t];

	CHECK(task->state == TASK_WOKEN || task->state == TASK_SLEEPING);
	task->state = TASK_RUNNABLE;
	sim_count(sim, SIM_wakes, 1);
	trace_emit(&sim->trace, sim->now_ns, TRACE_WAKING, c, t, waker);
	if (waker == TASK_NONE)
		flags |= ENGINE_WAKE_INTERRUPT;
	return sim->ops->task_wake(sim->engine, sim->now_ns, c, t, flags);
}

bool task_wake_list(struct sim *sim, uint32_t t, uint32_t flags, enum stage after)
{
	struct sim_task *task = &sim->task[t];

	task->wake_flags = (uint8_t)flags;
	task->after = (uint8_t)after;
	task->stage = STAGE_WAKES;
	return true;
}

bool stage_wakes(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	uint32_t wakee = task->wake_first;

	if (wakee == TASK_NONE) {
		task->stage = task->after;
		return true;
	}
	task->wake_first = sim->task[wakee].next;
	sim->task[wakee].next = TASK_NONE;
	cpu_kernel(sim, c, task_wake(sim, c, t, wakee, task->wake_flags));
	return false;
}
