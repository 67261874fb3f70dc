/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernel code of a counted image spends its time: which lines of which objects, and
 * which functions. Kept when engine_config.profile_lines is set, from the end of the boot on.
 */
#ifndef ENGINE_KERNEL_PROFILE_H
#define ENGINE_KERNEL_PROFILE_H

#include "engine/engine.h"

/* Line n of every object of a kind, for example of the runqueues of all cpus. */
struct kernel_profile_line {
	const char *owner;  /* "rq", "task_struct", or a variable's name */
	uint32_t line;	    /* from the object's begin */
	const char *fields; /* the dearest of them, "nr_running, curr"; "" when not known */
	uint64_t accesses;
	uint64_t misses; /* of them, those that took time */
	uint64_t ns;
};

/* By itself, without what it calls. */
struct kernel_profile_function {
	const char *name;
	uint64_t calls, instructions;
	uint64_t memory_ns; /* lines fetched and locks waited for */
	uint64_t ns;	    /* that, and the instructions */
};

/*
 * The dearest ones, at most `max`; names in the arena. 0 when nothing was kept. Ties: by name and
 * number. The engine is one of engine_kernel().
 */
uint32_t kernel_profile_lines(const struct engine *engine, struct arena *arena,
			      struct kernel_profile_line *row, uint32_t max);
uint32_t kernel_profile_functions(const struct engine *engine, struct arena *arena,
				  struct kernel_profile_function *row, uint32_t max);

#endif
