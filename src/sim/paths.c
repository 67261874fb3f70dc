/* SPDX-License-Identifier: GPL-2.0-only */
#include "sim/sim.h"

static const struct sim_paths rows[] = {
#define PATHS(since, exclusive, edges) { since, exclusive, edges },
#include "sim/paths.def"
#undef PATHS
};

enum { NR_ROWS = sizeof(rows) / sizeof(rows[0]) };

static const char *number(const char *text, uint32_t *value)
{
	*value = 0;
	while (*text >= '0' && *text <= '9' && *value < 10000)
		*value = *value * 10 + (uint32_t)(*text++ - '0');
	return text;
}

const struct sim_paths *sim_paths_of(const char *profile)
{
	uint32_t major, minor, i = NR_ROWS - 1;
	const char *end = number(profile + (*profile == 'v'), &major);

	if (*end != '.' || major == 0)
		return &rows[NR_ROWS - 1];
	number(end + 1, &minor);
	while (i > 0 && rows[i].since > major * 100 + minor)
		i--;
	return &rows[i];
}
