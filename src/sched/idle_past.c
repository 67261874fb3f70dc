/* SPDX-License-Identifier: GPL-2.0-only */
#include "sched/idle_past.h"

#include "base/check.h"
#include "base/fixed.h"

enum { PULSE = 1024, DECAY = 8 };

static uint32_t state_of_length(const struct machine_costs *costs, uint64_t length_ns)
{
	uint32_t state = 0;

	while (state + 1 < costs->nr_idle_states &&
	       costs->idle_state[state + 1].target_residency_ns <= length_ns)
		state++;
	return state;
}

/* Bins in ascending order of length: those of the states, the last for a tick and more. */
static uint32_t bin_of_length(const struct machine_costs *costs, uint64_t tick_ns,
			      uint64_t length_ns)
{
	return length_ns >= tick_ns ? IDLE_BINS - 1 : state_of_length(costs, length_ns);
}

void idle_past_learn(struct idle_past *past, const struct machine_costs *costs, uint64_t tick_ns,
		     uint64_t length_ns)
{
	uint32_t bin = bin_of_length(costs, tick_ns, length_ns);

	for (uint32_t i = 0; i < IDLE_BINS; i++)
		past->bin[i] -= past->bin[i] / DECAY;
	past->bin[bin] += PULSE;
}

static uint32_t weight_from(const struct idle_past *past, uint32_t bin)
{
	uint32_t weight = 0;

	for (; bin < IDLE_BINS; bin++)
		weight += past->bin[bin];
	return weight;
}

/* The deepest bin that half of the periods longer than `elapsed` reach; the last if none is. */
static uint32_t predict_bin(const struct idle_past *past, const struct machine_costs *costs,
			    const struct idle_question *question)
{
	uint32_t first = bin_of_length(costs, question->tick_ns, question->elapsed_ns);
	uint32_t bin = IDLE_BINS - 1, total = weight_from(past, first), weight = past->bin[bin];

	while (bin > first && 2 * weight < total)
		weight += past->bin[--bin];
	return bin;
}

uint32_t idle_past_choose(const struct idle_past *past, const struct machine_costs *costs,
			  const struct idle_question *question, bool *stop_tick)
{
	uint32_t bin = predict_bin(past, costs, question);
	uint32_t deepest = costs->nr_idle_states - 1;
	uint64_t timer_ns = question->timer_ns;
	bool is_long = bin == IDLE_BINS - 1;

	CHECK(costs->nr_idle_states > 0 && costs->nr_idle_states <= MACHINE_MAX_IDLE_STATES);
	*stop_tick = timer_ns > question->tick_ns && (is_long || question->stops_whenever);
	if (!*stop_tick && !question->tick_stopped)
		timer_ns = min_u64(timer_ns, question->until_tick_ns);
	return (uint32_t)min_u64(min_u64(bin, deepest), state_of_length(costs, timer_ns));
}
