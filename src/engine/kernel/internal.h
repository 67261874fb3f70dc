/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to engine/kernel: the engine's record, and what its files do for each other. */
#ifndef ENGINE_KERNEL_INTERNAL_H
#define ENGINE_KERNEL_INTERNAL_H

#include "base/arena.h"
#include "base/random.h"
#include "engine/engine.h"
#include "engine/kernel/costs.h"
#include "engine/kernel/heap.h"
#include "engine/kernel/image.h"
#include "engine/kernel/record.h"
#include "sched/idle_past.h"

#include "../kernel/abi.h"

#include <setjmp.h>
#include <signal.h>

enum { FAILURE_BYTES = 400, MAX_MOVED = 4096 };

struct kernel_cpu {
	struct idle_past past;
	uint64_t idle_since_ns, last_tick_ns;
	uint32_t curr; /* as the simulation knows it */
	uint32_t idle_state;
	bool tick_stopped;
};

/* A task as the simulation knows it. The kernel may move one that sleeps (a delayed dequeue). */
struct kernel_task {
	uint32_t cpu;
	bool asleep;
};

struct moved_task {
	uint32_t task, from, to;
};

struct engine {
	const struct engine_services *services;
	const struct engine_config *config;
	const struct machine *machine;
	struct memory *memory;
	struct arena *arena;
	struct image image;
	const struct ks_image *ks;
	struct ks_machine ks_machine;
	struct ks_host host;
	struct heap heap;
	struct costs costs;
	struct profile *profile; /* NULL: not asked for */
	struct random random;
	struct kernel_cpu *cpu;
	struct kernel_task *task;
	uint64_t *mask; /* by set: mask_words each */
	uint32_t nr_sets;
	void **group; /* by index */
	bool no_feedback, handles_signals;
	uint64_t switch_ns, switch_mm_ns, ipi_ns, tick_ns;

	/* The verb that runs. */
	uint64_t now_ns;   /* of the simulation */
	uint64_t spent_ps; /* so far, but for the meter's instructions */
	uint64_t fixed_ps; /* of that, what does not come from counting */
	uint64_t verb;	   /* its number */
	uint32_t at;	   /* its cpu */
	uint32_t placing;  /* the task it wakes or forks */
	volatile sig_atomic_t running;
	uint32_t nr_moved;
	struct moved_task moved[MAX_MOVED];
	struct engine_idle *idle;
	uint32_t next; /* who is on the cpu now */

	sigjmp_buf failed;
	uint64_t failed_at; /* an address in kernel code, 0 when not known */
	char failure[FAILURE_BYTES];

	/* Counted over the run. */
	uint64_t wakes, forks, switches, ipis;
};

/* The engine whose kernel is mapped: kernel code finds its host by it. */
extern struct engine *kernel_mapped;
static inline struct engine *kernel_engine(void)
{
	return kernel_mapped;
}

/* Kernel code may be entered with a stack that is aligned to 8 bytes. */
#define FROM_KERNEL __attribute__((force_align_arg_pointer, noinline))

/* ---- host.c ---- */
struct ks_host kernel_host(void);
static inline uint64_t kernel_spent_ps(const struct engine *e)
{
	return e->spent_ps + e->costs.meter->instructions * e->costs.ps_per_instruction;
}
/* Of the simulation, within the verb. */
static inline uint64_t kernel_time_ns(const struct engine *e)
{
	return e->no_feedback ? e->now_ns : e->now_ns + kernel_spent_ps(e) / 1000;
}

/* ---- failure.c ---- */
/* From here on; $SCHEDLAB_WATCHDOG_S is what a verb may take. False and err set if it is none. */
bool failure_watch(struct engine *e, struct err *err);
void failure_unwatch(struct engine *e);
/* Keeps the text and leaves the verb that runs. */
void failure_leave(struct engine *e, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));
/* After the verb was left: what it said, with the function where that is known. */
const char *failure_text(struct engine *e);

#endif
