/* SPDX-License-Identifier: GPL-2.0-only */
/* What `schedlab kernel check` asks of a kernel, a line each. */
#ifndef CLI_CMD_KERNEL_CHECK_H
#define CLI_CMD_KERNEL_CHECK_H

#include "kernel/kernel.h"

/*
 * Prints every fact with ok, what was seen instead, or why it was not asked, and a last line with
 * the counts. False when one does not hold.
 */
bool kernel_check(const struct kernel_record *record, struct arena *arena, FILE *out);

#endif
