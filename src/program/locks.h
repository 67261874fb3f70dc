/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One of program_check()'s parts: mutexes are used in pairs.
 *
 * Within one program each UNLOCK and WAIT needs its mutex taken, no LOCK takes one twice, each
 * round of a loop ends with the mutexes it began with, and EXIT holds none. Two ways of naming
 * the same mutex (by base and by its id) are not seen through.
 */
#ifndef PROGRAM_LOCKS_H
#define PROGRAM_LOCKS_H

#include "program/program.h"

/* jump and depth are filled already. */
bool program_check_locks(const struct program_set *set, uint32_t program, struct err *err);

#endif
