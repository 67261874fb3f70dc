/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine port: what schedules, seen from the simulation.
 *
 * The simulation owns time, cpus, programs and resources; an engine owns runqueues and decides who
 * runs where. The simulation calls verbs; a verb happens on one cpu at one time, does all its
 * work at once and returns the nanoseconds it took at full speed, which the simulation charges to
 * that cpu. What a verb causes elsewhere goes through the services, each with the time at which it
 * happens (the verb's time plus what has been spent so far).
 *
 * Tasks and cpus are numbers. An engine may run each task on a stack of its own: `block`, `yield`
 * and `schedule` return when the cpu has its next task; which one it is was said by switch_to.
 * A verb on behalf of the running task may find that task gone from the cpu when it returns (an
 * affinity change that moves it): the operation is then complete when the task runs again.
 *
 * Every online cpu begins in the idle loop with its tick running; the first verb on it is
 * idle_enter. task_new reports the new task's cpu through woken. Between idle_enter and idle_exit a
 * cpu takes interrupts; after idle_exit, schedule follows when need_resched says so, else
 * idle_enter again.
 *
 * Of the machine's costs an engine pays switch, switch_mm and ipi_send itself, within its verbs,
 * while it holds its locks; syscall, irq_entry, tick, timer, idle_loop, fork, thread, delivery of
 * interrupts and exit from idle states are the simulation's.
 *
 * Nothing here may depend on what an engine is made of: records only, so that an engine can live in
 * another process.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "engine/config.h"
#include "trace/trace.h"

enum engine_ipi { ENGINE_IPI_RESCHED, ENGINE_IPI_CALL, NR_ENGINE_IPIS };

enum engine_limits {
	ENGINE_TIMERS = 2, /* ids of set_timer, for each cpu; an engine with more shares them */
};

enum engine_wake_flags {
	ENGINE_WAKE_SYNC = 1,	   /* the waker says that it is about to sleep */
	ENGINE_WAKE_INTERRUPT = 2, /* an interrupt wakes, not the task that it interrupted */
};

struct engine_task {
	uint32_t task, parent; /* parent: TASK_NONE for the first */
	uint32_t set;	       /* allowed cpus: index into engine_config.set */
	uint32_t address_space;
	uint32_t group; /* index into engine_config.group, or GROUP_ROOT */
	int8_t nice;
	bool is_thread;
};

/* Asked when a cpu has nothing to run. */
struct engine_idle {
	uint64_t next_timer_ns; /* in: the next timer due on this cpu, UINT64_MAX without */
	uint32_t state;		/* out: index into the machine's idle states */
};

struct engine_services {
	void *sim;
	/* Who runs on `cpu` from now on; TASK_NONE is its idle loop. */
	void (*switch_to)(void *sim, uint64_t t_ns, uint32_t cpu, uint32_t prev, uint32_t next);
	/* Where a task was put, and where it ran before; a new one: the cpu that made it. */
	void (*woken)(void *sim, uint64_t t_ns, uint32_t cpu, uint32_t task, uint32_t from_cpu);
	void (*migrated)(void *sim, uint64_t t_ns, uint32_t cpu, uint32_t task, uint32_t from_cpu);
	void (*send_ipi)(void *sim, uint64_t t_ns, uint32_t from, uint32_t to, enum engine_ipi ipi);
	/* The target idles in a state that watches its flag: it notices without an interrupt. */
	void (*kick_poller)(void *sim, uint64_t t_ns, uint32_t from, uint32_t to);
	void (*tick_start)(void *sim, uint64_t t_ns, uint32_t cpu);
	void (*tick_stop)(void *sim, uint64_t t_ns, uint32_t cpu);
	/* A timer of the engine's own, one per (cpu, id); UINT64_MAX cancels it. */
	void (*set_timer)(void *sim, uint64_t when_ns, uint32_t cpu, uint32_t id);
	/*
	 * The engine cannot go on: one sentence says why. Called within a verb other than create
	 * (which has an err), on the stack the verb was called on. Does not return; of the verbs
	 * only destroy and counter follow.
	 */
	void (*fail)(void *sim, const char *text) __attribute__((noreturn));
};

struct engine;

struct engine_ops {
	const char *name;
	/* How many lines of memory the engine will ask for; 0 and err set when it refuses. */
	uint32_t (*nr_lines)(const struct engine_config *config, struct err *err);
	/* NULL and err set when it refuses. Arena and config outlive the engine. */
	struct engine *(*create)(struct arena *arena, struct engine_config *config,
				 struct err *err);
	void (*destroy)(struct engine *engine);

	uint64_t (*task_new)(struct engine *e, uint64_t now_ns, uint32_t cpu,
			     const struct engine_task *task);
	uint64_t (*task_wake)(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t task,
			      uint32_t flags);
	/* The running task of `cpu` sleeps, yields, ends: another follows, or the idle loop. */
	uint64_t (*task_block)(struct engine *e, uint64_t now_ns, uint32_t cpu);
	uint64_t (*task_yield)(struct engine *e, uint64_t now_ns, uint32_t cpu);
	uint64_t (*task_exit)(struct engine *e, uint64_t now_ns, uint32_t cpu);
	uint64_t (*task_affinity)(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t task,
				  uint32_t set);
	uint64_t (*task_nice)(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t task,
			      int nice);

	/* Called where the kernel would look: on return to user mode, and in the idle loop. */
	bool (*need_resched)(const struct engine *e, uint32_t cpu);
	uint64_t (*schedule)(struct engine *e, uint64_t now_ns, uint32_t cpu);

	uint64_t (*tick)(struct engine *e, uint64_t now_ns, uint32_t cpu);
	uint64_t (*ipi)(struct engine *e, uint64_t now_ns, uint32_t cpu, enum engine_ipi ipi);
	uint64_t (*timer)(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t id);
	/* The idle loop goes to sleep / an interrupt or kick ended the sleep. */
	uint64_t (*idle_enter)(struct engine *e, uint64_t now_ns, uint32_t cpu,
			       struct engine_idle *idle);
	uint64_t (*idle_exit)(struct engine *e, uint64_t now_ns, uint32_t cpu);

	/*
	 * A cpu goes off, or comes back; both NULL when the engine has no such thing, and called
	 * only when engine_config.hotplug was set.
	 *
	 * cpu_down is called on the cpu that goes, where schedule could be called and never on the
	 * last one. When it returns all tasks have left the cpu (migrated, switch_to TASK_NONE),
	 * what was on its way to it is taken care of, its timers are set elsewhere, and no service
	 * names it again until cpu_up. A task whose allowed cpus are all off may run anywhere from
	 * its next placement on, until its set is changed to one with a cpu that is on.
	 *
	 * cpu_up is called on the cpu that comes: its tick runs, the idle loop begins; what the cpu
	 * has pulled from others by then is said by migrated and switch_to.
	 */
	uint64_t (*cpu_down)(struct engine *e, uint64_t now_ns, uint32_t cpu);
	uint64_t (*cpu_up)(struct engine *e, uint64_t now_ns, uint32_t cpu);

	/* The i-th counter; false past the last. */
	bool (*counter)(const struct engine *e, uint32_t i, struct engine_counter *counter);
};

#endif
