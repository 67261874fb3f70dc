/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The subcommands. Each takes parsed options and returns an exit code; a mistake in the input is
 * returned as an error for main() to print, with EXIT_INPUT.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"
#include "machine/machine.h"

enum exit_code {
	EXIT_FINE = 0,
	EXIT_FOUND = 1, /* what --fail-if asked for */
	EXIT_INPUT = 2,
	EXIT_INTERRUPTED = 130,
};

#define COMMAND(id, synopsis, phrase)                                                              \
	enum exit_code command_##id(const struct options *options, struct err *err);
#include "cli/commands.def"
#undef COMMAND

/* The machine that `spec` names, with the --set changes; NULL and err set when wrong. */
struct machine *command_machine_named(struct arena *arena, const struct options *options,
				      const char *spec, struct err *err);

/* What `schedlab bench NAME` does; an unknown name is an error. */
enum exit_code bench_run(const char *name, struct err *err);

#endif
