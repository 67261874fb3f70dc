/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model's answer to a posed state (kernel/state.h). Nothing of the state before matters; the
 * scheduler is of no use for anything else afterwards.
 *
 * Tasks 0 … nr_cpus - 1 are the running ones of the cpus, task nr_cpus wakes; set 1 is its allowed
 * set and set 2 that of a waker bound to its cpu, whose words are written: a scheduler for this has
 * nr_cpus + 1 tasks and 3 sets.
 */
#ifndef SCHED_POSE_H
#define SCHED_POSE_H

#include "sched/sched.h"

#include "../kernel/state.h"

/* Which rule had the last word. */
enum pose_way {
#define WAY(id, phrase) POSE_##id,
#include "sched/pose_ways.def"
#undef WAY
	NR_POSE_WAYS
};

/* "the target was idle" */
const char *sched_pose_way_phrase(enum pose_way way);

/*
 * The cpu that placement chooses, before an answer that is not allowed would be replaced. What it
 * leaves behind is written to state->after.
 */
uint32_t sched_pose_wake(struct sched *s, const struct ks_state *state, enum pose_way *way);

#endif
