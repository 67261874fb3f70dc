/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernels as engines: building, listing, removing, checking. */
#include "kernel/kernel.h"

#include "base/check.h"
#include "cli/cmd_kernel_check.h"
#include "cli/commands.h"
#include "text/table.h"

#include <string.h>

typedef enum exit_code action(const struct options *options, struct arena *arena, struct err *err);

/* The word after build, remove or check: exactly one. */
static const char *only_word(const struct options *options, const char *what, struct err *err)
{
	if (options->nr_words == 2)
		return options->word[1];
	err_set(err, "kernel %s takes one %s (found: %u)", options->word[0], what,
		options->nr_words - 1);
	return NULL;
}

static FILE *output(const struct options *options)
{
	FILE *out = option_given(options, OPTION_quiet) ? fopen("/dev/null", "w") : stdout;

	if (!out)
		die("cannot write /dev/null");
	return out;
}

static enum exit_code build(const struct options *options, struct arena *arena, struct err *err)
{
	struct kernel_request request = {
		.name = option_value(options, OPTION_name, NULL),
		.source = only_word(options, "tree or tarball", err),
		.config = option_value(options, OPTION_config, NULL),
		.patch = options->value[OPTION_patch],
		.nr_patches = options->count[OPTION_patch],
		.bare = option_given(options, OPTION_bare),
		.out = output(options),
	};
	struct kernel_record record;

	if (!request.source)
		return EXIT_INPUT;
	if (!request.name) {
		err_set(err,
			"kernel build needs --name NAME: what the kernel is called from now on");
		return EXIT_INPUT;
	}
	if (!kernel_build(arena, &request, err) || !kernel_find(arena, request.name, &record, err))
		return EXIT_INPUT;
	fprintf(request.out, "kernel:%s is %s (%s), %llu KiB\n", record.name, record.release,
		record.counted ? "counted" : "bare",
		(unsigned long long)(record.image_bytes >> 10));
	return EXIT_FINE;
}

static enum exit_code list(const struct options *options, struct arena *arena, struct err *err)
{
	uint32_t count;
	struct kernel_record *all;
	struct table *table = table_new(arena);

	if (options->nr_words > 1) {
		err_set(err, "kernel list takes no word (found: '%s')", options->word[1]);
		return EXIT_INPUT;
	}
	all = kernel_list(arena, &count, err);
	if (!all)
		return EXIT_INPUT;
	table_column(table, "kernel", TABLE_LEFT);
	table_column(table, "release", TABLE_LEFT);
	table_column(table, "kind", TABLE_LEFT);
	table_column(table, "KiB", TABLE_RIGHT);
	table_column(table, "options", TABLE_LEFT);
	table_column(table, "patches", TABLE_LEFT);
	table_column(table, "source", TABLE_LEFT);
	for (uint32_t i = 0; i < count; i++) {
		table_cell(table, "%s", all[i].name);
		table_cell(table, "%s", all[i].release);
		table_cell(table, "%s", all[i].counted ? "counted" : "bare");
		table_cell(table, "%llu", (unsigned long long)(all[i].image_bytes >> 10));
		table_cell(table, "%s", all[i].options);
		table_cell(table, "%s",
			   all[i].nr_patches ? kernel_patch_names(arena, &all[i], " ") : "-");
		table_cell(table, "%s", all[i].source);
	}
	table_print(table, stdout, 0);
	return EXIT_FINE;
}

static enum exit_code remove_one(const struct options *options, struct arena *arena,
				 struct err *err)
{
	const char *name = only_word(options, "kernel's name", err);

	return name && kernel_remove(arena, name, err) ? EXIT_FINE : EXIT_INPUT;
}

static enum exit_code check(const struct options *options, struct arena *arena, struct err *err)
{
	const char *name = only_word(options, "kernel's name", err);
	struct kernel_record record;

	if (!name || !kernel_find(arena, name, &record, err))
		return EXIT_INPUT;
	return kernel_check(&record, arena, stdout) ? EXIT_FINE : EXIT_FOUND;
}

static const struct {
	const char *name;
	action *run;
} actions[] = {
	{ "build", build },
	{ "list", list },
	{ "remove", remove_one },
	{ "check", check },
};

enum { NR_ACTIONS = sizeof(actions) / sizeof(actions[0]) };

enum exit_code command_kernel(const struct options *options, struct err *err)
{
	const char *names[NR_ACTIONS];
	enum exit_code code = EXIT_INPUT;
	struct arena arena;
	char near[200];

	for (size_t i = 0; i < NR_ACTIONS; i++)
		names[i] = actions[i].name;
	if (!options->nr_words) {
		err_set(err, "kernel needs a word (allowed: build, list, remove, check)");
		return EXIT_INPUT;
	}
	arena_init(&arena);
	for (size_t i = 0; i < NR_ACTIONS; i++) {
		if (strcmp(options->word[0], names[i]))
			continue;
		code = actions[i].run(options, &arena, err);
		arena_release(&arena);
		return code;
	}
	arena_release(&arena);
	err_near(near, sizeof(near), options->word[0], names, NR_ACTIONS);
	err_set(err, "kernel: unknown word '%s'%s", options->word[0], near);
	return EXIT_INPUT;
}
