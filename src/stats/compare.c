/* SPDX-License-Identifier: GPL-2.0-only */
#include "stats/compare.h"

#include "base/arena.h"
#include "base/check.h"
#include "stats/family.h"
#include "stats/power.h"
#include "stats/ranks.h"

#include <math.h>

/* Mean of the base over complete pairs: what paired differences stand against. */
static double paired_base_mean(struct sides sides)
{
	uint32_t count = sides.base.count;
	struct arena arena;
	double *base, mean;

	arena_init(&arena);
	base = ARENA_ARRAY(&arena, double, count + 1);
	for (uint32_t i = 0; i < count; i++)
		base[i] = isfinite(sides.other.value[i]) ? sides.base.value[i] : NAN;
	mean = sample_moments((struct sample){ base, count }).mean;
	arena_release(&arena);
	return mean;
}

static double percent_of(double part, double whole)
{
	if (part == 0)
		return 0;
	return whole == 0 ? NAN : 100 * part / fabs(whole);
}

static void set_change(struct comparison *c, const struct ttest *test, double base_mean)
{
	c->change_pct = percent_of(test->difference, base_mean);
	c->ci95_pct[0] = percent_of(test->low, base_mean);
	c->ci95_pct[1] = percent_of(test->high, base_mean);
	if (isnan(c->change_pct))
		c->ci95_pct[0] = c->ci95_pct[1] = NAN;
}

static uint32_t runs_for(const struct comparison *c, const struct ttest *test)
{
	struct power_question q = { fabs(test->difference), NAN, COMPARE_ALPHA, COMPARE_POWER,
				    c->paired };

	if (test->verdict == TEST_TOO_FEW || test->verdict == TEST_IDENTICAL)
		return RUNS_UNKNOWN;
	/* paired: sd of the differences; unpaired: the root mean square of both sides' */
	q.sd = c->paired ? test->se * sqrt(test->n)
			 : sqrt((c->base.sd * c->base.sd + c->other.sd * c->other.sd) / 2);
	return power_runs_needed(&q);
}

static enum compared judge(const struct comparison *c, double difference, enum better better)
{
	if (c->identical)
		return COMPARED_IDENTICAL;
	if (isnan(c->p))
		return COMPARED_UNKNOWN;
	if (c->p >= COMPARE_ALPHA)
		return COMPARED_UNSETTLED;
	if (better == BETTER_NEITHER)
		return COMPARED_CHANGED;
	return (difference > 0) == (better == BETTER_HIGHER) ? COMPARED_BETTER : COMPARED_WORSE;
}

/* Every complete pair (or, unpaired, every value) is the same, and there is at least one. */
static bool all_same(struct sides sides, const struct comparison *c)
{
	if (!c->paired)
		return c->n && c->base.min == c->base.max && c->base.min == c->other.min &&
		       c->other.min == c->other.max;
	for (uint32_t i = 0; i < sides.base.count; i++)
		if (isfinite(sides.base.value[i]) && isfinite(sides.other.value[i]) &&
		    sides.base.value[i] != sides.other.value[i])
			return false;
	return c->n > 0;
}

struct comparison compare(struct sides sides, bool paired, enum better better)
{
	struct comparison c = { .paired = paired, .p_paired = NAN, .p_holm = NAN };
	struct ttest welch = ttest_welch(sides, COMPARE_CONFIDENCE), test = welch;
	double base_mean;

	c.base = sample_moments(sides.base);
	c.other = sample_moments(sides.other);
	c.n = c.base.n < c.other.n ? c.base.n : c.other.n;
	base_mean = c.base.mean;
	if (paired) {
		test = ttest_paired(sides, COMPARE_CONFIDENCE);
		c.n = test.n;
		c.p_paired = test.p;
		base_mean = paired_base_mean(sides);
	}
	c.identical = all_same(sides, &c);
	c.p = test.p;
	c.p_welch = welch.p;
	c.p_mann_whitney = mann_whitney(sides).p;
	set_change(&c, &test, base_mean);
	c.runs_needed = runs_for(&c, &test);
	c.compared = judge(&c, test.difference, better);
	return c;
}

void compare_family(struct comparison *const *cell, uint32_t count)
{
	struct arena arena;
	double *p;

	arena_init(&arena);
	p = ARENA_ARRAY(&arena, double, count + 1);
	for (uint32_t i = 0; i < count; i++)
		p[i] = cell[i]->identical ? NAN : cell[i]->p;
	family_holm(p, count, p);
	for (uint32_t i = 0; i < count; i++)
		cell[i]->p_holm = cell[i]->identical ? cell[i]->p : p[i];
	arena_release(&arena);
}

double compare_gain_pct(double change_pct, enum better better)
{
	return better == BETTER_LOWER ? -change_pct : change_pct;
}

const char *better_name(enum better better)
{
	static const char *const name[] = { "lower", "higher", "neither" };

	CHECK((unsigned int)better < sizeof(name) / sizeof(name[0]));
	return name[better];
}

const char *compared_name(enum compared compared)
{
	static const char *const name[] = { "unknown", "identical", "unsettled",
					    "better",  "worse",	    "changed" };

	CHECK((unsigned int)compared < sizeof(name) / sizeof(name[0]));
	return name[compared];
}
