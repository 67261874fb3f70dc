/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables beside an image: its symbols, and the fields of the structures that profiles speak
 * of. Private to engine/kernel.
 */
#ifndef ENGINE_KERNEL_TABLES_H
#define ENGINE_KERNEL_TABLES_H

#include "base/arena.h"

#include <stdint.h>

struct image_symbol {
	uint64_t start, end;
	const char *name; /* without what the compiler adds behind a dot */
};

struct image_field {
	const char *owner, *name; /* "rq", "nr_running" */
	uint32_t offset, bytes;
};

struct image_tables {
	uint32_t nr_symbols, nr_fields;
	struct image_symbol *symbol; /* in ascending order */
	struct image_field *field;
};

/* What cannot be read is empty: names are then missing, nothing else. */
void image_tables_read(struct image_tables *tables, struct arena *arena, const char *image);

/* NULL when no symbol has that address. */
const struct image_symbol *image_symbol_at(const struct image_tables *tables, uint64_t address);

/* "cfs.nr_running" of ("rq", offset); "" when not known. In the arena. */
const char *image_field_at(const struct image_tables *tables, struct arena *arena,
			   const char *owner, uint64_t offset);

#endif
