/* SPDX-License-Identifier: GPL-2.0-only */
/* How many runs it takes to see a difference of means, by the power of Student's test. */
#ifndef STATS_POWER_H
#define STATS_POWER_H

#include <stdbool.h>
#include <stdint.h>

enum { RUNS_UNKNOWN = 0, RUNS_LIMIT = 1000000 };

struct power_question {
	double effect; /* |difference of means| to be seen */
	double sd;     /* paired: of the differences; else of each side */
	double alpha;  /* two-sided chance of a false positive: 0.05 */
	double power;  /* chance to see the effect when it is there: 0.8 */
	bool paired;
};

/*
 * The power that n runs a side have; the chance to err towards the wrong sign is left out, as R's
 * power.t.test does. n >= 2, sd > 0.
 */
double power_of(const struct power_question *q, uint32_t n);

/*
 * Fewest runs a side (at least 2) that reach q->power. RUNS_UNKNOWN when effect is 0 or not
 * known; RUNS_LIMIT stands for that many or more.
 */
uint32_t power_runs_needed(const struct power_question *q);

#endif
