/* SPDX-License-Identifier: GPL-2.0-only */
#include "program/place.h"

#include <stdarg.h>
#include <stdio.h>

bool place_err(struct place at, struct err *err, const char *format, ...)
{
	const struct task_program *p = &at.set->program[at.program];
	const struct op *op = &at.set->op[at.op];
	char where[160], what[320];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(where, sizeof(where), "program '%.80s', operation %u (%s)", p->name,
		 at.op - p->first_op + 1, op->kind < NR_OPS ? op_name(op->kind) : "unknown");
	return err_set_at(err, where, 0, 0, "%s", what);
}
