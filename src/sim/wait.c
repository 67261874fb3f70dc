/* SPDX-License-Identifier: GPL-2.0-only */
#include "sim/wait.h"
#include "base/check.h"
#include "sim/cpu.h"

void waitq_add(struct sim *sim, struct waitq *q, uint32_t t, bool exclusive)
{
	struct sim_task *task = &sim->task[t];

	task->exclusive = exclusive;
	if (waitq_empty(q)) {
		task->next = TASK_NONE;
		q->first = q->last = t;
	} else if (exclusive) {
		task->next = TASK_NONE;
		sim->task[q->last].next = t;
		q->last = t;
	} else {
		task->next = q->first;
		q->first = t;
	}
}

uint32_t waitq_pop(struct sim *sim, struct waitq *q)
{
	uint32_t t = q->first;

	q->first = sim->task[t].next;
	if (q->first == TASK_NONE)
		q->last = TASK_NONE;
	sim->task[t].next = TASK_NONE;
	return t;
}

void wait_take_one(struct sim *sim, uint32_t t, uint32_t w)
{
	struct sim_task *task = &sim->task[t], *waker = &sim->task[w];

	if (task->state == TASK_PREPARED) {
		task->state = TASK_RUNNABLE;
		sim_count(sim, SIM_wakes_early, 1);
		return;
	}
	CHECK(task->state == TASK_WAITING);
	task->state = TASK_WOKEN;
	sim->nr_waiting--;
	task->next = TASK_NONE;
	if (waker->wake_first == TASK_NONE)
		waker->wake_first = t;
	else
		sim->task[waker->wake_last].next = t;
	waker->wake_last = t;
}

void waitq_take(struct sim *sim, struct waitq *q, uint32_t waker, uint32_t exclusive)
{
	while (!waitq_empty(q)) {
		uint32_t t = waitq_pop(sim, q);
		bool counts = sim->task[t].exclusive;

		wait_take_one(sim, t, waker);
		if (counts && --exclusive == 0)
			break;
	}
}
