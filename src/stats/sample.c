/* SPDX-License-Identifier: GPL-2.0-only */
/* Two passes: the mean first, then squares of what differs from it. */
#include "stats/sample.h"

#include "base/arena.h"
#include "base/check.h"
#include "stats/order.h"
#include "stats/sum.h"

#include <math.h>
#include <stdbool.h>

/* The finite values in ascending order; *n of them. */
static struct ordered *sorted(struct arena *arena, struct sample sample, uint32_t *n)
{
	struct ordered *item = ARENA_ARRAY(arena, struct ordered, sample.count + 1);

	*n = 0;
	for (uint32_t i = 0; i < sample.count; i++)
		if (isfinite(sample.value[i]))
			item[(*n)++] = (struct ordered){ sample.value[i], i };
	order_sort(item, *n);
	return item;
}

/* h = (n - 1) part; x_floor(h) + (h - floor(h)) (x_floor(h)+1 - x_floor(h)) */
static double quantile_of(const struct ordered *item, uint32_t n, double part)
{
	double h = (n - 1) * part, whole = floor(h);
	uint32_t i = (uint32_t)whole;

	if (i + 1 >= n)
		return item[n - 1].value;
	return item[i].value + (h - whole) * (item[i + 1].value - item[i].value);
}

static void spread(struct moments *m, const struct ordered *item)
{
	struct sum squares = { 0 };
	double total;

	for (uint32_t i = 0; i < m->n; i++) {
		double off = item[i].value - m->mean;

		sum_add(&squares, off * off);
	}
	/* A constant sample has no deviation, whatever the rounding of its mean. */
	total = item[0].value == item[m->n - 1].value ? 0 : sum_value(&squares);
	m->pop_sd = sqrt(total / m->n);
	if (m->n > 1)
		m->sd = sqrt(total / (m->n - 1));
	if (m->mean != 0) {
		m->std_pct = 100 * m->sd / fabs(m->mean);
		m->pop_std_pct = 100 * m->pop_sd / fabs(m->mean);
	}
}

struct moments sample_moments(struct sample sample)
{
	struct moments m = { 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	struct sum sum = { 0 };
	struct ordered *item;
	struct arena arena;

	arena_init(&arena);
	item = sorted(&arena, sample, &m.n);
	for (uint32_t i = 0; i < m.n; i++)
		sum_add(&sum, item[i].value);
	if (m.n) {
		m.min = item[0].value;
		m.max = item[m.n - 1].value;
		m.median = quantile_of(item, m.n, 0.5);
		m.mean = m.min == m.max ? m.min : sum_value(&sum) / m.n;
		spread(&m, item);
	}
	arena_release(&arena);
	return m;
}

double sample_quantile(struct sample sample, double part)
{
	struct ordered *item;
	struct arena arena;
	double value = NAN;
	uint32_t n;

	CHECK(part >= 0 && part <= 1);
	arena_init(&arena);
	item = sorted(&arena, sample, &n);
	if (n)
		value = quantile_of(item, n, part);
	arena_release(&arena);
	return value;
}

static double mean_through(struct sample sample, double (*to)(double), double (*from)(double))
{
	struct sum sum = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < sample.count; i++) {
		if (!isfinite(sample.value[i]))
			continue;
		if (sample.value[i] <= 0)
			return NAN;
		sum_add(&sum, to(sample.value[i]));
		n++;
	}
	return n ? from(sum_value(&sum) / n) : NAN;
}

static double inverse(double x)
{
	return 1 / x;
}

double sample_harmonic_mean(struct sample sample)
{
	return mean_through(sample, inverse, inverse);
}

double sample_geometric_mean(struct sample sample)
{
	return mean_through(sample, log, exp);
}
