/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void check_failed(const char *file, int line, const char *cond)
{
	fprintf(stderr, "schedlab: internal fault at %s:%d: %s\n", file, line, cond);
	abort();
}

_Noreturn void die(const char *format, ...)
{
	va_list args;

	fputs("schedlab: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(3);
}
