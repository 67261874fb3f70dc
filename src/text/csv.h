/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comma-separated values as RFC 4180 has them: fields with a comma, quote or line end are quoted,
 * quotes doubled, lines end in CR LF. Write errors stay in the FILE and are the caller's.
 */
#ifndef TEXT_CSV_H
#define TEXT_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct csv_writer {
	FILE *out;
	bool filled; /* the line has a field already */
};

void csv_string(struct csv_writer *csv, const char *text);
/* Shortest round-trip form; a value that is not finite is an empty field. */
void csv_double(struct csv_writer *csv, double value);
/* At most `digits` significant digits, as json_rounded. */
void csv_rounded(struct csv_writer *csv, double value, int digits);
void csv_u64(struct csv_writer *csv, uint64_t value);
void csv_end_line(struct csv_writer *csv);

#endif
