/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which scheduler: a profile (kernel version), with features, tunables and line layout changed by a
 * variant. Everything comes from the tables *.def beside this file.
 *
 * A variant is a list separated by commas: `+FEATURE`, `-FEATURE`, `tunable=value`,
 * `line.FIELD=own` or `line.FIELD=LINE`, and `base` for none. A profile's name at its head, as in
 * `v6.1,+SIS_PROP`, replaces the profile. Names are matched exactly, case included.
 */
#ifndef SCHED_CONFIG_H
#define SCHED_CONFIG_H

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>

/* Versions of features that no profile, or every one from there on, has. */
enum sched_versions { NEVER = UINT16_MAX, FOREVER = UINT16_MAX };

enum sched_feature {
#define FEATURE(name, since, until, source, phrase) FEATURE_##name,
#include "sched/features.def"
#undef FEATURE
	NR_FEATURES
};

enum sched_tunable {
#define TUNABLE(name, minimum, maximum, value, scaled, phrase) TUNABLE_##name,
#include "sched/tunables.def"
#undef TUNABLE
	NR_TUNABLES
};

enum sched_line {
#define LINE(name, scope, class, phrase) LINE_##name,
#define FIELD(field, line, phrase)
#include "sched/lines.def"
#undef LINE
#undef FIELD
	NR_LINES
};

enum sched_field {
#define LINE(name, scope, class, phrase)
#define FIELD(field, line, phrase) FIELD_##field,
#include "sched/lines.def"
#undef LINE
#undef FIELD
	NR_FIELDS
};

struct sched_config {
	const char *profile; /* "v5.12" */
	uint32_t version;    /* major * 100 + minor */
	const char *variant; /* as given, for printing only */
	bool feature[NR_FEATURES];
	uint64_t tunable[NR_TUNABLES]; /* before scaling by the number of cpus */
	/* Which line a field lies in; NR_LINES + field: a line of its own of the same scope. */
	uint32_t line_of[NR_FIELDS];
};

/*
 * False and err set (with near matches) when the profile or a word of the variant is unknown, a
 * value is out of its row's limits or a field would move to a line of another scope. variant may
 * be NULL or empty. Later words win. Texts are copied into the arena.
 */
bool sched_config_parse(struct sched_config *config, struct arena *arena, const char *profile,
			const char *variant, struct err *err);

/* The tunable as it holds on a machine of that many cpus. */
uint64_t sched_tunable_scaled(const struct sched_config *config, uint32_t i, uint32_t nr_cpus);

/* Lists for `schedlab list` and help. */
uint32_t sched_nr_profiles(void);
const char *sched_profile_name(uint32_t i);
const char *sched_profile_phrase(uint32_t i);
uint32_t sched_profile_version(uint32_t i);
const char *sched_feature_name(uint32_t i);
const char *sched_feature_phrase(uint32_t i);
const char *sched_feature_source(uint32_t i);
/* Whether a profile of that version has the feature on. */
bool sched_feature_default(uint32_t i, uint32_t version);
const char *sched_tunable_name(uint32_t i);
const char *sched_tunable_phrase(uint32_t i);
uint64_t sched_tunable_default(uint32_t i, uint32_t version);
/* Whether a machine of many cpus multiplies it, see sched_tunable_scaled(). */
bool sched_tunable_is_scaled(uint32_t i);
const char *sched_field_name(uint32_t i);
const char *sched_field_phrase(uint32_t i);
/* The line on which a field is unless a variant moves it. */
uint32_t sched_field_line(uint32_t i);
const char *sched_line_name(uint32_t i);

#endif
