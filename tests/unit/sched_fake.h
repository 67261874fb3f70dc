/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * States made by hand for tests of placement: a cpu is busy because its runqueue says so.
 * No verb but the function under test may run on such a state.
 */
#ifndef TESTS_SCHED_FAKE_H
#define TESTS_SCHED_FAKE_H

#include "sched/place.h"

#include "sched_world.h"

enum { FAKE_RUNNER = WORLD_TASKS - 1 };

/* The function under test runs on `cpu` now. */
static inline void fake_verb(struct world *w, uint32_t cpu)
{
	verb_begin(w->s, w->now_ns, cpu);
}

static inline void fake_busy(struct world *w, uint32_t cpu)
{
	struct rq *rq = &w->s->rq[cpu];
	uint32_t llc = w->topology->llc_shared[cpu];

	rq->curr = FAKE_RUNNER;
	rq->nr_running = rq->nr_queued = 1;
	rq->load_wt = rq->avg.load_avg = WEIGHT_NICE_0;
	rq->avg.util_avg = rq->avg.runnable_avg = CAPACITY_FULL;
	if (llc != LLC_NONE)
		cpuset_del(&w->s->llc[llc].idle_mask, cpu);
}

static inline void fake_idle(struct world *w, uint32_t cpu)
{
	struct rq *rq = &w->s->rq[cpu];
	uint32_t llc = w->topology->llc_shared[cpu];

	rq->curr = TASK_NONE;
	rq->nr_running = rq->nr_queued = 0;
	rq->load_wt = rq->avg.load_avg = 0;
	rq->avg.util_avg = rq->avg.runnable_avg = 0;
	if (llc != LLC_NONE && sched_has(w->s, FEATURE_SIS_IDLE_CPUMASK))
		cpuset_add(&w->s->llc[llc].idle_mask, cpu);
}

/* Cpus from `first` up to `last`. */
static inline void fake_busy_range(struct world *w, uint32_t first, uint32_t last)
{
	for (uint32_t cpu = first; cpu <= last; cpu++)
		fake_busy(w, cpu);
}

/* Task 0 sleeps; it ran on prev and may use the set. */
static inline void fake_sleeper(struct world *w, uint32_t prev, uint32_t set)
{
	w->s->task[0] = (struct sched_task){ .cpu = prev,
					     .state = TASK_BLOCKED,
					     .set = set,
					     .weight_wt = WEIGHT_NICE_0,
					     .recent_cpu = prev,
					     .last_wakee = TASK_NONE,
					     .next_wake = TASK_NONE };
	w->s->task[FAKE_RUNNER] = w->s->task[0];
}

/* Set `set` becomes what `list` says. */
static inline void fake_set(struct world *w, uint32_t set, const char *list)
{
	struct err err = { 0 };

	cpuset_clear(&w->set[set]);
	if (!cpuset_parse(&w->set[set], list, &err))
		world_fail(&err);
}

static inline uint64_t fake_count(const struct world *w, enum sched_counter counter)
{
	return w->s->counter[counter];
}

/* What the search says for task 0, woken on cpu `waker`. */
static inline uint32_t fake_search(struct world *w, uint32_t waker, uint32_t prev, uint32_t target)
{
	fake_verb(w, waker);
	return select_idle_sibling(w->s, 0, prev, target);
}

/* Accesses to lines of a class so far. */
static inline uint64_t fake_reads(const struct world *w, const char *class)
{
	return memory_class_counts(w->memory, memory_class(w->memory, class))->reads;
}

#endif
