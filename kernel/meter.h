/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the hooks of counted images do by themselves, within a verb: part of kernel/abi.h, which
 * includes it. An access of a line that the verb has touched in that way before is no more than a
 * count, and most blocks no more than a sum. The host begins and ends verbs by `epoch` and reads
 * the counts; hooks come to it with all else.
 */
#ifndef KS_METER_H
#define KS_METER_H

#include "abi.h"

enum { KS_SEEN = 512 };

struct ks_seen {	    /* a line that this verb has touched */
	ks_u64 read, write; /* address / 64 + epoch, when to read or write it again is free */
	ks_u64 *counts;	    /* of reads, and after it of writes */
	ks_u64 unused;
};

struct ks_meter {
	struct ks_seen seen[KS_SEEN]; /* by address / 64 */
	ks_u64 epoch;		      /* 0 outside of verbs */
	ks_u64 accesses, instructions, blocks, calls;
};

/*
 * image->blocks: instructions by (return address - text_start) / KS_BLOCK_GRAIN. KS_BLOCK_ASK: the
 * host knows how many.
 */
enum { KS_BLOCK_GRAIN = 4, KS_BLOCK_ASK = 255 };

#endif
