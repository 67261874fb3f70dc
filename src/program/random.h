/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random program sets for tests: valid, and certain to end whatever the order in which tasks run.
 *
 * A set consists of small teams that share nothing with each other: pipelines, ping-pong pairs,
 * senders and receivers, mutexes taken in order, semaphores, barriers, conditions, futexes, trees
 * of spawned tasks, and loners. Each team's pattern cannot deadlock; between its steps its tasks
 * compute, sleep, yield, and change their affinity and nice value. The same seed and limits give
 * the same set. Not for workloads: only for tests, with the stream RANDOM_TEST.
 */
#ifndef PROGRAM_RANDOM_H
#define PROGRAM_RANDOM_H

#include "program/program.h"

struct program_random {
	uint64_t seed;
	uint32_t max_tasks; /* 2 … PROGRAM_MAX_TASKS; teams are added while they surely fit */
	uint32_t max_loops; /* 1 … 1000: rounds of each loop */
	uint64_t max_ns;    /* 1 … PROGRAM_MAX_NS / 2: longest computation or sleep */
	bool plain;	    /* no changes of affinity or nice value */
};

/* cpus: not empty. Everything lives in the arena. Never fails: CHECKs its limits. */
struct program_set *program_random(struct arena *arena, const struct cpuset *cpus,
				   const struct program_random *limits);

#endif
