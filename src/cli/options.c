/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/options.h"

#include "cli/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool takes_workload(enum command_id id)
{
	return id == COMMAND_compare || id == COMMAND_run;
}

bool names_experiment(const char *word)
{
	size_t length = strlen(word);

	return length > 5 && strcmp(word + length - 5, ".json") == 0;
}

static bool belongs(const struct option_row *row, enum command_id command)
{
	return row->commands >> command & 1;
}

static bool unknown_option(enum command_id command, const char *found, struct err *err)
{
	const char *names[NR_OPTIONS];
	char near[240];
	size_t n = 0;

	for (size_t i = 0; i < NR_OPTIONS; i++)
		if (belongs(&option_rows[i], command))
			names[n++] = option_rows[i].name;
	err_near(near, sizeof(near), found, names, n);
	return err_set(err, "%s has no option '--%s'%s", command_name(command), found, near);
}

static bool store_value(struct options *options, enum option_id id, const char *value,
			struct err *err)
{
	if (options->count[id] == OPTIONS_MAX_REPEATS)
		return err_set(err, "--%s is given more than %d times", option_rows[id].name,
			       OPTIONS_MAX_REPEATS);
	options->value[id][options->count[id]++] = value;
	return true;
}

/* --name, --name=value or --name value; *at is moved past a value taken from the next word. */
static bool parse_long(struct options *options, int argc, char **argv, int *at, struct err *err)
{
	const char *text = argv[*at] + 2, *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : strlen(text);
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)length, text);
	for (size_t i = 0; i < NR_OPTIONS; i++) {
		const struct option_row *row = &option_rows[i];

		if (strcmp(row->name, name) != 0 || !belongs(row, options->command))
			continue;
		if (!row->argument)
			return equals ? err_set(err, "--%s takes no value", name)
				      : store_value(options, (enum option_id)i, "", err);
		if (equals)
			return store_value(options, (enum option_id)i, equals + 1, err);
		if (*at + 1 >= argc)
			return err_set(err, "--%s needs a value: %s", name, row->argument);
		return store_value(options, (enum option_id)i, argv[++*at], err);
	}
	return unknown_option(options->command, name, err);
}

static bool parse_short(struct options *options, int argc, char **argv, int *at, struct err *err)
{
	const char *text = argv[*at];

	for (size_t i = 0; i < NR_OPTIONS; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->letter != text[1] || !belongs(row, options->command))
			continue;
		if (!row->argument)
			return text[2] ? err_set(err, "'%s': short options are given one by one",
						 text)
				       : store_value(options, (enum option_id)i, "", err);
		if (text[2])
			return store_value(options, (enum option_id)i, text + 2, err);
		if (*at + 1 >= argc)
			return err_set(err, "-%c needs a value: %s", row->letter, row->argument);
		return store_value(options, (enum option_id)i, argv[++*at], err);
	}
	return err_set(err, "%s has no option '%.2s' ('schedlab %s --help' lists them)",
		       command_name(options->command), text, command_name(options->command));
}

static bool add_word(struct options *options, const char *word, struct err *err)
{
	if (options->nr_words == OPTIONS_MAX_WORDS)
		return err_set(err, "more than %d words on the command line", OPTIONS_MAX_WORDS);
	options->word[options->nr_words++] = word;
	return true;
}

bool command_line_parse(struct options *options, int argc, char **argv, struct err *err)
{
	bool only_words = false;

	for (int at = 1; at < argc; at++) {
		const char *text = argv[at];
		bool good;

		if (!only_words && strcmp(text, "--") == 0) {
			only_words = true;
			continue;
		}
		if (!only_words && text[0] == '-' && text[1] == '-')
			good = parse_long(options, argc, argv, &at, err);
		else if (!only_words && text[0] == '-' && text[1])
			good = parse_short(options, argc, argv, &at, err);
		else
			good = add_word(options, text, err);
		if (!good)
			return false;
		if (takes_workload(options->command) && options->nr_words == 1 &&
		    !names_experiment(options->word[0]))
			only_words = true;
	}
	return true;
}

const char *option_value(const struct options *options, enum option_id id, const char *otherwise)
{
	return options->count[id] ? options->value[id][options->count[id] - 1] : otherwise;
}

bool option_given(const struct options *options, enum option_id id)
{
	return options->count[id] != 0;
}

bool option_number(const struct options *options, enum option_id id, uint64_t minimum,
		   uint64_t maximum, uint64_t otherwise, uint64_t *value, struct err *err)
{
	const char *text = option_value(options, id, NULL);
	char *end;

	*value = otherwise;
	if (!text)
		return true;
	errno = 0;
	*value = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end || errno || *value < minimum || *value > maximum)
		return err_set(err, "--%s is '%s'; a whole number from %llu to %llu is allowed",
			       option_rows[id].name, text, (unsigned long long)minimum,
			       (unsigned long long)maximum);
	return true;
}

bool option_switch(const struct options *options, enum option_id id, bool otherwise, bool *value,
		   struct err *err)
{
	const char *text = option_value(options, id, otherwise ? "on" : "off");

	*value = strcmp(text, "on") == 0;
	return *value || strcmp(text, "off") == 0 ||
	       err_set(err, "--%s is '%s' (allowed: on, off)", option_rows[id].name, text);
}
