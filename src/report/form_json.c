/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names are a contract with other programs: keys may be added, never renamed. A number that is
 * not known is null.
 */
#include "report/form.h"
#include "text/json_write.h"

#include <math.h>

/* libm differs in the last bits between machines; these digits do not. */
enum { DIGITS = 10 };

static void put_text(struct json_writer *w, const char *key, const char *value)
{
	jw_key(w, key);
	jw_string(w, value);
}

static void put_double(struct json_writer *w, const char *key, double value)
{
	jw_key(w, key);
	jw_double(w, value);
}

static void put_rounded(struct json_writer *w, const char *key, double value)
{
	jw_key(w, key);
	jw_rounded(w, value, DIGITS);
}

static void put_u64(struct json_writer *w, const char *key, uint64_t value)
{
	jw_key(w, key);
	jw_u64(w, value);
}

static void put_lines(struct json_writer *w, const char *key, const char *const *line,
		      uint32_t count)
{
	if (!count)
		return;
	jw_break(w);
	jw_key(w, key);
	jw_array(w);
	for (uint32_t i = 0; i < count; i++)
		jw_string(w, line[i]);
	jw_array_end(w);
}

static void put_compared(struct json_writer *w, const struct comparison *c)
{
	put_double(w, "change_pct", c->change_pct);
	jw_key(w, "ci95_pct");
	jw_array(w);
	jw_rounded(w, c->ci95_pct[0], DIGITS);
	jw_rounded(w, c->ci95_pct[1], DIGITS);
	jw_array_end(w);
	put_rounded(w, "p", c->p);
	put_rounded(w, "p_paired", c->p_paired);
	put_rounded(w, "p_welch", c->p_welch);
	put_rounded(w, "p_mann_whitney", c->p_mann_whitney);
	put_rounded(w, "p_holm", c->p_holm);
	jw_key(w, "identical");
	jw_bool(w, c->identical);
	put_text(w, "verdict", compared_name(c->compared));
	jw_key(w, "runs_needed");
	if (c->runs_needed)
		jw_u64(w, c->runs_needed);
	else
		jw_null(w);
}

static void put_published(struct json_writer *w, const struct report_row *row, uint32_t variant)
{
	const struct report_published *published = &row->cell[variant].published;
	double change = variant ? report_published_change(row, variant) : NAN;

	if (isnan(published->mean) && isnan(change))
		return;
	jw_key(w, "published");
	jw_object(w);
	put_double(w, "mean", published->mean);
	if (!isnan(published->std_pct))
		put_double(w, "std_pct", published->std_pct);
	if (variant)
		put_double(w, "change_pct", change);
	jw_object_end(w);
}

static void put_cell(struct json_writer *w, const struct report *report,
		     const struct report_row *row, uint32_t variant)
{
	const struct report_cell *cell = &row->cell[variant];

	jw_break(w);
	jw_object(w);
	put_text(w, "variant", report->variant[variant].name);
	put_u64(w, "n", cell->moments.n);
	put_double(w, "mean", cell->moments.mean);
	put_double(w, "sd", cell->moments.sd);
	put_double(w, "std_pct", cell->moments.std_pct);
	if (cell->failed)
		put_u64(w, "failed", cell->failed);
	if (variant)
		put_compared(w, &cell->compared);
	put_published(w, row, variant);
	jw_key(w, "values");
	jw_array(w);
	for (uint32_t i = 0; i < cell->sample.count; i++)
		jw_double(w, cell->sample.value[i]);
	jw_array_end(w);
	jw_object_end(w);
}

static void put_row(struct json_writer *w, const struct report *report,
		    const struct report_row *row)
{
	jw_break(w);
	jw_object(w);
	jw_key(w, "args");
	jw_object(w);
	for (uint32_t a = 0; a < row->args; a++) {
		jw_key(w, row->arg[a].key);
		jw_word(w, row->arg[a].value);
	}
	jw_object_end(w);
	put_text(w, "metric", row->metric);
	put_text(w, "unit", row->unit);
	put_text(w, "better", better_name(row->better));
	jw_key(w, "cells");
	jw_array(w);
	for (uint32_t v = 0; v < report->variants; v++)
		put_cell(w, report, row, v);
	jw_array_end(w);
	jw_object_end(w);
}

static void put_variants(struct json_writer *w, const struct report *report)
{
	jw_break(w);
	jw_key(w, "variants");
	jw_array(w);
	for (uint32_t v = 0; v < report->variants; v++) {
		jw_object(w);
		put_text(w, "name", report->variant[v].name);
		put_text(w, "description", report->variant[v].description);
		jw_object_end(w);
	}
	jw_array_end(w);
}

static void put_value(struct json_writer *w, const struct report *report,
		      const struct report_value *value)
{
	jw_break(w);
	jw_object(w);
	put_text(w, "name", value->name);
	put_text(w, "unit", value->unit);
	jw_key(w, "values");
	jw_array(w);
	for (uint32_t v = 0; v < report->variants; v++)
		jw_double(w, value->value[v]);
	jw_array_end(w);
	jw_object_end(w);
}

static void put_explain(struct json_writer *w, const struct report *report)
{
	if (!report->sections)
		return;
	jw_break(w);
	jw_key(w, "explain");
	jw_array(w);
	for (uint32_t s = 0; s < report->sections; s++) {
		const struct report_section *section = report->section[s];

		jw_break(w);
		jw_object(w);
		put_text(w, "title", section->title);
		jw_key(w, "values");
		jw_array(w);
		for (uint32_t i = 0; i < section->values; i++)
			put_value(w, report, &section->value[i]);
		jw_array_end(w);
		jw_object_end(w);
	}
	jw_array_end(w);
}

static void put_agreement(struct json_writer *w, const struct report *report)
{
	struct report_agreement agreement = report_agreement(report);

	if (!agreement.cells)
		return;
	jw_break(w);
	jw_key(w, "agreement");
	jw_object(w);
	put_u64(w, "cells", agreement.cells);
	put_u64(w, "signs_known", agreement.signs_known);
	put_u64(w, "signs_agree", agreement.signs_agree);
	put_rounded(w, "rank_correlation", agreement.rho);
	put_rounded(w, "rank_correlation_p", agreement.rho_p);
	put_double(w, "mean_error_points", agreement.error_points);
	jw_object_end(w);
}

static void put_report(struct json_writer *w, const struct report *report)
{
	jw_object(w);
	put_text(w, "machine", report->machine);
	if (*report->title)
		put_text(w, "title", report->title);
	jw_key(w, "paired");
	jw_bool(w, report->paired);
	put_variants(w, report);
	jw_break(w);
	jw_key(w, "rows");
	jw_array(w);
	for (uint32_t r = 0; r < report->rows; r++)
		put_row(w, report, report->row[r]);
	jw_array_end(w);
	put_agreement(w, report);
	put_explain(w, report);
	put_lines(w, "assumptions", report->assumption, report->assumptions);
	put_lines(w, "notes", report->note, report->notes);
	jw_object_end(w);
}

void report_write_json(const struct report *report, FILE *out)
{
	struct json_writer w = json_writer(out);

	put_report(&w, report);
	fputc('\n', out);
}

void report_write_json_tables(const struct report *const *report, uint32_t count, FILE *out)
{
	struct json_writer w = json_writer(out);

	jw_object(&w);
	put_text(&w, "machine", report[0]->machine);
	jw_key(&w, "tables");
	jw_array(&w);
	for (uint32_t i = 0; i < count; i++) {
		jw_break(&w);
		put_report(&w, report[i]);
	}
	jw_array_end(&w);
	jw_object_end(&w);
	fputc('\n', out);
}
