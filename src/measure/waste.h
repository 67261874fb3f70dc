/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wasted-core time: cpus that idle while tasks that may run on them wait.
 *
 * Tasks are told apart by their set of allowed cpus. At any time set s wastes
 * w(s) = min(idle cpus in s, waiting tasks of s); the machine wastes the sum of w over the sets,
 * but never more than the cpus that idle. The integral of that over time is kept. Sets that overlap
 * may count a cpu for two tasks: an upper bound then.
 */
#ifndef MEASURE_WASTE_H
#define MEASURE_WASTE_H

#include "base/cpuset.h"

struct waste {
	uint64_t wasted_ns; /* until last_ns */
	uint64_t last_ns;
	uint32_t now;		  /* sum of w */
	uint32_t nr_idle;	  /* idle cpus that are in any set */
	uint32_t *idle, *waiting; /* by set */
	/* Sets of cpu: set_of[first_of[cpu]] … before set_of[first_of[cpu + 1]]. */
	uint32_t *first_of, *set_of;
};

/* No cpu idles, no task waits. */
void waste_init(struct waste *waste, struct arena *arena, uint32_t nr_cpus, uint32_t nr_sets,
		const struct cpuset *set);

void waste_cpu_idles(struct waste *waste, uint32_t cpu);
void waste_cpu_runs(struct waste *waste, uint32_t cpu);

/* Time goes on to t_ns; call it before changes at t_ns. An earlier time changes nothing. */
static inline void waste_advance(struct waste *waste, uint64_t t_ns)
{
	uint32_t now = waste->now < waste->nr_idle ? waste->now : waste->nr_idle;

	if (t_ns <= waste->last_ns)
		return;
	waste->wasted_ns += now * (t_ns - waste->last_ns);
	waste->last_ns = t_ns;
}

static inline void waste_task_waits(struct waste *waste, uint32_t set)
{
	waste->now += waste->waiting[set]++ < waste->idle[set];
}

static inline void waste_task_leaves(struct waste *waste, uint32_t set)
{
	waste->now -= --waste->waiting[set] < waste->idle[set];
}

#endif
