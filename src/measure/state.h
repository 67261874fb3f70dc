/* SPDX-License-Identifier: GPL-2.0-only */
/* What a measure knows: filled by measure.c, read by metrics.c. */
#ifndef MEASURE_STATE_H
#define MEASURE_STATE_H

#include "measure/measure.h"
#include "measure/waste.h"

#include <stdbool.h>

struct measure_cpu {
	uint64_t since_ns;	/* of the running task */
	uint64_t idle_since_ns; /* of the idle state */
	uint32_t running;	/* TASK_NONE: idle */
	uint32_t idle_state;	/* UINT32_MAX: in none */
	bool leaving;		/* the running task has blocked or ended */
};

struct measure_task {
	uint64_t since_ns;  /* runnable and waiting since */
	uint64_t waking_ns; /* begin of the wake-up */
	uint32_t set, waker_cpu;
	bool waits, woken; /* woken: this wait began with a wake-up */
};

struct measure {
	const struct machine *machine;
	uint32_t max_tasks, nr_sets, nr_cpus, nr_allowed;
	const uint32_t *task_set;
	struct measure_cpu *cpu;
	struct measure_task *task;
	struct waste waste;
	struct histogram run_delay, wakeup_latency;
	bool ended;
	uint64_t last_ns, busy_ns; /* busy: of tasks that have left their cpu */
	uint64_t nr_tasks, voluntary, involuntary, preemptions, switches, interrupts, ipis;
	uint64_t wakeups, wakeups_local, balance_moves, moves[NR_TIES];
	uint64_t idle_usage[MACHINE_MAX_IDLE_STATES], idle_ns[MACHINE_MAX_IDLE_STATES];
};

#endif
