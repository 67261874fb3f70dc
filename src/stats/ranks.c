/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The number of arrangements of m and n values with statistic u is the coefficient of q^u in the
 * Gaussian binomial  prod_(i=1..m) (1 - q^(n+i)) / (1 - q^i).  Each factor is one pass over the
 * coefficients. Unsigned arithmetic wraps, which is exact as long as the result fits.
 */
#include "stats/ranks.h"

#include "base/arena.h"
#include "base/check.h"
#include "stats/order.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <float.h>
#include <math.h>

enum { EXACT_SIDE = 30, EXACT_U = EXACT_SIDE * EXACT_SIDE + 1, EXACT_ORDERS = 8 };

/* Finite values of both sides, base first. Returns how many base has; *total counts all. */
static uint32_t pool(struct sides sides, struct ordered *item, uint32_t *total)
{
	uint32_t n_base = 0;

	*total = 0;
	for (uint32_t i = 0; i < sides.base.count; i++)
		if (isfinite(sides.base.value[i]))
			item[n_base] = (struct ordered){ sides.base.value[i], n_base }, n_base++;
	*total = n_base;
	for (uint32_t i = 0; i < sides.other.count; i++)
		if (isfinite(sides.other.value[i]))
			item[*total] = (struct ordered){ sides.other.value[i], *total }, ++*total;
	return n_base;
}

/* P(U <= u) for u below the middle, m and n at most EXACT_SIDE. */
static double exact_lower(uint32_t m, uint32_t n, uint32_t u)
{
	uint64_t count[EXACT_U] = { 1 }, below = 0;
	uint32_t top = m * n;

	for (uint32_t i = 1; i <= m; i++) {
		for (uint32_t k = top; k >= n + i; k--)
			count[k] -= count[k - n - i];
		for (uint32_t k = i; k <= top; k++)
			count[k] += count[k - i];
	}
	for (uint32_t k = 0; k <= u; k++)
		below += count[k];
	return (double)below / choose(m + n, m);
}

/* z = (|U - mn/2| - 1/2) / sqrt(mn/12 (N + 1 - ties / (N (N - 1)))) */
static double normal_p(double m, double n, double u, double ties)
{
	double all = m + n, variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
	double off = fmax(0, fabs(u - m * n / 2) - 0.5);

	if (!(variance > 0))
		return 1;
	return fmax(fmin(1, 2 * pnorm(-off / sqrt(variance), 0, 1, 1, 0)), DBL_MIN);
}

static struct mann_whitney from_ranks(uint32_t m, uint32_t n, double rank_sum, double ties)
{
	struct mann_whitney test = { 0 };
	double low;

	test.u = rank_sum - m * (m + 1.0) / 2;
	low = fmin(test.u, (double)m * n - test.u);
	/* 2^63: the counts themselves are the bound */
	test.exact = ties == 0 && m <= EXACT_SIDE && n <= EXACT_SIDE && choose(m + n, m) < 9e18;
	if (test.exact)
		test.p = fmin(1, 2 * exact_lower(m, n, (uint32_t)low));
	else
		test.p = normal_p(m, n, test.u, ties);
	return test;
}

struct mann_whitney mann_whitney(struct sides sides)
{
	struct mann_whitney test = { NAN, NAN, false };
	uint32_t n_base, total, slots = sides.base.count + sides.other.count;
	struct ordered *item;
	struct arena arena;
	double *rank, ties, rank_sum = 0;

	arena_init(&arena);
	item = ARENA_ARRAY(&arena, struct ordered, slots + 1);
	rank = ARENA_ARRAY(&arena, double, slots + 1);
	n_base = pool(sides, item, &total);
	order_sort(item, total);
	ties = order_ranks(item, total, rank);
	for (uint32_t i = 0; i < n_base; i++)
		rank_sum += rank[i]; /* halves: exact in any order */
	if (n_base && total > n_base)
		test = from_ranks(n_base, total - n_base, rank_sum, ties);
	arena_release(&arena);
	return test;
}

/* Ranks of both sides over pairs with both values finite, centred and doubled: whole numbers. */
static uint32_t centred_ranks(struct arena *arena, struct sides sides, double *x, double *y)
{
	uint32_t n = 0, count = sides.base.count;
	struct ordered *a = ARENA_ARRAY(arena, struct ordered, count + 1);
	struct ordered *b = ARENA_ARRAY(arena, struct ordered, count + 1);

	for (uint32_t i = 0; i < count; i++) {
		if (!isfinite(sides.base.value[i]) || !isfinite(sides.other.value[i]))
			continue;
		a[n] = (struct ordered){ sides.base.value[i], n };
		b[n] = (struct ordered){ sides.other.value[i], n };
		n++;
	}
	order_sort(a, n);
	order_sort(b, n);
	order_ranks(a, n, x);
	order_ranks(b, n, y);
	for (uint32_t i = 0; i < n; i++) {
		x[i] = 2 * x[i] - (n + 1);
		y[i] = 2 * y[i] - (n + 1);
	}
	return n;
}

static double product(const double *x, const double *y, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/* Orders of y[k..] for which |x y| is at least `bound`; y is restored. */
static uint32_t extreme_orders(const double *x, double *y, uint32_t n, uint32_t k, double bound)
{
	uint32_t found = 0;

	if (k + 1 >= n)
		return fabs(product(x, y, n)) >= bound;
	for (uint32_t i = k; i < n; i++) {
		double moved = y[i];

		y[i] = y[k];
		y[k] = moved;
		found += extreme_orders(x, y, n, k + 1, bound);
		y[k] = y[i];
		y[i] = moved;
	}
	return found;
}

/* t = rho sqrt((n - 2) / (1 - rho^2)) */
static double spearman_p(struct spearman s, const double *x, double *y)
{
	double orders = 1;

	if (s.n < 3 || isnan(s.rho))
		return NAN;
	if (s.n > EXACT_ORDERS)
		return fabs(s.rho) >= 1
			       ? DBL_MIN
			       : 2 * pt(-fabs(s.rho) * sqrt((s.n - 2) / (1 - s.rho * s.rho)),
					s.n - 2, 1, 0);
	for (uint32_t i = 2; i <= s.n; i++)
		orders *= i;
	return extreme_orders(x, y, s.n, 0, fabs(product(x, y, s.n))) / orders;
}

struct spearman spearman(struct sides sides)
{
	struct spearman s = { NAN, NAN, 0 };
	struct arena arena;
	double *x, *y, xx, yy;

	CHECK(sides.base.count == sides.other.count);
	arena_init(&arena);
	x = ARENA_ARRAY(&arena, double, sides.base.count + 1);
	y = ARENA_ARRAY(&arena, double, sides.base.count + 1);
	s.n = centred_ranks(&arena, sides, x, y);
	xx = product(x, x, s.n);
	yy = product(y, y, s.n);
	if (xx > 0 && yy > 0)
		s.rho = fmax(-1, fmin(1, product(x, y, s.n) / sqrt(xx * yy)));
	s.p = spearman_p(s, x, y);
	arena_release(&arena);
	return s;
}

struct sign_agreement sign_agreement(struct sides sides)
{
	struct sign_agreement signs = { 0 };

	CHECK(sides.base.count == sides.other.count);
	for (uint32_t i = 0; i < sides.base.count; i++) {
		double a = sides.base.value[i], b = sides.other.value[i];

		if (!isfinite(a) || !isfinite(b) || a == 0 || b == 0)
			continue;
		signs.n++;
		signs.agree += (a > 0) == (b > 0);
	}
	return signs;
}
