/* SPDX-License-Identifier: GPL-2.0-only */
/* Many comparisons in one table: the chance of any false positive is held by Holm's method. */
#ifndef STATS_FAMILY_H
#define STATS_FAMILY_H

#include <stdint.h>

/*
 * adjusted[i]: Holm's (1979) p of p[i] within the family of those that are not NaN; NaN stays
 * NaN and does not count. adjusted may be p itself.
 */
void family_holm(const double *p, uint32_t count, double *adjusted);

#endif
