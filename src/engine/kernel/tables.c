/* SPDX-License-Identifier: GPL-2.0-only */
#include "engine/kernel/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 128, LINE_BYTES = 512 };

/* Structures within others whose fields are told apart. */
static const struct {
	const char *owner, *field, *inner;
} nested[] = {
	{ "rq", "cfs", "cfs_rq" },
	{ "rq", "rt", "rt_rq" },
	{ "rq", "dl", "dl_rq" },
	{ "task_struct", "se", "sched_entity" },
};

static FILE *open_table(struct arena *arena, const char *image, const char *which, uint32_t *rows)
{
	FILE *file = fopen(arena_printf(arena, "%s.%s", image, which), "r");
	char line[LINE_BYTES];

	*rows = 0;
	if (!file)
		return NULL;
	while (fgets(line, sizeof(line), file))
		(*rows)++;
	rewind(file);
	return file;
}

static void read_symbols(struct image_tables *t, struct arena *arena, const char *image)
{
	uint32_t rows;
	FILE *file = open_table(arena, image, "symbols", &rows);
	char line[LINE_BYTES], name[NAME_BYTES], kind;
	uint64_t start, bytes;

	if (!file)
		return;
	t->symbol = ARENA_ARRAY(arena, struct image_symbol, rows);
	while (t->nr_symbols < rows && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNx64 " %" SCNx64 " %c %127s", &start, &bytes, &kind, name) !=
		    4)
			continue;
		name[strcspn(name, ".")] = '\0';
		t->symbol[t->nr_symbols++] =
			(struct image_symbol){ start, start + bytes, arena_strdup(arena, name) };
	}
	fclose(file);
}

static void read_fields(struct image_tables *t, struct arena *arena, const char *image)
{
	uint32_t rows;
	FILE *file = open_table(arena, image, "fields", &rows);
	char line[LINE_BYTES], owner[NAME_BYTES], name[NAME_BYTES];
	uint32_t offset, bytes;

	if (!file)
		return;
	t->field = ARENA_ARRAY(arena, struct image_field, rows);
	while (t->nr_fields < rows && fgets(line, sizeof(line), file))
		if (sscanf(line, "%127s %127s %" SCNu32 " %" SCNu32, owner, name, &offset,
			   &bytes) == 4)
			t->field[t->nr_fields++] =
				(struct image_field){ arena_strdup(arena, owner),
						      arena_strdup(arena, name), offset, bytes };
	fclose(file);
}

void image_tables_read(struct image_tables *tables, struct arena *arena, const char *image)
{
	*tables = (struct image_tables){ 0 };
	read_symbols(tables, arena, image);
	read_fields(tables, arena, image);
}

const struct image_symbol *image_symbol_at(const struct image_tables *tables, uint64_t address)
{
	uint32_t low = 0, high = tables->nr_symbols;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tables->symbol[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || tables->symbol[low - 1].end <= address)
		return NULL;
	return &tables->symbol[low - 1];
}

static const char *inner_of(const char *owner, const char *field)
{
	for (size_t i = 0; i < sizeof(nested) / sizeof(nested[0]); i++)
		if (strcmp(nested[i].owner, owner) == 0 && strcmp(nested[i].field, field) == 0)
			return nested[i].inner;
	return NULL;
}

const char *image_field_at(const struct image_tables *tables, struct arena *arena,
			   const char *owner, uint64_t offset)
{
	for (uint32_t i = 0; i < tables->nr_fields; i++) {
		const struct image_field *f = &tables->field[i];
		const char *inner, *within;

		if (offset < f->offset || offset >= f->offset + f->bytes || strcmp(f->owner, owner))
			continue;
		inner = inner_of(owner, f->name);
		within = inner ? image_field_at(tables, arena, inner, offset - f->offset) : "";
		return *within ? arena_printf(arena, "%s.%s", f->name, within) : f->name;
	}
	return "";
}
