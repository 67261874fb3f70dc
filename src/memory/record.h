/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of memory.h: the records of lines, locks and cores, which build.c makes. What every
 * access looks at is 16 bytes a line, so that the host's caches hold as many as can be; who holds a
 * shared line, and when a line was busy before, lie apart.
 */
#ifndef MEMORY_RECORD_H
#define MEMORY_RECORD_H

#include "memory/busy.h"

enum memory_record_limits {
	MEMORY_RECORDS = 4,		 /* records of lines in a line of the host */
	MEMORY_SHARED = UINT16_MAX,	 /* as owner; the bitmap says who holds the line */
	MEMORY_FRONT_NS = (1 << 24) - 1, /* longer than any request comes late */
};

/* Cores are named by number + 1 here, so that fresh zeros are a line that nobody holds. */
struct memory_line {
	uint16_t owner;		/* core + 1, 0 nobody, or MEMORY_SHARED */
	uint16_t writer;	/* core + 1 of the last write, 0 never */
	uint32_t class : 8;	/* whose counts it adds to */
	uint32_t front_ns : 24; /* the front's length, see busy.h, MEMORY_FRONT_NS at most */
	uint64_t front_until_ns;
};

/* While the line is shared. */
struct memory_holders {
	uint64_t summary; /* bit i = words i << shift … of core are not all zero */
	uint64_t core[];  /* bit per core, valid where the summary says so */
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

/* Where a core is; node: dense index of nodes with cpus. */
struct memory_place {
	uint16_t cluster, llc, node;
};

struct memory_ladder {
	const struct memory_rung *rung;
	uint32_t nr_rungs;
};

struct memory_cache {	    /* of a core */
	uint32_t *stamp;    /* by line & stamp_mask: clock at the last use */
	uint32_t clock_kib; /* data that passed through; wraps */
};

#endif
