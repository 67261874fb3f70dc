/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a running simulation: cpus, tasks, resources. Internal to sim/, see sim/state.h.
 * TASK_NONE ends every list of tasks.
 */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include "base/random.h"
#include "sim/costs.h"
#include "sim/sim.h"

/* What a cpu is doing; a cpu in the last three is busy: it slows its SMT siblings. */
enum cpu_state {
	CPU_ASLEEP,
	CPU_WAKING,
	CPU_OFF,
	CPU_KERNEL,
	CPU_USER,
	CPU_SPINNING,
	NR_CPU_STATES
};

/* A cpu's entries in the queue; the slot's number is cpu * SLOTS_PER_CPU + kind. */
enum slot_kind {
	SLOT_WORK, /* what it does ends */
	SLOT_TICK,
	SLOT_RESCHED,
	SLOT_CALL,
	SLOT_KICK,	   /* a polling idle cpu sees its flag */
	SLOT_TIMER,	   /* the earliest task timer */
	SLOT_ENGINE_TIMER, /* ENGINE_TIMERS of them */
	SLOTS_PER_CPU = 8,
};

/* Between calls of idle_enter and idle_exit of the engine. */
enum idle_phase { IDLE_OUT, IDLE_ENTERING, IDLE_ENTERED };

/* On its way off and on, see sim/plug.c. */
enum plug_state { PLUG_ON, PLUG_LEAVES, PLUG_LEFT, PLUG_OFF };

/* The first line of the host is what most events look at. */
struct sim_cpu {
	_Alignas(64) uint64_t since_ns; /* up to here its time is accounted */
	uint64_t left_ns;		/* work left at full speed */
	uint64_t debt_ns;		/* costs that the next kernel work includes */
	const struct sim_speeds *speeds;
	uint32_t curr;		/* running task; TASK_NONE: the idle task */
	uint32_t core, sibling; /* sibling: next cpu of the core in a ring */
	uint32_t timer_root;	/* heap of task timers, through sim_task.timer_* */
	uint8_t state;		/* enum cpu_state */
	uint8_t pending;       /* bits of enum irq: arrived, not taken yet; the lowest goes first */
	uint8_t busy_siblings; /* as its speed has it */
	uint8_t idle_phase;    /* enum idle_phase */
	bool in_irq;	       /* its kernel work is an interrupt's: no task pays */
	bool expiring;	       /* a timer interrupt walks through its timers */
	uint8_t idle_state;
	uint8_t plug;			  /* enum plug_state */
	uint32_t last_task;		  /* the last one that was not the idle task */
	uint64_t spent_ns[NR_CPU_STATES]; /* by enum cpu_state */
	uint64_t next_tick_ns;		  /* its phase: a time at which it ticks or would tick */
};

enum task_state {
	TASK_UNBORN,
	TASK_RUNNABLE, /* or running */
	TASK_PREPARED, /* will sleep, but a wake-up may still come first */
	TASK_WAITING,  /* sleeps until another task wakes it */
	TASK_SLEEPING, /* sleeps until its timer expires */
	TASK_WOKEN,    /* on the list of one who is about to wake it */
	TASK_DEAD,
};

/* Where a task goes on when its cpu has finished what it did: rows of sim/stages.def. */
enum stage {
#define STAGE(name, function) STAGE_##name,
#include "sim/stages.def"
#undef STAGE
	NR_STAGES
};

struct sim_task {
	uint8_t state, stage;
	uint8_t after;	    /* stage when all of its wake list are woken */
	uint8_t wake_flags; /* enum engine_wake_flags for them */
	bool user;	    /* left_ns of user work is to be done before the stage */
	bool exclusive;	    /* as a waiter */
	bool waited;	    /* slept in this operation */
	bool holding;	    /* a kernel mutex: its cpu takes no interrupt */
	bool joining;	    /* sleeps for its children */
	bool was_edge;	    /* the pipe was empty (full) when its writer (reader) got the lock */
	uint32_t op, resource;
	uint32_t cpu;			/* where it runs or ran last */
	uint32_t next;			/* in a list of waiters */
	uint32_t wake_first, wake_last; /* taken from their queues, to be woken by it */
	uint32_t amount;		/* bytes being moved */
	uint64_t bytes;			/* of the operation, or children, not done yet */
	uint64_t left_ns, refill_ns;
	uint64_t arrived_ns; /* when it asked for a kernel mutex */
	const struct task_spec *spec;
	uint64_t user_ns, system_ns, voluntary, involuntary;
	struct random jitter, workload;
	uint64_t timer_ns, timer_order;
	uint32_t timer_child, timer_next;
	uint32_t parent, children; /* living ones */
	uint64_t born_ns;
	uint64_t counter[PROGRAM_MAX_DEPTH];
};

struct waitq {
	uint32_t first, last;
};

/* A page of a pipe or a message of a socket: bytes begin … end - 1 are unread. */
struct sim_slot {
	uint16_t begin, end;
	uint16_t writer; /* cpu */
};

struct sim_resource {
	uint8_t kind;
	bool held;		  /* kernel mutex of a stream; a user's mutex */
	uint32_t value;		  /* count of a semaphore, arrivals at a barrier, pending wakes */
	uint32_t line;		  /* first of its lines of memory */
	struct waitq wait[2];	  /* readers or all, writers */
	struct waitq spin;	  /* who spins for the kernel mutex */
	uint32_t head, tail;	  /* slots written and read, never wrapped to the ring */
	uint32_t ring, ring_mask; /* its slots in sim.slot */
	uint32_t used, limit;	  /* socket: bytes of buffer charged, allowed */
};

#endif
