/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a wake-up goes, asked of a kernel and of the model in many random states (random_state.h).
 *
 * Compared is what the fair class answers, allowed or not: what would replace an answer that is
 * not allowed is the business of others. Machines change every few thousand states.
 */
#ifndef ENGINE_KERNEL_DECISIONS_H
#define ENGINE_KERNEL_DECISIONS_H

#include "base/arena.h"
#include "base/err.h"
#include "sched/pose.h"

#include <stdint.h>

enum { DECISIONS_SHOWN = 10, DECISION_TEXT = 500 };

struct decisions {
	uint64_t asked, equal;
	uint64_t alike; /* of the equal ones, those that leave the same behind */
	uint64_t way_asked[NR_POSE_WAYS], way_equal[NR_POSE_WAYS]; /* by the model's way */
	uint32_t shown;
	char text[DECISIONS_SHOWN][DECISION_TEXT]; /* the first that differ, in words */
};

/* False and err set when the kernel or the profile is refused. */
bool decisions_compare(const char *image, const char *profile, uint64_t states, uint64_t seed,
		       struct decisions *result, struct err *err);

#endif
