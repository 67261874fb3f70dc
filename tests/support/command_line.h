/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workload commands from one string, words apart by blanks, for tests with cmocka, whose header is
 * included before. Each test has a struct fixture as its state.
 */
#ifndef TESTS_COMMAND_LINE_H
#define TESTS_COMMAND_LINE_H

#include "small_machine.h"

#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
	struct arena arena;
	struct machine *machine;
	struct err err;
	char text[700]; /* the error as a user sees it */
};

static inline void fixture_init(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	arena_init(&f->arena);
	f->machine = small_machine(&f->arena);
}

static inline int set_up(void **state)
{
	struct fixture *f = malloc(sizeof(*f));

	assert_non_null(f);
	fixture_init(f);
	*state = f;
	return 0;
}

static inline int tear_down(void **state)
{
	struct fixture *f = *state;

	arena_release(&f->arena);
	free(f);
	return 0;
}

static inline uint32_t split_words(struct arena *arena, const char *line, const char **argv,
				   uint32_t most)
{
	char *next = arena_strdup(arena, line), *word;
	uint32_t argc = 0;

	while (argc < most && (word = strsep(&next, " ")))
		if (*word)
			argv[argc++] = word;
	return argc;
}

static inline struct workload *build_line(struct fixture *f, const char *line)
{
	const char **argv = ARENA_ARRAY(&f->arena, const char *, 200);
	struct workload_command command = { .argv = argv };
	struct workload *w;

	command.argc = split_words(&f->arena, line, argv, 200);
	memset(&f->err, 0, sizeof(f->err));
	w = workload_build(&f->arena, &command, f->machine, &f->err);
	err_print(&f->err, f->text, sizeof(f->text));
	return w;
}

static inline struct workload *builds(void **state, const char *line)
{
	struct fixture *f = *state;
	struct workload *w = build_line(f, line);

	if (!w)
		fail_msg("%s: %s", line, f->text);
	return w;
}

static inline void refuses(void **state, const char *line, const char *wanted)
{
	struct fixture *f = *state;

	assert_null(build_line(f, line));
	assert_string_equal(f->text, wanted);
}

static inline const struct workload_commands *expand_line(struct fixture *f, const char *line)
{
	const char **argv = ARENA_ARRAY(&f->arena, const char *, 200);
	const struct workload_commands *commands;
	uint32_t argc = split_words(&f->arena, line, argv, 200);

	memset(&f->err, 0, sizeof(f->err));
	commands = workload_expand(&f->arena, argc, argv, &f->err);
	err_print(&f->err, f->text, sizeof(f->text));
	return commands;
}

#endif
