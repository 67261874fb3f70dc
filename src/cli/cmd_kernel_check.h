/* SPDX-License-Identifier: GPL-2.0-only */
/* What `schedlab kernel check` asks of a kernel, a line each. */
#ifndef CLI_CMD_KERNEL_CHECK_H
#define CLI_CMD_KERNEL_CHECK_H

#include "kernel/kernel.h"

/* Prints every fact with ok or what was seen instead, and a last line with the counts. */
bool kernel_check(const struct kernel_record *record, struct arena *arena, FILE *out);

#endif
