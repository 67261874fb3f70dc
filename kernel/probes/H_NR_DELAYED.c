/* SPDX-License-Identifier: GPL-2.0-only */
/* A queue counts those of its tasks that are asleep. */
#include <linux/mmu_context.h>
#include <linux/sched/cputime.h>
#include <linux/sched/isolation.h>

#include "sched.h"
unsigned int probe(struct cfs_rq *cfs)
{
	return cfs->h_nr_delayed;
}
