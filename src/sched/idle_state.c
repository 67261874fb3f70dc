/* SPDX-License-Identifier: GPL-2.0-only */
/* The idle governor's questions of one cpu: see idle_past.h. */
#include "sched/nohz.h"

/* until - from, or 0 when that has passed. */
static uint64_t time_left(uint64_t from_ns, uint64_t until_ns)
{
	return until_ns - min_u64(until_ns, from_ns);
}

void idle_learn(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];

	idle_past_learn(&rq->idle_past, &s->machine->costs, s->tick_ns,
			time_left(rq->idle_since_ns, s->t_ns));
}

uint32_t idle_choose_state(struct sched *s, uint32_t cpu, uint64_t next_timer_ns, bool *stop_tick)
{
	const struct rq *rq = &s->rq[cpu];
	struct idle_question question = {
		.elapsed_ns = time_left(rq->idle_since_ns, s->t_ns),
		.timer_ns = time_left(s->t_ns, next_timer_ns),
		.tick_ns = s->tick_ns,
		.until_tick_ns = time_left(s->t_ns, rq->last_tick_ns + s->tick_ns),
		.tick_stopped = rq->tick_stopped,
		.stops_whenever = s->config.version < 417,
	};

	return idle_past_choose(&rq->idle_past, &s->machine->costs, &question, stop_tick);
}
