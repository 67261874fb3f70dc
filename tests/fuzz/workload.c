/* SPDX-License-Identifier: GPL-2.0-only */
/* Command lines: words apart by line ends, built for a machine of two nodes. */
#include "fuzz.h"

#include "machine/read.h"
#include "workload/workload.h"

enum { WORDS_MAX = 100, CELLS_BUILT = 4 };

static FILE *null_file(void)
{
	FILE *out = fopen("/dev/null", "w");

	CHECK(out);
	return out;
}

static void use(const struct workload *w)
{
	struct workload_metric metric[WORKLOAD_MAX_METRICS];
	const struct workload_run run = { .mark_ns = { 1000, 5000000 }, .end_ns = 6000000 };
	FILE *out = null_file();
	uint32_t nr = workload_metrics(w, &run, metric, WORKLOAD_MAX_METRICS);

	CHECK(nr && nr <= WORKLOAD_MAX_METRICS);
	for (uint32_t i = 0; i < nr; i++)
		CHECK(metric[i].value > 0 && metric[i].name && metric[i].unit);
	for (uint32_t i = 0; i < workload_nr_notes(w); i++)
		CHECK(workload_note(w, i));
	workload_print_start(w, out);
	workload_print_summary(w, &run, out);
	fclose(out);
}

static void build(const struct workload_command *command, const struct machine *m)
{
	uint32_t help = workload_help_kind(command);
	struct err err = { 0 };
	struct arena arena;
	struct workload *w;

	CHECK(help == WORKLOAD_NONE || help < workload_nr_kinds());
	arena_init(&arena);
	w = workload_build(&arena, command, m, &err);
	fuzz_answer(w != NULL, &err);
	CHECK(!w || help == WORKLOAD_NONE);
	if (w)
		use(w);
	arena_release(&arena);
}

static const struct machine *two_nodes(void)
{
	static struct machine *m;
	static struct arena arena;
	struct err err = { 0 };

	if (!m)
		m = machine_read(&arena, "2x2x2", &err);
	CHECK(m);
	return m;
}

static void expand(struct arena *arena, char *text)
{
	const char **argv = ARENA_ARRAY(arena, const char *, WORDS_MAX);
	const struct workload_commands *commands;
	struct err err = { 0 };
	uint32_t argc = 0;

	while (text && argc < WORDS_MAX)
		argv[argc++] = strsep(&text, "\n");
	commands = workload_expand(arena, argc, argv, &err);
	fuzz_answer(commands != NULL, &err);
	if (!commands)
		return;
	CHECK(commands->nr_commands && commands->nr_commands <= WORKLOAD_MAX_CELLS);
	for (uint32_t i = 0; i < commands->nr_commands && i < CELLS_BUILT; i++)
		build(&commands->command[i], two_nodes());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;

	arena_init(&arena);
	expand(&arena, fuzz_text(&arena, data, size));
	arena_release(&arena);
	return 0;
}
