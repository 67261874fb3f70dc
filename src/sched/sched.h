/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model scheduler: Linux's fair class, its placement and its balancing, as a state machine.
 *
 * A verb receives the time, does its work at once and returns the nanoseconds it took at full
 * speed: instructions at the machine's speed plus what the memory model says of the lines touched
 * and the locks waited for. What it decided is the list of effects, valid until the next verb, in
 * the order in which they happen. The state has no clock, no queue of events, no allocation after
 * sched_new() and no floating point; equal calls give equal states.
 *
 * Of the machine's costs the verbs pay ipi_send, switch and switch_mm, and what lines and locks
 * cost. syscall, irq_entry, tick, idle_loop, timer, fork and thread are the caller's, like delivery
 * of interrupts, exit from idle states and the speed of the cpu. Times given to one cpu's verbs
 * do not go back; those of different cpus may overlap.
 */
#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include "memory/memory.h"
#include "sched/config.h"
#include "topology/topology.h"

struct sched;

enum sched_effect_kind {
	/* cpu: task runs next, arg ran before; TASK_NONE is idle, or a stopper for a moment. */
	SCHED_SWITCH,
	SCHED_WOKEN,	   /* task is queued on cpu, arg is its cpu before */
	SCHED_MIGRATED,	   /* queued task moved to cpu from arg */
	SCHED_IPI_RESCHED, /* to cpu */
	SCHED_IPI_CALL,	   /* to cpu: queued wake-ups, nohz balance, active balance */
	SCHED_KICK_POLLER, /* cpu idles and watches its flag, which is set: let it reschedule */
	SCHED_TICK_START,
	SCHED_TICK_STOP,
};

struct sched_effect {
	uint64_t t_ns;
	uint32_t kind; /* enum sched_effect_kind */
	uint32_t cpu, task, arg;
};

struct sched_new_task {
	uint32_t task, parent;
	uint32_t set;		/* index into the sets given to sched_new */
	uint32_t address_space; /* a switch between different ones costs more */
	int8_t nice;
	bool is_thread;
};

enum sched_wake_flags { SCHED_WAKE_SYNC = 1 };

struct sched_arguments {
	const struct topology *topology;
	struct memory *memory;
	const struct sched_config *config;
	uint32_t max_tasks;
	const struct cpuset *set; /* allowed sets, nr_sets of them */
	uint32_t nr_sets;
	uint64_t seed;
};

/* Lines of memory that sched_new() will take. */
uint32_t sched_nr_lines(const struct sched_arguments *args);
/* All state from `arena`; the arguments outlive it. Every cpu starts idle with its tick on. */
struct sched *sched_new(struct arena *arena, const struct sched_arguments *args);

const struct sched_effect *sched_effects(const struct sched *s, uint32_t *count);

uint64_t sched_task_new(struct sched *s, uint64_t now_ns, uint32_t cpu,
			const struct sched_new_task *task);
uint64_t sched_wake(struct sched *s, uint64_t now_ns, uint32_t cpu, uint32_t task, uint32_t flags);
uint64_t sched_block(struct sched *s, uint64_t now_ns, uint32_t cpu);
uint64_t sched_yield_task(struct sched *s, uint64_t now_ns, uint32_t cpu);
uint64_t sched_exit(struct sched *s, uint64_t now_ns, uint32_t cpu);
uint64_t sched_set_affinity(struct sched *s, uint64_t now_ns, uint32_t cpu, uint32_t task,
			    uint32_t set);
uint64_t sched_set_nice(struct sched *s, uint64_t now_ns, uint32_t cpu, uint32_t task, int nice);

/* To be looked at after each verb on cpu and each kick; then sched_schedule() is due. */
bool sched_need_resched(const struct sched *s, uint32_t cpu);
uint64_t sched_schedule(struct sched *s, uint64_t now_ns, uint32_t cpu);
uint64_t sched_tick(struct sched *s, uint64_t now_ns, uint32_t cpu);
uint64_t sched_ipi_resched(struct sched *s, uint64_t now_ns, uint32_t cpu);
uint64_t sched_ipi_call(struct sched *s, uint64_t now_ns, uint32_t cpu);
/* Chooses the idle state; next_timer_ns: the next timer due on this cpu. */
uint64_t sched_idle_enter(struct sched *s, uint64_t now_ns, uint32_t cpu, uint64_t next_timer_ns,
			  uint32_t *state);
uint64_t sched_idle_exit(struct sched *s, uint64_t now_ns, uint32_t cpu);

/* Rows of sched/counters.def, summed over cpus. */
uint32_t sched_nr_counters(void);
const char *sched_counter_name(uint32_t i);
const char *sched_counter_phrase(uint32_t i);
uint64_t sched_counter(const struct sched *s, uint32_t i);

/* Every invariant of the state: counts, sums, trees, lag; false with the first violation. */
bool sched_check(const struct sched *s, struct err *err);

#endif
