/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/cmd_kernel_check.h"

#include "conform/conform.h"
#include "engine/kernel/decisions.h"
#include "engine/kernel/domains.h"
#include "engine/kernel/kernel.h"
#include "machine/read.h"
#include "sched/config.h"

#include <string.h>

struct check {
	const struct kernel_record *record;
	struct arena *arena;
	FILE *out;
	uint32_t nr_asked, nr_held;
};

/* ---- what a configuration leaves out ---- */

/* Whether "-OPTION" is a word of what was configured otherwise than by default. */
static bool lacks(const struct kernel_record *record, const char *option)
{
	size_t length = strlen(option);

	for (const char *at = record->options; (at = strchr(at, '-')); at++)
		if (!strncmp(at + 1, option, length) && (!at[length + 1] || at[length + 1] == ' '))
			return true;
	return false;
}

/* The first of the levels that a kernel was built without, or NULL. */
static const char *missing_level(const struct kernel_record *record)
{
	static const char *const level[] = { "SCHED_SMT", "SCHED_CLUSTER", "SCHED_MC" };

	for (size_t i = 0; i < sizeof(level) / sizeof(level[0]); i++)
		if (lacks(record, level[i]))
			return level[i];
	return NULL;
}

static void not_asked(const struct check *c, const char *what, const char *option)
{
	fprintf(c->out, "-     %s: not asked: the kernel has no %s\n", what, option);
}

/* ---- facts ---- */

static const char *sentence_of(struct arena *arena, const char *name)
{
	char *text = arena_strdup(arena, name);

	for (char *at = text; *at; at++)
		if (*at == '_')
			*at = ' ';
	return text;
}

static void check_fact(struct check *c, uint32_t i, const struct conform_subject *subject)
{
	const char *text = sentence_of(c->arena, conform_fact_name(i));
	const char *option = conform_fact_option(i);
	struct err err = { 0 };

	if (option && lacks(c->record, option)) {
		not_asked(c, text, option);
		return;
	}
	c->nr_asked++;
	if (conform_fact_holds(i, subject, &err)) {
		c->nr_held++;
		fprintf(c->out, "ok    %s\n", text);
	} else {
		fprintf(c->out, "NOT   %s: %s\n", text, err.what);
	}
	fflush(c->out);
}

/* ---- domains ---- */

/* One question: the domains of some machines, as booted or after every third cpu went off. */
struct domains_question {
	const char *sentence;
	const char *(*machine)(uint32_t i); /* for i below nr */
	uint32_t nr;
	bool some_off;
};

static const char *domains_differ(struct arena *arena, const char *machine, bool some_off,
				  const struct kernel_record *record, struct err *err)
{
	struct machine *m = machine_read(arena, machine, err);
	struct kernel_domains domains;
	struct cpuset off;

	if (!m)
		return err->what;
	off = cpuset_new(arena, m->nr_cpus);
	cpuset_for_each (cpu, &m->online)
		if (cpu % 3 == 1)
			cpuset_add(&off, cpu);
	if (!kernel_domains_read_without(&domains, arena, m, some_off ? &off : NULL, record->image,
					 record->release, err))
		return err->what;
	return kernel_domains_difference(&domains, arena);
}

static bool domains_equal(const struct check *c, const struct domains_question *q, uint32_t i)
{
	const char *difference;
	struct err err = { 0 };
	struct arena arena;

	arena_init(&arena);
	difference = domains_differ(&arena, q->machine(i), q->some_off, c->record, &err);
	if (difference)
		fprintf(c->out, "NOT   %s: %s: %s\n", q->sentence, q->machine(i), difference);
	arena_release(&arena);
	return !difference;
}

static void check_domains(struct check *c, const struct domains_question *q)
{
	const char *missing = missing_level(c->record);
	uint32_t equal = 0;

	if (q->some_off && lacks(c->record, "HOTPLUG_CPU"))
		missing = "HOTPLUG_CPU";
	if (missing) {
		not_asked(c, q->sentence, missing);
		return;
	}
	while (equal < q->nr && domains_equal(c, q, equal))
		equal++;
	c->nr_asked++;
	if (equal < q->nr)
		return;
	c->nr_held++;
	fprintf(c->out, "ok    %s on %u machines\n", q->sentence, q->nr);
}

static const char *two_machines(uint32_t i)
{
	return i ? "numa:4 l3:2 core:3 pu:2" : "2x4x2";
}

static void check_all_domains(struct check *c)
{
	const struct domains_question question[] = {
		{ "domains equal to the topology module", machine_preset_name, machine_nr_presets(),
		  false },
		{ "domains equal after cpus went off", two_machines, 2, true },
	};

	for (size_t i = 0; i < sizeof(question) / sizeof(question[0]); i++)
		check_domains(c, &question[i]);
}

/* ---- decisions ---- */

/* The model equals these versions in every state, so that one difference is a defect; of others
 * less is known. */
static uint64_t allowed_to_differ(const char *profile, uint64_t asked)
{
	bool is_reference = !strcmp(profile, "v6.1") || !strcmp(profile, "v6.12");

	return is_reference ? 0 : asked / 1000;
}

static bool model_knows(const char *profile)
{
	for (uint32_t i = 0; i < sched_nr_profiles(); i++)
		if (!strcmp(sched_profile_name(i), profile))
			return true;
	return false;
}

/* A patch may well change them; a version that the model does not know has nothing to be asked. */
static void check_decisions(struct check *c)
{
	enum { STATES = 100000 };
	const char *profile = kernel_version(c->arena, c->record);
	struct decisions result;
	struct err err = { 0 };
	bool good;

	if (missing_level(c->record)) {
		not_asked(c, "wake-ups are placed as by the model", missing_level(c->record));
		return;
	}
	if (!model_knows(profile)) {
		fprintf(c->out,
			"-     wake-ups are placed as by the model: not asked: the model has no "
			"profile of %s\n",
			profile);
		return;
	}
	c->nr_asked++;
	if (!decisions_compare(c->record->image, profile, STATES, 1, &result, &err)) {
		fprintf(c->out, "NOT   wake-ups are placed as by the model: %s\n", err.what);
		return;
	}
	good = c->record->nr_patches ||
	       result.asked - result.alike <= allowed_to_differ(profile, result.asked);
	c->nr_held += good;
	fprintf(c->out, "%s wake-ups are placed as by the model, %s: %llu of %llu random states\n",
		good ? "ok   " : "NOT  ", profile, (unsigned long long)result.alike,
		(unsigned long long)result.asked);
	for (uint32_t i = 0; i < result.shown && i < 3; i++)
		fprintf(c->out, "      %s\n", result.text[i]);
}

bool kernel_check(const struct kernel_record *record, struct arena *arena, FILE *out)
{
	struct conform_subject subject = { engine_kernel(), record->release, record->image };
	struct check check = { .record = record, .arena = arena, .out = out };

	for (uint32_t i = 0; i < conform_nr_facts(); i++)
		check_fact(&check, i, &subject);
	check_all_domains(&check);
	check_decisions(&check);
	fprintf(out,
		"kernel:%s (%s): %u of %u hold; a warning of the kernel would have failed one\n",
		record->name, record->release, check.nr_held, check.nr_asked);
	return check.nr_held == check.nr_asked;
}
