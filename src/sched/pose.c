/* SPDX-License-Identifier: GPL-2.0-only */
#include "sched/pose.h"

#include "sched/place.h"

enum { NS_PER_MS = 1000000 };

static const char *const phrases[] = {
#define WAY(id, phrase) phrase,
#include "sched/pose_ways.def"
#undef WAY
};

const char *sched_pose_way_phrase(enum pose_way way)
{
	return phrases[way];
}

/* ---- the state ---- */

static void pose_cpu(struct sched *s, uint32_t cpu, const struct ks_cpu_load *load)
{
	uint32_t llc = s->topology->llc_shared[cpu];
	struct rq *rq = &s->rq[cpu];

	rq->curr = load->busy ? cpu : TASK_NONE;
	rq->nr_queued = load->nr_running;
	rq->nr_running = load->nr_running - load->nr_delayed;
	rq->ttwu_pending = load->ttwu_pending;
	rq->capacity = load->capacity;
	rq->avg.load_avg = load->load_avg;
	if (llc == LLC_NONE)
		return;
	s->llc[llc].has_idle_cores = load->has_idle_cores;
	s->llc[llc].nr_idle_scan = load->nr_idle_scan;
}

static void pose_wakee(struct sched *s, const struct ks_state *state)
{
	struct sched_task *t = &s->task[s->nr_cpus];

	t->cpu = state->prev;
	t->recent_cpu = state->recent;
	t->avg.load_avg = state->task_load_avg;
	t->wakee_flips = state->task_flips;
	t->set = 1;
	for (uint32_t w = 0; w < s->set[1].words; w++)
		s->set[1].word[w] = state->allowed[w];
}

static void pose_waker(struct sched *s, const struct ks_state *state)
{
	uint64_t decay_ns = s->t_ns - (uint64_t)state->waker_aged_ms * NS_PER_MS;
	uint32_t last = state->waker_partner ? s->nr_cpus : TASK_NONE;
	struct rq *rq = &s->rq[s->cpu];
	struct sched_task *t;

	if (rq->curr == TASK_NONE) {
		rq->idle_flips = state->waker_flips;
		rq->idle_last_wakee = last;
		rq->idle_decay_ns = decay_ns;
		return;
	}
	t = &s->task[rq->curr];
	t->cpu = s->cpu;
	t->avg.load_avg = state->waker_load_avg;
	t->wakee_flips = state->waker_flips;
	t->last_wakee = last;
	t->wakee_decay_ns = decay_ns;
	t->is_kthread = state->kthread;
	t->set = state->kthread ? 2 : 0;
	for (uint32_t w = 0; w < s->set[2].words; w++)
		s->set[2].word[w] = w == s->cpu / 64 ? 1ull << (s->cpu % 64) : 0;
}

static void tell(const struct sched *s, const struct ks_state *state)
{
	const struct rq *rq = &s->rq[s->cpu];

	state->after->waker_flips =
		rq->curr == TASK_NONE ? rq->idle_flips : s->task[rq->curr].wakee_flips;
	state->after->recent = s->task[s->nr_cpus].recent_cpu;
	cpuset_for_each (cpu, &s->topology->online) {
		uint32_t llc = s->topology->llc_shared[cpu];

		state->after->has_idle_cores[cpu] = llc != LLC_NONE && s->llc[llc].has_idle_cores;
	}
}

/* ---- which rule ---- */

static const enum sched_counter way_counters[NR_POSE_WAYS] = {
	[POSE_TARGET] = COUNT_sis_target_hit,	 [POSE_PREV] = COUNT_sis_prev_hit,
	[POSE_KTHREAD] = COUNT_sis_kthread_hit,	 [POSE_RECENT] = COUNT_sis_recent_hit,
	[POSE_SIBLING] = COUNT_sis_smt_hit,	 [POSE_CORE] = COUNT_sis_core_hit,
	[POSE_CORE_CPU] = COUNT_sis_core_search, [POSE_CPU] = COUNT_sis_scan_hit,
	[POSE_SKIPPED] = COUNT_sis_skipped,	 [POSE_FAILED] = COUNT_sis_failed,
};

/* The counters are cleared before; of several that moved the first way tells most. */
static enum pose_way last_word(const struct sched *s, bool found)
{
	for (uint32_t way = 0; way < POSE_ALONE; way++)
		if (s->counter[way_counters[way]] && (way != POSE_CORE_CPU || found))
			return (enum pose_way)way;
	return POSE_ALONE;
}

uint32_t sched_pose_wake(struct sched *s, const struct ks_state *state, enum pose_way *way)
{
	static const uint64_t NOW_NS = 4000000000;
	struct place p = { .task = s->nr_cpus,
			   .cpu = state->waker,
			   .prev = state->prev,
			   .sync = state->sync,
			   .allowed = &s->set[1] };
	uint32_t cpu;

	s->cpu = state->waker;
	s->start_ns = s->t_ns = NOW_NS;
	s->nr_effects = 0;
	for (uint32_t i = 0; i < NR_COUNTERS; i++)
		s->counter[i] = 0;
	cpuset_for_each (i, &s->topology->online)
		pose_cpu(s, i, &state->cpu[i]);
	pose_wakee(s, state);
	pose_waker(s, state);
	place_record_wakee(s, s->rq[s->cpu].curr, p.task);
	cpu = place_choose(s, &p, PLACE_WAKE);
	*way = last_word(s, s->counter[COUNT_sis_scan_hit]);
	tell(s, state);
	return cpu;
}
