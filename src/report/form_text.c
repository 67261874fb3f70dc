/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For people at a terminal or in a mail: what was compared on what, then a table a metric, then
 * how to read it, then why. Nothing is printed that would have to be guessed: a failed run, a
 * sample too small, an identical result each say so.
 */
#include "report/form.h"
#include "report/walk.h"
#include "text/number.h"
#include "text/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { INDENT = 2, NAME_WIDTH = 12 };

struct block {
	const struct report *report;
	const struct report_row *first; /* of the metric */
	struct table *table;
	int decimals;
	bool published, failed, runs; /* which optional columns there are */
};

static const char *role(const struct report *report, uint32_t variant)
{
	if (strlen(report->variant[variant].name) <= NAME_WIDTH)
		return report->variant[variant].name;
	return variant ? "with" : "base";
}

static void put_head(const struct report *report, struct arena *arena, FILE *out)
{
	struct table *table = table_new(arena);

	if (*report->title)
		fprintf(out, "%s\n", report->title);
	fprintf(out, "machine %s%s%s\n", report->machine, *report->machine_title ? ": " : "",
		report->machine_title);
	for (uint32_t i = 0; i < report->assumptions; i++)
		fprintf(out, "  assumed: %s\n", report->assumption[i]);
	for (int i = 0; i < 3; i++)
		table_column(table, NULL, TABLE_LEFT);
	for (uint32_t v = 0; v < report->variants; v++) {
		const char *name = report->variant[v].name;

		table_cell(table, "%s", v ? "with" : "base");
		table_cell(table, "%s", v || strcmp(name, "base") ? name : "");
		table_cell(table, "%s", report->variant[v].description);
	}
	table_print(table, out, 0);
}

static void find_columns(struct block *block)
{
	const struct report *report = block->report;

	for (uint32_t r = 0; r < report->rows; r++) {
		const struct report_row *row = report->row[r];

		if (!walk_same_metric(row, block->first))
			continue;
		for (uint32_t v = 0; v < report->variants; v++) {
			block->published |= !isnan(row->cell[v].published.mean) ||
					    !isnan(row->cell[v].published.change_pct);
			block->failed |= row->cell[v].failed > 0;
			block->runs |= row->cell[v].compared.runs_needed > 0;
		}
	}
}

static void put_headings(struct block *block)
{
	char point[POINT_SIZE];
	const struct report *report = block->report;
	bool several = report->variants > 2;
	static const char *const column[] = { "change", "95 % interval", "p", "" };

	table_column(block->table, walk_labels(block->first, point), TABLE_RIGHT);
	if (several)
		table_column(block->table, "variant", TABLE_LEFT);
	table_column(block->table, role(report, 0), TABLE_RIGHT);
	table_column(block->table, "%std", TABLE_RIGHT);
	if (report->variants > 1) {
		table_column(block->table, several ? "with" : role(report, 1), TABLE_RIGHT);
		table_column(block->table, "%std", TABLE_RIGHT);
		for (int i = 0; i < 4; i++)
			table_column(block->table, column[i], i < 3 ? TABLE_RIGHT : TABLE_LEFT);
	}
	if (block->runs)
		table_column(block->table, "runs", TABLE_RIGHT);
	if (block->failed)
		table_column(block->table, "failed", TABLE_RIGHT);
	if (block->published) {
		table_column(block->table, "|", TABLE_LEFT);
		table_column(block->table, "published", TABLE_RIGHT);
		if (report->variants > 1) {
			table_column(block->table, "with", TABLE_RIGHT);
			table_column(block->table, "change", TABLE_RIGHT);
		}
	}
}

static void put_mean(struct block *block, const struct report_cell *cell)
{
	if (isfinite(cell->moments.mean))
		table_cell(block->table, "%.*f", block->decimals, cell->moments.mean);
	else
		table_cell(block->table, "-");
	if (isfinite(cell->moments.std_pct))
		table_cell(block->table, "%.2f", cell->moments.std_pct);
	else
		table_cell(block->table, "-");
}

/* Two decimals, none from 1000 on: +4.12%, +12345%. */
static const char *percent(double value, char out[NUMBER_SIZE])
{
	if (!isfinite(value))
		return "n/a";
	snprintf(out, NUMBER_SIZE, fabs(value) < 1000 ? "%+.2f%%" : "%+.0f%%", value);
	return out;
}

