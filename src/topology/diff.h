/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where two hierarchies differ: two that were built, or one and a kernel's log.
 *
 * Compared, cpu by cpu and domain by domain: level, span, groups in order, balance masks.
 * Capacities are not: a running kernel's are what was left of them. Equal differences of several
 * cpus are told once: "cpus 0-3 domain-1", then a line of each side.
 */
#ifndef TOPOLOGY_DIFF_H
#define TOPOLOGY_DIFF_H

#include "topology/topology.h"

#include <stdio.h>

struct hierarchy;

/* A built topology as it is compared. Lives in the arena, needs the topology no more. */
struct hierarchy *hierarchy_of(struct arena *arena, const struct topology *t, const char *name);

/*
 * What a kernel with sched_verbose (or sched_debug, before 5.13) printed, as people post it: with
 * or without time stamps and other lines between, groups continued on further lines; of several
 * attaches of a cpu the last counts. NULL and err at a malformed line, or when there is no attach.
 */
struct hierarchy *hierarchy_from_log(struct arena *arena, FILE *log, const char *name,
				     struct err *err);

/* Prints the differences; returns how many, 0 when the two are equal. */
uint32_t hierarchy_diff(FILE *out, const struct hierarchy *a, const struct hierarchy *b);

#endif
