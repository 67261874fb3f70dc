/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks begin, sleep on timers, ask for a change, and end. */
#include "base/check.h"
#include "base/fixed.h"
#include "sim/draw.h"
#include "sim/task.h"
#include "sim/timer.h"
#include "sim/wait.h"

void task_init(struct sim *sim, uint32_t t, uint32_t parent)
{
	struct sim_task *task = &sim->task[t];

	task->spec = &sim->programs->task[t];
	task->state = TASK_UNBORN;
	task->stage = STAGE_NEXT;
	task->op = sim->programs->program[task->spec->program].first_op - 1; /* may wrap */
	task->cpu = CPU_NONE;
	task->next = task->wake_first = task->wake_last = TASK_NONE;
	task->parent = parent;
	task->jitter = random_stream(sim->config.seed, RANDOM_JITTER, t);
	task->workload = random_stream(sim->config.seed, RANDOM_WORKLOAD, t);
	task->timer_child = task->timer_next = TASK_NONE;
}

uint64_t task_create(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	struct engine_task record = {
		.task = t,
		.parent = task->parent,
		.set = task->spec->set,
		.address_space = task->spec->address_space,
		.group = sim->config.task_group ? sim->config.task_group[t] : GROUP_ROOT,
		.nice = task->spec->nice,
		.is_thread = task->spec->is_thread,
	};
	uint64_t ns;

	task->born_ns = sim->now_ns;
	sim->nr_alive++;
	if (task->parent == TASK_NONE)
		sim->nr_unborn--;
	ns = sim->ops->task_new(sim->engine, sim->now_ns, c, &record);
	CHECK(task->state == TASK_RUNNABLE); /* the engine said where it is */
	return ns;
}

bool op_SPAWN(struct sim *sim, uint32_t c, uint32_t t)
{
	sim->task[t].bytes = 0;
	sim->task[t].stage = STAGE_SPAWN;
	return true;
}

bool stage_spawn(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	const struct op *op = task_op(sim, t);
	const struct task_spec *child;

	if (task->bytes == op->b) {
		task->stage = STAGE_NEXT;
		return true;
	}
	child = &sim->programs->task[op->a + task->bytes];
	return task_kernel(sim, c, t, child->is_thread ? sim->costs.thread_ns : sim->costs.fork_ns,
			   STAGE_SPAWN_CHILD);
}

bool stage_spawn_child(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	uint32_t child = (uint32_t)(task_op(sim, t)->a + task->bytes);

	task->bytes++;
	task->children++;
	task->stage = STAGE_SPAWN;
	task_init(sim, child, t);
	sim_count(sim, SIM_spawns, 1);
	cpu_kernel(sim, c, task_create(sim, c, child));
	return false;
}

bool op_JOIN(struct sim *sim, uint32_t c, uint32_t t)
{
	return task_kernel(sim, c, t, sim->costs.syscall_ns, STAGE_JOIN);
}

bool stage_join(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];

	task->joining = task->children > 0;
	if (!task->joining) {
		task->stage = STAGE_NEXT;
		return true;
	}
	task_block(sim, c, t, TASK_WAITING);
	return false;
}

bool op_EXIT(struct sim *sim, uint32_t c, uint32_t t)
{
	return task_kernel(sim, c, t, sim->costs.syscall_ns, STAGE_EXIT);
}

bool stage_exit(struct sim *sim, uint32_t c, uint32_t t)
{
	uint32_t parent = sim->task[t].parent;

	if (parent != TASK_NONE && --sim->task[parent].children == 0 && sim->task[parent].joining) {
		sim->task[parent].joining = false;
		wait_take_one(sim, parent, t);
	}
	return task_wake_list(sim, t, 0, STAGE_GONE);
}

bool stage_gone(struct sim *sim, uint32_t c, uint32_t t)
{
	uint64_t ns;

	sim->task[t].state = TASK_DEAD;
	trace_emit(&sim->trace, sim->now_ns, TRACE_TASK_EXIT, c, t, 0);
	sim->nr_alive--;
	if (t == sim->programs->until_task || (!sim->nr_alive && !sim->nr_unborn))
		sim->over = true;
	task_check_deadlock(sim);
	ns = sim->ops->task_exit(sim->engine, sim->now_ns, c);
	cpu_kernel(sim, c, ns);
	return false;
}

static bool sleep_until(struct sim *sim, uint32_t c, uint32_t t)
{
	return task_kernel(sim, c, t, sim->costs.syscall_ns, STAGE_TIMER_SLEEP);
}

bool op_SLEEP(struct sim *sim, uint32_t c, uint32_t t)
{
	sim->task[t].bytes = task_op(sim, t)->a;
	return sleep_until(sim, c, t);
}

bool op_SLEEP_EXP(struct sim *sim, uint32_t c, uint32_t t)
{
	sim->task[t].bytes =
		draw_exponential(&sim->draws, &sim->task[t].workload, task_op(sim, t)->a);
	return sleep_until(sim, c, t);
}

bool op_IO(struct sim *sim, uint32_t c, uint32_t t)
{
	return op_SLEEP(sim, c, t);
}

bool op_PERIOD(struct sim *sim, uint32_t c, uint32_t t)
{
	return sleep_until(sim, c, t);
}

bool stage_timer_sleep(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	const struct op *op = task_op(sim, t);

	task->stage = STAGE_NEXT;
	if (op->kind == OP_PERIOD)
		task->bytes = op->a - (sim->now_ns - task->born_ns) % op->a;
	timer_arm(sim, c, t, sim->now_ns + task->bytes);
	task_block(sim, c, t, TASK_SLEEPING);
	return false;
}

bool op_YIELD(struct sim *sim, uint32_t c, uint32_t t)
{
	return task_kernel(sim, c, t, sim->costs.syscall_ns, STAGE_YIELD);
}

bool stage_yield(struct sim *sim, uint32_t c, uint32_t t)
{
	uint64_t ns;

	sim->task[t].stage = STAGE_NEXT;
	ns = sim->ops->task_yield(sim->engine, sim->now_ns, c);
	cpu_kernel(sim, c, ns);
	return false;
}

bool op_AFFINITY(struct sim *sim, uint32_t c, uint32_t t)
{
	return task_kernel(sim, c, t, sim->costs.syscall_ns, STAGE_AFFINITY);
}

bool stage_affinity(struct sim *sim, uint32_t c, uint32_t t)
{
	uint32_t set = (uint32_t)task_op(sim, t)->a;
	uint64_t ns;

	sim->task[t].stage = STAGE_NEXT;
	trace_emit(&sim->trace, sim->now_ns, TRACE_AFFINITY, c, t, set);
	ns = sim->ops->task_affinity(sim->engine, sim->now_ns, c, t, set);
	cpu_kernel(sim, c, ns);
	return false;
}

bool op_NICE(struct sim *sim, uint32_t c, uint32_t t)
{
	return task_kernel(sim, c, t, sim->costs.syscall_ns, STAGE_NICE);
}

bool stage_nice(struct sim *sim, uint32_t c, uint32_t t)
{
	uint64_t ns;

	sim->task[t].stage = STAGE_NEXT;
	ns = sim->ops->task_nice(sim->engine, sim->now_ns, c, t, (int)task_op(sim, t)->a - 20);
	cpu_kernel(sim, c, ns);
	return false;
}
