/* SPDX-License-Identifier: GPL-2.0-only */
/* The sysfs blocks of tests/data/oracle (format: README.md there) as the dumps they were. */
#ifndef TESTS_ORACLE_SYSFS_H
#define TESTS_ORACLE_SYSFS_H

#include "machine/machine.h"

#include <stdio.h>
#include <string.h>

/* "= PATH SET SET …": each cpu's value is the set that it is in. */
static inline void oracle_put_sets(FILE *out, struct arena *scratch, const char *path, char *sets)
{
	struct cpuset set = cpuset_new(scratch, MACHINE_MAX_CPUS);
	char *save;

	for (char *text = strtok_r(sets, " ", &save); text; text = strtok_r(NULL, " ", &save)) {
		if (!cpuset_parse(&set, text, NULL))
			continue;
		cpuset_for_each (cpu, &set)
			fprintf(out, "cpu%u/%s:%s\n", cpu, path, text);
	}
}

/* "+ PATH CPUS VALUE": these cpus' value. */
static inline void oracle_put_value(FILE *out, struct arena *scratch, const char *path, char *rest)
{
	struct cpuset set = cpuset_new(scratch, MACHINE_MAX_CPUS);
	char *save, *cpus = strtok_r(rest, " ", &save);

	if (!cpuset_parse(&set, cpus, NULL))
		return;
	cpuset_for_each (cpu, &set)
		fprintf(out, "cpu%u/%s:%s\n", cpu, path, save);
}

/* Writes a block, the text between "sysfs" and ".", unfolded to `out`. The text is used up. */
static inline void oracle_unfold(FILE *out, struct arena *scratch, char *block)
{
	char *save, *rest;

	for (char *line = strtok_r(block, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		bool sets = !strncmp(line, "= ", 2), value = !strncmp(line, "+ ", 2);
		char *path = sets || value ? strtok_r(line + 2, " ", &rest) : NULL;

		if (!path)
			fprintf(out, "%s\n", line);
		else if (sets)
			oracle_put_sets(out, scratch, path, rest);
		else
			oracle_put_value(out, scratch, path, rest);
	}
}

#endif
