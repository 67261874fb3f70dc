/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/cmd_kernel_check.h"

#include "conform/conform.h"
#include "engine/kernel/decisions.h"
#include "engine/kernel/domains.h"
#include "engine/kernel/kernel.h"
#include "machine/read.h"

#include <string.h>

static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		putc(*name == '_' ? ' ' : *name, out);
}

static bool check_fact(uint32_t i, const struct conform_subject *subject, FILE *out)
{
	struct err err = { 0 };
	bool holds = conform_fact_holds(i, subject, &err);

	fputs(holds ? "ok    " : "NOT   ", out);
	print_name(out, conform_fact_name(i));
	fprintf(out, holds ? "\n" : ": %s\n", err.what);
	fflush(out);
	return holds;
}

/* ---- domains ---- */

static const char *domains_differ(struct arena *arena, const char *machine,
				  const struct kernel_record *record, struct err *err)
{
	struct machine *m = machine_read(arena, machine, err);
	struct kernel_domains domains;

	if (!m || !kernel_domains_read(&domains, arena, m, record->image, record->release, err))
		return err->what;
	return kernel_domains_difference(&domains, arena);
}

static bool check_domains(const struct kernel_record *record, FILE *out)
{
	bool equal = true;

	for (uint32_t i = 0; i < machine_nr_presets() && equal; i++) {
		const char *name = machine_preset_name(i), *difference;
		struct err err = { 0 };
		struct arena arena;

		arena_init(&arena);
		difference = domains_differ(&arena, name, record, &err);
		if (difference)
			fprintf(out, "NOT   domains equal to the topology module: %s: %s\n", name,
				difference);
		equal = !difference;
		arena_release(&arena);
	}
	if (equal)
		fprintf(out, "ok    domains equal to the topology module on %u machines\n",
			machine_nr_presets());
	return equal;
}

/* ---- decisions ---- */

/* The model equals these versions in every state, so that one difference is a defect; of others
 * less is known. */
static uint64_t allowed_to_differ(const char *profile, uint64_t asked)
{
	bool is_reference = !strcmp(profile, "v6.1") || !strcmp(profile, "v6.12");

	return is_reference ? 0 : asked / 1000;
}

/* A patch may well change them; a version that the model does not know has nothing to be asked. */
static bool check_decisions(const struct kernel_record *record, struct arena *arena, FILE *out)
{
	enum { STATES = 100000 };
	const char *profile = kernel_version(arena, record);
	struct decisions result;
	struct err err = { 0 };
	bool good;

	if (!decisions_compare(record->image, profile, STATES, 1, &result, &err)) {
		fprintf(out, "-     wake-ups are placed as by the model: not asked: %s\n",
			err.what);
		return true;
	}
	good = record->nr_patches ||
	       result.asked - result.alike <= allowed_to_differ(profile, result.asked);
	fprintf(out, "%s wake-ups are placed as by the model, %s: %llu of %llu random states\n",
		good ? "ok   " : "NOT  ", profile, (unsigned long long)result.alike,
		(unsigned long long)result.asked);
	for (uint32_t i = 0; i < result.shown && i < 3; i++)
		fprintf(out, "      %s\n", result.text[i]);
	return good;
}

bool kernel_check(const struct kernel_record *record, struct arena *arena, FILE *out)
{
	struct conform_subject subject = { engine_kernel(), record->release, record->image };
	uint32_t held = 0, nr = conform_nr_facts();

	for (uint32_t i = 0; i < nr; i++)
		held += check_fact(i, &subject, out);
	held += check_domains(record, out);
	held += check_decisions(record, arena, out);
	fprintf(out,
		"kernel:%s (%s): %u of %u hold; a warning of the kernel would have failed one\n",
		record->name, record->release, held, nr + 2);
	return held == nr + 2;
}
