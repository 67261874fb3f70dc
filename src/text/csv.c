/* SPDX-License-Identifier: GPL-2.0-only */
#include "text/csv.h"

#include "text/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void before(struct csv_writer *csv)
{
	if (csv->filled)
		fputc(',', csv->out);
	csv->filled = true;
}

void csv_string(struct csv_writer *csv, const char *text)
{
	before(csv);
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, csv->out);
		return;
	}
	fputc('"', csv->out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', csv->out);
		fputc(*text, csv->out);
	}
	fputc('"', csv->out);
}

void csv_double(struct csv_writer *csv, double value)
{
	char text[NUMBER_SIZE];

	before(csv);
	fputs(isfinite(value) ? number_shortest(value, text) : "", csv->out);
}

void csv_rounded(struct csv_writer *csv, double value, int digits)
{
	char text[NUMBER_SIZE];

	before(csv);
	fputs(isfinite(value) ? number_rounded(value, digits, text) : "", csv->out);
}

void csv_u64(struct csv_writer *csv, uint64_t value)
{
	before(csv);
	fprintf(csv->out, "%" PRIu64, value);
}

void csv_end_line(struct csv_writer *csv)
{
	fputs("\r\n", csv->out);
	csv->filled = false;
}
