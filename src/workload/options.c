/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two flags that store into one field (-T, -P) work because the last one wins, and a table lists
 * the field's default, 0, in neither.
 */
#include "workload/options.h"

#include "base/check.h"
#include "workload/words.h"

#include <string.h>

struct reader {
	const struct option_table *table;
	uint32_t argc, at; /* at: the argument to be read next */
	const char *const *argv;
	unsigned char *values;
	struct option_result *result;
	struct err *err;
};

static bool takes_argument(const struct option_row *row)
{
	return row->kind == OPTION_NUMBER || row->kind == OPTION_TIME || row->kind == OPTION_TEXT;
}

static void store(struct reader *r, const struct option_row *row, uint64_t value)
{
	memcpy(r->values + row->offset, &value, sizeof(value));
}

static void set_defaults(struct reader *r)
{
	for (uint32_t i = 0; i < r->table->nr_rows; i++) {
		const struct option_row *row = &r->table->row[i];
		const char *none = NULL;

		if (row->kind == OPTION_NUMBER || row->kind == OPTION_TIME)
			store(r, row, row->value);
		else if (row->kind == OPTION_FLAG)
			store(r, row, 0);
		else if (row->kind == OPTION_TEXT)
			memcpy(r->values + row->offset, &none, sizeof(none));
	}
}

/* "hackbench -g": `spelled` is the option as it was written, without its value. */
static bool fail(struct reader *r, const char *spelled, const char *what)
{
	char where[160];

	snprintf(where, sizeof(where), "%s %s", r->table->command, spelled);
	return err_set_at(r->err, where, 0, 0, "%s", what);
}

static bool read_value(struct reader *r, const struct option_row *row, const char *spelled,
		       const char *text)
{
	char shown[WORD_SHOWN], what[300];
	bool time = row->kind == OPTION_TIME;
	uint64_t value;

	if (row->kind == OPTION_TEXT) {
		memcpy(r->values + row->offset, &text, sizeof(text));
		return true;
	}
	if ((time ? word_time(text, &value) : word_number(text, &value)) && value >= row->least &&
	    value <= row->most) {
		store(r, row, value);
		return true;
	}
	snprintf(what, sizeof(what), "'%s' (allowed: a %s from %llu to %llu%s)",
		 word_show(text, shown), time ? "time" : "number", (unsigned long long)row->least,
		 (unsigned long long)row->most, time ? " ns, with ns, us, ms or s behind it" : "");
	return fail(r, spelled, what);
}

/* attached: what stands behind the option in the same argument, or NULL. */
static bool apply(struct reader *r, const struct option_row *row, const char *spelled,
		  const char *attached)
{
	char what[120];

	r->result->given |= 1u << (row - r->table->row);
	if (row->kind == OPTION_REFUSED)
		return fail(r, spelled, row->reason);
	if (row->kind == OPTION_FLAG) {
		store(r, row, row->value);
		return true;
	}
	if (!attached && r->at == r->argc) {
		snprintf(what, sizeof(what), "needs a value: %s", row->argument);
		return fail(r, spelled, what);
	}
	return read_value(r, row, spelled, attached ? attached : r->argv[r->at++]);
}

static bool unknown_letter(struct reader *r, const char *letter)
{
	char what[300], shown[WORD_SHOWN];
	size_t used;

	word_show(letter, shown);
	used = (size_t)snprintf(what, sizeof(what), "unknown option in '-%s' (allowed:", shown);
	for (uint32_t i = 0; i < r->table->nr_rows && used < sizeof(what); i++)
		used += (size_t)snprintf(what + used, sizeof(what) - used, " -%c",
					 r->table->row[i].letter);
	if (used < sizeof(what))
		snprintf(what + used, sizeof(what) - used, ")");
	return err_set_at(r->err, r->table->command, 0, 0, "%s", what);
}

static const struct option_row *find_letter(const struct option_table *table, char letter)
{
	for (uint32_t i = 0; i < table->nr_rows; i++)
		if (table->row[i].letter == letter)
			return &table->row[i];
	return NULL;
}

/* A cluster of letters, the last of which may have its value attached: "-pTg4". */
static bool read_letters(struct reader *r, const char *letters)
{
	for (const char *at = letters; *at; at++) {
		const struct option_row *row = find_letter(r->table, *at);
		const char *attached = row && takes_argument(row) && at[1] ? at + 1 : NULL;
		char spelled[3] = { '-', *at, '\0' };

		if (!row && *at == 'h') {
			r->result->help = true;
			continue;
		}
		if (!row)
			return unknown_letter(r, at);
		if (!apply(r, row, spelled, attached))
			return false;
		if (takes_argument(row))
			break;
	}
	return true;
}

