/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between schedlab and a kernel image.
 *
 * An image is the scheduler of a kernel tree with the shim around it, linked as a static program
 * for fixed addresses in the low 2 GiB. schedlab maps it, calls its entry point, which returns
 * struct ks_image, and boots it once. Both sides include this file and nothing else of each other.
 *
 * One thread of the host drives all simulated cpus. A call runs on one cpu, does all its work and
 * returns. Calls that a task makes (KS_OP_*) run on that task's own kernel stack: the image
 * switches to it and comes back when the cpu's current task waits for its next call; which task
 * that is, host->switch_to has said. Interrupts run on the caller's stack.
 *
 * Cpus and tasks are the simulation's numbers. Times are ns of the image's clock, which runs
 * KS_CLOCK_START ahead of the simulation: the machine has booted before the simulation begins.
 */
#ifndef KS_ABI_H
#define KS_ABI_H

typedef unsigned int ks_u32;
typedef unsigned long ks_u64;
typedef unsigned char ks_u8;

#define KS_ABI_VERSION 9
#define KS_CLOCK_START 4000000000ul
#define KS_NONE	       0xffffffffu /* no cpu; no task: the idle task */
#define KS_KTHREAD     0xfffffffeu /* a thread of the kernel's own, never seen by the host */
#define KS_IDLE_STATES 10
#define KS_PERCPU_DYN  (64ul << 10) /* room for run-time per-cpu data behind the static part */

enum ks_cpu_state { KS_CPU_ABSENT, KS_CPU_OFFLINE, KS_CPU_ONLINE };

struct ks_machine {
	ks_u32 nr_cpus, nr_nodes;			     /* ids, holes included */
	const ks_u8 *cpu_state;				     /* by cpu: enum ks_cpu_state */
	const ks_u32 *core, *cluster, *llc, *package, *node; /* by cpu */
	const ks_u8 *node_exists;			     /* by node */
	const ks_u8 *distance;				     /* nr_nodes x nr_nodes, 10 the own */
	ks_u32 has_clusters;				     /* else cluster is not read */
	ks_u32 threads_per_core;			     /* of the core of the first cpu */
	ks_u32 reclaim_distance;			     /* 0: the kernel's own */
	char *percpu; /* nr_cpus areas, each image->percpu_size + KS_PERCPU_DYN bytes */
	ks_u64 percpu_stride;
	int gs_by_syscall;     /* the host lets user mode not write the base of %gs (FSGSBASE) */
	int numa_in_package;   /* x86: packages of several nodes have no level of their own */
	ks_u32 nr_idle_states; /* up to KS_IDLE_STATES */
	const ks_u64 *exit_latency_ns; /* by idle state */
};

#include "host.h"
#include "meter.h"

enum ks_op {
	KS_OP_SCHEDULE, /* what the kernel does on return to user mode, or at the end of idle */
	KS_OP_BLOCK,
	KS_OP_YIELD,
	KS_OP_EXIT,
	KS_OP_WAKE,	/* arg[0] task, arg[1] sync; result: cpu, or KS_NONE if it was awake */
	KS_OP_FORK,	/* new_task */
	KS_OP_AFFINITY, /* arg[0] task, mask */
	KS_OP_NICE,	/* arg[0] task, arg[1] nice */
	KS_OP_GROUP,	/* arg[0] task, group; moves the task */
	KS_OP_IDLE,	/* on an idle cpu only: once around the idle loop, into the idle state */
};

struct ks_new_task {
	ks_u32 id, mm;	      /* mm: address space, tasks with the same share it */
	int nice, has_parent; /* 0: a task of the start; 1: forked by the running task */
	const ks_u64 *mask;   /* nr_cpus bits: allowed cpus */
};

struct ks_call {
	enum ks_op op;
	ks_u32 arg[2];
	const ks_u64 *mask;
	const struct ks_new_task *new_task;
	void *group;
	ks_u32 result;
};

/* What these two point to is the kernel's, until it builds its domains anew. */
struct ks_domain {
	const char *name;
	int level;
	const ks_u64 *span; /* words of the image's cpumasks: image->mask_words */
	ks_u32 flags, weight, imbalance_pct, imb_numa_nr, cache_nice_tries, busy_factor;
	ks_u64 min_interval, max_interval; /* ms */
	ks_u32 nr_groups;
};

struct ks_group {
	const ks_u64 *span;
	ks_u64 capacity, min_capacity, max_capacity;
	ks_u32 weight, flags;
	int id;		    /* as the kernel prints it */
	const ks_u64 *mask; /* who may balance for it */
};

struct ks_state; /* kernel/state.h: states for comparing decisions */

struct ks_image {
	ks_u32 abi, counted, hz, max_cpus, mask_words, task_bytes;
	const char *release; /* "6.12.117" */
	char *percpu_start;  /* the static template */
	ks_u64 percpu_size;
	char *rq_start; /* the runqueue in the template */
	ks_u64 rq_bytes;
	char *data_start, *data_end; /* all writable data of the image */
	char *text_start, *text_end;
	struct ks_meter *meter;
	ks_u8 *blocks; /* instructions of each, see meter.h */

	/* Everything up to idle loops with ticks on. Messages and failures go to the host. */
	void (*boot)(const struct ks_machine *machine, const struct ks_host *host);

	/* On behalf of the current task of `cpu` (its idle loop: KS_OP_SCHEDULE, KS_OP_IDLE). */
	void (*call)(ks_u32 cpu, struct ks_call *call);
	/* The same from interrupt context, on the caller's stack: KS_OP_WAKE and KS_OP_FORK. */
	void (*interrupt_call)(ks_u32 cpu, struct ks_call *call);
	void (*tick)(ks_u32 cpu);
	void (*ipi)(ks_u32 cpu, enum ks_ipi ipi);
	void (*timer)(ks_u32 cpu); /* its timers that are due by the clock */
	int (*need_resched)(ks_u32 cpu);
	/*
	 * A cpu goes off, in a call on it, or comes, in a call on the one that is off; see the port
	 * (cpu_down, cpu_up). NULL when the kernel is built without CONFIG_HOTPLUG_CPU.
	 */
	void (*cpu_down)(ks_u32 cpu);
	void (*cpu_up)(ks_u32 cpu);

	/* NULL parent is the root; NULL: refused. Files are the cpu controller's, both versions. */
	void *(*group_new)(void *parent);
	int (*group_write)(void *group, const char *file, long value); /* negative errno */

	/* The i-th domain of a cpu, from the bottom; its g-th group; false past the last. */
	int (*domain)(ks_u32 cpu, ks_u32 i, struct ks_domain *domain);
	int (*group)(ks_u32 cpu, ks_u32 i, ks_u32 g, struct ks_group *group);

	/* What the kernel itself thinks, for tests. Of no task: 0 ns, KS_NONE. */
	ks_u64 (*task_runtime)(ks_u32 task);
	ks_u32 (*task_cpu)(ks_u32 task), (*nr_running)(ks_u32 cpu);
	/* BUG and WARN: which is at this address. 0 none, 1 BUG, 2 WARN. */
	int (*bug_at)(ks_u64 address, const char **file, ks_u32 *line);

	/* Poses a state and asks fair_sched_class for the cpu of a wake-up; KS_NONE: refused. */
	ks_u32 (*decide)(const struct ks_state *state);
};

#endif
