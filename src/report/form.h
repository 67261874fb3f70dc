/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing a report: one function a form (forms.def), all to the caller's FILE.
 *
 * The report must have gone through report_analyse. Writers change nothing and print the same
 * bytes for the same report. Write errors stay in the FILE and are the caller's (ferror).
 */
#ifndef REPORT_FORM_H
#define REPORT_FORM_H

#include "base/err.h"
#include "report/model.h"

#include <stdio.h>

enum report_form {
#define FORM(id, name, sentence) REPORT_FORM_##id,
#include "report/forms.def"
#undef FORM
	REPORT_FORMS
};

#define FORM(id, name, sentence) void report_write_##id(const struct report *report, FILE *out);
#include "report/forms.def"
#undef FORM

void report_write(const struct report *report, enum report_form form, FILE *out);

/*
 * The tables of one experiment: JSON is one document, {"machine": …, "tables": [a report, …]}, CSV
 * one table whose last column numbers them from 1, other forms follow each other after an empty
 * line. One table alone is written as by report_write().
 */
void report_write_tables(const struct report *const *report, uint32_t count, enum report_form form,
			 FILE *out);
void report_write_csv_tables(const struct report *const *report, uint32_t count, FILE *out);
void report_write_json_tables(const struct report *const *report, uint32_t count, FILE *out);

const char *report_form_name(enum report_form form);
/* One sentence for --help. */
const char *report_form_sentence(enum report_form form);
/* An unknown name is an error that lists those near it. */
bool report_form_parse(const char *name, enum report_form *form, struct err *err);

#endif
