/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/rows.h"

#define FOR(id) (1u << COMMAND_##id)
const struct option_row option_rows[NR_OPTIONS] = {
#define OPTION(id, name, letter, argument, commands, phrase)                                       \
	{ name, letter, argument, commands, phrase },
#include "cli/options.def"
#undef OPTION
};

const struct command_row command_rows[NR_COMMANDS] = {
#define COMMAND(id, synopsis, phrase) { #id, synopsis, phrase },
#include "cli/commands.def"
#undef COMMAND
};

const char *command_name(enum command_id id)
{
	return command_rows[id].name;
}
