/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What copying the default level table costs on this host: element by element, as
 * sched_init_numa() does, against one block ("sched/topology: Optimized copy default topology in
 * sched_init_numa()", 2022-06-27).
 *
 * Tables of 2, 3 and 4 entries of 64 bytes, the last one the terminator, are copied in ticks of
 * the time-stamp counter, reads serialised and contained in the figures. The code is compiled
 * without vector registers, as kernels are. This module reads the clock: it measures the host and
 * has no part in simulated results.
 */
#ifndef TOPOLOGY_COPY_BENCH_H
#define TOPOLOGY_COPY_BENCH_H

#include <stdint.h>
#include <stdio.h>

enum { COPY_BENCH_RUNS = 20000, COPY_BENCH_MAX_RUNS = 10000000 };

/*
 * Prints the table, beside the published figures, and why the ratio is what it is. runs: copies
 * timed a cell, 1 … COPY_BENCH_MAX_RUNS. Returns 0, or 1 when this host has no counter to read
 * (then that is what it prints).
 */
int topology_copy_bench(FILE *out, uint32_t runs);

#endif
