/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of memory.h: the records of lines, locks and cores, which build.c makes. Up to 256
 * cores the whole record of a line is one cache line of the host.
 */
#ifndef MEMORY_RECORD_H
#define MEMORY_RECORD_H

#include "memory/busy.h"

#define MEMORY_SHARED UINT32_MAX /* as owner; the bitmap says who holds the line */

/* Cores are named by number + 1 here, so that fresh zeros are a line that nobody holds. */
struct memory_line {
	uint32_t owner;	  /* core + 1, 0 nobody, or MEMORY_SHARED */
	uint32_t writer;  /* core + 1 of the last write, 0 never */
	uint64_t summary; /* while shared: bit i = words i << shift … of holder are not all zero */
	struct busy_front busy;
	uint64_t holder[]; /* while shared: bit per core, valid where the summary says so */
};

struct memory_lock {
	_Alignas(64) struct busy_front busy;
	uint64_t granted; /* ns + 1 at which the holder's turn began; 0 while free */
	struct busy_calendar calendar;
};

struct memory_price {
	uint32_t ns, scan_ns; /* scan_ns: to a read of a scan, R6 */
	uint32_t tie;
};

enum memory_price_row { PRICE_CLUSTER, PRICE_LLC, PRICE_NODES };

/*
 * Where a core looks for holders, from near to far: its cluster, the rest of its LLC, the rest of
 * its node, the rest of each other node from the cheapest on. Empty rungs are left out, and
 * together they are all cores but, perhaps, the own one. Cores of one place share a ladder.
 */
struct memory_rung {
	uint32_t first, last; /* words of the bitmap */
	uint64_t mask;	      /* of the first word */
	const uint64_t *more; /* of the words after it */
	struct memory_price price;
};

struct memory_core {
	uint32_t cluster, llc, node; /* node: dense index of nodes with cpus */
	uint32_t nr_rungs;
	const struct memory_rung *rung;
	const struct memory_price
		*price; /* PRICE_CLUSTER, PRICE_LLC, then by node; own: TIE_NODE */
};

struct memory_cache {	    /* of a core */
	uint32_t *stamp;    /* by line & stamp_mask: clock at the last use */
	uint32_t clock_kib; /* data that passed through; wraps */
};

#endif
