/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hierarchy as text. Write errors stay in the FILE (ferror) and are the caller's.
 */
#ifndef TOPOLOGY_PRINT_H
#define TOPOLOGY_PRINT_H

#include "topology/topology.h"

#include <stdio.h>

/*
 * For people: each root domain as a tree in which domains of the same shape are one line with
 * their count, then a table of the levels' flags and balance parameters. A machine of 192 cpus
 * fits a screen; lines are at most 100 columns.
 */
void topology_print_tree(FILE *out, const struct topology *t);

/* What the kernel prints with sched_verbose on its command line, cpu by cpu, byte for byte. */
void topology_print_verbose(FILE *out, const struct topology *t);

/*
 * {"kernel":…,"online":…,"roots":[…],"cpus":{"0":[{"level":"MC","span":"0-1","groups":
 * [{"id":0,"span":"0"},…],"flags":["SD_…"],"group_flags":[…],"imbalance_pct":117,…}]}}.
 * A group has "mask" when it differs from its span and "capacity" when it is not one full cpu's.
 */
void topology_print_json(FILE *out, const struct topology *t);

/* For graphviz: a box a domain of one span, from the root domains down; equal ones once. */
void topology_print_dot(FILE *out, const struct topology *t);

/* "SD_SHARE_LLC" by bit, in the words of the topology's kernel version; the text is static. */
const char *topology_flag_name(const struct topology *t, uint32_t bit);

#endif
