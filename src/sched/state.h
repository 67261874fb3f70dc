/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler's state: flat arrays of tasks, runqueues, domains and LLCs, linked by index.
 * Private to sched/. Who changes what: rq.c queues and accounts, place.c chooses cpus, balance.c
 * moves tasks, idle.c keeps the idle state; all of them pay through touch.h.
 */
#ifndef SCHED_STATE_H
#define SCHED_STATE_H

#include "base/fixed.h"
#include "sched/rq.h"
#include "sched/sched.h"

enum sched_counter {
#define COUNTER(id, name, phrase) COUNT_##id,
#include "sched/counters.def"
#undef COUNTER
	NR_COUNTERS
};

enum sched_path {
#define PATH(name, instructions, source) PATH_##name,
#include "sched/paths.def"
#undef PATH
	NR_PATHS
};

struct sched_picker;

struct sched {
	const struct topology *topology;
	const struct machine *machine;
	struct memory *memory;
	struct sched_config config;
	const struct sched_picker *picker; /* CFS or EEVDF, see fair.h */
	uint64_t tunable[NR_TUNABLES];	   /* scaled */
	uint64_t seed;
	uint64_t tick_ns; /* from hz */
	uint32_t nr_cpus, nr_online, max_tasks, nr_sets;
	const struct cpuset *set;
	struct sched_task *task;
	struct tree_node *node; /* by task: key and value are the picker's */
	struct rq *rq;
	struct domain_state *domain; /* by domain index of the topology */
	struct llc_state *llc;	     /* by llc_shared index */
	struct {
		struct cpuset idle_mask; /* cpus without tick */
		uint32_t nr_idle;
		uint64_t next_balance_ns, next_blocked_ns;
		bool has_blocked;
	} nohz;
	bool rd_overload;
	bool *group_imbalance;	     /* by group: pinned tasks kept it from being balanced */
	uint64_t serialize_until_ns; /* a balance of a SD_SERIALIZE domain is under way */
	uint32_t tick_owner;	     /* the cpu that advances jiffies */
	uint32_t last_distributed;   /* cpu given to the last task whose set changed */
	struct cpuset scratch[4];    /* for scans; contents do not outlive a call */

	/* The verb in progress. */
	uint32_t cpu;	   /* where it happens */
	uint64_t start_ns; /* when it began */
	uint64_t t_ns;	   /* start plus what has been spent */
	/* Costs, see touch.h. */
	uint64_t path_ps[NR_PATHS];    /* picoseconds of a path on this machine */
	uint64_t path_times[NR_PATHS]; /* how often each was walked */
	uint64_t spent_ps;	       /* below one ns, carried along */
	uint64_t switch_ns, switch_mm_ns, ipi_send_ns;
	uint32_t field_line[NR_FIELDS];	  /* first line of the field's instances */
	uint32_t field_stride[NR_FIELDS]; /* lines an instance takes (masks) */
	uint32_t decay[32];		  /* y^n, y^32 = 1/2: see pelt.c */

	struct sched_effect *effect;
	uint32_t nr_effects, max_effects;
	uint64_t counter[NR_COUNTERS];
};

static inline bool sched_has(const struct sched *s, enum sched_feature feature)
{
	return s->config.feature[feature];
}

/* Idle as placement sees it: nothing runs, is queued or on its way. */
static inline bool cpu_is_idle(const struct sched *s, uint32_t cpu)
{
	const struct rq *rq = &s->rq[cpu];

	return rq->curr == TASK_NONE && !rq->nr_running && !rq->ttwu_pending;
}

static inline bool task_may_run_on(const struct sched *s, uint32_t task, uint32_t cpu)
{
	return cpuset_has(&s->set[s->task[task].set], cpu);
}

#endif
