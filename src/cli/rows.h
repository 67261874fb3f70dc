/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of commands.def and options.def, for parser and help. */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include "cli/options.h"

struct option_row {
	const char *name;
	char letter;	      /* 0: none */
	const char *argument; /* NULL: a flag */
	uint32_t commands;    /* bit by command_id */
	const char *phrase;
};

struct command_row {
	const char *name, *synopsis, *phrase;
};

extern const struct option_row option_rows[NR_OPTIONS];
extern const struct command_row command_rows[NR_COMMANDS];

#endif
