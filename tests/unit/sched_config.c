/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles and variants: what a word means, which words are refused and how. */
#include "sched/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct parsed {
	struct arena arena;
	struct sched_config config;
	struct err err;
	bool ok;
};

static int setup(void **state)
{
	static struct parsed p;

	memset(&p, 0, sizeof(p));
	arena_init(&p.arena);
	*state = &p;
	return 0;
}

static int teardown(void **state)
{
	struct parsed *p = *state;

	arena_release(&p->arena);
	return 0;
}

static bool parse(void **state, const char *profile, const char *variant)
{
	struct parsed *p = *state;

	p->err = (struct err){ 0 };
	p->ok = sched_config_parse(&p->config, &p->arena, profile, variant, &p->err);
	return p->ok;
}

static void assert_refused(void **state, const char *variant, const char *part)
{
	struct parsed *p = *state;

	assert_false(parse(state, "v6.1", variant));
	assert_true(p->err.set);
	if (!strstr(p->err.what, part))
		fail_msg("'%s' lacks '%s'", p->err.what, part);
}

static void a_profile_is_its_version(void **state)
{
	struct parsed *p = *state;

	assert_true(parse(state, "v5.12", NULL));
	assert_string_equal(p->config.profile, "v5.12");
	assert_int_equal(p->config.version, 512);
	assert_true(p->config.feature[FEATURE_SIS_PROP]);
	assert_true(p->config.feature[FEATURE_SIS_MERGED_SCAN]);
	assert_false(p->config.feature[FEATURE_SMT_GATED_IDLE_CORES]);
	assert_false(p->config.feature[FEATURE_SIS_UTIL]);
	assert_true(parse(state, "v6.1", "base"));
	assert_true(p->config.feature[FEATURE_SIS_UTIL]);
	assert_false(p->config.feature[FEATURE_SIS_PROP]);
	assert_false(p->config.feature[FEATURE_EEVDF]);
	assert_true(parse(state, "v6.6", ""));
	assert_true(p->config.feature[FEATURE_EEVDF]);
	assert_false(p->config.feature[FEATURE_DELAY_DEQUEUE]);
}

static void signs_switch_features(void **state)
{
	struct parsed *p = *state;

	assert_true(parse(state, "v5.12", "+SMT_GATED_IDLE_CORES,-SIS_PROP"));
	assert_true(p->config.feature[FEATURE_SMT_GATED_IDLE_CORES]);
	assert_false(p->config.feature[FEATURE_SIS_PROP]);
	assert_string_equal(p->config.variant, "+SMT_GATED_IDLE_CORES,-SIS_PROP");
}

static void a_later_word_wins(void **state)
{
	struct parsed *p = *state;

	assert_true(parse(state, "v6.1", "+SIS_PROP,-SIS_PROP,hz=100,hz=1000"));
	assert_false(p->config.feature[FEATURE_SIS_PROP]);
	assert_int_equal(p->config.tunable[TUNABLE_hz], 1000);
}

static void a_leading_profile_replaces_the_profile(void **state)
{
	struct parsed *p = *state;

	assert_true(parse(state, "v5.12", "v6.1,+SIS_PROP"));
	assert_string_equal(p->config.profile, "v6.1");
	assert_true(p->config.feature[FEATURE_SIS_PROP]);
	assert_true(p->config.feature[FEATURE_SIS_UTIL]);
	assert_refused(state, "+SIS_PROP,v5.12", "must be the first word");
}

static void defaults_follow_the_version(void **state)
{
	struct parsed *p = *state;

	assert_true(parse(state, "v6.12", NULL));
	assert_int_equal(p->config.tunable[TUNABLE_base_slice_ns], 750000);
	assert_true(parse(state, "v6.18", NULL));
	assert_int_equal(p->config.tunable[TUNABLE_base_slice_ns], 700000);
}

static void scaled_figures_grow_with_the_log_of_cpus(void **state)
{
	struct parsed *p = *state;
	const uint32_t cpus[] = { 1, 2, 3, 4, 7, 8, 192 };
	const uint64_t factor[] = { 1, 2, 2, 3, 3, 4, 4 };

	assert_true(parse(state, "v6.1", NULL));
	for (uint32_t i = 0; i < 7; i++) {
		assert_int_equal(
			sched_tunable_scaled(&p->config, TUNABLE_sched_latency_ns, cpus[i]),
			6000000 * factor[i]);
		assert_int_equal(sched_tunable_scaled(&p->config, TUNABLE_hz, cpus[i]), 250);
	}
}

