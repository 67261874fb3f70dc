/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Option tables of workloads: a row is name, parser, range, default and help.
 *
 * A table is a .def file with these rows, included with OPTION_TABLE set to the struct that holds
 * the values (numbers and flags are uint64_t, texts const char *):
 *   NUMBER(letter, name, field, least, most, default, argument, help)
 *   TIME(letter, name, field, least, most, default in ns, argument, help)
 *   TEXT(letter, name, field, argument, help)
 *   FLAG(letter, name, field, value, help)        stores `value`
 *   REFUSED(letter, name, reason, help)           known, but cannot be simulated
 * Words are read as getopt_long does: -pT, -g4, -g 4, --groups 4, --groups=4, --gro 4, words
 * anywhere, "--" ends the options, the last of several wins. -h and --help are in every table.
 */
#ifndef WORKLOAD_OPTIONS_H
#define WORKLOAD_OPTIONS_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum option_kind { OPTION_NUMBER, OPTION_TIME, OPTION_TEXT, OPTION_FLAG, OPTION_REFUSED };

struct option_row {
	char letter;
	uint8_t kind; /* enum option_kind */
	const char *name;
	size_t offset; /* of the field */
	uint64_t least, most;
	uint64_t value; /* the default; of a flag: what it stores */
	const char *argument, *help;
	const char *reason; /* why it is refused */
};

enum { OPTIONS_MAX_ROWS = 32, OPTIONS_MAX_WORDS = 64 };

struct option_table {
	const char *command; /* "hackbench": begins each message */
	const struct option_row *row;
	uint32_t nr_rows;
	bool words_end; /* options end at the first word, as in front of another command */
};

struct option_result {
	uint32_t given; /* bit i: row i was given */
	bool help;
	uint32_t nr_words, end; /* end: the argument behind the last one that was read */
	const char *word[OPTIONS_MAX_WORDS];
};

/* Sets defaults in `values`, then reads argv[0 … argc - 1], without the command's own name. */
bool options_parse(const struct option_table *table, uint32_t argc, const char *const *argv,
		   void *values, struct option_result *result, struct err *err);
void options_help(const struct option_table *table, FILE *out);
/* True when the row with this letter was given. */
bool options_given(const struct option_table *table, const struct option_result *result,
		   char letter);

#define OPTION_FIELD(field) offsetof(struct OPTION_TABLE, field)
#define NUMBER(l, n, field, low, high, initial, arg, text)                                         \
	{ .letter = l,                                                                             \
	  .kind = OPTION_NUMBER,                                                                   \
	  .name = n,                                                                               \
	  .offset = OPTION_FIELD(field),                                                           \
	  .least = low,                                                                            \
	  .most = high,                                                                            \
	  .value = initial,                                                                        \
	  .argument = arg,                                                                         \
	  .help = text },
#define TIME(l, n, field, low, high, initial, arg, text)                                           \
	{ .letter = l,                                                                             \
	  .kind = OPTION_TIME,                                                                     \
	  .name = n,                                                                               \
	  .offset = OPTION_FIELD(field),                                                           \
	  .least = low,                                                                            \
	  .most = high,                                                                            \
	  .value = initial,                                                                        \
	  .argument = arg,                                                                         \
	  .help = text },
#define TEXT(l, n, field, arg, text)                                                               \
	{ .letter = l,                                                                             \
	  .kind = OPTION_TEXT,                                                                     \
	  .name = n,                                                                               \
	  .offset = OPTION_FIELD(field),                                                           \
	  .argument = arg,                                                                         \
	  .help = text },
#define FLAG(l, n, field, stored, text)                                                            \
	{ .letter = l,                                                                             \
	  .kind = OPTION_FLAG,                                                                     \
	  .name = n,                                                                               \
	  .offset = OPTION_FIELD(field),                                                           \
	  .value = stored,                                                                         \
	  .help = text },
#define REFUSED(l, n, why, text)                                                                   \
	{ .letter = l, .kind = OPTION_REFUSED, .name = n, .reason = why, .help = text },

#endif
