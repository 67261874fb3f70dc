/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a comparison has to say, as plain data: every form of table is written from this.
 *
 * Built once: report_new, then variants (the base first), rows with their cells, notes; then
 * report_analyse, then any number of writers (form.h). Everything, strings included, is copied
 * into the arena given to report_new, except the sample values, which the caller keeps alive.
 */
#ifndef REPORT_MODEL_H
#define REPORT_MODEL_H

#include "base/arena.h"
#include "stats/compare.h"

#include <stdbool.h>
#include <stdint.h>

enum { REPORT_ARGS = 8, REPORT_VARIANTS = 16 };

struct report_arg {
	const char *key;   /* as typed: "-g" */
	const char *label; /* for people: "groups"; NULL: the key without dashes */
	const char *value;
};

/* A figure printed elsewhere; NaN where nothing was printed. */
struct report_published {
	double mean, std_pct, change_pct;
};

struct report_cell {
	struct sample sample; /* a value a seed, NaN where it failed; the caller's */
	struct report_published published;
	/* filled by report_analyse */
	uint32_t failed;
	struct moments moments;
	struct comparison compared; /* against the base; zero in the base's own cell */
};

struct report_row {
	uint32_t args;
	struct report_arg arg[REPORT_ARGS];
	const char *metric, *unit;
	enum better better;
	struct report_cell *cell; /* one a variant */
};

struct report_variant {
	const char *name, *description;
	bool other_seeds; /* not those of the base: compared unpaired */
};

/* Why: values a variant, not tested, in sections with a title. */
struct report_value {
	const char *name, *unit;
	const double *value; /* one a variant, NaN: not known */
};

struct report_section {
	const char *title;
	uint32_t values;
	struct report_value *value;
};

struct report {
	struct arena *arena;		   /* the caller's; outlives the report */
	const char *machine;		   /* name, as -m takes it */
	const char *machine_title, *title; /* may be empty */
	bool paired;	  /* value i of cells comes from the same seed, but for other_seeds */
	double quiet_pct; /* single figures: changes below this are not worth printing */
	uint32_t variants, rows, sections, assumptions, notes;
	struct report_variant variant[REPORT_VARIANTS];
	struct report_row **row;
	struct report_section **section;
	const char **assumption, **note;
};

/* Strings that may be NULL count as empty. paired starts true. */
struct report *report_new(struct arena *arena, const char *machine, const char *machine_title,
			  const char *title);
/* All variants come before the first row. */
void report_add_variant(struct report *report, const char *name, const char *description);
/* The variant added last, not the base, ran with seeds of its own. */
void report_other_seeds(struct report *report);
void report_assume(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void report_note(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Cells start empty, nothing published. The row stays where it is. */
struct report_row *report_add_row(struct report *report, const char *metric, const char *unit,
				  enum better better);
/* label may be NULL. */
void report_add_arg(struct report *report, struct report_row *row, struct report_arg arg);

struct report_section *report_add_section(struct report *report, const char *title);
/* value: one a variant, copied. */
void report_add_value(struct report *report, struct report_section *section, const char *name,
		      const char *unit, const double *value);

/* Moments of every cell, comparisons against the base, Holm's correction over all of them. */
void report_analyse(struct report *report);

/* How well published changes were predicted, over all cells that have both. */
struct report_agreement {
	uint32_t cells, signs_known, signs_agree;
	double rho, rho_p;   /* Spearman, predicted against published change */
	double error_points; /* mean |predicted - published| */
};

struct report_agreement report_agreement(const struct report *report);

/* The published change of cell `variant`: as printed, or from the two means; NaN without. */
double report_published_change(const struct report_row *row, uint32_t variant);

#endif
