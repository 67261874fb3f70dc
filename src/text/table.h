/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables for people: columns as wide as their widest cell, two blanks apart.
 *
 *	struct table *t = table_new(arena);
 *	table_column(t, "groups", TABLE_RIGHT);
 *	table_column(t, "source", TABLE_LEFT);
 *	table_cell(t, "%d", 2);
 *	table_cell(t, "measured");
 *	table_print(t, stdout, 0);
 *
 * Cells fill row after row from the left; a row may be cut short with table_end_row. Text is
 * UTF-8 and counts one column a code point. Lines never end in blanks. Everything lives in the
 * arena. At most TABLE_COLUMNS columns, all declared before the first cell.
 */
#ifndef TEXT_TABLE_H
#define TEXT_TABLE_H

#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>

enum { TABLE_COLUMNS = 64 };

enum table_align {
	TABLE_LEFT,
	TABLE_RIGHT,
};

struct table;

struct table *table_new(struct arena *arena);
/* A heading that is NULL or empty for every column leaves the heading line out. */
void table_column(struct table *table, const char *heading, enum table_align align);
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Leaves the rest of the current row empty; on a fresh row makes an empty line. */
void table_end_row(struct table *table);
/* indent: blanks before every line. The table can be printed again. */
void table_print(const struct table *table, FILE *out, int indent);

/* Columns that UTF-8 text takes: its code points. */
uint32_t text_width(const char *text);

#endif