static void put_p(struct table *table, double p)
{
	if (isnan(p))
		table_cell(table, "-");
	else if (p < 0.0001)
		table_cell(table, "<0.0001");
	else
		table_cell(table, "%.4f", p);
}

static void put_compared(struct block *block, const struct comparison *c)
{
	char low[NUMBER_SIZE], high[NUMBER_SIZE], change[NUMBER_SIZE];
	bool known = isfinite(c->ci95_pct[0]);
	bool significant = c->compared == COMPARED_BETTER || c->compared == COMPARED_WORSE ||
			   c->compared == COMPARED_CHANGED;

	if (c->identical) {
		table_cell(block->table, "identical");
		table_cell(block->table, "-");
		table_cell(block->table, "-");
		table_cell(block->table, "%s", "");
		return;
	}
	table_cell(block->table, "%s", percent(c->change_pct, change));
	if (known)
		table_cell(block->table, "[%s, %s]", percent(c->ci95_pct[0], low),
			   percent(c->ci95_pct[1], high));
	else
		table_cell(block->table, "-");
	put_p(block->table, c->p);
	table_cell(block->table, "%s%s", significant ? compared_name(c->compared) : "",
		   !significant		       ? ""
		   : c->p_holm < COMPARE_ALPHA ? " **"
					       : " *");
}

static void put_published(struct block *block, const struct report_row *row, uint32_t variant)
{
	char base[NUMBER_SIZE], other[NUMBER_SIZE], change[NUMBER_SIZE];
	const struct report_cell *cell = row->cell;
	double known = report_published_change(row, variant);

	table_cell(block->table, "|");
	table_cell(block->table, "%s",
		   isnan(cell[0].published.mean) ? "-"
						 : number_human(cell[0].published.mean, base));
	if (block->report->variants < 2)
		return;
	table_cell(block->table, "%s",
		   isnan(cell[variant].published.mean)
			   ? "-"
			   : number_human(cell[variant].published.mean, other));
	table_cell(block->table, "%s", isnan(known) ? "-" : percent(known, change));
}

/* One line: the base against one other variant (or alone, when there is none). */
static void put_line(struct block *block, const struct report_row *row, uint32_t variant)
{
	const struct report *report = block->report;
	const struct report_cell *base = &row->cell[0], *other = &row->cell[variant];
	char point[POINT_SIZE];

	table_cell(block->table, "%s", walk_values(row, point));
	if (report->variants > 2)
		table_cell(block->table, "%s", report->variant[variant].name);
	put_mean(block, base);
	if (variant) {
		put_mean(block, other);
		put_compared(block, &other->compared);
	}
	if (block->runs && other->compared.runs_needed)
		table_cell(block->table, "%" PRIu32, other->compared.runs_needed);
	else if (block->runs)
		table_cell(block->table, "-");
	if (block->failed)
		table_cell(block->table, "%" PRIu32, base->failed + (variant ? other->failed : 0));
	if (block->published)
		put_published(block, row, variant);
}

static void put_metric(const struct report *report, uint32_t first, struct arena *arena, FILE *out)
{
	const struct report_row *row = report->row[first];
	struct block block = { .report = report, .first = row, .table = table_new(arena) };
	static const char *const sense[] = { ", lower is better", ", higher is better", "" };

	block.decimals = walk_decimals(report, row);
	find_columns(&block);
	put_headings(&block);
	for (uint32_t r = first; r < report->rows; r++) {
		if (!walk_same_metric(report->row[r], row))
			continue;
		if (report->variants == 1)
			put_line(&block, report->row[r], 0);
		for (uint32_t v = 1; v < report->variants; v++)
			put_line(&block, report->row[r], v);
	}
	fprintf(out, "\n%s%s%s%s\n", row->metric, *row->unit ? ", " : "", row->unit,
		sense[row->better]);
	table_print(block.table, out, INDENT);
}

static bool any_significant(const struct report *report)
{
	for (uint32_t r = 0; r < report->rows; r++)
		for (uint32_t v = 1; v < report->variants; v++)
			if (report->row[r]->cell[v].compared.p < COMPARE_ALPHA)
				return true;
	return false;
}

