/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulation: cpus, programs and resources in simulated time, scheduled by any engine.
 *
 * A run is a function of its struct sim_config: same bytes in, same trace out. Time is integer
 * nanoseconds from 0. A cpu does one thing at a time: a user operation, kernel work, or nothing in
 * an idle state. Everything the run needs is allocated by sim_new(); sim_run() allocates nothing.
 * The run ends when program_set.until_task has exited, or all tasks have.
 *
 * Use: sim_new(), add sinks to sim_trace(), sim_run() once, read the rest, sim_release().
 *
 * Times in the trace never go back: an event carries the time at which the verb of the engine that
 * caused it was called.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "engine/engine.h"
#include "program/program.h"
#include "sim/hotplug.h"

struct sim;

#define SIM_MAX_NS (1ull << 59) /* no run is longer: 18 years */

/* How a kernel version does what is not scheduling: a row of sim/paths.def. */
struct sim_paths {
	uint32_t since;	      /* major * 100 + minor */
	bool pipe_exclusive;  /* readers and writers wait apart and are woken one by one */
	bool pipe_only_edges; /* a wake-up only when the pipe was empty, or was full */
};

struct sim_config {
	const struct machine *machine;
	const struct engine_ops *engine;
	const char *profile, *variant; /* handed to the engine; "v5.12", "+NAME,-NAME" */
	const char *image;	       /* these three too, see engine_config */
	bool no_feedback, profile_lines;
	uint32_t nr_groups;
	const struct engine_group *group;
	const uint32_t *task_group; /* by task: index into group or GROUP_ROOT; NULL: all root */
	const struct program_set *programs;
	uint32_t nr_hotplug;
	const struct hotplug_event *hotplug; /* in the order of their times */
	uint64_t seed;
	uint64_t max_ns, max_events;   /* 0: SIM_MAX_NS, no limit */
	const struct sim_paths *paths; /* NULL: by the profile's version */
};

enum sim_status {
	SIM_DONE,
	SIM_DEADLOCK,	 /* every living task waits for another: sim_explain_deadlock() */
	SIM_LOST,	 /* nothing is due any more, yet a task could run: the engine forgot it */
	SIM_TIME_LIMIT,	 /* max_ns of simulated time passed */
	SIM_EVENT_LIMIT, /* max_events were taken */
	SIM_FAILED,	 /* the engine could not go on: sim_failure() */
};

struct sim_result {
	enum sim_status status;
	uint64_t end_ns;
	uint64_t mark_ns[PROGRAM_MAX_MARKS]; /* when each mark was passed last; 0: never */
	uint64_t nr_events; /* entries of the queue that changed a cpu's or a task's state */
	uint64_t trace_hash, nr_trace_events;
};

/* Kinds in TRACE_IRQ; a tick has an event of its own. */
enum irq {
	IRQ_TIMER, /* timers of tasks */
	IRQ_TICK,
	IRQ_RESCHED,
	IRQ_CALL,
	IRQ_ENGINE_TIMER,				/* ENGINE_TIMERS of them */
	IRQ_HOTPLUG = IRQ_ENGINE_TIMER + ENGINE_TIMERS, /* the cpu shall go off */
};

/* Where a cpu's time went; user + kernel + idle + off = end of the run. */
struct sim_cpu_times {
	uint64_t user_ns;
	uint64_t kernel_ns; /* system calls, interrupts, scheduling, spinning on kernel locks */
	uint64_t idle_ns;   /* in an idle state or waking from it */
	uint64_t off_ns;
	uint64_t state_ns[MACHINE_MAX_IDLE_STATES]; /* idle_ns without the exit latencies */
	uint64_t state_entries[MACHINE_MAX_IDLE_STATES];
};

struct sim_task_times {
	uint64_t user_ns, system_ns;	 /* interrupts are not counted to the task they hit */
	uint64_t voluntary, involuntary; /* switches away from it */
};

/* What the simulation counts over the run: COUNTER rows of sim/counters.def. */
struct sim_counter {
	const char *name, *phrase;
	uint64_t value;
};

/*
 * NULL and err set when the engine refuses profile, variant or machine, has no hotplug that is
 * asked for, or a task may run on no online cpu. machine, programs and texts outlive the
 * simulation, which lives in `arena`.
 */
struct sim *sim_new(struct arena *arena, const struct sim_config *config, struct err *err);
/* Ends the engine. The arena is the caller's. */
void sim_release(struct sim *sim);

struct trace *sim_trace(struct sim *sim);
struct sim_result sim_run(struct sim *sim);

/* After the run. */
const struct memory *sim_memory(const struct sim *sim);
struct sim_cpu_times sim_cpu_times(const struct sim *sim, uint32_t cpu);
struct sim_task_times sim_task_times(const struct sim *sim, uint32_t task);
bool sim_counter(const struct sim *sim, uint32_t i, struct sim_counter *counter);
bool sim_engine_counter(const struct sim *sim, uint32_t i, struct engine_counter *counter);
const struct engine *sim_engine(const struct sim *sim);

/*
 * After SIM_DEADLOCK or SIM_LOST: one sentence naming who waits for what, or was forgotten (some of
 * them when there are many), in out.
 */
char *sim_explain_deadlock(const struct sim *sim, char *out, size_t size);

/* After SIM_FAILED: what the engine said. */
const char *sim_failure(const struct sim *sim);

/* The row for a profile's version, "v5.12" or "5.12"; what is no version gets the newest row. */
const struct sim_paths *sim_paths_of(const char *profile);

#endif
