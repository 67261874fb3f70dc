/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Queues of tasks that wait for a resource. Internal to sim/.
 *
 * As in the kernel: who waits with others is put first, who waits exclusively last; waking takes
 * waiters from the front, all that are not exclusive and so many that are.
 */
#ifndef SIM_WAIT_H
#define SIM_WAIT_H

#include "sim/state.h"

static inline void waitq_init(struct waitq *q)
{
	q->first = q->last = TASK_NONE;
}

static inline bool waitq_empty(const struct waitq *q)
{
	return q->first == TASK_NONE;
}

void waitq_add(struct sim *sim, struct waitq *q, uint32_t task, bool exclusive);
/* The first, taken out; the queue is not empty. */
uint32_t waitq_pop(struct sim *sim, struct waitq *q);

/*
 * Moves waiters to the waker's list, see task_wake_list(): `exclusive` of the exclusive ones, 0
 * for all. A task that is only about to sleep is told, needs no waking and counts.
 */
void waitq_take(struct sim *sim, struct waitq *q, uint32_t waker, uint32_t exclusive);
/* The same for one task that waits in no queue. */
void wait_take_one(struct sim *sim, uint32_t task, uint32_t waker);

#endif
