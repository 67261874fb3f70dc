/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine's costs as the simulation uses them: in nanoseconds, looked up once.
 *
 * Speeds are parts of a full cpu in 2^20. A cpu with busy SMT siblings has its capacity times the
 * machine's share for one busy sibling; with more, the threads of the core divide equally what two
 * would get together.
 */
#ifndef SIM_COSTS_H
#define SIM_COSTS_H

#include "base/fixed.h"
#include "machine/machine.h"

enum { SIM_FULL_SPEED = 1 << 20, SIM_MAX_THREADS = 8 };

/* By the number of busy siblings. */
struct sim_speeds {
	uint32_t speed[SIM_MAX_THREADS];
	uint64_t inverse[SIM_MAX_THREADS]; /* of the speed, rounded up */
};

struct sim_costs {
	uint64_t syscall_ns, pipe_ns, socket_ns, futex_ns, fork_ns, thread_ns;
	uint64_t tick_ns, timer_ns, irq_entry_ns, idle_loop_ns;
	uint64_t ipi_near_ns, ipi_far_ns, poll_notice_ns;
	uint64_t copy_mib_ns; /* copying 1 MiB: keeps the fraction of small copies */
	uint64_t refill_kib_ns[NR_TIES];
	uint32_t l2_kib, overlap_pct;
	uint64_t jitter_q32; /* part of an operation's length, in 2^32 */
};

void sim_costs_init(struct sim_costs *costs, const struct machine *machine);
struct sim_speeds sim_speeds_of(const struct machine *machine, uint32_t capacity);

/* How long ns of work take, rounded up. */
static inline uint64_t sim_wall_ns(const struct sim_speeds *speeds, uint32_t busy, uint64_t ns)
{
	if (speeds->speed[busy] == SIM_FULL_SPEED)
		return ns;
	return (uint64_t)(((u128)ns * speeds->inverse[busy] + SIM_FULL_SPEED - 1) / SIM_FULL_SPEED);
}

/* The work done in wall_ns, rounded down. */
static inline uint64_t sim_work_ns(const struct sim_speeds *speeds, uint32_t busy, uint64_t wall_ns)
{
	if (speeds->speed[busy] == SIM_FULL_SPEED)
		return wall_ns;
	return (uint64_t)((u128)wall_ns * speeds->speed[busy] / SIM_FULL_SPEED);
}

#endif
