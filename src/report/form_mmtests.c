/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of mmtests' compare-kernels: for each statistic all points, for each variant the value
 * and its improvement. Means are harmonic where more is better, else arithmetic; stars stand where
 * the means differ by more than 1.96 (sd_a + sd_b). Less deviation counts as better.
 */
#include "report/form.h"
#include "report/walk.h"

#include <math.h>
#include <string.h>

struct layout {
	int label_width, decimals;
};

enum statistic { MINIMUM, MEAN, STDDEV, COEFF_VAR, MAXIMUM, STATISTICS };

static double statistic_of(const struct report_row *row, uint32_t variant, enum statistic what)
{
	const struct report_cell *cell = &row->cell[variant];
	double harmonic = row->better == BETTER_HIGHER ? sample_harmonic_mean(cell->sample) : NAN;

	switch (what) {
	case MINIMUM: return cell->moments.min;
	case MEAN: return isnan(harmonic) ? cell->moments.mean : harmonic;
	case STDDEV: return cell->moments.sd;
	case COEFF_VAR: return cell->moments.std_pct;
	case MAXIMUM: return cell->moments.max;
	case STATISTICS: break;
	}
	return NAN;
}

static const char *statistic_name(const struct report_row *row, enum statistic what)
{
	static const char *const name[] = { "Min", "Amean", "Stddev", "CoeffVar", "Max" };

	return what == MEAN && row->better == BETTER_HIGHER ? "Hmean" : name[what];
}

static bool starred(const struct report_row *row, uint32_t variant)
{
	const struct moments *a = &row->cell[0].moments, *b = &row->cell[variant].moments;

	return fabs(b->mean - a->mean) > 1.96 * (a->sd + b->sd);
}

static double gain_of(const struct report_row *row, double a, double b, enum statistic what)
{
	bool higher = row->better == BETTER_HIGHER && what != STDDEV && what != COEFF_VAR;

	if (a == b)
		return 0;
	return higher ? 100 * b / a - 100 : 100 - 100 * b / a;
}

static void put_row(const struct report *report, const struct report_row *row, struct layout layout,
		    enum statistic what, FILE *out)
{
	double a = statistic_of(row, 0, what);
	char point[POINT_SIZE];

	fprintf(out, "%-10s%-*s", statistic_name(row, what), layout.label_width,
		walk_values(row, point));
	for (uint32_t v = 0; v < report->variants; v++) {
		double b = statistic_of(row, v, what), gain = gain_of(row, a, b, what);
		bool star = what == MEAN && v && starred(row, v);

		if (isfinite(b) && isfinite(gain))
			fprintf(out, "%12.*f %c%7.2f%%%c", layout.decimals, b, star ? '*' : '(',
				gain, star ? '*' : ')');
		else
			fprintf(out, "%12s (%7s%%)", "-", "-");
	}
	fputc('\n', out);
}

/* Two decimals, four for what is small throughout, such as times in seconds. */
static int decimals_of(const struct report *report, const struct report_row *like)
{
	double large = 0;

	for (uint32_t r = 0; r < report->rows; r++)
		if (walk_same_metric(report->row[r], like))
			large = fmax(large, fabs(report->row[r]->cell[0].moments.mean));
	return large < 100 ? 4 : 2;
}

static int widest_label(const struct report *report, const struct report_row *like)
{
	char point[POINT_SIZE];
	size_t width = 0;

	for (uint32_t r = 0; r < report->rows; r++)
		if (walk_same_metric(report->row[r], like) &&
		    strlen(walk_values(report->row[r], point)) > width)
			width = strlen(point);
	return (int)width;
}

static void put_metric(const struct report *report, uint32_t first, FILE *out)
{
	const struct report_row *row = report->row[first];
	struct layout layout = { widest_label(report, row), decimals_of(report, row) };

	fprintf(out, "%s\n%*s", row->metric, 10 + layout.label_width, "");
	for (uint32_t v = 0; v < report->variants; v++)
		fprintf(out, "%23.22s", report->variant[v].name);
	fputc('\n', out);
	for (int what = 0; what < STATISTICS; what++)
		for (uint32_t r = first; r < report->rows; r++)
			if (walk_same_metric(report->row[r], row))
				put_row(report, report->row[r], layout, (enum statistic)what, out);
}

void report_write_mmtests(const struct report *report, FILE *out)
{
	walk_put_metrics(report, put_metric, out);
}
