/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cpus without tick: who they are, who balances for them, and what each cpu knows of its own idle
 * times. Shared by idle.c, idle_state.c, nohz.c and balance.c.
 */
#ifndef SCHED_NOHZ_H
#define SCHED_NOHZ_H

#include "sched/internal.h"

/* What a kick asks of the cpu that it reaches. */
enum nohz_kick { NOHZ_BALANCE = 1, NOHZ_STATS = 2 };

/* ---- nohz.c ---- */
/* The tick of cpu has stopped / cpu has its first tick as a busy one again. */
void nohz_enter(struct sched *s, uint32_t cpu);
void nohz_exit(struct sched *s, uint32_t cpu);
/* Out of and into the LLC's count of busy cpus, if not done before. */
void nohz_count_idle(struct sched *s, uint32_t cpu);
void nohz_count_busy(struct sched *s, uint32_t cpu);
/* At the tick of a busy cpu: sends an idle one to balance for all without tick, if that is due. */
void nohz_kick(struct sched *s, uint32_t cpu);

/* ---- idle.c ---- */
/* At the tick of a busy cpu. */
void idle_mask_tick(struct sched *s, uint32_t cpu);
/* ---- idle_state.c ---- */
/* The idle period of cpu has ended: remembers how long it was. */
void idle_learn(struct sched *s, uint32_t cpu);

/* Jiffies as ns: the time is read from there by all of balancing. */
static inline uint64_t jiffies_ns(const struct sched *s)
{
	return s->t_ns - s->t_ns % s->tick_ns;
}

#endif
