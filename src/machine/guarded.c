/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first byte of the answer tells its kind: '+' a machine, '-' the sentence of an error. The
 * child leaves by _exit, so that nothing of the parent's is flushed or checked twice.
 */
#include "machine/guarded.h"

#include "machine/json_read.h"
#include "machine/read.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS = 60, CHUNK_BYTES = 65536 };

static void put(int out, const char *text, size_t size)
{
	while (size) {
		ssize_t done = write(out, text, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			_exit(1);
		text += done;
		size -= (size_t)done;
	}
}

static _Noreturn void child(int out, struct arena *arena, const char *spec,
			    struct machine *(*read)(struct arena *, const char *, struct err *))
{
	struct err err = { 0 };
	struct machine *m;
	const char *text;

	signal(SIGSEGV, SIG_DFL);
	signal(SIGALRM, SIG_DFL);
	alarm(CHILD_SECONDS);
	setenv("HWLOC_HIDE_ERRORS", "2", 1); /* what is wrong is said once, by us */
	m = read(arena, spec, &err);
	text = m ? machine_to_json(arena, m) : err.what;
	put(out, m ? "+" : "-", 1);
	put(out, text, strlen(text));
	_exit(0);
}

/* All that comes out of `in`, ended by a NUL. */
static char *collect(struct arena *arena, int in, size_t *size)
{
	size_t room = CHUNK_BYTES;
	char *text = arena_alloc(arena, room + 1, 1, 1);
	ssize_t done;

	*size = 0;
	while ((done = read(in, text + *size, room - *size))) {
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			break;
		*size += (size_t)done;
		if (*size == room) {
			room *= 4;
			text = memcpy(arena_alloc(arena, room + 1, 1, 1), text, *size);
		}
	}
	text[*size] = '\0';
	return text;
}

static struct machine *take_answer(struct arena *arena, const char *spec, const char *text,
				   size_t size, int status, struct err *err)
{
	struct machine *m;

	if (!WIFEXITED(status) || WEXITSTATUS(status) || !size) {
		err_set_at(err, spec, 0, 0,
			   WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM
				   ? "hwloc does not come to an end over it: it is damaged"
				   : "hwloc breaks down over it: it is damaged");
		return NULL;
	}
	if (*text == '-') {
		err_set_at(err, spec, 0, 0, "%s", text + 1);
		return NULL;
	}
	m = json_read_machine(arena, spec, spec, text + 1, size - 1, err);
	if (m)
		m->name = arena_strdup(arena, spec);
	return m;
}

struct machine *guarded_read(struct arena *arena, const char *spec,
			     struct machine *(*read)(struct arena *, const char *, struct err *),
			     struct err *err)
{
	int ends[2], status = 0;
	size_t size;
	char *text;
	pid_t pid;

	if (pipe(ends)) {
		err_set_at(err, spec, 0, 0, "no pipe to a reading process: %s", strerror(errno));
		return NULL;
	}
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		err_set_at(err, spec, 0, 0, "no process to read it: %s", strerror(errno));
		return NULL;
	}
	if (!pid) {
		close(ends[0]);
		child(ends[1], arena, spec, read);
	}
	close(ends[1]);
	text = collect(arena, ends[0], &size);
	close(ends[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return take_answer(arena, spec, text, size, status, err);
}
