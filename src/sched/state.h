/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler's state: flat arrays of tasks, runqueues, domains and LLCs, linked by index.
 * Private to sched/. Who changes what: rq.c queues and accounts, place.c chooses cpus, balance.c
 * moves tasks, idle.c keeps the idle state; all of them pay through touch.h.
 *
 * Structs are laid out by host cache line: what a wake-up or a switch needs comes first.
 */
#ifndef SCHED_STATE_H
#define SCHED_STATE_H

#include "base/fixed.h"
#include "base/tree.h"
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

enum task_state {
	TASK_UNUSED,
	TASK_QUEUED,  /* runnable: in the timeline, or running */
	TASK_WAKING,  /* on a remote wake list */
	TASK_DELAYED, /* asleep but still queued (delayed dequeue) */
	TASK_BLOCKED,
	TASK_EXITED,
};

/* Per-entity load tracking, in units of 1024 ns; 47742 is the sum of the geometric series. */
struct pelt {
	uint64_t updated_ns; /* by the runqueue's PELT clock */
	uint64_t load_sum, runnable_sum, util_sum;
	uint64_t load_avg;
	uint32_t runnable_avg, util_avg;
	uint32_t util_est;
	uint32_t contribution; /* part of the current 1024 us period already counted */
};

struct sched_task {
	/* What running and picking read. */
	uint64_t vruntime_vns, deadline_vns;
	uint64_t protect_vns; /* RUN_TO_PARITY: runs on while this equals deadline_vns */
	int64_t lag_vns;      /* kept over a sleep; CFS does not use it */
	uint64_t slice_ns;
	uint64_t exec_start_ns, sum_exec_ns, prev_sum_exec_ns;
	/* What a wake-up reads. */
	struct pelt avg;
	uint32_t cpu;	     /* runs or ran there; the target while waking */
	uint8_t state;	     /* enum task_state */
	bool is_running;     /* is some runqueue's curr */
	bool is_attached;    /* its averages are part of those of `cpu` */
	bool is_normalized;  /* CFS: vruntime_vns counts from the runqueue's minimum */
	uint32_t weight_wt;
	int8_t nice;
	bool is_kthread;     /* a kernel thread: what it wakes may stay beside it */
	bool is_relative;    /* EEVDF: deadline_vns counts from vruntime_vns */
	uint32_t set;	     /* allowed cpus */
	/* Lists and wake-up placement. */
	uint32_t list_prev, list_next; /* tasks of the runqueue, see rq.list_first */
	uint32_t next_wake;  /* next on a wake list */
	uint32_t recent_cpu, wakee_flips, last_wakee;
	uint32_t woken_from; /* its cpu before the wake-up that is under way */
	uint64_t wakee_decay_ns;
	uint64_t off_cpu_ns; /* when its last switch away is complete */
	uint32_t address_space;
	uint32_t nr_migrations;
};

_Static_assert(sizeof(struct sched_task) == 192, "a task is three lines of the host");

/* One bin an idle state, one for idle periods of at least a tick. */
enum { IDLE_BINS = MACHINE_MAX_IDLE_STATES + 1 };

struct rq {
	/* What others look at: counts, flags, who runs. */
	uint32_t nr_running;  /* tasks in state TASK_QUEUED here, the running one included */
	uint32_t nr_queued;   /* nr_running plus delayed ones */
	uint32_t curr;	      /* TASK_NONE when idle */
	bool need_resched, ttwu_pending, polling;
	bool tick_stopped, counted_busy, in_idle_loop, nohz_kicked;
	bool active_balance;
	uint32_t idle_state;  /* IDLE_STATE_NONE when not asleep */
	uint32_t wake_list, wake_list_last; /* queued wake-ups in order, TASK_NONE */
	uint64_t clock_ns, clock_pelt_ns;
	uint64_t idle_since_ns;
	/* Timeline. */
	struct tree tree;     /* queued but not running: sched.node by task */
	uint64_t load_wt;     /* of all queued, the running one included */
	uint64_t min_vruntime_vns;
	int64_t sum_key_vns;  /* EEVDF: sum of weight * (vruntime - min_vruntime) of the tree */
	uint64_t sum_wt;      /* EEVDF: sum of weights of the tree */
	uint32_t next_buddy, last_buddy, skip_buddy;
	/* All queued tasks, the last enqueued or picked first: balancing takes from the end. */
	uint32_t list_first, list_last;
	/* Averages. */
	struct pelt avg;
	uint64_t removed_load, removed_runnable, removed_util; /* of tasks that left, not yet applied */
	uint32_t nr_removed;
	/* Idle. */
	uint64_t idle_stamp_ns, avg_idle_ns, max_idle_balance_ns, wake_stamp_ns, wake_avg_idle_ns;
	uint16_t idle_bin[IDLE_BINS]; /* decaying weights of idle lengths, see idle_state.c */
	/* Balance. */
	uint8_t nohz_flags;  /* what a kick asked for, see nohz.c */
	uint64_t next_balance_ns, next_blocked_update_ns;
	uint32_t capacity;   /* CAPACITY_FULL = a full cpu */
	uint32_t push_cpu;
	uint64_t nr_switches;
	uint64_t last_tick_ns;
};

#define IDLE_STATE_NONE UINT32_MAX

/* A cpu's own record of one of its domains. */
struct domain_state {
	uint64_t last_balance_ns, balance_interval_ms;
	uint32_t nr_balance_failed;
	uint64_t max_newidle_cost_ns, next_decay_ns, avg_scan_cost_ns;
};

struct llc_state {
	uint32_t nr_busy_cpus;
	bool has_idle_cores;
	uint32_t nr_idle_scan; /* SIS_UTIL */
	struct cpuset idle_mask;
};

struct sched_picker;

struct sched {
	const struct topology *topology;
	const struct machine *machine;
	struct memory *memory;
	struct sched_config config;
	const struct sched_picker *picker; /* CFS or EEVDF, see fair.h */
	uint64_t tunable[NR_TUNABLES]; /* scaled */
	uint64_t seed;
	uint64_t tick_ns;	       /* from hz */
	uint32_t nr_cpus, nr_online, max_tasks, nr_sets;
	const struct cpuset *set;
	struct sched_task *task;
	struct tree_node *node;	     /* by task: key and value are the picker's */
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
	struct cpuset scratch[4]; /* for scans; contents do not outlive a call */

	/* The verb in progress. */
	uint32_t cpu;	   /* where it happens */
	uint64_t start_ns; /* when it began */
	uint64_t t_ns;	   /* start plus what has been spent */
	/* Costs, see touch.h. */
	uint64_t path_ps[NR_PATHS]; /* picoseconds of a path on this machine */
	uint64_t path_times[NR_PATHS]; /* how often each was walked */
	uint64_t spent_ps;	    /* below one ns, carried along */
	uint64_t switch_ns, switch_mm_ns, ipi_send_ns;
	uint32_t field_line[NR_FIELDS];	  /* first line of the field's instances */
	uint32_t field_stride[NR_FIELDS]; /* lines an instance takes (masks) */
	uint32_t decay[32]; /* y^n, y^32 = 1/2: see pelt.c */

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
