/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells are kept as strings, row-major; an absent cell is NULL and prints as nothing. */
#include "text/table.h"

#include "base/check.h"

#include <stdarg.h>
#include <stdbool.h>

enum { GAP = 2 };

struct table_row {
	const char *cell[TABLE_COLUMNS];
	struct table_row *next;
};

struct table {
	struct arena *arena;	  /* the caller's; holds the rows too */
	uint32_t columns, filled; /* filled: cells in the last row */
	const char *heading[TABLE_COLUMNS];
	enum table_align align[TABLE_COLUMNS];
	uint32_t width[TABLE_COLUMNS];
	struct table_row *first, *last;
};

uint32_t text_width(const char *text)
{
	uint32_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

struct table *table_new(struct arena *arena)
{
	struct table *table = ARENA_NEW(arena, struct table);

	table->arena = arena;
	return table;
}

static void widen(struct table *table, uint32_t column, const char *text)
{
	uint32_t width = text_width(text);

	if (width > table->width[column])
		table->width[column] = width;
}

void table_column(struct table *table, const char *heading, enum table_align align)
{
	CHECK(table->columns < TABLE_COLUMNS && !table->first);
	table->heading[table->columns] = arena_strdup(table->arena, heading ? heading : "");
	table->align[table->columns] = align;
	widen(table, table->columns, table->heading[table->columns]);
	table->columns++;
}

static void row_new(struct table *table)
{
	struct table_row *row = ARENA_NEW(table->arena, struct table_row);

	if (table->last)
		table->last->next = row;
	else
		table->first = row;
	table->last = row;
	table->filled = 0;
}

void table_cell(struct table *table, const char *format, ...)
{
	char text[512];
	va_list args;

	CHECK(table->columns > 0);
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!table->last || table->filled == table->columns)
		row_new(table);
	table->last->cell[table->filled] = arena_strdup(table->arena, text);
	widen(table, table->filled, text);
	table->filled++;
}

void table_end_row(struct table *table)
{
	if (!table->last || table->filled == table->columns)
		row_new(table);
	table->filled = table->columns;
}

static void print_line(const struct table *table, const char *const *cell, FILE *out, int indent)
{
	uint32_t pending = (uint32_t)indent; /* blanks owed before the next ink */

	for (uint32_t c = 0; c < table->columns; c++) {
		const char *text = cell[c] ? cell[c] : "";
		uint32_t pad = table->width[c] - text_width(text);

		if (table->align[c] == TABLE_RIGHT)
			pending += pad;
		if (*text) {
			fprintf(out, "%*s%s", (int)pending, "", text);
			pending = 0;
		}
		if (table->align[c] == TABLE_LEFT)
			pending += pad;
		pending += GAP;
	}
	fputc('\n', out);
}

void table_print(const struct table *table, FILE *out, int indent)
{
	bool headed = false;

	CHECK(indent >= 0);
	for (uint32_t c = 0; c < table->columns; c++)
		headed |= table->heading[c][0] != '\0';
	if (headed)
		print_line(table, table->heading, out, indent);
	for (const struct table_row *row = table->first; row; row = row->next)
		print_line(table, row->cell, out, indent);
}
