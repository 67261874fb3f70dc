/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One cell of a comparison: a variant against the base, from the samples of both.
 *
 * Value i of both sides comes from seed i, NaN where that run failed. When paired, change and
 * interval come from the complete pairs: mean of the differences over |mean of their base|, in
 * percent. Unpaired they come from Welch's test. Unknown numbers are NaN; p is never 0.
 */
#ifndef STATS_COMPARE_H
#define STATS_COMPARE_H

#include "stats/ttest.h"

#include <stdbool.h>
#include <stdint.h>

enum better {
	BETTER_LOWER,
	BETTER_HIGHER,
	BETTER_NEITHER, /* a count that is neither good nor bad */
};

/* What the comparison lets one say, at p < COMPARE_ALPHA. */
enum compared {
	COMPARED_UNKNOWN,   /* too few runs */
	COMPARED_IDENTICAL, /* no run differs */
	COMPARED_UNSETTLED, /* nothing significant */
	COMPARED_BETTER,
	COMPARED_WORSE,
	COMPARED_CHANGED, /* significant, but BETTER_NEITHER */
};

#define COMPARE_ALPHA	   0.05
#define COMPARE_CONFIDENCE 0.95
#define COMPARE_POWER	   0.8

struct comparison {
	bool paired, identical;
	uint32_t n;		    /* complete pairs; unpaired: the smaller side */
	struct moments base, other; /* each over its own finite values */
	enum compared compared;
	double change_pct;  /* relative to the base; NaN when the base mean is 0 */
	double ci95_pct[2]; /* of change_pct */
	double p;	    /* the one to quote: p_paired when paired, else p_welch */
	double p_paired, p_welch, p_mann_whitney;
	double p_holm;	      /* of p, over a family; NaN until compare_family */
	uint32_t runs_needed; /* a side, to see this change at COMPARE_POWER; 0: unknown */
};

/* paired: both counts equal, same seeds. */
struct comparison compare(struct sides sides, bool paired, enum better better);

/* Fills p_holm over all cells of one table. Identical cells do not count as tests. */
void compare_family(struct comparison *const *cell, uint32_t count);

/* The change in percent, positive when it is for the better; BETTER_NEITHER leaves the sign. */
double compare_gain_pct(double change_pct, enum better better);

const char *better_name(enum better better); /* "lower", "higher", "neither" */
const char *compared_name(enum compared compared);

#endif
