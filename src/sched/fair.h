/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What queueing and running share: runqueues, pickers, averages, wake-ups and verbs. Placement and
 * balancing do without it, see internal.h.
 *
 * A picker is a policy of virtual time. rq.c keeps counts, lists, load and averages, the picker
 * keeps vruntime, deadline and lag and decides who runs. `curr` is never in the timeline.
 * All expect rq_update() to have been called at the present time.
 */
#ifndef SCHED_FAIR_H
#define SCHED_FAIR_H

#include "sched/internal.h"

struct sched_picker {
	const char *name;
	/* A child's virtual time from its parent's, on the parent's cpu. */
	void (*fork)(struct sched *s, uint32_t cpu, uint32_t child);
	/* Sets the virtual times of a task that is about to be counted and queued on cpu. */
	void (*place)(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags);
	/* Remembers what is kept while away, before it is taken off; flags as for rq_dequeue(). */
	void (*leave)(struct sched *s, uint32_t cpu, uint32_t task, uint32_t flags);
	/* A sleeping task goes from one cpu to another: nobody's lock is held. */
	void (*migrate_asleep)(struct sched *s, uint32_t from, uint32_t task);
	/* Into and out of the timeline. */
	void (*insert)(struct sched *s, struct rq *rq, uint32_t task);
	void (*remove)(struct sched *s, struct rq *rq, uint32_t task);
	/* After curr's vruntime grew, or the set of queued tasks shrank. True: time for another. */
	bool (*advance)(struct sched *s, struct rq *rq);
	/* Whether a sleeper stays queued for now, see DELAY_DEQUEUE. */
	bool (*delays)(const struct sched *s, const struct rq *rq, uint32_t task);
	/* Wake-up of a delayed one: it may get a new place. */
	void (*undelay)(struct sched *s, uint32_t cpu, uint32_t task);
	/* The task to run next, curr included when still queued; rq.nr_queued > 0. */
	uint32_t (*pick)(struct sched *s, struct rq *rq);
	/* `task` begins to run. */
	void (*start)(struct sched *s, struct rq *rq, uint32_t task);
	bool (*preempts)(struct sched *s, struct rq *rq, uint32_t task, uint32_t flags);
	/* From the tick: true when curr has run enough. */
	bool (*tick)(struct sched *s, struct rq *rq);
	void (*yield)(struct sched *s, struct rq *rq);
	/* The weight of a queued task changes from its present one; it is not in the timeline. */
	void (*reweigh)(struct sched *s, struct rq *rq, uint32_t task, uint32_t weight_wt);
	/* The picker's sums and keys of one runqueue; false with the first that is wrong. */
	bool (*check)(const struct sched *s, uint32_t cpu, struct err *err);
};

extern const struct sched_picker picker_cfs, picker_eevdf;

/* ---- weights.c ---- */
enum { WEIGHT_NICE_0 = 1024 };

uint32_t weight_of_nice(int nice); /* -20 … 19 */

/* Time at nice 0's pace: delta * 1024 / weight, rounded down. */
static inline uint64_t weight_vns(uint64_t delta_ns, uint32_t weight_wt)
{
	if (weight_wt == WEIGHT_NICE_0)
		return delta_ns;
	return mul_div_floor(delta_ns, WEIGHT_NICE_0, weight_wt);
}

/* ---- pelt.c ---- */
void pelt_init(struct sched *s);				   /* decay factors */
void pelt_init_task(struct sched *s, uint32_t task, uint32_t cpu); /* a new one, not attached */
void pelt_attach(struct sched *s, uint32_t cpu, uint32_t task);
void pelt_detach(struct sched *s, uint32_t task);
/* Leaves its load with the runqueue's removed sums: no lock of it is held. */
void pelt_remove_asleep(struct sched *s, uint32_t task);
void pelt_reweigh(struct sched *s, uint32_t task, uint32_t weight_wt);
void util_est_enqueue(struct sched *s, uint32_t cpu, uint32_t task);
void util_est_dequeue(struct sched *s, uint32_t cpu, uint32_t task, bool sleeps);

/* ---- rq.c ---- */
static inline bool task_on_rq(const struct sched_task *t)
{
	return t->state == TASK_QUEUED || t->state == TASK_DELAYED;
}

void rq_update_clock(struct sched *s, uint32_t cpu);
/* curr goes back to the timeline; `task` of the timeline becomes what runs. */
void rq_put_curr(struct sched *s, uint32_t cpu);
void rq_set_curr(struct sched *s, uint32_t cpu, uint32_t task);
/* Whether the idle cpu sees its flag without an interrupt. */
bool rq_polls(const struct sched *s, uint32_t cpu);
/* A delayed task leaves for good. */
void rq_finish_delayed(struct sched *s, uint32_t cpu, uint32_t task);
void rq_wake_delayed(struct sched *s, uint32_t cpu, uint32_t task);
void rq_reweigh(struct sched *s, uint32_t task, uint32_t weight_wt);
void rq_clear_buddies(struct rq *rq, uint32_t task);

/* ---- wake.c ---- */
/* Queues what is on the wake list of s->cpu. */
void wake_list_run(struct sched *s);
/* Another allowed cpu for a task that may no longer run where it is. */
uint32_t wake_fallback_cpu(struct sched *s, uint32_t task);
/* A sleeping task will run on cpu: its virtual time and load leave the old one. */
void wake_set_cpu(struct sched *s, uint32_t task, uint32_t cpu);
/* Queues it on its cpu, by that runqueue's lock. */
void wake_on_cpu(struct sched *s, uint32_t task);

/* ---- verb.c ---- */
void verb_begin(struct sched *s, uint64_t now_ns, uint32_t cpu);
uint64_t verb_end(struct sched *s);

/* ---- schedule.c ---- */
enum schedule_reason { SCHEDULE_PREEMPTED, SCHEDULE_SLEEPS, SCHEDULE_EXITS };

void schedule_cpu(struct sched *s, enum schedule_reason reason);

#endif
