/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One column an argument. Means stand right-aligned; the argument stands one blank into its
 * column and the gain at its left edge, as in the mail "sched/fair: remove redundant
 * test_idle_cores for non-smt" (2021-03-20). A gain is positive when it is for the better and is
 * printed when it is significant; single figures, which have no p, print from quiet_pct up.
 */
#include "report/form.h"
#include "report/walk.h"
#include "text/table.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MAX = 256, CELL_SIZE = 48 };

struct grid {
	const struct report *report;
	const struct report_row *row[COLUMNS_MAX]; /* one a column */
	uint32_t columns;
	int width[COLUMNS_MAX], label_width, decimals;
	int owed; /* blanks before the next ink, so that no line ends in them */
	FILE *out;
};

static int wider(int a, size_t b)
{
	return a > (int)b ? a : (int)b;
}

static const char *variant_label(const struct report *report, uint32_t variant, char *out)
{
	if (report->variants == 2)
		return variant ? "w/ :" : "w/o:";
	snprintf(out, CELL_SIZE, "%.*s:", CELL_SIZE - 2, report->variant[variant].name);
	return out;
}

static const char *mean_text(const struct grid *grid, const struct report_cell *cell, char *out)
{
	double figure = walk_figure(cell);

	if (isnan(figure))
		return "-";
	snprintf(out, CELL_SIZE, "%.*f", grid->decimals, figure);
	return out;
}

static const char *gain_text(const struct grid *grid, const struct report_row *row,
			     uint32_t variant, char *out)
{
	const struct comparison *c = &row->cell[variant].compared;
	bool run = row->cell[variant].sample.count > 0;
	double change = run ? c->change_pct : report_published_change(row, variant);
	double gain = compare_gain_pct(change, row->better);

	if (run && c->identical)
		return "=";
	if (isnan(gain) || (run && !isnan(c->p) && c->compared == COMPARED_UNSETTLED))
		return "";
	if ((!run || isnan(c->p)) && fabs(gain) < grid->report->quiet_pct)
		return "";
	snprintf(out, CELL_SIZE, "%+.1f%%", gain);
	return out;
}

static void put(struct grid *grid, const char *text, int width)
{
	int pad = width - (int)text_width(text);

	if (*text) {
		fprintf(grid->out, "%*s%s", grid->owed, "", text);
		grid->owed = 0;
	}
	grid->owed += pad > 0 ? pad : 0;
}

static void end_line(struct grid *grid)
{
	fputc('\n', grid->out);
	grid->owed = 0;
}

static void measure(struct grid *grid)
{
	char point[POINT_SIZE], text[CELL_SIZE];
	const struct report *report = grid->report;

	grid->label_width = (int)strlen(walk_keys(grid->row[0], point)) + 1;
	for (uint32_t v = 0; v < report->variants; v++) {
		const char *label = variant_label(report, v, text);

		grid->label_width = wider(grid->label_width, text_width(label));
	}
	for (uint32_t c = 0; c < grid->columns; c++) {
		grid->width[c] = (int)strlen(walk_values(grid->row[c], point)) + 1;
		for (uint32_t v = 0; v < report->variants; v++) {
			const struct report_row *row = grid->row[c];

			grid->width[c] =
				wider(grid->width[c], strlen(mean_text(grid, &row->cell[v], text)));
			if (v)
				grid->width[c] = wider(grid->width[c],
						       strlen(gain_text(grid, row, v, text)));
		}
	}
}

static void print_heading(struct grid *grid)
{
	char point[POINT_SIZE], name[POINT_SIZE + 1];

	snprintf(name, sizeof(name), "%s=", walk_keys(grid->row[0], point));
	put(grid, name, grid->label_width);
	for (uint32_t c = 0; c < grid->columns; c++) {
		grid->owed += 2;
		put(grid, walk_values(grid->row[c], point), grid->width[c] - 1);
	}
	end_line(grid);
}

static void print_variant(struct grid *grid, uint32_t variant)
{
	char text[CELL_SIZE];
	bool gains = false;

	put(grid, variant_label(grid->report, variant, text), grid->label_width);
	for (uint32_t c = 0; c < grid->columns; c++) {
		const char *mean = mean_text(grid, &grid->row[c]->cell[variant], text);

		grid->owed += 1 + grid->width[c] - (int)strlen(mean);
		put(grid, mean, 0);
	}
	end_line(grid);
	for (uint32_t c = 0; variant && c < grid->columns; c++)
		gains |= *gain_text(grid, grid->row[c], variant, text) != '\0';
	if (!gains)
		return;
	put(grid, "", grid->label_width);
	for (uint32_t c = 0; c < grid->columns; c++) {
		grid->owed++;
		put(grid, gain_text(grid, grid->row[c], variant, text), grid->width[c]);
	}
	end_line(grid);
}

static void print_metric(const struct report *report, uint32_t first, FILE *out)
{
	struct grid grid = { .report = report, .out = out };

	for (uint32_t r = first; r < report->rows && grid.columns < COLUMNS_MAX; r++)
		if (walk_same_metric(report->row[r], report->row[first]))
			grid.row[grid.columns++] = report->row[r];
	grid.decimals = walk_decimals(report, report->row[first]);
	measure(&grid);
	print_heading(&grid);
	for (uint32_t v = 0; v < report->variants; v++)
		print_variant(&grid, v);
}

void report_write_rows(const struct report *report, FILE *out)
{
	bool many = walk_metrics(report) > 1, printed = false;

	for (uint32_t r = 0; r < report->rows; r++) {
		if (!walk_starts_metric(report, r))
			continue;
		if (printed)
			fputc('\n', out);
		if (many)
			fprintf(out, "%s\n", report->row[r]->metric);
		print_metric(report, r, out);
		printed = true;
	}
}
