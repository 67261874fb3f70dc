/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands in front of a workload and chooses its cpus: numactl and taskset.
 *
 * Several may follow each other; as on Linux each sets the allowed cpus anew, so the last one
 * counts. Memory policies are accepted and noted, since only cpus are simulated. Lists are those
 * of the tools: "0-3,8", "all", "!4" for numactl; "0-3,8", "0-14:2" or a mask for taskset.
 */
#ifndef WORKLOAD_PREFIX_H
#define WORKLOAD_PREFIX_H

#include "machine/machine.h"

struct prefix {
	uint32_t end;	   /* the argument at which the workload begins */
	const char *nodes; /* of the last tool: at most one of the three is set */
	const char *cpus;
	const char *mask;
	const char *where;  /* the option that chose, for messages */
	bool memory_policy; /* one was given */
};

/* Reads the words; needs no machine. */
bool prefix_parse(struct prefix *prefix, uint32_t argc, const char *const *argv, struct err *err);

/* The cpus that a machine has for it: online ones only, never empty. `out` is the caller's. */
bool prefix_cpus(const struct prefix *prefix, const struct machine *machine, struct cpuset *out,
		 struct err *err);

#endif
