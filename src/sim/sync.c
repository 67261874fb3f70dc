/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Futexes and what the C library makes of them.
 *
 * Without contention a lock, post or signal is an atomic in user mode and takes no time of its own:
 * its cost is a debt of the work that follows. Otherwise a system call enters the kernel, which
 * looks again under the lock of the futex, so that nobody sleeps on what has changed meanwhile.
 * Waiters sleep and are woken in order of arrival; a woken locker competes with newcomers.
 */
#include "base/fixed.h"
#include "sim/task.h"
#include "sim/wait.h"

static void user_atomic(struct sim *sim, uint32_t c, uint32_t t)
{
	sim->cpu[c].debt_ns += memory_atomic(sim->memory, c, task_resource(sim, t)->line,
					     sim->now_ns + sim->cpu[c].debt_ns);
}

/* The system call until the futex's lock is got. */
static bool enter_kernel(struct sim *sim, uint32_t c, uint32_t t, enum stage stage)
{
	uint32_t line = task_resource(sim, t)->line + 1;
	uint64_t ns = memory_lock(sim->memory, c, line, sim->now_ns);

	ns += memory_unlock(sim->memory, c, line, sim->now_ns + ns);
	return task_kernel(sim, c, t, ns + sim->costs.syscall_ns + sim->costs.futex_ns, stage);
}

static bool go_on(struct sim *sim, uint32_t t, enum stage stage)
{
	sim->task[t].stage = (uint8_t)stage;
	return true;
}

static bool sleep_in_line(struct sim *sim, uint32_t c, uint32_t t, enum stage stage)
{
	sim_count(sim, SIM_futex_waits, 1);
	waitq_add(sim, &task_resource(sim, t)->wait[0], t, true);
	sim->task[t].stage = (uint8_t)stage;
	task_block(sim, c, t, TASK_WAITING);
	return false;
}

static bool wake(struct sim *sim, uint32_t t, uint32_t count)
{
	waitq_take(sim, &task_resource(sim, t)->wait[0], t, count);
	return task_wake_list(sim, t, 0, STAGE_NEXT);
}

bool op_LOCK(struct sim *sim, uint32_t c, uint32_t t)
{
	return go_on(sim, t, STAGE_MUTEX_TRY);
}

bool stage_mutex_try(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);

	user_atomic(sim, c, t);
	if (r->held)
		return enter_kernel(sim, c, t, STAGE_MUTEX_SLEEP);
	r->held = true;
	return go_on(sim, t, STAGE_NEXT);
}

bool stage_mutex_sleep(struct sim *sim, uint32_t c, uint32_t t)
{
	if (task_resource(sim, t)->held)
		return sleep_in_line(sim, c, t, STAGE_MUTEX_TRY);
	return go_on(sim, t, STAGE_MUTEX_TRY);
}

bool op_UNLOCK(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);

	user_atomic(sim, c, t);
	r->held = false;
	if (waitq_empty(&r->wait[0]))
		return true;
	return enter_kernel(sim, c, t, STAGE_FUTEX_WAKE_ONE);
}

bool stage_futex_wake_one(struct sim *sim, uint32_t c, uint32_t t)
{
	return wake(sim, t, 1);
}

/* As many as the operation says; 0 is all. */
bool stage_futex_wake_many(struct sim *sim, uint32_t c, uint32_t t)
{
	return wake(sim, t, (uint32_t)task_op(sim, t)->a);
}

bool op_WAIT(struct sim *sim, uint32_t c, uint32_t t)
{
	return enter_kernel(sim, c, t, STAGE_CONDITION_ENTER);
}

/* On the condition's queue first, so that a signal after the unlock is not lost. */
bool stage_condition_enter(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *mutex = &sim->resource[task_op(sim, t)->b];

	waitq_add(sim, &task_resource(sim, t)->wait[0], t, true);
	sim->task[t].state = TASK_PREPARED;
	mutex->held = false;
	waitq_take(sim, &mutex->wait[0], t, 1);
	return task_wake_list(sim, t, 0, STAGE_CONDITION_SLEEP);
}

