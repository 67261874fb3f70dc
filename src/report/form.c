/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/form.h"

#include "base/check.h"

#include <string.h>

static const char *const form_name[] = {
#define FORM(id, name, sentence) name,
#include "report/forms.def"
#undef FORM
};

static const char *const form_sentence[] = {
#define FORM(id, name, sentence) sentence,
#include "report/forms.def"
#undef FORM
};

static void (*const form_writer[])(const struct report *, FILE *) = {
#define FORM(id, name, sentence) report_write_##id,
#include "report/forms.def"
#undef FORM
};

void report_write(const struct report *report, enum report_form form, FILE *out)
{
	CHECK((unsigned int)form < REPORT_FORMS);
	form_writer[form](report, out);
}

static void write_in_turn(const struct report *const *report, uint32_t count, enum report_form form,
			  FILE *out)
{
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			fputc('\n', out);
		report_write(report[i], form, out);
	}
}

void report_write_tables(const struct report *const *report, uint32_t count, enum report_form form,
			 FILE *out)
{
	if (count > 1 && form == REPORT_FORM_csv)
		report_write_csv_tables(report, count, out);
	else if (count > 1 && form == REPORT_FORM_json)
		report_write_json_tables(report, count, out);
	else
		write_in_turn(report, count, form, out);
}

const char *report_form_name(enum report_form form)
{
	CHECK((unsigned int)form < REPORT_FORMS);
	return form_name[form];
}

const char *report_form_sentence(enum report_form form)
{
	CHECK((unsigned int)form < REPORT_FORMS);
	return form_sentence[form];
}

bool report_form_parse(const char *name, enum report_form *form, struct err *err)
{
	char near[256];

	for (int i = 0; i < REPORT_FORMS; i++) {
		if (strcmp(name, form_name[i]))
			continue;
		*form = (enum report_form)i;
		return true;
	}
	err_near(near, sizeof(near), name, form_name, REPORT_FORMS);
	return err_set(err, "unknown format '%s'%s", name, near);
}
