/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A task as the scheduler sees it, in three lines of the host: what running and picking read, what
 * a wake-up reads, lists and placement. Private to sched/.
 */
#ifndef SCHED_TASK_H
#define SCHED_TASK_H

#include <stdbool.h>
#include <stdint.h>

enum task_state {
	TASK_UNUSED,
	TASK_QUEUED,  /* runnable: in the timeline, or running */
	TASK_WAKING,  /* on a remote wake list */
	TASK_DELAYED, /* asleep but still queued (delayed dequeue) */
	TASK_BLOCKED,
	TASK_EXITED,
};

/* Per-entity load tracking, in units of 1024 ns; 47742 is the sum of the geometric series. */
struct pelt {
	uint64_t updated_ns; /* by the runqueue's PELT clock */
	uint64_t load_sum, runnable_sum, util_sum;
	uint64_t load_avg;
	uint32_t runnable_avg, util_avg;
	uint32_t util_est;
	uint32_t contribution; /* part of the current 1024 us period already counted */
};

struct sched_task {
	/* What running and picking read. */
	uint64_t vruntime_vns, deadline_vns;
	uint64_t protect_vns; /* RUN_TO_PARITY: runs on while this equals deadline_vns */
	int64_t lag_vns;      /* kept over a sleep; CFS does not use it */
	uint64_t slice_ns;
	uint64_t exec_start_ns, sum_exec_ns, prev_sum_exec_ns;
	/* What a wake-up reads. */
	struct pelt avg;
	uint32_t cpu;	    /* runs or ran there; the target while waking */
	uint8_t state;	    /* enum task_state */
	bool is_running;    /* is some runqueue's curr */
	bool is_attached;   /* its averages are part of those of `cpu` */
	bool is_normalized; /* CFS: vruntime_vns counts from the runqueue's minimum */
	uint32_t weight_wt;
	int8_t nice;
	bool is_kthread;  /* a kernel thread: what it wakes may stay beside it */
	bool is_relative; /* EEVDF: deadline_vns counts from vruntime_vns */
	uint32_t set;	  /* allowed cpus */
	/* Lists and wake-up placement. */
	uint32_t list_prev, list_next; /* tasks of the runqueue, see rq.list_first */
	uint32_t next_wake;	       /* next on a wake list */
	uint32_t recent_cpu, wakee_flips, last_wakee;
	uint32_t woken_from; /* its cpu before the wake-up that is under way */
	uint64_t wakee_decay_ns;
	uint64_t off_cpu_ns; /* when its last switch away is complete */
	uint32_t address_space;
	uint32_t nr_migrations;
};

_Static_assert(sizeof(struct sched_task) == 192, "a task is three lines of the host");

#endif
