/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/model.h"

#include "base/check.h"
#include "stats/ranks.h"
#include "stats/sum.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *copy(struct arena *arena, const char *text)
{
	return arena_strdup(arena, text ? text : "");
}

/* Room for one more item in a list whose capacity is the power of two at or above its count. */
static void *grown(struct arena *arena, void *list, uint32_t count, size_t size)
{
	void *larger;

	if (count & (count - 1))
		return list;
	larger = arena_alloc(arena, count ? 2 * (size_t)count : 1, size, _Alignof(max_align_t));
	if (count)
		memcpy(larger, list, count * size);
	return larger;
}

struct report *report_new(struct arena *arena, const char *machine, const char *machine_title,
			  const char *title)
{
	struct report *report = ARENA_NEW(arena, struct report);

	report->arena = arena;
	report->machine = copy(arena, machine);
	report->machine_title = copy(arena, machine_title);
	report->title = copy(arena, title);
	report->paired = true;
	return report;
}

void report_add_variant(struct report *report, const char *name, const char *description)
{
	CHECK(report->variants < REPORT_VARIANTS && !report->rows && !report->sections);
	report->variant[report->variants++] = (struct report_variant){
		copy(report->arena, name),
		copy(report->arena, description),
	};
}

void report_other_seeds(struct report *report)
{
	CHECK(report->variants > 1 && !report->rows && !report->sections);
	report->variant[report->variants - 1].other_seeds = true;
}

static const char *printed(struct arena *arena, const char *format, va_list args)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, args);
	return arena_strdup(arena, text);
}

void report_assume(struct report *report, const char *format, ...)
{
	va_list args;

	report->assumption = grown(report->arena, report->assumption, report->assumptions,
				   sizeof(*report->assumption));
	va_start(args, format);
	report->assumption[report->assumptions++] = printed(report->arena, format, args);
	va_end(args);
}

void report_note(struct report *report, const char *format, ...)
{
	va_list args;

	report->note = grown(report->arena, report->note, report->notes, sizeof(*report->note));
	va_start(args, format);
	report->note[report->notes++] = printed(report->arena, format, args);
	va_end(args);
}

struct report_row *report_add_row(struct report *report, const char *metric, const char *unit,
				  enum better better)
{
	struct report_row *row = ARENA_NEW(report->arena, struct report_row);

	CHECK(report->variants > 0);
	row->metric = copy(report->arena, metric);
	row->unit = copy(report->arena, unit);
	row->better = better;
	row->cell = ARENA_ARRAY(report->arena, struct report_cell, report->variants);
	for (uint32_t v = 0; v < report->variants; v++)
		row->cell[v].published = (struct report_published){ NAN, NAN, NAN };
	report->row = grown(report->arena, report->row, report->rows, sizeof(*report->row));
	report->row[report->rows++] = row;
	return row;
}

void report_add_arg(struct report *report, struct report_row *row, struct report_arg arg)
{
	CHECK(row->args < REPORT_ARGS);
	row->arg[row->args++] = (struct report_arg){
		copy(report->arena, arg.key),
		copy(report->arena, arg.label ? arg.label : arg.key + strspn(arg.key, "-")),
		copy(report->arena, arg.value),
	};
}

struct report_section *report_add_section(struct report *report, const char *title)
{
	struct report_section *section = ARENA_NEW(report->arena, struct report_section);

	section->title = copy(report->arena, title);
	report->section =
		grown(report->arena, report->section, report->sections, sizeof(*report->section));
	report->section[report->sections++] = section;
	return section;
}

void report_add_value(struct report *report, struct report_section *section, const char *name,
		      const char *unit, const double *value)
{
	double *copied = ARENA_ARRAY(report->arena, double, report->variants);

	memcpy(copied, value, report->variants * sizeof(*copied));
	section->value =
		grown(report->arena, section->value, section->values, sizeof(*section->value));
	section->value[section->values++] = (struct report_value){
		copy(report->arena, name),
		copy(report->arena, unit),
		copied,
	};
}

static void analyse_row(struct report *report, struct report_row *row)
{
	struct report_cell *base = &row->cell[0];

	for (uint32_t v = 0; v < report->variants; v++) {
		struct report_cell *cell = &row->cell[v];
		struct sides sides = { base->sample, cell->sample };
		bool paired = report->paired && !report->variant[v].other_seeds &&
			      base->sample.count == cell->sample.count;

		cell->moments = sample_moments(cell->sample);
		cell->failed = cell->sample.count - cell->moments.n;
		if (v)
			cell->compared = compare(sides, paired, row->better);
	}
}

void report_analyse(struct report *report)
{
	uint32_t others = report->variants - 1, count = 0;
	struct comparison **family;

	CHECK(report->variants > 0);
	family = ARENA_ARRAY(report->arena, struct comparison *, report->rows * others + 1);
	for (uint32_t r = 0; r < report->rows; r++) {
		analyse_row(report, report->row[r]);
		for (uint32_t v = 1; v < report->variants; v++)
			family[count++] = &report->row[r]->cell[v].compared;
	}
	compare_family(family, count);
}

double report_published_change(const struct report_row *row, uint32_t variant)
{
	const struct report_published *base = &row->cell[0].published;
	const struct report_published *other = &row->cell[variant].published;

	if (!isnan(other->change_pct))
		return other->change_pct;
	if (isnan(base->mean) || isnan(other->mean) || base->mean == 0)
		return NAN;
	return 100 * (other->mean - base->mean) / fabs(base->mean);
}

struct report_agreement report_agreement(const struct report *report)
{
	struct report_agreement agreement = { .error_points = NAN };
	uint32_t most = report->rows * report->variants + 1, n = 0;
	struct sum error = { 0 };
	struct sign_agreement signs;
	struct spearman ranks;
	struct arena arena;
	double *predicted, *published;

	arena_init(&arena);
	predicted = ARENA_ARRAY(&arena, double, most);
	published = ARENA_ARRAY(&arena, double, most);
	for (uint32_t r = 0; r < report->rows; r++)
		for (uint32_t v = 1; v < report->variants; v++) {
			const struct report_row *row = report->row[r];

			predicted[n] = row->cell[v].compared.change_pct;
			published[n] = report_published_change(row, v);
			if (isnan(predicted[n]) || isnan(published[n]))
				continue;
			sum_add(&error, fabs(predicted[n] - published[n]));
			n++;
		}
	signs = sign_agreement((struct sides){ { predicted, n }, { published, n } });
	ranks = spearman((struct sides){ { predicted, n }, { published, n } });
	arena_release(&arena);
	agreement.cells = n;
	agreement.signs_known = signs.n;
	agreement.signs_agree = signs.agree;
	agreement.rho = ranks.rho;
	agreement.rho_p = ranks.p;
	if (n)
		agreement.error_points = sum_value(&error) / n;
	return agreement;
}
