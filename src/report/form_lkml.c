/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Averages relative to the base and %std of each side, in columns padded with tabs, as in the mail
 * "[RFC PATCH v1] select idle cpu from idle cpumask in sched domain" (2020-09-10).
 */
#include "report/form.h"
#include "report/walk.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { TAB = 8, COLUMNS_MAX = 2 * REPORT_VARIANTS + 1, TEXT_SIZE = 160 };

/* Width of each column in tabs: the longest text and at least one blank. */
struct columns {
	int tabs[COLUMNS_MAX];
	int count; /* columns of a line */
	int at;	   /* the next column */
	FILE *out; /* NULL while measuring */
};

static void put(struct columns *columns, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct columns *columns, const char *format, ...)
{
	char text[TEXT_SIZE];
	int c = columns->at++, used;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	used = (int)strlen(text) / TAB;
	if (!columns->out) {
		columns->tabs[c] = columns->tabs[c] > used + 1 ? columns->tabs[c] : used + 1;
		return;
	}
	fputs(text, columns->out);
	for (int tab = used; c + 1 < columns->count && tab < columns->tabs[c]; tab++)
		fputc('\t', columns->out);
}

static void end_line(struct columns *columns)
{
	columns->at = 0;
	if (columns->out)
		fputc('\n', columns->out);
}

static void put_heading(struct columns *columns, const struct report *report,
			const struct report_row *row)
{
	char point[POINT_SIZE];

	put(columns, "  %s", walk_labels(row, point));
	for (uint32_t v = 0; v < report->variants; v++) {
		if (v == 0)
			put(columns, "baseline-avg");
		else if (report->variants == 2)
			put(columns, "patch-avg");
		else
			put(columns, "%s-avg", report->variant[v].name);
		put(columns, "%%std");
	}
	end_line(columns);
}

static void put_number(struct columns *columns, double value)
{
	if (isfinite(value))
		put(columns, "%.2f", value);
	else
		put(columns, "-");
}

static void put_row(struct columns *columns, const struct report *report,
		    const struct report_row *row)
{
	char point[POINT_SIZE];
	double base = walk_figure(&row->cell[0]);

	put(columns, "  %s", walk_values(row, point));
	for (uint32_t v = 0; v < report->variants; v++) {
		const struct report_cell *cell = &row->cell[v];

		if (v == 0 && isfinite(base))
			put(columns, "1");
		else
			put_number(columns, walk_figure(cell) / base);
		put_number(columns,
			   cell->sample.count ? cell->moments.std_pct : cell->published.std_pct);
	}
	end_line(columns);
}

static void put_metric(struct columns *columns, const struct report *report, uint32_t first)
{
	put_heading(columns, report, report->row[first]);
	for (uint32_t r = first; r < report->rows; r++)
		if (walk_same_metric(report->row[r], report->row[first]))
			put_row(columns, report, report->row[r]);
}

void report_write_lkml(const struct report *report, FILE *out)
{
	bool many = walk_metrics(report) > 1;

	for (uint32_t r = 0; r < report->rows; r++) {
		struct columns columns = { .count = 1 + 2 * (int)report->variants };

		if (!walk_starts_metric(report, r))
			continue;
		if (r)
			fputc('\n', out);
		if (many || !*report->title)
			fprintf(out, "%s%s%s\n\n", report->title, *report->title ? ": " : "",
				report->row[r]->metric);
		else
			fprintf(out, "%s\n\n", report->title);
		put_metric(&columns, report, r);
		columns.out = out;
		put_metric(&columns, report, r);
	}
}
