/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table AMD posts: each mean relative to the base, improvement in percent (positive is better)
 * and coefficient of variation, one block a metric. The base's own improvement of a metric that
 * should be low prints as -0.00.
 */
#include "report/form.h"
#include "report/walk.h"

#include <math.h>

static const char rule[] = "==================================================================";

static void put_cell(const struct report_row *row, uint32_t variant, FILE *out)
{
	const struct moments *base = &row->cell[0].moments, *m = &row->cell[variant].moments;
	double part = m->mean / base->mean;
	double gain = compare_gain_pct(100 * (part - 1), row->better);

	if (!isfinite(part))
		fprintf(out, "     %4s [%6s](%5s)", "-", "-", "-");
	else
		fprintf(out, "     %4.2f [%6.2f](%5.2f)", part, gain,
			isnan(m->std_pct) ? 0 : m->std_pct);
}

static void put_row(const struct report *report, const struct report_row *row, FILE *out)
{
	char values[POINT_SIZE], labels[POINT_SIZE], name[2 * POINT_SIZE + 2];

	snprintf(name, sizeof(name), "%s-%s", walk_values(row, values), walk_labels(row, labels));
	fprintf(out, "%9s", row->args ? name : "all");
	for (uint32_t v = 0; v < report->variants; v++)
		put_cell(row, v, out);
	fputc('\n', out);
}

static void put_metric(const struct report *report, uint32_t first, FILE *out)
{
	const struct report_row *row = report->row[first];
	static const char *const sense[] = { "Lower is better", "Higher is better", "-" };

	fprintf(out, "%s\nTest          : %s\nUnits         : Normalized %s%s%s\n", rule,
		row->metric, row->better == BETTER_HIGHER ? "throughput" : "time",
		*row->unit ? " in " : "", row->unit);
	fprintf(out, "Interpretation: %s\nStatistic     : AMean\n%s\nCase:", sense[row->better],
		rule);
	for (uint32_t v = 0; v < report->variants; v++)
		fprintf(out, " %13.13s[pct imp](CV)", report->variant[v].name);
	fputc('\n', out);
	for (uint32_t r = first; r < report->rows; r++)
		if (walk_same_metric(report->row[r], row))
			put_row(report, report->row[r], out);
}

void report_write_amd(const struct report *report, FILE *out)
{
	walk_put_metrics(report, put_metric, out);
}
