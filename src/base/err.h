/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A user's mistake: where it is, what was found, what was allowed.
 *
 * Functions that read input return false and fill a struct err; the first error wins, later ones
 * are dropped. The caller owns the struct. `where` may be empty; line and column count from 1 and
 * are 0 when they mean nothing. Messages are cut at their size, never overrun.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

struct err {
	bool set;
	char where[160]; /* file, option or key; empty when unknown */
	int line, column;
	char what[480]; /* one sentence without a full stop */
};

/* Always returns false, so that `return err_set(…)` reads well. err may be NULL. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool err_set_at(struct err *err, const char *where, int line, int column, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Names the place if the error has none yet. */
void err_locate(struct err *err, const char *where);

/* "where:line:column: what" into out (size bytes, always terminated). */
void err_print(const struct err *err, char *out, size_t size);

/*
 * The names nearest to `found`, for "unknown X 'found' (did you mean A, B?)". Writes
 * " (did you mean A, B?)" or, when nothing is near, " (allowed: A, B, …)", both cut to fit; nothing
 * when there are no names.
 */
void err_near(char *out, size_t size, const char *found, const char *const *names, size_t count);

#endif
