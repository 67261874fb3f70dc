/* SPDX-License-Identifier: GPL-2.0-only */
/* What a memory counts of the lines of one class. */
#ifndef MEMORY_COUNTS_H
#define MEMORY_COUNTS_H

#include "machine/machine.h"

enum memory_limits { MEMORY_MAX_CLASSES = 64 };

/* Counts of one class of lines (for example "rq", "llc_shared"), over all cpus. */
struct memory_counts {
	uint64_t reads, writes, atomics; /* accesses, hits included */
	uint64_t misses[NR_TIES];	 /* transfers, by tie to where the line came from */
	uint64_t aged;	       /* accesses of a holder whose copy had left the private cache */
	uint64_t transfer_ns;  /* sum of what misses cost, without waiting */
	uint64_t busy_wait_ns; /* waiting for a line that moved or was kept by an atomic */
	uint64_t locks, lock_waits, lock_wait_ns; /* each lock is also an atomic */
};

#endif
