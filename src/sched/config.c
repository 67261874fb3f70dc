/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A variant is read word by word over a copy of the profile's values. The tables are the only place
 * that knows names: parser, limits and lists come from the same rows.
 */
#include "sched/config.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"

struct profile_row {
	const char *name;
	uint32_t version;
	const char *phrase;
};

struct feature_row {
	const char *name;
	uint32_t since, until;
	const char *source, *phrase;
};

enum tunable_scaling { UNSCALED, SCALED };

struct tunable_row {
	const char *name;
	uint64_t minimum, maximum, value;
	enum tunable_scaling scaling;
	const char *phrase;
};

struct tunable_since_row {
	enum sched_tunable tunable;
	uint32_t version;
	uint64_t value;
};

struct line_row {
	const char *name, *scope;
};

struct field_row {
	const char *name;
	enum sched_line line;
	const char *phrase;
};

static const struct profile_row profiles[] = {
#define PROFILE(id, name, version, phrase) { name, version, phrase },
#include "sched/profiles.def"
#undef PROFILE
};

static const struct feature_row features[] = {
#define FEATURE(name, since, until, source, phrase) { #name, since, until, source, phrase },
#include "sched/features.def"
#undef FEATURE
};

static const struct tunable_row tunables[] = {
#define TUNABLE(name, minimum, maximum, value, scaled, phrase)                                     \
	{ #name, minimum, maximum, value, scaled, phrase },
#include "sched/tunables.def"
#undef TUNABLE
};

static const struct tunable_since_row tunables_since[] = {
#define TUNABLE(name, minimum, maximum, value, scaled, phrase)
#define TUNABLE_SINCE(name, version, value) { TUNABLE_##name, version, value },
#include "sched/tunables.def"
#undef TUNABLE
};

static const struct line_row lines[] = {
#define LINE(name, scope, class, phrase) { #name, #scope },
#define FIELD(field, line, phrase)
#include "sched/lines.def"
#undef LINE
#undef FIELD
};

static const struct field_row fields[] = {
#define LINE(name, scope, class, phrase)
#define FIELD(field, line, phrase) { #field, LINE_##line, phrase },
#include "sched/lines.def"
#undef LINE
#undef FIELD
};

enum {
	NR_PROFILES = sizeof(profiles) / sizeof(profiles[0]),
	NR_TUNABLES_SINCE = sizeof(tunables_since) / sizeof(tunables_since[0]),
	WORD_MAX = 128,
};

static uint32_t find_profile(const char *name)
{
	for (uint32_t i = 0; i < NR_PROFILES; i++)
		if (strcmp(profiles[i].name, name) == 0)
			return i;
	return NR_PROFILES;
}

/* What can be unknown: its word, and the list that has all of them. */
enum kind { KIND_FEATURE, KIND_TUNABLE, KIND_FIELD, KIND_LINE, KIND_PROFILE };

static const struct {
	const char *word, *list;
} kinds[] = {
	[KIND_FEATURE] = { "feature", "features" }, [KIND_TUNABLE] = { "tunable", "tunables" },
	[KIND_FIELD] = { "field", "lines" },	    [KIND_LINE] = { "line", "lines" },
	[KIND_PROFILE] = { "profile", "profiles" },
};

/* "unknown KIND 'found' (did you mean …?); 'schedlab list KINDs' has them all". */
static bool unknown(struct err *err, enum kind kind, const char *found,
		    const char *(*name_of)(uint32_t i), uint32_t count)
{
	const char *names[NR_FEATURES + NR_FIELDS + NR_LINES + NR_TUNABLES + NR_PROFILES];
	char near[320];

	CHECK(count <= sizeof(names) / sizeof(names[0]));
	for (uint32_t i = 0; i < count; i++)
		names[i] = name_of(i);
	err_near(near, sizeof(near), found, names, count);
	return err_set(err, "unknown %s '%.64s'%s; 'schedlab list %s' has them all",
		       kinds[kind].word, found, near, kinds[kind].list);
}

static void load_profile(struct sched_config *config, uint32_t i)
{
	config->profile = profiles[i].name;
	config->version = profiles[i].version;
	for (uint32_t f = 0; f < NR_FEATURES; f++)
		config->feature[f] = sched_feature_default(f, config->version);
	for (uint32_t t = 0; t < NR_TUNABLES; t++)
		config->tunable[t] = sched_tunable_default(t, config->version);
	for (uint32_t f = 0; f < NR_FIELDS; f++)
		config->line_of[f] = fields[f].line;
}

static bool parse_feature(struct sched_config *config, const char *word, struct err *err)
{
	for (uint32_t i = 0; i < NR_FEATURES; i++) {
		if (strcmp(features[i].name, word + 1) == 0) {
			config->feature[i] = word[0] == '+';
			return true;
		}
	}
	return unknown(err, KIND_FEATURE, word + 1, sched_feature_name, NR_FEATURES);
}

static bool parse_number(const char *text, uint64_t *value)
{
	*value = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || *value > UINT64_MAX / 16)
			return false;
		*value = *value * 10 + (uint64_t)(*text - '0');
	}
	return true;
}

