/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading with a library that may break down over damaged input.
 *
 * The reader runs in a child process; what comes back is the machine as JSON. A child that dies
 * or does not come to an end within a minute is an error of the input, not of this program.
 */
#ifndef MACHINE_GUARDED_H
#define MACHINE_GUARDED_H

#include "machine/machine.h"

/* `spec` is handed to read() and names the place of errors and the record. */
struct machine *guarded_read(struct arena *arena, const char *spec,
			     struct machine *(*read)(struct arena *, const char *, struct err *),
			     struct err *err);

#endif
