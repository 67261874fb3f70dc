/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/paired.h"

#include "lab/explain.h"

#include <math.h>

static const struct {
	const char *name, *counter;
} rows[] = {
#define PAIRED(name, counter, phrase) { name, counter },
#include "lab/paired.def"
#undef PAIRED
};

uint32_t paired_nr_rows(void)
{
	return sizeof(rows) / sizeof(rows[0]);
}

const char *paired_name(uint32_t row)
{
	return rows[row].name;
}

double paired_value(uint32_t row, const struct stored_result *result)
{
	const struct stored_metric *count = result_metric(result, rows[row].counter);
	const struct stored_metric *wakeups = result_metric(result, "sched.ttwu_count");

	return count && wakeups && wakeups->value > 0 ? count->value / wakeups->value : NAN;
}
