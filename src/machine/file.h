/* SPDX-License-Identifier: GPL-2.0-only */
/* A file's bytes in an arena, ended by a NUL that *size does not count. */
#ifndef MACHINE_FILE_H
#define MACHINE_FILE_H

#include "base/arena.h"
#include "base/err.h"

/* NULL and err when it cannot be read or is larger than 64 MiB. */
char *file_read(struct arena *arena, const char *path, size_t *size, struct err *err);

#endif
