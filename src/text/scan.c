/* SPDX-License-Identifier: GPL-2.0-only */
#include "text/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FOUND_MAX = 24 };

struct scan scan_text(const char *where, const char *text)
{
	return (struct scan){ .where = where, .at = text, .line = 1, .column = 1 };
}

bool scan_at_end(const struct scan *scan)
{
	return !*scan->at;
}

static void advance(struct scan *scan, size_t length)
{
	for (; length; length--, scan->at++) {
		scan->column++;
		if (*scan->at == '\n') {
			scan->line++;
			scan->column = 1;
		}
	}
}

void scan_space(struct scan *scan)
{
	advance(scan, strspn(scan->at, " \t\r\n"));
}

bool scan_literal(struct scan *scan, const char *literal)
{
	size_t length = strlen(literal);

	if (strncmp(scan->at, literal, length))
		return false;
	advance(scan, length);
	return true;
}

bool scan_u64(struct scan *scan, uint64_t *value)
{
	size_t length = strspn(scan->at, "0123456789");
	uint64_t sum = 0;

	for (size_t i = 0; i < length; i++)
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(scan->at[i] - '0'), &sum))
			return false;
	if (!length)
		return false;
	*value = sum;
	advance(scan, length);
	return true;
}

bool scan_word(struct scan *scan, const char *characters, const char **word, size_t *length)
{
	size_t run = strspn(scan->at, characters);

	if (!run)
		return false;
	*word = scan->at;
	*length = run;
	advance(scan, run);
	return true;
}

bool scan_fail(const struct scan *scan, struct err *err, const char *format, ...)
{
	char what[400];
	int shown = (int)strcspn(scan->at, " \t\r\n");
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (!*scan->at)
		return err_set_at(err, scan->where, scan->line, scan->column, "%s, found the end",
				  what);
	if (*scan->at == '\n' || *scan->at == '\r')
		return err_set_at(err, scan->where, scan->line, scan->column,
				  "%s, found the end of the line", what);
	if (!shown)
		shown = 1; /* a blank */
	return err_set_at(err, scan->where, scan->line, scan->column, "%s, found '%.*s%s'", what,
			  shown > FOUND_MAX ? FOUND_MAX : shown, scan->at,
			  shown > FOUND_MAX ? "…" : "");
}
