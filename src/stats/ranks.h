/* SPDX-License-Identifier: GPL-2.0-only */
/* Statistics of ranks: they assume no shape of the distribution. Failed runs are left out. */
#ifndef STATS_RANKS_H
#define STATS_RANKS_H

#include "stats/ttest.h"

#include <stdbool.h>

struct mann_whitney {
	double u;   /* of the base side: pairs in which it is larger, ties half */
	double p;   /* two-sided; NaN with an empty side; 1 when all values are equal */
	bool exact; /* by counting arrangements; else normal, corrected for ties and continuity */
};

/* Exact without ties up to 30 values a side, as far as the arrangements fit 64 bits. */
struct mann_whitney mann_whitney(struct sides sides);

struct spearman {
	double rho; /* -1 to 1; NaN when a side is constant or under 2 pairs */
	double p;   /* two-sided; exact over all orders up to 8 pairs, else by t; NaN under 3 */
	uint32_t n; /* pairs with both values finite */
};

struct spearman spearman(struct sides sides);

/* In how many pairs both changes point the same way; zero and unknown changes do not count. */
struct sign_agreement {
	uint32_t agree, n;
};

struct sign_agreement sign_agreement(struct sides sides);

#endif
