/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random states for a wake-up (kernel/state.h), on presets and random machines.
 *
 * Who runs where, delayed sleepers, loads and capacities, idle cores and limits of searches, right
 * or stale; affinity, previous and recent cpu; partners and their age; sync, and whether a task, a
 * bound kernel thread or an interrupt wakes. Loads and partners lie near the thresholds often.
 */
#ifndef ENGINE_KERNEL_RANDOM_STATE_H
#define ENGINE_KERNEL_RANDOM_STATE_H

#include "base/random.h"
#include "machine/machine.h"

#include "../kernel/state.h"

enum { RANDOM_STATE_CPUS = 512 };

struct random_state {
	const struct machine *machine;
	struct random random;
	bool has_delayed;
	uint32_t llc_weight[RANDOM_STATE_CPUS];
	struct ks_cpu_load cpu[RANDOM_STATE_CPUS];
	uint64_t allowed[RANDOM_STATE_CPUS / 64];
	struct ks_state state; /* what is asked; points into this */
};

/* The machine of a round: presets and shapes worth knowing in turn with random ones. */
struct machine *random_state_machine(struct arena *arena, uint64_t seed, uint32_t round,
				     struct err *err);
/* The machine outlives it. has_delayed: sleepers may be queued still. */
void random_state_begin(struct random_state *r, const struct machine *machine, bool has_delayed,
			uint64_t seed, uint32_t round);
/* The next state, but for state.after. */
void random_state_next(struct random_state *r);

#endif
