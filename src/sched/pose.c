/* SPDX-License-Identifier: GPL-2.0-only */
#include "sched/pose.h"

#include "sched/internal.h"

static void pose_task(struct sched *s, uint32_t task, uint32_t cpu, uint64_t load_avg,
		      uint32_t flips)
{
	struct sched_task *t = &s->task[task];

	t->cpu = cpu;
	t->avg.load_avg = load_avg;
	t->wakee_flips = flips;
	t->wakee_decay_ns = s->t_ns;
	t->last_wakee = s->nr_cpus; /* the wake-up to come is no change of partner */
}

static void pose_cpu(struct sched *s, uint32_t cpu, const struct ks_cpu_load *load)
{
	uint32_t llc = s->topology->llc_shared[cpu];
	struct rq *rq = &s->rq[cpu];

	rq->curr = load->busy ? cpu : TASK_NONE;
	rq->nr_running = rq->nr_queued = load->nr_running;
	rq->ttwu_pending = load->ttwu_pending;
	rq->avg.load_avg = load->load_avg;
	if (llc == LLC_NONE)
		return;
	s->llc[llc].has_idle_cores = load->has_idle_cores;
	s->llc[llc].nr_idle_scan = load->nr_idle_scan;
}

uint32_t sched_pose_wake(struct sched *s, const struct ks_state *state)
{
	static const uint64_t NOW_NS = 4000000000;
	uint32_t task = s->nr_cpus;

	s->cpu = state->waker;
	s->start_ns = s->t_ns = NOW_NS;
	s->nr_effects = 0;
	cpuset_for_each (cpu, &s->topology->online)
		pose_cpu(s, cpu, &state->cpu[cpu]);
	for (uint32_t w = 0; w < s->set[1].words; w++)
		s->set[1].word[w] = state->allowed[w];
	pose_task(s, task, state->prev, state->task_load_avg, state->task_flips);
	s->task[task].set = 1;
	s->task[task].recent_cpu = state->recent;
	if (state->cpu[state->waker].busy) {
		pose_task(s, state->waker, state->waker, state->waker_load_avg, state->waker_flips);
		place_record_wakee(s, state->waker, task);
	}
	return place_task(s, task, state->prev, PLACE_WAKE, state->sync);
}
