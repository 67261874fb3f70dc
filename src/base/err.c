/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Nearness is the edit distance, case ignored; a name that begins with what was found is always
 * near. The nearest come first, ties keep the order of the list.
 */
#include "base/err.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_LEN = 64, NEAR_MAX = 3, LIST_MAX_BYTES = 160 };

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

/* What a user typed may hold anything; a message is one line and does not move the cursor. */
static void hide_controls(char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
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
	hide_controls(out);
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

/* The edit distance when the two are near, SIZE_MAX otherwise. */
static size_t nearness(const char *found, const char *name)
{
	size_t len = strlen(found), distance;

	if (!len)
		return SIZE_MAX;
	distance = edit_distance(found, name);
	if (len >= 2 && strncasecmp(found, name, len) == 0)
		return distance < 1 ? distance : 1;
	return distance <= 1 + strnlen(name, NAME_MAX_LEN) / 4 ? distance : SIZE_MAX;
}

static void append(char *out, size_t size, const char *text)
{
	size_t used = strlen(out);

	if (used < size)
		snprintf(out + used, size - used, "%s", text);
}

/* Names at exactly this distance, as long as there is room for them. */
static void append_near(char *out, size_t size, const char *found, size_t distance,
			const char *const *names, size_t count, size_t *shown)
{
	for (size_t i = 0; i < count && *shown < NEAR_MAX; i++) {
		if (nearness(found, names[i]) != distance)
			continue;
		append(out, size, (*shown)++ ? ", " : " (did you mean ");
		append(out, size, names[i]);
	}
}

void err_near(char *out, size_t size, const char *found, const char *const *names, size_t count)
{
	size_t shown = 0;

	out[0] = '\0';
	for (size_t distance = 0; distance <= NAME_MAX_LEN; distance++)
		append_near(out, size, found, distance, names, count, &shown);
	if (shown) {
		append(out, size, "?)");
		return;
	}
	for (size_t i = 0; i < count; i++) {
		append(out, size, i ? ", " : " (allowed: ");
		if (strlen(out) > LIST_MAX_BYTES) {
			append(out, size, "…");
			break;
		}
		append(out, size, names[i]);
	}
	if (count)
		append(out, size, ")");
}