bool stage_condition_sleep(struct sim *sim, uint32_t c, uint32_t t)
{
	if (sim->task[t].state != TASK_PREPARED)
		return go_on(sim, t, STAGE_CONDITION_LEAVE);
	sim_count(sim, SIM_futex_waits, 1);
	sim->task[t].stage = STAGE_CONDITION_LEAVE;
	task_block(sim, c, t, TASK_WAITING);
	return false;
}

bool stage_condition_leave(struct sim *sim, uint32_t c, uint32_t t)
{
	sim->task[t].resource = (uint32_t)task_op(sim, t)->b;
	return go_on(sim, t, STAGE_MUTEX_TRY);
}

bool op_SIGNAL(struct sim *sim, uint32_t c, uint32_t t)
{
	user_atomic(sim, c, t);
	if (waitq_empty(&task_resource(sim, t)->wait[0]))
		return true;
	return enter_kernel(sim, c, t, STAGE_FUTEX_WAKE_MANY);
}

bool op_SEM_WAIT(struct sim *sim, uint32_t c, uint32_t t)
{
	return go_on(sim, t, STAGE_SEMAPHORE_TRY);
}

bool stage_semaphore_try(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);

	user_atomic(sim, c, t);
	if (r->value == 0)
		return enter_kernel(sim, c, t, STAGE_SEMAPHORE_SLEEP);
	r->value--;
	return go_on(sim, t, STAGE_NEXT);
}

bool stage_semaphore_sleep(struct sim *sim, uint32_t c, uint32_t t)
{
	if (task_resource(sim, t)->value == 0)
		return sleep_in_line(sim, c, t, STAGE_SEMAPHORE_TRY);
	return go_on(sim, t, STAGE_SEMAPHORE_TRY);
}

bool op_SEM_POST(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);

	user_atomic(sim, c, t);
	r->value += (uint32_t)task_op(sim, t)->a;
	if (waitq_empty(&r->wait[0]))
		return true;
	return enter_kernel(sim, c, t, STAGE_FUTEX_WAKE_MANY);
}

bool op_FUTEX_WAIT(struct sim *sim, uint32_t c, uint32_t t)
{
	return enter_kernel(sim, c, t, STAGE_FUTEX_SLEEP);
}

bool stage_futex_sleep(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);

	if (r->value == 0)
		return sleep_in_line(sim, c, t, STAGE_NEXT);
	r->value = 0;
	return go_on(sim, t, STAGE_NEXT);
}

bool op_FUTEX_WAKE(struct sim *sim, uint32_t c, uint32_t t)
{
	return enter_kernel(sim, c, t, STAGE_FUTEX_POST);
}

bool stage_futex_post(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);

	if (!waitq_empty(&r->wait[0]))
		return stage_futex_wake_many(sim, c, t);
	r->value = 1;
	return go_on(sim, t, STAGE_NEXT);
}

/*
 * `used` counts the rounds: who came in a round that is over does not sleep. The last to come takes
 * the sleepers of its round at once, before anyone can come for the next.
 */
bool op_BARRIER(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);

	user_atomic(sim, c, t);
	sim->task[t].amount = r->used;
	if (++r->value < r->limit)
		return enter_kernel(sim, c, t, STAGE_BARRIER_SLEEP);
	r->value = 0;
	r->used++;
	if (waitq_empty(&r->wait[0]))
		return true;
	waitq_take(sim, &r->wait[0], t, 0);
	return enter_kernel(sim, c, t, STAGE_BARRIER_OPEN);
}

bool stage_barrier_sleep(struct sim *sim, uint32_t c, uint32_t t)
{
	if (task_resource(sim, t)->used == sim->task[t].amount)
		return sleep_in_line(sim, c, t, STAGE_NEXT);
	return go_on(sim, t, STAGE_NEXT);
}

bool stage_barrier_open(struct sim *sim, uint32_t c, uint32_t t)
{
	return task_wake_list(sim, t, 0, STAGE_NEXT);
}
