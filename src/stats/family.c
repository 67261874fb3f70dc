/* SPDX-License-Identifier: GPL-2.0-only */
/* The k-th smallest of m values (k from 0) becomes max over j <= k of min(1, (m - j) p_j). */
#include "stats/family.h"

#include "base/arena.h"
#include "stats/order.h"

#include <math.h>

void family_holm(const double *p, uint32_t count, double *adjusted)
{
	struct ordered *item;
	struct arena arena;
	uint32_t m = 0;
	double largest = 0;

	arena_init(&arena);
	item = ARENA_ARRAY(&arena, struct ordered, count + 1);
	for (uint32_t i = 0; i < count; i++) {
		if (!isnan(p[i]))
			item[m++] = (struct ordered){ p[i], i };
		adjusted[i] = p[i];
	}
	order_sort(item, m);
	for (uint32_t k = 0; k < m; k++) {
		largest = fmax(largest, fmin(1, (m - k) * item[k].value));
		adjusted[item[k].index] = largest;
	}
	arena_release(&arena);
}
