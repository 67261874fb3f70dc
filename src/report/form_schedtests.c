/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of the schedtests scripts: the base normalised to 1.00, each other variant as its
 * change in percent, where plus always means better. Deviations are those of the population.
 */
#include "report/form.h"
#include "report/walk.h"

#include <math.h>
#include <string.h>

/* "groups-6" from the arguments, "-" without any. */
static void load_name(const struct report_row *row, char *out, size_t size)
{
	size_t used = 0;

	snprintf(out, size, "-");
	for (uint32_t a = 0; a < row->args && used < size; a++)
		used += (size_t)snprintf(out + used, size - used, "%s%s-%s", a ? "," : "",
					 row->arg[a].label, row->arg[a].value);
}

static double std_pct(const struct report_cell *cell)
{
	return isnan(cell->moments.pop_std_pct) ? 0 : cell->moments.pop_std_pct;
}

static void put_row(const struct report_row *row, uint32_t variant, FILE *out)
{
	char suite[POINT_SIZE], load[POINT_SIZE];
	const char *kind = row->metric + strlen(walk_suite(row->metric, suite));
	double a = row->cell[0].moments.mean, b = row->cell[variant].moments.mean;
	double gain = compare_gain_pct(100 * (b - a) / fabs(a), row->better) + 0.0;

	load_name(row, load, sizeof(load));
	fprintf(out, "%-16s\t%-8s\t", *kind ? kind + 1 : row->metric, load);
	if (isfinite(gain))
		fprintf(out, "%5.2f (%6.2f)\t%+6.2f (%6.2f)\n", 1.0, std_pct(&row->cell[0]), gain,
			std_pct(&row->cell[variant]));
	else
		fprintf(out, "%5s (%6s)\t%6s (%6s)\n", "-", "-", "-", "-");
}

static void put_suite(const struct report *report, const char *suite, uint32_t variant, FILE *out)
{
	char name[POINT_SIZE], heading[2 * POINT_SIZE];

	snprintf(heading, sizeof(heading), "%s%s%s", suite, report->variants > 2 ? " " : "",
		 report->variants > 2 ? report->variant[variant].name : "");
	fprintf(out, "%s\n", heading);
	for (size_t i = strlen(heading); i > 0; i--)
		fputc('=', out);
	fputs("\ncase            \tload    \tbaseline(std%)\tcompare%( std%)\n", out);
	for (uint32_t r = 0; r < report->rows; r++)
		if (!strcmp(walk_suite(report->row[r]->metric, name), suite))
			put_row(report->row[r], variant, out);
}

static bool starts_suite(const struct report *report, uint32_t row, char suite[POINT_SIZE])
{
	char other[POINT_SIZE];

	walk_suite(report->row[row]->metric, suite);
	for (uint32_t r = 0; r < row; r++)
		if (!strcmp(walk_suite(report->row[r]->metric, other), suite))
			return false;
	return true;
}

void report_write_schedtests(const struct report *report, FILE *out)
{
	char suite[POINT_SIZE];
	bool printed = false;

	for (uint32_t r = 0; r < report->rows; r++) {
		if (!starts_suite(report, r, suite))
			continue;
		for (uint32_t v = 1; v < report->variants; v++) {
			if (printed)
				fputc('\n', out);
			put_suite(report, suite, v, out);
			printed = true;
		}
	}
}