static bool parse_tunable(struct sched_config *config, const char *name, const char *text,
			  struct err *err)
{
	for (uint32_t i = 0; i < NR_TUNABLES; i++) {
		const struct tunable_row *row = &tunables[i];
		uint64_t value;

		if (strcmp(row->name, name) != 0)
			continue;
		if (!parse_number(text, &value) || value < row->minimum || value > row->maximum)
			return err_set(err, "%s is '%.32s' (allowed: a number from %llu to %llu)",
				       name, text, (unsigned long long)row->minimum,
				       (unsigned long long)row->maximum);
		config->tunable[i] = value;
		return true;
	}
	return unknown(err, KIND_TUNABLE, name, sched_tunable_name, NR_TUNABLES);
}

static uint32_t find_line(const char *name)
{
	for (uint32_t i = 0; i < NR_LINES; i++)
		if (strcmp(lines[i].name, name) == 0)
			return i;
	return NR_LINES;
}

static bool move_field(struct sched_config *config, uint32_t field, const char *to, struct err *err)
{
	const char *scope = lines[fields[field].line].scope;
	uint32_t line;

	if (strcmp(to, "own") == 0) {
		config->line_of[field] = NR_LINES + field;
		return true;
	}
	line = find_line(to);
	if (line == NR_LINES)
		return unknown(err, KIND_LINE, to, sched_line_name, NR_LINES);
	if (strcmp(lines[line].scope, scope) != 0)
		return err_set(
			err,
			"field %s is one of each %s and line %s of each %s (allowed: own, or a "
			"line of the same scope)",
			fields[field].name, scope, to, lines[line].scope);
	config->line_of[field] = line;
	return true;
}

static bool parse_line(struct sched_config *config, const char *field, const char *to,
		       struct err *err)
{
	for (uint32_t i = 0; i < NR_FIELDS; i++)
		if (strcmp(fields[i].name, field) == 0)
			return move_field(config, i, to, err);
	return unknown(err, KIND_FIELD, field, sched_field_name, NR_FIELDS);
}

/* A word that is neither a feature nor an assignment: `base`, or a profile if it is the first. */
static bool parse_name(struct sched_config *config, const char *word, bool is_first,
		       struct err *err)
{
	uint32_t profile = find_profile(word);

	if (strcmp(word, "base") == 0)
		return true;
	if (profile < NR_PROFILES && !is_first)
		return err_set(err, "profile '%s' must be the first word of a variant", word);
	if (profile < NR_PROFILES) {
		load_profile(config, profile);
		return true;
	}
	for (uint32_t i = 0; i < NR_FEATURES; i++)
		if (strcmp(features[i].name, word) == 0)
			return err_set(err, "feature '%s' needs a sign (allowed: +%s, -%s)", word,
				       word, word);
	if (word[0] == 'v')
		return unknown(err, KIND_PROFILE, word, sched_profile_name, NR_PROFILES);
	return err_set(err,
		       "'%.64s' is no part of a variant (allowed: +FEATURE, -FEATURE, "
		       "tunable=value, line.FIELD=own, line.FIELD=LINE, base, a profile first)",
		       word);
}

