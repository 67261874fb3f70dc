/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Published tables, to be printed beside predictions.
 *
 * An experiment refers to one as {"file": NAME, "table": N, "key": "-g", "x": COLUMN,
 * "base": COLUMN, "with": COLUMN} with optional "base_std", "with_std" and, instead of key and x,
 * "metric": COLUMN for tables with one metric a row. "change" names a column of changes in percent
 * that stands for a missing "with".
 */
#ifndef LAB_PUBLISHED_H
#define LAB_PUBLISHED_H

#include "lab/experiment.h"

#include <jansson.h>

/* path: the experiment's file; reference: its "published" value. NULL and err set when wrong. */
const struct published *published_read(struct arena *arena, const char *path,
				       const json_t *reference, struct err *err);

/* The row for a cell or a metric; NULL when the table has none. */
const struct published_row *published_find(const struct published *published, const char *key,
					   const char *value, const char *metric);

#endif
