/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Nearness is the edit distance, case ignored, with a name that begins with what was found always
 * near. Ties keep the order of the list.
 */
#include "base/err.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_LEN = 64, NEAR_MAX = 3 };

static void fill(struct err *err, const char *where, int line, int column, const char *format,
		 va_list args)
{
	if (!err || err->set)
		return;
	err->set = true;
	snprintf(err->where, sizeof(err->where), "%s", where);
	err->line = line;
	err->column = column;
	vsnprintf(err->what, sizeof(err->what), format, args);
}

bool err_set(struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err, "", 0, 0, format, args);
	va_end(args);
	return false;
}

bool err_set_at(struct err *err, const char *where, int line, int column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err, where, line, column, format, args);
	va_end(args);
	return false;
}

void err_locate(struct err *err, const char *where)
{
	if (err && err->set && !err->where[0])
		snprintf(err->where, sizeof(err->where), "%s", where);
}

void err_print(const struct err *err, char *out, size_t size)
{
	if (!err->where[0])
		snprintf(out, size, "%s", err->what);
	else if (err->line && err->column)
		snprintf(out, size, "%s:%d:%d: %s", err->where, err->line, err->column, err->what);
	else if (err->line)
		snprintf(out, size, "%s:%d: %s", err->where, err->line, err->what);
	else
		snprintf(out, size, "%s: %s", err->where, err->what);
}

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int row[NAME_MAX_LEN + 1];
	size_t la = strnlen(a, NAME_MAX_LEN), lb = strnlen(b, NAME_MAX_LEN);

	for (size_t j = 0; j <= lb; j++)
		row[j] = (unsigned int)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned int diagonal = row[0];

		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned int same = tolower((unsigned char)a[i - 1]) ==
					    tolower((unsigned char)b[j - 1]);
			unsigned int cost = min3(row[j] + 1, row[j - 1] + 1, diagonal + !same);

			diagonal = row[j];
			row[j] = cost;
		}
	}
	return row[lb];
}

static bool is_near(const char *found, const char *name)
{
	size_t len = strlen(found);

	if (len >= 2 && strncasecmp(found, name, len) == 0)
		return true;
	return edit_distance(found, name) <= 1 + strnlen(name, NAME_MAX_LEN) / 4;
}

static void append(char *out, size_t size, const char *text)
{
	size_t used = strlen(out);

	if (used < size)
		snprintf(out + used, size - used, "%s", text);
}

void err_near(char *out, size_t size, const char *found, const char *const *names, size_t count)
{
	unsigned int shown = 0;

	out[0] = '\0';
	for (size_t i = 0; i < count && shown < NEAR_MAX; i++) {
		if (!is_near(found, names[i]))
			continue;
		append(out, size, shown++ ? ", " : " (did you mean ");
		append(out, size, names[i]);
	}
	if (shown) {
		append(out, size, "?)");
		return;
	}
	for (size_t i = 0; i < count; i++) {
		append(out, size, i ? ", " : " (allowed: ");
		append(out, size, names[i]);
	}
	if (count)
		append(out, size, ")");
}