static bool parse_word(struct sched_config *config, char *word, bool is_first, struct err *err)
{
	char *equals = strchr(word, '=');

	if (word[0] == '+' || word[0] == '-')
		return parse_feature(config, word, err);
	if (!equals)
		return parse_name(config, word, is_first, err);
	*equals = '\0';
	if (strncmp(word, "line.", 5) == 0)
		return parse_line(config, word + 5, equals + 1, err);
	return parse_tunable(config, word, equals + 1, err);
}

bool sched_config_parse(struct sched_config *config, struct arena *arena, const char *profile,
			const char *variant, struct err *err)
{
	uint32_t at = find_profile(profile);
	const char *rest = variant ? variant : "";
	bool is_first = true;

	if (at == NR_PROFILES)
		return unknown(err, KIND_PROFILE, profile, sched_profile_name, NR_PROFILES);
	load_profile(config, at);
	config->variant = arena_strdup(arena, rest);
	while (*rest) {
		size_t length = strcspn(rest, ",");
		char word[WORD_MAX];

		if (length == 0 || length >= sizeof(word))
			return err_set(err, "variant '%.64s' has %s word", variant,
				       length ? "too long a" : "an empty");
		memcpy(word, rest, length);
		word[length] = '\0';
		if (!parse_word(config, word, is_first, err))
			return false;
		is_first = false;
		rest += length;
		if (*rest == ',' && !*++rest)
			return err_set(err, "variant '%.64s' ends in a comma", variant);
	}
	return true;
}

/* Tunable factor of get_update_sysctl_factor(), logarithmic scaling: 1 + log2(min(cpus, 8)). */
uint64_t sched_tunable_scaled(const struct sched_config *config, uint32_t i, uint32_t nr_cpus)
{
	uint64_t factor = 1;

	if (tunables[i].scaling == UNSCALED)
		return config->tunable[i];
	for (uint32_t n = nr_cpus < 8 ? nr_cpus : 8; n > 1; n /= 2)
		factor++;
	return config->tunable[i] * factor;
}

uint32_t sched_nr_profiles(void)
{
	return NR_PROFILES;
}

const char *sched_profile_name(uint32_t i)
{
	return profiles[i].name;
}

const char *sched_profile_phrase(uint32_t i)
{
	return profiles[i].phrase;
}

uint32_t sched_profile_version(uint32_t i)
{
	return profiles[i].version;
}

const char *sched_feature_name(uint32_t i)
{
	return features[i].name;
}

const char *sched_feature_phrase(uint32_t i)
{
	return features[i].phrase;
}

const char *sched_feature_source(uint32_t i)
{
	return features[i].source;
}

bool sched_feature_default(uint32_t i, uint32_t version)
{
	return version >= features[i].since && version < features[i].until;
}

const char *sched_tunable_name(uint32_t i)
{
	return tunables[i].name;
}

const char *sched_tunable_phrase(uint32_t i)
{
	return tunables[i].phrase;
}

uint64_t sched_tunable_default(uint32_t i, uint32_t version)
{
	uint64_t value = tunables[i].value;

	for (uint32_t n = 0; n < NR_TUNABLES_SINCE; n++)
		if (tunables_since[n].tunable == i && version >= tunables_since[n].version)
			value = tunables_since[n].value;
	return value;
}

bool sched_tunable_is_scaled(uint32_t i)
{
	return tunables[i].scaling == SCALED;
}

const char *sched_field_name(uint32_t i)
{
	return fields[i].name;
}

const char *sched_field_phrase(uint32_t i)
{
	return fields[i].phrase;
}

uint32_t sched_field_line(uint32_t i)
{
	return fields[i].line;
}

const char *sched_line_name(uint32_t i)
{
	return lines[i].name;
}
