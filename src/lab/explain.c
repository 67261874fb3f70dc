/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/explain.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name, *unit, *metric, *per;
	double factor;
} rows[] = {
#define EXPLAIN(name, unit, metric, per, factor) { name, unit, metric, per, factor },
#include "lab/explain.def"
#undef EXPLAIN
};

uint32_t explain_nr_rows(void)
{
	return sizeof(rows) / sizeof(rows[0]);
}

const char *explain_name(uint32_t row)
{
	return rows[row].name;
}

const char *explain_unit(uint32_t row)
{
	return rows[row].unit;
}

const struct stored_metric *result_metric(const struct stored_result *result, const char *name)
{
	for (uint32_t i = 0; i < result->nr_metrics; i++)
		if (strcmp(result->metric[i].name, name) == 0)
			return &result->metric[i];
	return NULL;
}

/* Of a bare kernel nothing is counted, which is not the same as nothing done. */
static bool of_kernel_code(const struct stored_metric *metric)
{
	return strncmp(metric->name, "kernel.", strlen("kernel.")) == 0;
}

double explain_value(uint32_t row, const struct stored_result *result)
{
	const struct stored_metric *metric = result_metric(result, rows[row].metric);
	const struct stored_metric *per = NULL;

	if (!metric || (of_kernel_code(metric) && metric->value == 0))
		return NAN;
	if (!rows[row].per[0])
		return rows[row].factor * metric->value;
	per = result_metric(result, rows[row].per);
	return per && per->value != 0 ? rows[row].factor * metric->value / per->value : NAN;
}
