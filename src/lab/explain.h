/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a result is what it is: the rows of explain.def, computed from one result. */
#ifndef LAB_EXPLAIN_H
#define LAB_EXPLAIN_H

#include "store/store.h"

uint32_t explain_nr_rows(void);
const char *explain_name(uint32_t row);
const char *explain_unit(uint32_t row);

/* NaN when the result lacks a figure the row needs. */
double explain_value(uint32_t row, const struct stored_result *result);

/* A figure by its name; NULL when the result does not have it. */
const struct stored_metric *result_metric(const struct stored_result *result, const char *name);

#endif
