/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A posed state of the machine and a wake-up in it: asked of a kernel image and of the model, to
 * compare where they place the task. Everything that placement of a wake-up reads, and no more;
 * what it leaves behind is told too.
 */
#ifndef KS_STATE_H
#define KS_STATE_H

#include "abi.h"

struct ks_cpu_load {
	ks_u8 busy;	      /* a task of normal policy runs; else the idle task */
	ks_u8 ttwu_pending;   /* a wake-up is on its way to it */
	ks_u32 nr_running;    /* tasks queued, the running one included */
	ks_u32 nr_delayed;    /* of those, asleep and not yet dequeued; 0 before v6.12 */
	ks_u32 capacity;      /* what other classes and interrupts leave of 1024 */
	ks_u64 load_avg;      /* of the cpu's root queue */
	ks_u8 has_idle_cores; /* these two of its LLC: all cpus of one say the same */
	ks_u32 nr_idle_scan;
};

/* What the wake-up has changed. */
struct ks_after {
	ks_u32 waker_flips, recent;
	ks_u8 *has_idle_cores; /* by cpu; 0 where its LLC keeps no such flag */
};

struct ks_state {
	ks_u32 nr_cpus;
	const struct ks_cpu_load *cpu; /* those of offline cpus are not read */
	ks_u32 waker;		       /* the cpu that wakes */
	ks_u32 prev;		       /* where the task ran last */
	ks_u32 recent;		       /* where it was used before that */
	int sync;
	int interrupt;	       /* not the running task wakes; on an idle cpu it never does */
	int kthread;	       /* the running task is a kernel thread of this cpu only */
	const ks_u64 *allowed; /* nr_cpus bits, at least two */
	ks_u64 task_load_avg, waker_load_avg;
	/* Changes of whom they wake. The waker's are those of what runs: the idle task has its own.
	 */
	ks_u32 task_flips, waker_flips;
	int waker_partner;    /* what runs on the waking cpu woke this task last */
	ks_u32 waker_aged_ms; /* since its flips were halved: multiples of 20 */
	struct ks_after *after;
};

#endif
