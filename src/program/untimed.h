/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a program set without time: tasks take steps in a random order until all have ended or none
 * can go on. An independent reading of ops.def, for tests of what workloads and generators make
 * and as a reference for what any executor must count. Sleeping and computing take one step.
 * Streams count bytes and take only what fits.
 */
#ifndef PROGRAM_UNTIMED_H
#define PROGRAM_UNTIMED_H

#include "program/program.h"

enum { UNTIMED_MAX_STEPS = 1 << 22 };

struct untimed_task;
struct untimed_resource;

struct untimed {
	const struct program_set *set;
	struct untimed_task *task;
	struct untimed_resource *resource;
	uint64_t changes; /* of any state, so that blocked for good is told from on the way */
	uint64_t steps;	  /* operations done */
	uint64_t writes, reads, bytes_written, bytes_read, spawned, nr_ended;
	uint64_t mark_step[PROGRAM_MAX_MARKS];
	bool done; /* all, or until_task, ended */
};

/*
 * The set has passed program_check(). The order of steps comes from the seed, stream RANDOM_TEST.
 * True when the set came to its end; false when all who still run are blocked for good or after
 * UNTIMED_MAX_STEPS. *u is overwritten; what it points to lives in the arena.
 */
bool untimed_run(struct untimed *u, struct arena *arena, const struct program_set *set,
		 uint64_t seed);

#endif
