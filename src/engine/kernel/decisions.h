/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a wake-up goes, asked of a kernel and of the model in many random states.
 *
 * States are random in who runs where, loads, idle cores, limits of the search, affinity, previous
 * and recent cpus, partners and sync; machines change every few thousand states. What a cpu that
 * is not allowed would be replaced by is not compared.
 */
#ifndef ENGINE_KERNEL_DECISIONS_H
#define ENGINE_KERNEL_DECISIONS_H

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>

enum { DECISIONS_SHOWN = 10, DECISION_TEXT = 400 };

struct decisions {
	uint64_t asked, equal;
	uint32_t shown;
	char text[DECISIONS_SHOWN][DECISION_TEXT]; /* the first that differ, in words */
};

/* False and err set when the kernel or the profile is refused. */
bool decisions_compare(const char *image, const char *profile, uint64_t states, uint64_t seed,
		       struct decisions *result, struct err *err);

#endif
