/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of Go's benchstat: mean and the farthest run from it in percent, change with the p of
 * Mann-Whitney's test, '~' when it is not below 0.05, and the geometric mean of all rows last.
 */
#include "report/form.h"
#include "report/walk.h"
#include "text/number.h"
#include "text/table.h"

#include <inttypes.h>
#include <math.h>

/* Three significant digits at least, with s scaled to what reads well. */
static void scaled(double value, const char *unit, char *out, size_t size)
{
	static const char *const prefix[] = { "", "m", "µ", "n" };
	bool seconds = unit[0] == 's' && !unit[1];
	int step = 0, decimals;
	double shown = value;

	while (seconds && step < 3 && fabs(shown) < 1 && shown != 0) {
		shown *= 1000;
		step++;
	}
	decimals = fabs(shown) >= 100 ? 0 : fabs(shown) >= 10 ? 1 : 2;
	snprintf(out, size, "%.*f%s%s", decimals, shown, seconds ? prefix[step] : "",
		 seconds ? "s" : "");
}

static void put_mean(struct table *table, const struct report_row *row, uint32_t variant)
{
	const struct moments *m = &row->cell[variant].moments;
	double far = fmax(m->max - m->mean, m->mean - m->min);
	char text[NUMBER_SIZE * 2];

	if (!isfinite(m->mean)) {
		table_cell(table, "-");
		return;
	}
	scaled(m->mean, row->unit, text, sizeof(text));
	table_cell(table, "%s ± %.0f%%", text, m->mean == 0 ? 0 : 100 * far / fabs(m->mean));
}

static void put_change(struct table *table, const struct report_row *row, uint32_t variant)
{
	const struct comparison *c = &row->cell[variant].compared;

	if (isnan(c->p_mann_whitney) || isnan(c->change_pct))
		table_cell(table, "-");
	else if (c->p_mann_whitney < COMPARE_ALPHA)
		table_cell(table, "%+.2f%% (p=%.3f n=%" PRIu32 ")", c->change_pct,
			   c->p_mann_whitney, c->n);
	else
		table_cell(table, "~ (p=%.3f n=%" PRIu32 ")", c->p_mann_whitney, c->n);
}

/* Of the means of one metric; NaN when one is missing or not above zero. */
static double geometric_mean(const struct report *report, const struct report_row *like,
			     uint32_t variant)
{
	double mean, *all;
	struct arena arena;
	uint32_t n = 0;

	arena_init(&arena);
	all = ARENA_ARRAY(&arena, double, report->rows + 1);
	for (uint32_t r = 0; r < report->rows; r++)
		if (walk_same_metric(report->row[r], like))
			all[n++] = report->row[r]->cell[variant].moments.mean;
	mean = sample_geometric_mean((struct sample){ all, n });
	for (uint32_t i = 0; i < n; i++)
		if (isnan(all[i]))
			mean = NAN;
	arena_release(&arena);
	return mean;
}

static void put_geometric(struct table *table, const struct report *report,
			  const struct report_row *row)
{
	double base = geometric_mean(report, row, 0);

	table_cell(table, "geomean");
	for (uint32_t v = 0; v < report->variants; v++) {
		double mean = geometric_mean(report, row, v);
		char text[NUMBER_SIZE * 2];

		scaled(mean, row->unit, text, sizeof(text));
		table_cell(table, "%s", isnan(mean) ? "-" : text);
		if (v && isfinite(mean / base))
			table_cell(table, "%+.2f%%", 100 * (mean / base - 1));
		else if (v)
			table_cell(table, "-");
	}
}

static void put_metric(const struct report *report, uint32_t first, struct arena *arena, FILE *out)
{
	const struct report_row *row = report->row[first];
	struct table *table = table_new(arena);
	char point[POINT_SIZE];
	uint32_t rows = 0;

	table_column(table, walk_labels(row, point), TABLE_LEFT);
	for (uint32_t v = 0; v < report->variants; v++) {
		table_column(table, report->variant[v].name, TABLE_LEFT);
		if (v)
			table_column(table, "vs base", TABLE_LEFT);
	}
	for (uint32_t r = first; r < report->rows; r++) {
		if (!walk_same_metric(report->row[r], row))
			continue;
		rows++;
		table_cell(table, "%s", walk_values(report->row[r], point));
		for (uint32_t v = 0; v < report->variants; v++) {
			put_mean(table, report->row[r], v);
			if (v)
				put_change(table, report->row[r], v);
		}
	}
	if (rows > 1)
		put_geometric(table, report, row);
	fprintf(out, "%s%s%s\n", row->metric, *row->unit ? ", " : "", row->unit);
	table_print(table, out, 0);
}

void report_write_benchstat(const struct report *report, FILE *out)
{
	struct arena arena;

	arena_init(&arena);
	for (uint32_t r = 0; r < report->rows; r++) {
		if (!walk_starts_metric(report, r))
			continue;
		if (r)
			fputc('\n', out);
		put_metric(report, r, &arena, out);
	}
	arena_release(&arena);
}
