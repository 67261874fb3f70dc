/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Damage to an input, the same for the same stream: bits, bytes, numbers, pieces moved, cut or
 * taken from another input.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

struct bytes {
	uint8_t *data;
	size_t size, room;
};

/* Changes `b` in 1 to 4 places; `other` may lend a piece. The size stays within b->room. */
void mutate(struct bytes *b, const struct bytes *other, struct random *r);

#endif
