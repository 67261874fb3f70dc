/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cell n of the product takes of each sweep the value that n has as a digit in the mixed base of
 * the sweeps' sizes, the last sweep being the lowest digit.
 */
#include "workload/sweep.h"
#include "workload/words.h"
#include "workload/workload.h"

#include <string.h>

struct expansion {
	struct arena *arena;
	uint32_t argc, nr_swept, nr_cells;
	struct sweep sweep[WORKLOAD_MAX_ARGS];
	const char *key[WORKLOAD_MAX_ARGS]; /* of the swept ones, in order */
};

static bool is_option(const char *arg)
{
	return arg[0] == '-' && arg[1] && !(arg[1] >= '0' && arg[1] <= '9');
}

/* What to call the swept argument i: its option, or its place in the command. */
static const char *key_of(struct expansion *e, const char *const *argv, uint32_t i)
{
	if (e->sweep[i].key)
		return e->sweep[i].key;
	if (i && is_option(argv[i - 1]) && !strchr(argv[i - 1], '='))
		return argv[i - 1];
	return arena_printf(e->arena, "argument %u", i);
}

static bool read_argument(struct expansion *e, const char *const *argv, uint32_t i, struct err *err)
{
	struct sweep *sweep = &e->sweep[i];

	if (strnlen(argv[i], WORKLOAD_MAX_ARG_BYTES + 1) > WORKLOAD_MAX_ARG_BYTES)
		return err_set(err, "argument %u is longer than %d bytes", i,
			       WORKLOAD_MAX_ARG_BYTES);
	if (!sweep_parse(e->arena, argv[i], WORKLOAD_MAX_CELLS, sweep, err))
		return false;
	if (!sweep->swept)
		return true;
	e->key[e->nr_swept++] = key_of(e, argv, i);
	e->nr_cells *= sweep->nr_values;
	if (e->nr_cells > WORKLOAD_MAX_CELLS)
		return err_set_at(err, "sweep", 0, 0,
				  "the command stands for more than %d commands",
				  WORKLOAD_MAX_CELLS);
	return true;
}

static void fill_cell(struct expansion *e, uint32_t cell, struct workload_command *command)
{
	const char **argv = ARENA_ARRAY(e->arena, const char *, e->argc + 1);
	const char **value = ARENA_ARRAY(e->arena, const char *, e->nr_swept + 1);
	const char **key = ARENA_ARRAY(e->arena, const char *, e->nr_swept + 1);
	uint32_t digit = e->nr_swept;

	for (uint32_t i = e->argc; i-- > 0;) {
		const struct sweep *sweep = &e->sweep[i];
		uint32_t pick = cell % sweep->nr_values;

		argv[i] = sweep->argument[pick];
		cell /= sweep->nr_values;
		if (sweep->swept)
			value[--digit] = sweep->value[pick];
	}
	memcpy(key, e->key, e->nr_swept * sizeof(key[0]));
	*command = (struct workload_command){ e->argc, argv, e->nr_swept, key, value };
}

const struct workload_commands *workload_expand(struct arena *arena, uint32_t argc,
						const char *const *argv, struct err *err)
{
	struct expansion e = { .arena = arena, .argc = argc, .nr_cells = 1 };
	struct workload_commands *commands;
	struct workload_command *command;

	if (argc > WORKLOAD_MAX_ARGS) {
		err_set(err, "the workload has %u arguments (allowed: at most %d)", argc,
			WORKLOAD_MAX_ARGS);
		return NULL;
	}
	for (uint32_t i = 0; i < argc; i++)
		if (!read_argument(&e, argv, i, err))
			return NULL;
	commands = ARENA_NEW(arena, struct workload_commands);
	command = ARENA_ARRAY(arena, struct workload_command, e.nr_cells);
	for (uint32_t cell = 0; cell < e.nr_cells; cell++)
		fill_cell(&e, cell, &command[cell]);
	commands->nr_commands = e.nr_cells;
	commands->command = command;
	return commands;
}
