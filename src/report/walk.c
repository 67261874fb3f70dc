/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/walk.h"

#include "text/number.h"

#include <math.h>
#include <string.h>

bool walk_same_metric(const struct report_row *a, const struct report_row *b)
{
	return !strcmp(a->metric, b->metric);
}

bool walk_same_point(const struct report_row *a, const struct report_row *b)
{
	if (a->args != b->args)
		return false;
	for (uint32_t i = 0; i < a->args; i++)
		if (strcmp(a->arg[i].key, b->arg[i].key) ||
		    strcmp(a->arg[i].value, b->arg[i].value))
			return false;
	return true;
}

bool walk_starts_metric(const struct report *report, uint32_t row)
{
	for (uint32_t r = 0; r < row; r++)
		if (walk_same_metric(report->row[r], report->row[row]))
			return false;
	return true;
}

bool walk_starts_point(const struct report *report, uint32_t row)
{
	for (uint32_t r = 0; r < row; r++)
		if (walk_same_point(report->row[r], report->row[row]))
			return false;
	return true;
}

static void put_each(const struct report *report,
		     bool (*starts)(const struct report *report, uint32_t row), walk_put *put,
		     FILE *out)
{
	for (uint32_t r = 0; r < report->rows; r++) {
		if (!starts(report, r))
			continue;
		if (r)
			fputc('\n', out);
		put(report, r, out);
	}
}

void walk_put_metrics(const struct report *report, walk_put *put, FILE *out)
{
	put_each(report, walk_starts_metric, put, out);
}

void walk_put_points(const struct report *report, walk_put *put, FILE *out)
{
	put_each(report, walk_starts_point, put, out);
}

uint32_t walk_metrics(const struct report *report)
{
	uint32_t metrics = 0;

	for (uint32_t r = 0; r < report->rows; r++)
		metrics += walk_starts_metric(report, r);
	return metrics;
}

static void append(char out[POINT_SIZE], const char *part)
{
	size_t used = strlen(out);

	snprintf(out + used, POINT_SIZE - used, "%s%s", used ? "/" : "", part);
}

char *walk_keys(const struct report_row *row, char out[POINT_SIZE])
{
	out[0] = '\0';
	for (uint32_t i = 0; i < row->args; i++)
		append(out, row->arg[i].key + strspn(row->arg[i].key, "-"));
	return out;
}

char *walk_labels(const struct report_row *row, char out[POINT_SIZE])
{
	out[0] = '\0';
	for (uint32_t i = 0; i < row->args; i++)
		append(out, row->arg[i].label);
	return out;
}

char *walk_values(const struct report_row *row, char out[POINT_SIZE])
{
	out[0] = '\0';
	for (uint32_t i = 0; i < row->args; i++)
		append(out, row->arg[i].value);
	return out;
}

double walk_figure(const struct report_cell *cell)
{
	return cell->sample.count ? cell->moments.mean : cell->published.mean;
}

int walk_decimals(const struct report *report, const struct report_row *like)
{
	double small = INFINITY, large = 0;
	bool whole = true;
	int decimals;

	for (uint32_t r = 0; r < report->rows; r++) {
		for (uint32_t v = 0; v < report->variants; v++) {
			double x = fabs(walk_figure(&report->row[r]->cell[v]));

			if (!walk_same_metric(report->row[r], like) || !isfinite(x) || x == 0)
				continue;
			whole &= x == floor(x);
			small = fmin(small, x);
			large = fmax(large, x);
		}
	}
	if (whole)
		return 0;
	decimals = number_decimals(small);
	for (double shown = large * pow(10, decimals); decimals > 0 && shown >= 1e9; shown /= 10)
		decimals--;
	return decimals;
}

char *walk_suite(const char *metric, char out[POINT_SIZE])
{
	const char *dot = strchr(metric, '.');

	snprintf(out, POINT_SIZE, "%.*s", (int)(dot ? dot - metric : (ptrdiff_t)strlen(metric)),
		 metric);
	return out;
}
