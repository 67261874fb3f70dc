/* SPDX-License-Identifier: GPL-2.0-only */
/* Where in a program set a checker found something, for its messages. */
#ifndef PROGRAM_PLACE_H
#define PROGRAM_PLACE_H

#include "program/program.h"

struct place {
	const struct program_set *set;
	uint32_t program, op; /* op: index into set->op */
};

/* Sets err to "program 'name', operation N (KIND): …", N from 1; returns false. */
bool place_err(struct place at, struct err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
