/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/process.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

/* The group of the command that runs, for the handler of an interrupt. */
static volatile sig_atomic_t command_group;
static volatile sig_atomic_t interrupted;

static void pass_on(int number)
{
	interrupted = number;
	if (command_group)
		kill(-command_group, SIGTERM);
}

bool process_run(const char *const *argv, FILE *out, struct err *err)
{
	struct sigaction action = { .sa_handler = pass_on }, old_int, old_term, old_hup;
	int status = -1;
	pid_t child;

	fflush(out);
	sigaction(SIGINT, &action, &old_int);
	sigaction(SIGTERM, &action, &old_term);
	sigaction(SIGHUP, &action, &old_hup);
	child = fork();
	if (child == 0) {
		setpgid(0, 0);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		if (dup2(fileno(out), STDOUT_FILENO) >= 0)
			execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	if (child > 0) {
		setpgid(child, child);
		command_group = child;
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
		command_group = 0;
	}
	sigaction(SIGINT, &old_int, NULL);
	sigaction(SIGTERM, &old_term, NULL);
	sigaction(SIGHUP, &old_hup, NULL);
	if (interrupted)
		return err_set(err, "interrupted; what is finished is as it was before, and the "
				    "next build goes on with what was compiled");
	if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
		return err_set(err, "cannot run %s", argv[0]);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
