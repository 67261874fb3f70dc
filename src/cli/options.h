/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line: commands.def and options.def as data, and a parser that refuses what is not
 * there.
 *
 * Options may come before or after words, until `--`. A command that takes a workload stops at the
 * first word that is no option (unless it names an experiment file, *.json): all from there on
 * belongs to the workload.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/err.h"
#include "lab/variant.h"

#include <stdint.h>
#include <stdio.h>

enum command_id {
#define COMMAND(id, synopsis, phrase) COMMAND_##id,
#include "cli/commands.def"
#undef COMMAND
	NR_COMMANDS
};

enum option_id {
#define OPTION(id, name, letter, argument, commands, phrase) OPTION_##id,
#include "cli/options.def"
#undef OPTION
	NR_OPTIONS
};

enum options_limits { OPTIONS_MAX_REPEATS = 32, OPTIONS_MAX_WORDS = 256 };

struct options {
	enum command_id command;
	uint32_t count[NR_OPTIONS];
	const char *value[NR_OPTIONS][OPTIONS_MAX_REPEATS]; /* of options with an argument */
	uint32_t nr_words;
	const char *word[OPTIONS_MAX_WORDS];
};

/* argv[0] is the command's name. Pointers into argv are kept. */
bool command_line_parse(struct options *options, int argc, char **argv, struct err *err);

/* Whether the word is the file of an experiment rather than a workload. */
bool names_experiment(const char *word);

/* The last value given, or `otherwise`. */
const char *option_value(const struct options *options, enum option_id id, const char *otherwise);
bool option_given(const struct options *options, enum option_id id);
/* False and err set when the value is no whole number within the limits. */
bool option_number(const struct options *options, enum option_id id, uint64_t minimum,
		   uint64_t maximum, uint64_t otherwise, uint64_t *value, struct err *err);

/* "on" or "off"; false and err set when it is neither. */
bool option_switch(const struct options *options, enum option_id id, bool otherwise, bool *value,
		   struct err *err);

const char *command_name(enum command_id id);

/* Help of the program or of one command, the manual page (roff), a completion script (bash). */
void help_program(FILE *out);
void help_command(enum command_id id, FILE *out);
void help_manual(FILE *out);
void help_completion(FILE *out);

#endif
