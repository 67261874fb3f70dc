/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much cpu time building the domains of machines of 192, 512 and 4096 cpus takes on this host.
 * Reads the clock: it measures the host and has no part in simulated results.
 */
#ifndef TOPOLOGY_BUILD_BENCH_H
#define TOPOLOGY_BUILD_BENCH_H

#include <stdio.h>

/* A line a machine: domains, memory, best and median time, and the goal; MISSED when above it. */
void topology_build_bench(FILE *out);

#endif
