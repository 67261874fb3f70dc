/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of the mail "[sched] b75e43bb77d: +87% hackbench.throughput" (2014-01-16): base in 15
 * columns, each other commit in 25 (change, value, deviation), two blanks between; the name of
 * the base reaches one column further right than its ruler. The deviation is always printed,
 * except for a single run.
 */
#include "report/form.h"
#include "report/walk.h"

#include <math.h>

static void put_value(const struct report_cell *cell, FILE *out)
{
	double mean = cell->moments.mean;

	if (!isfinite(mean)) {
		fprintf(out, "%15s", "");
		return;
	}
	if (fabs(mean) >= 1e8)
		fprintf(out, "%10.4g", mean);
	else if (mean == floor(mean) || fabs(mean) >= 1000)
		fprintf(out, "%10.0f", trunc(mean));
	else
		fprintf(out, "%10.2f", mean);
	if (cell->moments.n > 1)
		fprintf(out, " ~%2.0f%%", mean == 0 ? 0 : trunc(cell->moments.pop_std_pct));
	else
		fprintf(out, "%5s", "");
}

static void put_row(const struct report *report, const struct report_row *row, FILE *out)
{
	double a = row->cell[0].moments.mean;

	put_value(&row->cell[0], out);
	for (uint32_t v = 1; v < report->variants; v++) {
		double b = row->cell[v].moments.mean;

		if (isfinite(a) && isfinite(b) && a != 0)
			fprintf(out, "%+10.1f%% ", 100 * (b - a) / a);
		else
			fprintf(out, "%12s", "");
		put_value(&row->cell[v], out);
	}
	fprintf(out, "  %s\n", row->metric);
}

static void put_point(const struct report *report, uint32_t first, FILE *out)
{
	const struct report_row *row = report->row[first];
	char labels[POINT_SIZE], values[POINT_SIZE];

	if (row->args)
		fprintf(out, "%s: %s\n\n", walk_labels(row, labels), walk_values(row, values));
	fprintf(out, "%16.16s  ", report->variant[0].name);
	for (uint32_t v = 1; v < report->variants; v++)
		fprintf(out, "%25.25s  ", report->variant[v].name);
	fputs("\n---------------  ", out);
	for (uint32_t v = 1; v < report->variants; v++)
		fputs("-------------------------  ", out);
	fputc('\n', out);
	for (uint32_t r = first; r < report->rows; r++)
		if (walk_same_point(report->row[r], row))
			put_row(report, report->row[r], out);
}

void report_write_lkp_2014(const struct report *report, FILE *out)
{
	walk_put_points(report, put_point, out);
}
