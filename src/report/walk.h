/* SPDX-License-Identifier: GPL-2.0-only */
/* What the writers share: grouping rows, naming points, choosing decimals. */
#ifndef REPORT_WALK_H
#define REPORT_WALK_H

#include "report/model.h"

#include <stddef.h>
#include <stdio.h>

enum { POINT_SIZE = 128 };

/* Is this row the first of its metric (of its arguments)? Groups keep the order of the rows. */
bool walk_starts_metric(const struct report *report, uint32_t row);
bool walk_starts_point(const struct report *report, uint32_t row);
uint32_t walk_metrics(const struct report *report);
bool walk_same_metric(const struct report_row *a, const struct report_row *b);
/* All arguments equal. */
bool walk_same_point(const struct report_row *a, const struct report_row *b);

/* Calls put() with the first row of each metric (set of arguments), an empty line between two. */
typedef void walk_put(const struct report *report, uint32_t first, FILE *out);
void walk_put_metrics(const struct report *report, walk_put *put, FILE *out);
void walk_put_points(const struct report *report, walk_put *put, FILE *out);

/* Keys without dashes ("g"), labels ("groups") or values ("2"), joined by '/'. Return out. */
char *walk_keys(const struct report_row *row, char out[POINT_SIZE]);
char *walk_labels(const struct report_row *row, char out[POINT_SIZE]);
char *walk_values(const struct report_row *row, char out[POINT_SIZE]);

/* Decimals that show the smallest mean of a metric in five digits and the largest in nine. */
int walk_decimals(const struct report *report, const struct report_row *like);

/* Mean of the cell, or its published figure when it was never run. */
double walk_figure(const struct report_cell *cell);

/* Name up to its first dot: "hackbench.time" -> "hackbench". Returns out. */
char *walk_suite(const char *metric, char out[POINT_SIZE]);

#endif
