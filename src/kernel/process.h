/* SPDX-License-Identifier: GPL-2.0-only */
/* A command of the system as a step of a build. Private to src/kernel. */
#ifndef KERNEL_PROCESS_H
#define KERNEL_PROCESS_H

#include "base/err.h"

#include <stdio.h>

/*
 * Runs argv (NULL at its end) to its end, in a process group of its own, its output to `out`. False
 * when it failed; err is set only when it could not run or was interrupted: SIGINT, SIGTERM and
 * SIGHUP of this process end the whole group, and are waited for.
 */
bool process_run(const char *const *argv, FILE *out, struct err *err);

#endif
