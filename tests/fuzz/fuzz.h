/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the targets share. A target is one file that defines LLVMFuzzerTestOneInput: it hands the
 * bytes to one parser and checks the answer. Bad input must give an error with a sentence, good
 * input a record that passes its own checks; CHECK aborts otherwise.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "base/arena.h"
#include "base/check.h"
#include "base/err.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes with a NUL behind them, in a piece of their own so that reading past it is seen. */
static inline char *fuzz_text(struct arena *arena, const uint8_t *data, size_t size)
{
	char *text = arena_alloc(arena, size + 1, 1, 1);

	memcpy(text, data, size);
	return text;
}

/* Either accepted or refused with a sentence, never both or neither. */
static inline void fuzz_answer(bool accepted, const struct err *err)
{
	char text[800];

	CHECK(accepted != err->set);
	CHECK(accepted || err->what[0]);
	err_print(err, text, sizeof(text));
}

/* A file in memory that holds the bytes, for parsers that take a path. */
struct fuzz_file {
	int fd;
	char path[40];
};

static inline struct fuzz_file fuzz_file_open(const uint8_t *data, size_t size)
{
	struct fuzz_file file = { .fd = memfd_create("fuzz", MFD_CLOEXEC) };

	CHECK(file.fd >= 0 && write(file.fd, data, size) == (ssize_t)size);
	snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
	return file;
}

static inline void fuzz_file_close(struct fuzz_file *file)
{
	close(file->fd);
}

/* A new folder, in memory where there is one; `path` gets its name. */
static inline void fuzz_folder(char *path, size_t size)
{
	snprintf(path, size, "%s/fuzz-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	CHECK(mkdtemp(path));
}

#endif
