/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Task timers, as the kernel keeps them: a heap for each cpu and one clock event for its earliest.
 * Internal to sim/. Order is by time, then by arming. A task has one timer.
 */
#ifndef SIM_TIMER_H
#define SIM_TIMER_H

#include "sim/state.h"

/* Arms the task's timer on the cpu; it is not armed yet. */
void timer_arm(struct sim *sim, uint32_t cpu, uint32_t task, uint64_t when_ns);

/* The timers of a cpu that goes off are another's from now on. */
void timer_move_all(struct sim *sim, uint32_t from, uint32_t to);

/*
 * One step of a timer interrupt: the earliest timer that is due wakes or starts its task and the
 * cpu works on that, true; or none is due, the interrupt is over and the clock event set, false.
 */
bool timer_expire(struct sim *sim, uint32_t cpu);

#endif
