/* SPDX-License-Identifier: GPL-2.0-only */
/* Forms of output by command, other than those of a comparison (report/form.h). */
#ifndef CLI_FORMATS_H
#define CLI_FORMATS_H

#include "cli/options.h"

enum format_id {
#define FORMAT(id, name, command, phrase) FORMAT_##id,
#include "cli/formats.def"
#undef FORMAT
	NR_FORMATS
};

const char *format_name(enum format_id id);
enum command_id format_command(enum format_id id);
const char *format_phrase(enum format_id id);

/* The command's form of that name (NULL: its first). False and err set when it has none. */
bool format_find(enum command_id command, const char *name, enum format_id *id, struct err *err);

#endif
