/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Choice of the idle state: after the timer-events-oriented governor, reduced to what a model
 * needs.
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
 * within one; kernels before v4.17 stop it always unless a timer is due within a tick
 * (554c8aa8ecad). Predicted periods and periods cut by timers are not told apart.
 */
#include "sched/nohz.h"

#include "base/check.h"

enum { PULSE = 1024, DECAY = 8 };

static uint32_t state_of_length(const struct sched *s, uint64_t length_ns)
{
	const struct machine_costs *costs = &s->machine->costs;
	uint32_t state = 0;

	while (state + 1 < costs->nr_idle_states &&
	       costs->idle_state[state + 1].target_residency_ns <= length_ns)
		state++;
	return state;
}

/* Bins in ascending order of length: those of the states, the last for a tick and more. */
static uint32_t bin_of_length(const struct sched *s, uint64_t length_ns)
{
	return length_ns >= s->tick_ns ? IDLE_BINS - 1 : state_of_length(s, length_ns);
}

void idle_learn(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	uint32_t bin = bin_of_length(s, s->t_ns - min_u64(s->t_ns, rq->idle_since_ns));

	for (uint32_t i = 0; i < IDLE_BINS; i++)
		rq->idle_bin[i] -= rq->idle_bin[i] / DECAY;
	rq->idle_bin[bin] += PULSE;
}

static uint32_t weight_from(const struct rq *rq, uint32_t bin)
{
	uint32_t weight = 0;

	for (; bin < IDLE_BINS; bin++)
		weight += rq->idle_bin[bin];
	return weight;
}

/* The deepest bin that half of the periods longer than `elapsed` reach; the last if none is. */
static uint32_t predict_bin(const struct sched *s, const struct rq *rq, uint64_t elapsed_ns)
{
	uint32_t first = bin_of_length(s, elapsed_ns), bin = IDLE_BINS - 1;
	uint32_t total = weight_from(rq, first);

	while (bin > first && 2 * weight_from(rq, bin) < total)
		bin--;
	return bin;
}

uint32_t idle_choose_state(struct sched *s, uint32_t cpu, uint64_t next_timer_ns, bool *stop_tick)
{
	const struct machine_costs *costs = &s->machine->costs;
	struct rq *rq = &s->rq[cpu];
	uint64_t elapsed_ns = s->t_ns - min_u64(s->t_ns, rq->idle_since_ns);
	uint64_t timer_ns = next_timer_ns - min_u64(next_timer_ns, s->t_ns);
	uint32_t bin = predict_bin(s, rq, elapsed_ns);
	uint32_t deepest = costs->nr_idle_states - 1;
	bool is_long = bin == IDLE_BINS - 1;

	CHECK(costs->nr_idle_states > 0 && costs->nr_idle_states <= MACHINE_MAX_IDLE_STATES);
	*stop_tick = timer_ns > s->tick_ns && (is_long || s->config.version < 417);
	if (!*stop_tick && !rq->tick_stopped) {
		uint64_t tick_ns = rq->last_tick_ns + s->tick_ns;

		timer_ns = min_u64(timer_ns, tick_ns - min_u64(tick_ns, s->t_ns));
	}
	return (uint32_t)min_u64(min_u64(bin, deepest), state_of_length(s, timer_ns));
}
