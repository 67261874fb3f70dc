/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One argument that stands for several: "2..14:2", "2..14", "{2,4,8}", "{1..4,8}".
 *
 * It is the whole argument, or what follows "--name=" or "-x". A range has decimal ends and a step,
 * 1 when none is given; the last value may fall short of the end. A list in braces holds words or
 * ranges, no word twice.
 */
#ifndef WORKLOAD_SWEEP_H
#define WORKLOAD_SWEEP_H

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>

struct sweep {
	uint32_t nr_values; /* 1 when the argument is no sweep: the argument itself */
	bool swept;
	const char *const *argument; /* by value: the whole argument with the value in place */
	const char *const *value;
	const char *key; /* "--groups", "-g", or NULL when the sweep is the whole argument */
};

/* At most `most` values; the text lives in the arena. */
bool sweep_parse(struct arena *arena, const char *text, uint32_t most, struct sweep *sweep,
		 struct err *err);

#endif
