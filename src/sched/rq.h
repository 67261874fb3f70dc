/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler's state of a cpu, of its domains and of an LLC, in the order of use: what other
 * cpus look at, the timeline, averages, idling, balancing. Private to sched/.
 */
#ifndef SCHED_RQ_H
#define SCHED_RQ_H

#include "base/cpuset.h"
#include "base/tree.h"
#include "machine/machine.h"
#include "sched/idle_past.h"
#include "sched/task.h"

struct rq {
	/* What others look at: counts, flags, who runs. */
	uint32_t nr_running; /* tasks in state TASK_QUEUED here, the running one included */
	uint32_t nr_queued;  /* nr_running plus delayed ones */
	uint32_t curr;	     /* TASK_NONE when idle */
	bool need_resched, ttwu_pending, polling;
	bool tick_stopped, counted_busy, in_idle_loop, nohz_kicked;
	bool active_balance;
	uint32_t idle_state;		    /* IDLE_STATE_NONE when not asleep */
	uint32_t wake_list, wake_list_last; /* queued wake-ups in order, TASK_NONE */
	uint64_t clock_ns, clock_pelt_ns;
	uint64_t idle_since_ns;
	/* Timeline. */
	struct tree tree; /* queued but not running: sched.node by task */
	uint64_t load_wt; /* of all queued, the running one included */
	uint64_t min_vruntime_vns;
	int64_t sum_key_vns; /* EEVDF: sum of weight * (vruntime - min_vruntime) of the tree */
	uint64_t sum_wt;     /* EEVDF: sum of weights of the tree */
	uint32_t next_buddy, last_buddy, skip_buddy;
	/* All queued tasks, the last enqueued or picked first: balancing takes from the end. */
	uint32_t list_first, list_last;
	/* Averages. */
	struct pelt avg;
	/* Of tasks that left, not yet applied. */
	uint64_t removed_load, removed_runnable, removed_util;
	uint32_t nr_removed;
	/* Idle. */
	uint64_t idle_stamp_ns, avg_idle_ns, max_idle_balance_ns, wake_stamp_ns, wake_avg_idle_ns;
	struct idle_past idle_past;
	/* The idle task's partners: interrupts on an idle cpu wake in its name. */
	uint32_t idle_flips, idle_last_wakee;
	uint64_t idle_decay_ns;
	/* Balance. */
	uint8_t nohz_flags; /* what a kick asked for, see nohz.c */
	uint64_t next_balance_ns, next_blocked_update_ns;
	uint32_t capacity; /* CAPACITY_FULL = a full cpu */
	uint32_t push_cpu;
	uint64_t nr_switches;
	uint64_t last_tick_ns;
} __attribute__((aligned(64)));

#define IDLE_STATE_NONE UINT32_MAX

/* A cpu's own record of one of its domains. */
struct domain_state {
	uint64_t last_balance_ns, balance_interval_ms;
	uint32_t nr_balance_failed;
	uint64_t max_newidle_cost_ns, next_decay_ns, avg_scan_cost_ns;
};

struct llc_state {
	uint32_t nr_busy_cpus;
	bool has_idle_cores;
	uint32_t nr_idle_scan; /* SIS_UTIL */
	struct cpuset idle_mask;
};

#endif
