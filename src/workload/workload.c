/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/check.h"
#include "workload/kind.h"
#include "workload/prefix.h"
#include "workload/words.h"

#include <string.h>

struct workload {
	const char *name;
	const struct workload_kind *kind;
	void *values;
	const struct program_set *programs;
	uint32_t nr_notes;
	const char *note[1];
};

static const struct {
	const char *name;
	const struct workload_kind *kind;
} kinds[] = {
#define WORKLOAD(name) { #name, &workload_##name },
#include "workload/workloads.def"
#undef WORKLOAD
};
enum { NR_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* word: what was found instead, NULL for nothing. */
static bool unknown_workload(const char *word, struct err *err)
{
	const char *names[NR_KINDS];
	char near[200], shown[WORD_SHOWN];

	for (uint32_t i = 0; i < NR_KINDS; i++)
		names[i] = kinds[i].name;
	err_near(near, sizeof(near), word ? word : "", names, NR_KINDS);
	if (!word)
		return err_set(err, "no workload was given%s", near);
	return err_set(err, "unknown workload '%s'%s", word_show(word, shown), near);
}

/* The workload's row, which stands behind its prefix. */
static bool find_kind(const struct workload_command *command, struct prefix *prefix,
		      uint32_t *found, struct err *err)
{
	const char *word, *slash;

	if (!prefix_parse(prefix, command->argc, command->argv, err))
		return false;
	if (prefix->end == command->argc)
		return unknown_workload(NULL, err);
	word = command->argv[prefix->end];
	slash = strrchr(word, '/');
	for (uint32_t i = 0; i < NR_KINDS; i++) {
		*found = i;
		if (!strcmp(slash ? slash + 1 : word, kinds[i].name))
			return true;
	}
	return unknown_workload(word, err);
}

static bool read_options(struct workload *w, const struct workload_command *command, uint32_t first,
			 struct err *err)
{
	struct option_result result;
	char shown[WORD_SHOWN];

	if (!options_parse(&w->kind->options, command->argc - first, command->argv + first,
			   w->values, &result, err))
		return false;
	if (result.help)
		return err_set_at(err, w->name, 0, 0, "--help asks for help rather than a run");
	if (result.nr_words && !w->kind->words)
		return err_set_at(err, w->name, 0, 0,
				  "'%s' is no option (several values to sweep need quotes: "
				  "'{2,4,8}')",
				  word_show(result.word[0], shown));
	if (result.nr_words && !w->kind->words(w->values, &result, err))
		return false;
	return !w->kind->check || w->kind->check(w->values, err);
}

struct workload *workload_build(struct arena *arena, const struct workload_command *command,
				const struct machine *machine, struct err *err)
{
	struct workload *w = ARENA_NEW(arena, struct workload);
	struct cpuset cpus = cpuset_new(arena, machine->nr_cpus);
	struct program_builder *b;
	struct prefix prefix;
	uint32_t kind;

	if (!find_kind(command, &prefix, &kind, err))
		return NULL;
	w->name = kinds[kind].name;
	w->kind = kinds[kind].kind;
	w->values = arena_alloc(arena, 1, w->kind->values_size, _Alignof(max_align_t));
	if (!read_options(w, command, prefix.end + 1, err) ||
	    !prefix_cpus(&prefix, machine, &cpus, err))
		return NULL;
	if (prefix.memory_policy)
		w->note[w->nr_notes++] = "numactl's memory policy is not simulated";
	b = program_builder_new(arena, &cpus);
	w->kind->build(w->values, b);
	w->programs = program_finish(b, err);
	if (!w->programs)
		err_locate(err, w->name);
	return w->programs ? w : NULL;
}

uint32_t workload_help_kind(const struct workload_command *command)
{
	struct option_result result;
	struct prefix prefix;
	struct arena arena;
	uint32_t kind;
	bool help;

	if (!find_kind(command, &prefix, &kind, NULL))
		return WORKLOAD_NONE;
	arena_init(&arena);
	help = options_parse(
		       &kinds[kind].kind->options, command->argc - prefix.end - 1,
		       command->argv + prefix.end + 1,
		       arena_alloc(&arena, 1, kinds[kind].kind->values_size, _Alignof(max_align_t)),
		       &result, NULL) &&
	       result.help;
	arena_release(&arena);
	return help ? kind : WORKLOAD_NONE;
}

const struct program_set *workload_programs(const struct workload *w)
{
	return w->programs;
}

uint32_t workload_nr_notes(const struct workload *w)
{
	return w->nr_notes;
}

const char *workload_note(const struct workload *w, uint32_t i)
{
	CHECK(i < w->nr_notes);
	return w->note[i];
}

uint32_t workload_metrics(const struct workload *w, const struct workload_run *run,
			  struct workload_metric *metric, uint32_t max)
{
	return w->kind->metrics(w->values, run, metric, max);
}

void workload_print_start(const struct workload *w, FILE *out)
{
	w->kind->print_start(w->values, out);
}

void workload_print_summary(const struct workload *w, const struct workload_run *run, FILE *out)
{
	w->kind->print_summary(w->values, run, out);
}

uint32_t workload_nr_kinds(void)
{
	return NR_KINDS;
}

const char *workload_kind_name(uint32_t i)
{
	CHECK(i < NR_KINDS);
	return kinds[i].name;
}

const char *workload_kind_phrase(uint32_t i)
{
	CHECK(i < NR_KINDS);
	return kinds[i].kind->phrase;
}

void workload_kind_help(uint32_t i, FILE *out)
{
	CHECK(i < NR_KINDS);
	fprintf(out, "%s [OPTION]...%s%s\n%s\n", kinds[i].name,
		kinds[i].kind->words_usage[0] ? " " : "", kinds[i].kind->words_usage,
		kinds[i].kind->phrase);
	options_help(&kinds[i].kind->options, out);
}
