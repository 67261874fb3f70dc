/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What counted images cost: their hooks drive the memory model and pay for instructions. Private to
 * engine/kernel; the rules stand in costs.c.
 */
#ifndef ENGINE_KERNEL_COSTS_H
#define ENGINE_KERNEL_COSTS_H

#include "engine/engine.h"

#include "../kernel/abi.h"

enum { MAX_HELD_LOCKS = 32, RECENT_MISSES = 8 };

struct miss {
	uint64_t where, instructions; /* return address; the count when it was there last */
};

/* Counts are over the run, without those of the verb that runs: these the meter has. */
struct costs {
	struct ks_meter *meter; /* the image's */
	uint64_t text_start, text_bytes;
	const uint8_t *block; /* instructions, by (return address - text_start) / KS_BLOCK_GRAIN */
	uint64_t ps_per_instruction;
	uint64_t instructions, blocks, accesses, calls;
	uint64_t last_epoch;
	uint64_t nobody[2];		     /* counts of lines that nobody counts */
	uint64_t percpu_start, percpu_bytes; /* the template: addresses that kernel code names */
	uint64_t to_cpu;		     /* added to such an address: the running cpu's own */
	uint64_t locks;
	const struct block_row *long_block; /* whose instructions do not fit a byte */
	uint32_t nr_long_blocks;
	uint32_t nr_held;
	struct held_lock {
		uint64_t address;
		uint32_t line;
		bool queued; /* in the memory model's queue of that line */
	} held[MAX_HELD_LOCKS];
	struct miss recent[RECENT_MISSES];
	uint32_t next_recent;
};

/*
 * Reads the table of blocks beside a counted image, into the arena, and gives it to the image. A
 * bare image needs nothing. False and err set when the table cannot be read or is another's.
 */
bool costs_open(struct engine *e, struct arena *arena, struct err *err);
void costs_hooks(struct ks_host *host);
/* Around the kernel code of a verb; outside, hooks do nothing. */
void costs_begin(struct engine *e);
void costs_end(struct engine *e);

#endif
