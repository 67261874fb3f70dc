/* SPDX-License-Identifier: GPL-2.0-only */
/* sched_move_task() says whether an autogroup asks. */
#include <linux/mmu_context.h>
#include <linux/sched/cputime.h>
#include <linux/sched/isolation.h>

#include "sched.h"
void probe(struct task_struct *p)
{
	sched_move_task(p, false);
}
