/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/formats.h"

#include <string.h>

static const struct {
	const char *name;
	enum command_id command;
	const char *phrase;
} rows[NR_FORMATS] = {
#define FORMAT(id, name, command, phrase) { name, command, phrase },
#include "cli/formats.def"
#undef FORMAT
};

const char *format_name(enum format_id id)
{
	return rows[id].name;
}

enum command_id format_command(enum format_id id)
{
	return rows[id].command;
}

const char *format_phrase(enum format_id id)
{
	return rows[id].phrase;
}

bool format_find(enum command_id command, const char *name, enum format_id *id, struct err *err)
{
	const char *names[NR_FORMATS];
	char near[200];
	size_t n = 0;

	for (size_t i = 0; i < NR_FORMATS; i++) {
		if (rows[i].command != command)
			continue;
		if (!name || strcmp(name, rows[i].name) == 0) {
			*id = (enum format_id)i;
			return true;
		}
		names[n++] = rows[i].name;
	}
	err_near(near, sizeof(near), name, names, n);
	return err_set(err, "%s has no format '%s'%s", command_name(command), name, near);
}
