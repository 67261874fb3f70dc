/* SPDX-License-Identifier: GPL-2.0-only */
/* Argument keys of all rows make the first columns; a row without one leaves it empty. */
#include "report/form.h"
#include "text/csv.h"

#include <string.h>

/* libm differs in the last bits between machines; these digits do not. */
enum { DIGITS = 10, KEYS_MAX = 32 };

struct keys {
	const char *key[KEYS_MAX];
	uint32_t count;
};

static void collect_keys(struct keys *keys, const struct report *report)
{
	for (uint32_t r = 0; r < report->rows; r++)
		for (uint32_t a = 0; a < report->row[r]->args; a++) {
			const char *key = report->row[r]->arg[a].key;
			uint32_t k = 0;

			while (k < keys->count && strcmp(keys->key[k], key))
				k++;
			if (k == keys->count && k < KEYS_MAX)
				keys->key[keys->count++] = key;
		}
}

static const char *arg_value(const struct report_row *row, const char *key)
{
	for (uint32_t a = 0; a < row->args; a++)
		if (!strcmp(row->arg[a].key, key))
			return row->arg[a].value;
	return "";
}

static void put_heading(struct csv_writer *csv, const struct keys *keys)
{
	static const char *const column[] = {
		"metric",     "unit",	      "better",		"variant",
		"n",	      "failed",	      "mean",		"sd",
		"std_pct",    "min",	      "median",		"max",
		"change_pct", "ci95_low_pct", "ci95_high_pct",	"p",
		"p_paired",   "p_welch",      "p_mann_whitney", "p_holm",
		"verdict",    "runs_needed",  "published_mean", "published_change_pct",
		"table",
	};

	csv_string(csv, "machine");
	for (uint32_t k = 0; k < keys->count; k++)
		csv_string(csv, keys->key[k]);
	for (size_t i = 0; i < sizeof(column) / sizeof(column[0]); i++)
		csv_string(csv, column[i]);
	csv_end_line(csv);
}

static void put_moments(struct csv_writer *csv, const struct report_cell *cell)
{
	const struct moments *m = &cell->moments;

	csv_u64(csv, m->n);
	csv_u64(csv, cell->failed);
	csv_double(csv, m->mean);
	csv_double(csv, m->sd);
	csv_double(csv, m->std_pct);
	csv_double(csv, m->min);
	csv_double(csv, m->median);
	csv_double(csv, m->max);
}

static void put_compared(struct csv_writer *csv, const struct comparison *c)
{
	csv_double(csv, c->change_pct);
	csv_rounded(csv, c->ci95_pct[0], DIGITS);
	csv_rounded(csv, c->ci95_pct[1], DIGITS);
	csv_rounded(csv, c->p, DIGITS);
	csv_rounded(csv, c->p_paired, DIGITS);
	csv_rounded(csv, c->p_welch, DIGITS);
	csv_rounded(csv, c->p_mann_whitney, DIGITS);
	csv_rounded(csv, c->p_holm, DIGITS);
	csv_string(csv, compared_name(c->compared));
	csv_u64(csv, c->runs_needed);
}

static void put_cell(struct csv_writer *csv, const struct report *report,
		     const struct report_row *row, uint32_t variant)
{
	const struct report_cell *cell = &row->cell[variant];

	csv_string(csv, row->metric);
	csv_string(csv, row->unit);
	csv_string(csv, better_name(row->better));
	csv_string(csv, report->variant[variant].name);
	put_moments(csv, cell);
	if (variant)
		put_compared(csv, &cell->compared);
	for (int i = 0; !variant && i < 10; i++)
		csv_string(csv, "");
	csv_double(csv, cell->published.mean);
	csv_double(csv,
		   variant ? report_published_change(row, variant) : cell->published.change_pct);
}

static void put_table(struct csv_writer *csv, const struct keys *keys, uint32_t number,
		      const struct report *report)
{
	for (uint32_t r = 0; r < report->rows; r++)
		for (uint32_t v = 0; v < report->variants; v++) {
			csv_string(csv, report->machine);
			for (uint32_t k = 0; k < keys->count; k++)
				csv_string(csv, arg_value(report->row[r], keys->key[k]));
			put_cell(csv, report, report->row[r], v);
			csv_u64(csv, number);
			csv_end_line(csv);
		}
}

void report_write_csv_tables(const struct report *const *report, uint32_t count, FILE *out)
{
	struct csv_writer csv = { .out = out };
	struct keys keys = { 0 };

	for (uint32_t i = 0; i < count; i++)
		collect_keys(&keys, report[i]);
	put_heading(&csv, &keys);
	for (uint32_t i = 0; i < count; i++)
		put_table(&csv, &keys, i + 1, report[i]);
}

void report_write_csv(const struct report *report, FILE *out)
{
	report_write_csv_tables(&report, 1, out);
}
