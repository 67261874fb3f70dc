/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/check.h"
#include "cli/commands.h"
#include "cli/rows.h"
#include "machine/read.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef enum exit_code run_command(const struct options *options, struct err *err);

static run_command *const run[NR_COMMANDS] = {
#define COMMAND(id, synopsis, phrase) [COMMAND_##id] = command_##id,
#include "cli/commands.def"
#undef COMMAND
};

struct machine *command_machine_named(struct arena *arena, const struct options *options,
				      const char *spec, struct err *err)
{
	return machine_read_changed(arena, spec, options->value[OPTION_set],
				    options->count[OPTION_set], err);
}

/* Ends the program when standard output could not be written. */
static void finish_output(void)
{
	if (fflush(stdout) != 0 || ferror(stdout)) {
		if (errno == EPIPE)
			signal(SIGPIPE, SIG_DFL), raise(SIGPIPE);
		die("cannot write the output: %s", strerror(errno));
	}
}

static bool find_command(const char *name, enum command_id *id, struct err *err)
{
	const char *names[NR_COMMANDS];
	char near[200];

	for (size_t i = 0; i < NR_COMMANDS; i++) {
		names[i] = command_rows[i].name;
		if (strcmp(name, names[i]) == 0) {
			*id = (enum command_id)i;
			return true;
		}
	}
	if (name[0] == '-') {
		static const char *const options[] = { "--help", "--version" };

		err_near(near, sizeof(near), name, options, 2);
		return err_set(err, "unknown option '%s'%s; a command's options come after it",
			       name, near);
	}
	err_near(near, sizeof(near), name, names, NR_COMMANDS);
	return err_set(err, "unknown command '%s'%s", name, near);
}

static enum exit_code usage_error(const struct err *err)
{
	char text[800];

	err_print(err, text, sizeof(text));
	fprintf(stderr, "schedlab: %s\n", text);
	return EXIT_INPUT;
}

static enum exit_code dispatch(int argc, char **argv, struct err *err)
{
	struct options options = { 0 };

	if (!find_command(argv[1], &options.command, err) ||
	    !command_line_parse(&options, argc - 1, argv + 1, err))
		return EXIT_INPUT;
	if (option_given(&options, OPTION_help)) {
		help_command(options.command, stdout);
		return EXIT_FINE;
	}
	if (option_given(&options, OPTION_version)) {
		puts("schedlab " SCHEDLAB_VERSION);
		return EXIT_FINE;
	}
	return run[options.command](&options, err);
}

/*
 * A refused write is an error to report, not a signal to die of. A standard stream that is closed
 * is held by one that cannot be written: otherwise the next file or socket would take its number,
 * and messages would go there.
 */
static void prepare_process(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", O_RDONLY);
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	enum exit_code code = EXIT_FINE;

	prepare_process();
	if (argc < 2) {
		help_program(stderr);
		return EXIT_INPUT;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		help_program(stdout);
	else if (strcmp(argv[1], "--version") == 0)
		puts("schedlab " SCHEDLAB_VERSION);
	else
		code = dispatch(argc, argv, &err);
	finish_output();
	return err.set ? (int)usage_error(&err) : (int)code;
}
