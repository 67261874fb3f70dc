/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A posed state of the machine and a wake-up in it: asked of a kernel image and of the model, to
 * compare where they place the task. Everything that placement of a wake-up reads, and no more.
 */
#ifndef KS_STATE_H
#define KS_STATE_H

#include "abi.h"

struct ks_cpu_load {
	ks_u8 busy;	      /* a task of normal policy runs; else the idle task */
	ks_u8 ttwu_pending;   /* a wake-up is on its way to it */
	ks_u32 nr_running;    /* tasks queued, the running one included */
	ks_u64 load_avg;      /* of the cpu's root queue */
	ks_u8 has_idle_cores; /* these two of its LLC: all cpus of one say the same */
	ks_u32 nr_idle_scan;
};

struct ks_state {
	ks_u32 nr_cpus;
	const struct ks_cpu_load *cpu;
	ks_u32 waker;  /* the cpu that wakes; its running task is the waker, if it is busy */
	ks_u32 prev;   /* where the task ran last */
	ks_u32 recent; /* where it was used before that */
	int sync;
	const ks_u64 *allowed; /* nr_cpus bits, at least two */
	ks_u64 task_load_avg, waker_load_avg;
	ks_u32 task_flips, waker_flips; /* changes of whom they wake */
};

#endif
