/* SPDX-License-Identifier: GPL-2.0-only */
/* Heap sort; (value, index) is a total order, so it is as good as a stable one. */
#include "stats/order.h"

#include <stdbool.h>

static bool less(const struct ordered *a, const struct ordered *b)
{
	return a->value < b->value || (a->value == b->value && a->index < b->index);
}

static void sift_down(struct ordered *item, uint32_t root, uint32_t n)
{
	struct ordered moving = item[root];

	for (;;) {
		uint32_t child = 2 * root + 1;

		if (child >= n)
			break;
		if (child + 1 < n && less(&item[child], &item[child + 1]))
			child++;
		if (!less(&moving, &item[child]))
			break;
		item[root] = item[child];
		root = child;
	}
	item[root] = moving;
}

void order_sort(struct ordered *item, uint32_t n)
{
	for (uint32_t i = n / 2; i-- > 0;)
		sift_down(item, i, n);
	for (uint32_t end = n; end-- > 1;) {
		struct ordered largest = item[0];

		item[0] = item[end];
		item[end] = largest;
		sift_down(item, 0, end);
	}
}

double order_ranks(const struct ordered *item, uint32_t n, double *rank)
{
	double ties = 0;

	for (uint32_t i = 0, end; i < n; i = end) {
		double count;

		for (end = i + 1; end < n && item[end].value == item[i].value; end++)
			;
		count = end - i;
		ties += count * count * count - count;
		for (uint32_t j = i; j < end; j++)
			rank[item[j].index] = (i + 1 + end) / 2.0;
	}
	return ties;
}
