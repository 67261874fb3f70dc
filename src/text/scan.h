/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scanner over text in memory that always knows where it is.
 *
 * The text must outlive the scanner and is never changed. Functions that return bool move on only
 * when they succeed; scan_fail reports the place. Lines and columns count from 1, columns in
 * bytes.
 */
#ifndef TEXT_SCAN_H
#define TEXT_SCAN_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct scan {
	const char *where; /* file or option, for messages */
	const char *at;	   /* what comes next; '\0' at the end */
	int line, column;
};

struct scan scan_text(const char *where, const char *text);
bool scan_at_end(const struct scan *scan);
/* Blanks, tabs and line ends. */
void scan_space(struct scan *scan);
bool scan_literal(struct scan *scan, const char *literal);
/* Decimal digits; false without a digit or above the largest uint64_t. */
bool scan_u64(struct scan *scan, uint64_t *value);
/* The longest run of the given characters, at least one; *word is not terminated. */
bool scan_word(struct scan *scan, const char *characters, const char **word, size_t *length);
/* Always false. The message gains ", found '…'" or ", found the end [of the line]". */
bool scan_fail(const struct scan *scan, struct err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
