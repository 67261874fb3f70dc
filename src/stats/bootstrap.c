/* SPDX-License-Identifier: GPL-2.0-only */
#include "stats/bootstrap.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/random.h"

#include <math.h>

struct kept {
	double *base, *other;
	uint32_t n_base, n_other;
};

/* Drops failed runs: whole pairs when paired. */
static struct kept keep_finite(struct arena *arena, struct sides sides, bool paired)
{
	struct kept kept = { ARENA_ARRAY(arena, double, sides.base.count + 1),
			     ARENA_ARRAY(arena, double, sides.other.count + 1), 0, 0 };

	for (uint32_t i = 0; i < sides.base.count; i++)
		if (isfinite(sides.base.value[i]) && (!paired || isfinite(sides.other.value[i])))
			kept.base[kept.n_base++] = sides.base.value[i];
	for (uint32_t i = 0; i < sides.other.count; i++)
		if (isfinite(sides.other.value[i]) && (!paired || isfinite(sides.base.value[i])))
			kept.other[kept.n_other++] = sides.other.value[i];
	return kept;
}

static double resampled_change(const struct kept *kept, bool paired, struct random *random)
{
	double a = 0, b = 0;

	for (uint32_t i = 0; i < kept->n_base; i++) {
		uint64_t drawn = random_below(random, kept->n_base);

		a += kept->base[drawn];
		if (paired)
			b += kept->other[drawn];
	}
	for (uint32_t i = 0; !paired && i < kept->n_other; i++)
		b += kept->other[random_below(random, kept->n_other)];
	a /= kept->n_base;
	b /= kept->n_other;
	return 100 * (b - a) / fabs(a);
}

struct bootstrap_interval bootstrap_change(struct sides sides, const struct bootstrap_plan *plan)
{
	struct bootstrap_interval interval = { NAN, NAN };
	struct random random = random_stream(plan->seed, RANDOM_BOOTSTRAP, 0);
	struct sample changes;
	struct arena arena;
	struct kept kept;
	double *change, tail = (1 - plan->confidence) / 2;

	CHECK(plan->resamples >= 100 && plan->confidence > 0 && plan->confidence < 1);
	CHECK(!plan->paired || sides.base.count == sides.other.count);
	arena_init(&arena);
	kept = keep_finite(&arena, sides, plan->paired);
	change = ARENA_ARRAY(&arena, double, plan->resamples);
	changes = (struct sample){ change, plan->resamples };
	if (kept.n_base >= 2 && kept.n_other >= 2) {
		bool known = true;

		for (uint32_t i = 0; i < plan->resamples; i++) {
			change[i] = resampled_change(&kept, plan->paired, &random);
			known &= isfinite(change[i]) != 0;
		}
		if (known)
			interval =
				(struct bootstrap_interval){ sample_quantile(changes, tail),
							     sample_quantile(changes, 1 - tail) };
	}
	arena_release(&arena);
	return interval;
}
