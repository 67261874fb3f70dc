/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What cpus do: kernel work, user work, interrupts, idling. Internal to sim/.
 *
 * A cpu that has begun work is in the queue until its end; then cpu_continue() decides what comes
 * next. Interrupts stop user work at once, end idling after its exit latency, and wait for the end
 * of kernel work.
 */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include "sim/state.h"

static inline void sim_count(struct sim *sim, enum sim_counter_id id, uint64_t n)
{
	sim->counter[id] += n;
}

static inline uint32_t slot_of(uint32_t cpu, enum slot_kind kind)
{
	return cpu * SLOTS_PER_CPU + kind;
}

/* Out of line: the part of cpu_account() where time has passed. */
void cpu_account_time(struct sim *sim, uint32_t cpu);

/* Brings the cpu's account of time up to now. */
static inline void cpu_account(struct sim *sim, uint32_t cpu)
{
	if (sim->now_ns != sim->cpu[cpu].since_ns)
		cpu_account_time(sim, cpu);
}

/* Begins so much work at full speed; kernel work includes the cpu's debt. */
void cpu_kernel(struct sim *sim, uint32_t cpu, uint64_t ns);
void cpu_user(struct sim *sim, uint32_t cpu, uint64_t ns);
/* Kernel work without an end: until somebody calls cpu_kernel() for it. */
void cpu_spin(struct sim *sim, uint32_t cpu);

/* Its work is over: interrupts first, then its task or the idle loop. */
void cpu_continue(struct sim *sim, uint32_t cpu);
/* The entry SLOT_WORK came due. */
void cpu_work_done(struct sim *sim, uint32_t cpu);
void cpu_interrupt(struct sim *sim, uint32_t cpu, enum irq irq);
/* The flag that a polling idle cpu watches was set; false when it does not sleep. */
bool cpu_kicked(struct sim *sim, uint32_t cpu);
/* It is off from now on, until somebody calls cpu_kernel() for it. */
void cpu_off(struct sim *sim, uint32_t cpu);
/* Calls the engine's schedule(). */
void cpu_schedule(struct sim *sim, uint32_t cpu);

/* Nothing happens before this time on an idle cpu, as far as timers go. */
uint64_t cpu_next_timer_ns(const struct sim *sim, uint32_t cpu);

#endif