static void put_agreement(const struct report *report, FILE *out)
{
	struct report_agreement a = report_agreement(report);

	if (!a.cells)
		return;
	fprintf(out, "Against published changes: %sthe sign agrees in %" PRIu32 " of %" PRIu32,
		any_significant(report) ? "" : "no predicted one is significant;\n  ",
		a.signs_agree, a.cells);
	if (a.signs_known < a.cells)
		fprintf(out, " (%" PRIu32 " did not change)", a.cells - a.signs_known);
	if (!isnan(a.rho))
		fprintf(out, ", rank\n  correlation %+.2f", a.rho);
	if (!isnan(a.rho_p))
		fprintf(out, a.rho_p < 0.001 ? " (p < 0.001)" : " (p = %.3f)", a.rho_p);
	fprintf(out, ", mean error %.1f points.\n", a.error_points);
}

static void count_runs(const struct report *report, uint32_t *least, uint32_t *most,
		       uint32_t *tests)
{
	*least = UINT32_MAX;
	*most = *tests = 0;
	for (uint32_t r = 0; r < report->rows; r++)
		for (uint32_t v = 0; v < report->variants; v++) {
			const struct report_cell *cell = &report->row[r]->cell[v];

			*least = cell->moments.n < *least ? cell->moments.n : *least;
			*most = cell->moments.n > *most ? cell->moments.n : *most;
			*tests += v && !cell->compared.identical && !isnan(cell->compared.p);
		}
}

/* Of all variants but the base. */
static uint32_t count_other_seeds(const struct report *report)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v < report->variants; v++)
		n += report->variant[v].other_seeds;
	return n;
}

static void put_pairing(const struct report *report, FILE *out)
{
	if (report->variants < 2)
		return;
	if (report->paired && count_other_seeds(report) < report->variants - 1)
		fputs(", the same seeds on both (paired)", out);
	else
		fputs(", unpaired", out);
}

static void put_other_seeds(const struct report *report, FILE *out)
{
	for (uint32_t v = 1; v < report->variants; v++)
		if (report->variant[v].other_seeds)
			fprintf(out, "%s: other seeds than the base, compared unpaired.\n",
				report->variant[v].name);
}

static void put_reading(const struct report *report, FILE *out)
{
	uint32_t least, most, tests;

	count_runs(report, &least, &most, &tests);
	if (!report->rows)
		return;
	fprintf(out, "\nn = %" PRIu32, least);
	if (most != least)
		fprintf(out, " to %" PRIu32, most);
	fputs(" runs a side", out);
	put_pairing(report, out);
	fputs(". Deviation and interval are over\n  seeds of the model, not of hardware.\n", out);
	put_other_seeds(report, out);
	if (tests)
		fprintf(out,
			"* p < 0.05 by itself; ** also after Holm's correction (comparisons here: "
			"%" PRIu32 ").\nruns: needed a side to see this change in 4 of 5 tries.\n",
			tests);
	put_agreement(report, out);
	for (uint32_t i = 0; i < report->notes; i++)
		fprintf(out, "%s\n", report->note[i]);
}

static void put_ratio(struct table *table, double base, double other)
{
	char text[NUMBER_SIZE];

	if (isfinite(base) && base == other)
		table_cell(table, "=");
	else
		table_cell(table, "%s", percent(100 * (other - base) / fabs(base), text));
}

static void put_section(const struct report *report, const struct report_section *section,
			struct arena *arena, FILE *out)
{
	struct table *table = table_new(arena);
	char text[NUMBER_SIZE];

	table_column(table, "", TABLE_LEFT);
	for (uint32_t v = 0; v < report->variants; v++)
		table_column(table, report->variant[v].name, TABLE_RIGHT);
	table_column(table, "", TABLE_LEFT);
	if (report->variants == 2)
		table_column(table, "change", TABLE_RIGHT);
	for (uint32_t i = 0; i < section->values; i++) {
		const struct report_value *value = &section->value[i];

		table_cell(table, "%s", value->name);
		for (uint32_t v = 0; v < report->variants; v++)
			table_cell(table, "%s", number_human(value->value[v], text));
		table_cell(table, "%s", value->unit);
		if (report->variants == 2)
			put_ratio(table, value->value[0], value->value[1]);
	}
	fprintf(out, "\n%s\n", section->title);
	table_print(table, out, INDENT);
}

void report_write_text(const struct report *report, FILE *out)
{
	struct arena arena;

	arena_init(&arena);
	put_head(report, &arena, out);
	for (uint32_t r = 0; r < report->rows; r++)
		if (walk_starts_metric(report, r))
			put_metric(report, r, &arena, out);
	put_reading(report, out);
	for (uint32_t s = 0; s < report->sections; s++)
		put_section(report, report->section[s], &arena, out);
	arena_release(&arena);
}
