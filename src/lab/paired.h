/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts a wake-up, the figures of runs without feedback: rows of paired.def. They divide by all
 * wake-ups of the run, and hold whatever else kernel code did too: switches, ticks, balancing.
 */
#ifndef LAB_PAIRED_H
#define LAB_PAIRED_H

#include "store/store.h"

uint32_t paired_nr_rows(void);
const char *paired_name(uint32_t row);

/* NaN when nobody counted it, or nothing was woken. */
double paired_value(uint32_t row, const struct stored_result *result);

#endif
