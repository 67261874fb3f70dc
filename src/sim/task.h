/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks running their programs. Internal to sim/.
 *
 * A stage is a function: it happens at one time, on the cpu that runs the task, and either begins
 * work there, after which the task's next stage follows, and returns false; or takes no time and
 * returns true, and the next stage follows at once.
 */
#ifndef SIM_TASK_H
#define SIM_TASK_H

#include "sim/cpu.h"

#define STAGE(name, function) bool function(struct sim *sim, uint32_t cpu, uint32_t task);
#include "sim/stages.def"
#undef STAGE

/* Begins an operation: the same contract as a stage. */
typedef bool op_function(struct sim *sim, uint32_t cpu, uint32_t task);
#define OP(name, class, pauses, a, a_min, a_max, b, b_max, phrase) op_function op_##name;
#include "program/ops.def"
#undef OP

/* Goes on with a task that its cpu has come back to. */
void task_run(struct sim *sim, uint32_t cpu, uint32_t task);

/* The task as it is before it is created; its parent is TASK_NONE for those at the start. */
void task_init(struct sim *sim, uint32_t task, uint32_t parent);
/* Arms the timers that create the tasks of the start. */
void sim_start_tasks(struct sim *sim);
/* Tells the engine of the new task; returns what that took. */
uint64_t task_create(struct sim *sim, uint32_t cpu, uint32_t task);

/* The running task sleeps in `state`; it goes on with its stage. */
void task_block(struct sim *sim, uint32_t cpu, uint32_t task, enum task_state state);
/* Wakes from `cpu`; returns what that took. waker: TASK_NONE from an interrupt. */
uint64_t task_wake(struct sim *sim, uint32_t cpu, uint32_t waker, uint32_t task, uint32_t flags);
/* Wakes all on the task's list, then goes on with the stage `after`. Returns true. */
bool task_wake_list(struct sim *sim, uint32_t task, uint32_t flags, enum stage after);

/* Kernel work of the task with the machine's jitter; then `stage`. Returns false. */
bool task_kernel(struct sim *sim, uint32_t cpu, uint32_t task, uint64_t ns, enum stage stage);
/* The length of an operation with the machine's jitter. */
uint64_t task_jitter(struct sim *sim, uint32_t task, uint64_t ns);

/* The running task may have been the last that could wake others. */
void task_check_deadlock(struct sim *sim);

static inline const struct op *task_op(const struct sim *sim, uint32_t task)
{
	return &sim->programs->op[sim->task[task].op];
}

/* The resource of the task's operation. */
static inline struct sim_resource *task_resource(struct sim *sim, uint32_t task)
{
	return &sim->resource[sim->task[task].resource];
}

#endif
