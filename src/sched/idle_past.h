/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Choice of the idle state: after the timer-events-oriented governor, reduced to what a model
 * needs. Any engine may use it: it knows a cpu's past idle periods and nothing else.
 *
 * A cpu keeps a weight for each idle state: how many of its recent idle periods were long enough
 * for that state and too short for the next deeper one; one more weight stands for periods of a
 * tick or longer. With each period all weights lose an eighth and its own gains 1024.
 *
 * The state chosen is the deepest one whose target residency
 *   - fits before the next timer, and
 *   - is reached by at least half of the remembered periods (by weight),
 * counting, when the cpu has slept a while already and only a tick woke it, those periods alone
 * that were longer than that. The tick stops when half of them reach a tick and no timer is due
 * within one. Predicted periods and periods cut by timers are not told apart.
 */
#ifndef SCHED_IDLE_PAST_H
#define SCHED_IDLE_PAST_H

#include "machine/machine.h"

enum { IDLE_BINS = MACHINE_MAX_IDLE_STATES + 1 };

struct idle_past {
	uint16_t bin[IDLE_BINS]; /* decaying weights of idle lengths */
};

struct idle_question {
	uint64_t elapsed_ns; /* idle so far */
	uint64_t timer_ns;   /* until the next timer, UINT64_MAX without */
	uint64_t tick_ns;    /* period of the tick */
	uint64_t until_tick_ns;
	bool tick_stopped;   /* it is stopped already */
	bool stops_whenever; /* kernels before v4.17 stop it unless a timer is due within a tick */
};

/* An idle period of that length has ended. */
void idle_past_learn(struct idle_past *past, const struct machine_costs *costs, uint64_t tick_ns,
		     uint64_t length_ns);
/* The state's index; whether the tick stops. */
uint32_t idle_past_choose(const struct idle_past *past, const struct machine_costs *costs,
			  const struct idle_question *question, bool *stop_tick);

#endif
