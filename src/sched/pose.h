/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model's answer to a posed state (kernel/state.h). Nothing of the state before matters; the
 * scheduler is of no use for anything else afterwards.
 *
 * Tasks 0 … nr_cpus - 1 are the running ones of the cpus, task nr_cpus wakes; set 1 is its allowed
 * set, whose words are written: a scheduler for this has nr_cpus + 1 tasks and 2 sets.
 */
#ifndef SCHED_POSE_H
#define SCHED_POSE_H

#include "sched/sched.h"

#include "../kernel/state.h"

/* The cpu that placement chooses, before an answer that is not allowed would be replaced. */
uint32_t sched_pose_wake(struct sched *s, const struct ks_state *state);

#endif
