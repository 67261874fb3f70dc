/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel test robot's table: a block for each set of arguments, a row a metric. Columns are 16
 * wide for the base and 28 (change 12, value 16) for each other commit, two blanks before the name.
 * Deviations are those of the population and cut to whole percent; values of 1000 and more are cut
 * to whole numbers.
 */
#include "report/form.h"
#include "report/walk.h"

#include <math.h>
#include <string.h>

enum { RULE_WIDTH = 89 };

static const double STD_SHOWN_PCT = 2, CHANGE_WIDE_PCT = 100000, ALMOST_ZERO = 1e-100;

/* Metrics in percent change by points. */
static bool by_points(const struct report_row *row)
{
	size_t length = strlen(row->metric);

	return !strncmp(row->metric, "perf-profile", 12) ||
	       (length && row->metric[length - 1] == '%');
}

static void put_value(const struct report_cell *cell, FILE *out)
{
	double mean = cell->moments.mean, std_pct = cell->moments.pop_std_pct;

	if (!isfinite(mean)) {
		fprintf(out, "%16s", "");
		return;
	}
	if (fabs(mean) < 1000)
		fprintf(out, "%10.2f", mean);
	else if (fabs(mean) > 1e8)
		fprintf(out, "%10.4g", mean);
	else
		fprintf(out, "%10.0f", trunc(mean));
	if (std_pct > STD_SHOWN_PCT)
		fprintf(out, " ±%3.0f%%", trunc(std_pct));
	else
		fprintf(out, "%6s", "");
}

static void put_change(const struct report_row *row, uint32_t variant, FILE *out)
{
	double a = row->cell[0].moments.mean, b = row->cell[variant].moments.mean;
	double change = 100 * (b - a) / (a == 0 ? ALMOST_ZERO : a);

	if (!isfinite(a) || !isfinite(b))
		fprintf(out, "%12s", "");
	else if (by_points(row))
		fprintf(out, "%+10.1f  ", b - a);
	else if (fabs(change) < CHANGE_WIDE_PCT)
		fprintf(out, "%+10.1f%% ", change);
	else
		fprintf(out, "%+10.2g%% ", change);
}

static void put_row(const struct report *report, const struct report_row *row, FILE *out)
{
	put_value(&row->cell[0], out);
	for (uint32_t v = 1; v < report->variants; v++) {
		put_change(row, v, out);
		put_value(&row->cell[v], out);
	}
	fprintf(out, "  %s\n", row->metric);
}

/* The worst row of a point says how many of its runs failed. */
static uint32_t failures(const struct report *report, uint32_t first, uint32_t variant,
			 uint32_t *runs)
{
	uint32_t failed = 0;

	*runs = 0;
	for (uint32_t r = first; r < report->rows; r++) {
		const struct report_cell *cell = &report->row[r]->cell[variant];

		if (!walk_same_point(report->row[r], report->row[first]))
			continue;
		failed = cell->failed > failed ? cell->failed : failed;
		*runs = cell->sample.count > *runs ? cell->sample.count : *runs;
	}
	return failed;
}

static void put_failed(uint32_t failed, uint32_t runs, FILE *out)
{
	if (failed)
		fprintf(out, "%11u:%-4u", failed, runs);
	else
		fprintf(out, "%11s:%-4u", "", runs);
}

static double share(uint32_t failed, uint32_t runs)
{
	return runs ? (double)failed / runs : 0;
}

static void put_failures(const struct report *report, uint32_t first, FILE *out)
{
	uint32_t base_runs, runs, any = 0;
	uint32_t base = failures(report, first, 0, &base_runs);

	for (uint32_t v = 0; v < report->variants; v++)
		any += failures(report, first, v, &runs);
	if (!any)
		return;
	fputs("       fail:runs", out);
	for (uint32_t v = 1; v < report->variants; v++)
		fputs("  %reproduction    fail:runs", out);
	fputs("\n           |    ", out);
	for (uint32_t v = 1; v < report->variants; v++)
		fputs("         |             |    ", out);
	fputc('\n', out);
	put_failed(base, base_runs, out);
	for (uint32_t v = 1; v < report->variants; v++) {
		uint32_t failed = failures(report, first, v, &runs);
		double points = 100 * (share(failed, runs) - share(base, base_runs));

		fprintf(out, "%10.0f%% ", points);
		put_failed(failed, runs, out);
	}
	fputs("  last_state.is_incomplete_run\n", out);
}

static void put_labels(const struct report *report, FILE *out)
{
	fputs("\ncommit: \n", out);
	for (uint32_t v = 0; v < report->variants; v++) {
		fprintf(out, "  %s", report->variant[v].name);
		if (*report->variant[v].description)
			fprintf(out, " (\"%s\")", report->variant[v].description);
		fputc('\n', out);
	}
	fprintf(out, "\n%16.16s ", report->variant[0].name);
	for (uint32_t v = 1; v < report->variants; v++)
		fprintf(out, "%27.27s ", report->variant[v].name);
	fputs("\n---------------- ", out);
	for (uint32_t v = 1; v < report->variants; v++)
		fputs("--------------------------- ", out);
	fputc('\n', out);
}

static void put_axes(const struct report *report, const struct report_row *row, FILE *out)
{
	char point[POINT_SIZE], suite[POINT_SIZE];

	for (int i = 0; i < RULE_WIDTH; i++)
		fputc('=', out);
	fprintf(out, "\n%s%stbox_group/testcase:\n", walk_labels(row, point), row->args ? "/" : "");
	fprintf(out, "  %s%s", walk_values(row, point), row->args ? "/" : "");
	fprintf(out, "%s/%s\n", report->machine, walk_suite(row->metric, suite));
}

static void put_point(const struct report *report, uint32_t first, FILE *out)
{
	put_axes(report, report->row[first], out);
	put_labels(report, out);
	put_failures(report, first, out);
	fputs("         %stddev", out);
	for (uint32_t v = 1; v < report->variants; v++)
		fputs("     %change         %stddev", out);
	fputs("\n             \\  ", out);
	for (uint32_t v = 1; v < report->variants; v++)
		fputs("        |                \\  ", out);
	fputc('\n', out);
	for (uint32_t r = first; r < report->rows; r++)
		if (walk_same_point(report->row[r], report->row[first]))
			put_row(report, report->row[r], out);
}

void report_write_lkp(const struct report *report, FILE *out)
{
	walk_put_points(report, put_point, out);
}
