/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/beside.h"

#include "report/walk.h"
#include "text/table.h"

#include <inttypes.h>
#include <math.h>

enum { INDENT = 2 };

static bool any_published(const struct report *report)
{
	for (uint32_t r = 0; r < report->rows; r++)
		if (isfinite(report_published_change(report->row[r], 1)))
			return true;
	return false;
}

static void put_change(struct table *table, const struct comparison *c)
{
	const char *mark = c->p_holm < COMPARE_ALPHA ? "**" : c->p < COMPARE_ALPHA ? "*" : "";

	if (c->identical)
		table_cell(table, "identical");
	else if (isfinite(c->change_pct))
		table_cell(table, "%+.2f%%%s", c->change_pct, mark);
	else
		table_cell(table, "-");
}

static void put_row(struct table *table, const struct report *const *report, uint32_t count,
		    uint32_t r, bool published)
{
	const struct report_row *row = report[0]->row[r];
	char point[POINT_SIZE];

	table_cell(table, "%s", row->metric);
	table_cell(table, "%s", walk_values(row, point));
	for (uint32_t i = 0; i < count; i++) {
		if (r < report[i]->rows && report[i]->variants > 1)
			put_change(table, &report[i]->row[r]->cell[1].compared);
		else
			table_cell(table, "-");
	}
	if (published && isfinite(report_published_change(row, 1)))
		table_cell(table, "%+.2f%%", report_published_change(row, 1));
	else if (published)
		table_cell(table, "-");
}

void beside_print(const struct report *const *report, uint32_t count, FILE *out)
{
	bool published = report[0]->variants > 1 && any_published(report[0]);
	char point[POINT_SIZE];
	struct table *table;
	struct arena arena;

	if (!report[0]->rows)
		return;
	arena_init(&arena);
	table = table_new(&arena);
	table_column(table, "", TABLE_LEFT);
	table_column(table, walk_labels(report[0]->row[0], point), TABLE_RIGHT);
	for (uint32_t i = 0; i < count; i++)
		table_column(table, report[i]->variants > 1 ? report[i]->variant[1].name : "-",
			     TABLE_RIGHT);
	if (published)
		table_column(table, "published", TABLE_RIGHT);
	for (uint32_t r = 0; r < report[0]->rows; r++)
		put_row(table, report, count, r, published);
	fputs("\nchanges side by side, each against its own base\n", out);
	table_print(table, out, INDENT);
	arena_release(&arena);
}
