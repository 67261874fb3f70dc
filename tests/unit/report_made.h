/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports made for tests: everything lives in one arena a test. */
#ifndef REPORT_MADE_H
#define REPORT_MADE_H

#include "report/form.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static inline int set_up(void **state)
{
	arena_init(&arena);
	return 0;
}

static inline int tear_down(void **state)
{
	arena_release(&arena);
	return 0;
}

static inline char *written_tables(const struct report *const *report, uint32_t count,
				   enum report_form form)
{
	char *text = NULL, *kept;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	report_write_tables(report, count, form, out);
	fclose(out);
	kept = arena_strdup(&arena, text);
	free(text);
	return kept;
}

static inline char *written(const struct report *report, enum report_form form)
{
	return written_tables(&report, 1, form);
}

/* A report of `variants` variants named base, patch, third. */
static inline struct report *report_of(uint32_t variants, const char *title)
{
	static const char *const name[] = { "base", "patch", "third" };
	struct report *report = report_new(&arena, "m", NULL, title);

	for (uint32_t v = 0; v < variants; v++)
		report_add_variant(report, name[v], NULL);
	return report;
}

static inline struct report_row *row_of(struct report *report, const char *metric,
					enum better better, const char *groups)
{
	struct report_row *row = report_add_row(report, metric, "s", better);

	if (groups)
		report_add_arg(report, row, (struct report_arg){ "-g", "groups", groups });
	return row;
}

/* n values with exactly this mean and population deviation in percent: half above, half below. */
static inline void fill(struct report_cell *cell, double mean, double pop_std_pct, uint32_t n)
{
	double *value = ARENA_ARRAY(&arena, double, n);

	for (uint32_t i = 0; i < n; i++)
		value[i] = mean + mean * pop_std_pct / 100 * (i % 2 ? -1 : 1);
	cell->sample = (struct sample){ value, n };
}

static inline void one(struct report_cell *cell, double value)
{
	fill(cell, value, 0, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