static void fields_move_to_lines(void **state)
{
	struct parsed *p = *state;

	assert_true(parse(state, "v6.1", NULL));
	assert_int_equal(p->config.line_of[FIELD_has_idle_cores], LINE_llc_shared);
	assert_true(parse(state, "v6.1", "line.has_idle_cores=own,line.rq_curr=rq_lock"));
	assert_int_equal(p->config.line_of[FIELD_has_idle_cores], NR_LINES + FIELD_has_idle_cores);
	assert_int_equal(p->config.line_of[FIELD_rq_curr], LINE_rq_lock);
	assert_int_equal(p->config.line_of[FIELD_nr_busy_cpus], LINE_llc_shared);
}

static void wrong_words_are_refused_with_what_is_allowed(void **state)
{
	assert_refused(state, "+SIS_PROB", "did you mean SIS_PROP");
	assert_refused(state, "+sis_prop", "did you mean SIS_PROP");
	assert_refused(state, "SIS_PROP", "+SIS_PROP, -SIS_PROP");
	assert_refused(state, "+", "unknown feature");
	assert_refused(state, "v5.99", "unknown profile 'v5.99'");
	assert_refused(state, "nonsense", "is no part of a variant");
	assert_refused(state, "hzz=5", "unknown tunable 'hzz' (did you mean hz");
	assert_refused(state, "hz=5", "allowed: a number from 100 to 1000");
	assert_refused(state, "hz=", "hz is ''");
	assert_refused(state, "hz=-1", "hz is '-1'");
	assert_refused(state, "hz=99999999999999999999999999", "from 100 to 1000");
	assert_refused(state, "line.has_idle_core=own", "did you mean has_idle_cores");
	assert_refused(state, "line.has_idle_cores=llc_share", "did you mean llc_shared");
	assert_refused(state, "line.has_idle_cores=rq_lock", "of the same scope");
	assert_refused(state, "line.=own", "unknown field ''");
	assert_refused(state, "=", "unknown tunable ''");
	assert_refused(state, ",", "an empty word");
	assert_refused(state, "+SIS_PROP,", "ends in a comma");
	assert_refused(state, "+SIS_PROP,,hz=100", "an empty word");
}

static void a_word_of_any_length_is_survived(void **state)
{
	char text[1000];

	for (size_t length = 1; length < sizeof(text); length++) {
		memset(text, 'x', length);
		text[length] = '\0';
		assert_false(parse(state, "v6.1", text));
		text[0] = '+';
		assert_false(parse(state, "v6.1", text));
		assert_false(parse(state, text, NULL));
	}
}

static void an_unknown_profile_names_the_near_ones(void **state)
{
	struct parsed *p = *state;

	assert_false(parse(state, "v6.13", NULL));
	assert_non_null(strstr(p->err.what, "v6.1"));
}

static void every_row_is_sound(void **state)
{
	struct parsed *p = *state;

	for (uint32_t i = 0; i < sched_nr_profiles(); i++) {
		assert_true(parse(state, sched_profile_name(i), NULL));
		assert_int_equal(p->config.version, sched_profile_version(i));
		assert_true(*sched_profile_phrase(i) != '\0');
		for (uint32_t t = 0; t < NR_TUNABLES; t++) {
			char word[64];

			snprintf(word, sizeof(word), "%s=%llu", sched_tunable_name(t),
				 (unsigned long long)p->config.tunable[t]);
			assert_true(parse(state, sched_profile_name(i), word));
		}
	}
	for (uint32_t i = 0; i < NR_FEATURES; i++) {
		assert_true(*sched_feature_phrase(i) && *sched_feature_source(i));
		assert_false(sched_feature_default(i, 0) && sched_feature_default(i, 65534) &&
			     !sched_feature_default(i, 601));
	}
	for (uint32_t i = 0; i < NR_FIELDS; i++)
		assert_true(*sched_field_name(i) && *sched_field_phrase(i));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_profile_is_its_version),
		TEST(signs_switch_features),
		TEST(a_later_word_wins),
		TEST(a_leading_profile_replaces_the_profile),
		TEST(defaults_follow_the_version),
		TEST(scaled_figures_grow_with_the_log_of_cpus),
		TEST(fields_move_to_lines),
		TEST(wrong_words_are_refused_with_what_is_allowed),
		TEST(a_word_of_any_length_is_survived),
		TEST(an_unknown_profile_names_the_near_ones),
		TEST(every_row_is_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
