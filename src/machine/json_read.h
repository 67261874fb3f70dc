/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine as JSON: docs/machine.schema.json, and in words docs beside it.
 *
 * Every field is checked where it stands; an error names file, line, column and path.
 */
#ifndef MACHINE_JSON_READ_H
#define MACHINE_JSON_READ_H

#include "machine/machine.h"

/* `file` is for messages; fallback_name names the record when the file does not. */
struct machine *json_read_machine(struct arena *arena, const char *file, const char *fallback_name,
				  const char *text, size_t size, struct err *err);

#endif
