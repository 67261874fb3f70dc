/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A decimal of at most 15 digits survives the way through a double and back, so when "%.15g"
 * reads back as the same value it is also the shortest; otherwise 16 or at last 17 digits do.
 */
#include "text/number.h"

#include "base/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *not_finite(double value, char out[NUMBER_SIZE])
{
	strcpy(out, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
	return out;
}

char *number_shortest(double value, char out[NUMBER_SIZE])
{
	if (!isfinite(value))
		return not_finite(value, out);
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, NUMBER_SIZE, "%.*g", digits, value);
		if (strtod(out, NULL) == value)
			break;
	}
	return out;
}

char *number_rounded(double value, int digits, char out[NUMBER_SIZE])
{
	CHECK(digits >= 1 && digits <= 17);
	if (!isfinite(value))
		return not_finite(value, out);
	snprintf(out, NUMBER_SIZE, "%.*g", digits, value);
	return out;
}

int number_decimals(double magnitude)
{
	static const double above[] = { 1e4, 1e3, 1e2, 1e1, 1e-1, 1e-2 };
	static const int decimals[] = { 0, 1, 2, 3, 4, 5 };

	for (size_t i = 0; i < sizeof(above) / sizeof(above[0]); i++)
		if (fabs(magnitude) >= above[i])
			return decimals[i];
	return 6;
}

char *number_human(double value, char out[NUMBER_SIZE])
{
	if (!isfinite(value))
		strcpy(out, "n/a");
	else if (fabs(value) >= 1e15)
		snprintf(out, NUMBER_SIZE, "%.6g", value);
	else if (value == (double)(int64_t)value)
		snprintf(out, NUMBER_SIZE, "%.0f", value + 0.0);
	else if (fabs(value) < 1e-4)
		snprintf(out, NUMBER_SIZE, "%.4g", value);
	else
		snprintf(out, NUMBER_SIZE, "%.*f", number_decimals(value), value);
	return out;
}