static bool unknown_name(struct reader *r, const char *name, size_t length)
{
	const char *names[OPTIONS_MAX_ROWS];
	char near[300], found[WORD_SHOWN], shown[WORD_SHOWN];

	for (uint32_t i = 0; i < r->table->nr_rows; i++)
		names[i] = r->table->row[i].name;
	snprintf(found, sizeof(found), "%.*s", (int)(length < WORD_SHOWN ? length : WORD_SHOWN),
		 name);
	err_near(near, sizeof(near), found, names, r->table->nr_rows);
	return err_set_at(r->err, r->table->command, 0, 0, "unknown option '--%s'%s",
			  word_show(found, shown), near);
}

static bool ambiguous_name(struct reader *r, const char *name, size_t length)
{
	char what[300], shown[WORD_SHOWN];
	int used = snprintf(what, sizeof(what), "'--%s' fits", word_show(name, shown));

	for (uint32_t i = 0; i < r->table->nr_rows; i++)
		if (!strncmp(r->table->row[i].name, name, length) && (size_t)used < sizeof(what))
			used += snprintf(what + used, sizeof(what) - (size_t)used, " --%s",
					 r->table->row[i].name);
	return err_set_at(r->err, r->table->command, 0, 0, "%s (allowed: one of them)", what);
}

/* The row with this name, or the only one that begins so. */
static const struct option_row *find_name(const struct option_table *table, const char *name,
					  size_t length, bool *ambiguous)
{
	const struct option_row *found = NULL;

	*ambiguous = false;
	for (uint32_t i = 0; i < table->nr_rows; i++) {
		const struct option_row *row = &table->row[i];

		if (strncmp(row->name, name, length))
			continue;
		if (strlen(row->name) == length) {
			*ambiguous = false;
			return row;
		}
		*ambiguous = found != NULL;
		found = row;
	}
	return found;
}

static bool read_name(struct reader *r, const char *name)
{
	const char *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_row *row;
	char spelled[64];
	bool ambiguous;

	if (!equals && !strcmp(name, "help")) {
		r->result->help = true;
		return true;
	}
	row = find_name(r->table, name, length, &ambiguous);
	if (length && ambiguous)
		return ambiguous_name(r, name, length);
	if (!length || !row)
		return unknown_name(r, name, length);
	snprintf(spelled, sizeof(spelled), "--%s", row->name);
	if (equals && !takes_argument(row))
		return fail(r, spelled, "takes no value");
	return apply(r, row, spelled, equals ? equals + 1 : NULL);
}

bool options_parse(const struct option_table *table, uint32_t argc, const char *const *argv,
		   void *values, struct option_result *result, struct err *err)
{
	struct reader r = { table, argc, 0, argv, values, result, err };
	bool ended = false;

	CHECK(table->nr_rows <= OPTIONS_MAX_ROWS);
	*result = (struct option_result){ 0 };
	set_defaults(&r);
	while (r.at < argc) {
		const char *arg = argv[r.at];

		if (ended || arg[0] != '-' || !arg[1]) {
			if (table->words_end)
				break;
			if (result->nr_words == OPTIONS_MAX_WORDS)
				return err_set_at(err, table->command, 0, 0, "more than %d words",
						  OPTIONS_MAX_WORDS);
			result->word[result->nr_words++] = arg;
			r.at++;
			continue;
		}
		r.at++;
		if (!strcmp(arg, "--"))
			ended = true;
		else if (!(arg[1] == '-' ? read_name(&r, arg + 2) : read_letters(&r, arg + 1)))
			return false;
	}
	result->end = r.at;
	return true;
}

static void help_default(const struct option_row *row, FILE *out)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
	uint32_t unit = 0;

	if (row->kind == OPTION_NUMBER)
		fprintf(out, " (%llu to %llu, default %llu)", (unsigned long long)row->least,
			(unsigned long long)row->most, (unsigned long long)row->value);
	if (row->kind != OPTION_TIME)
		return;
	while (row->value % units[unit].ns)
		unit++;
	fprintf(out, " (default %llu%s)", (unsigned long long)(row->value / units[unit].ns),
		units[unit].name);
}

void options_help(const struct option_table *table, FILE *out)
{
	for (uint32_t i = 0; i < table->nr_rows; i++) {
		const struct option_row *row = &table->row[i];
		char name[64];

		snprintf(name, sizeof(name), "--%s%s%s", row->name, row->argument ? "=" : "",
			 row->argument ? row->argument : "");
		fprintf(out, "  -%c, %-18s %s", row->letter, name, row->help);
		help_default(row, out);
		fputs(row->kind == OPTION_REFUSED ? " (not simulated)\n" : "\n", out);
	}
	fprintf(out, "  -h, %-18s print this help\n", "--help");
}

bool options_given(const struct option_table *table, const struct option_result *result,
		   char letter)
{
	for (uint32_t i = 0; i < table->nr_rows; i++)
		if (table->row[i].letter == letter)
			return result->given >> i & 1;
	return false;
}
