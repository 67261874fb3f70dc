/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machines as the kernel describes them under /sys/devices/system.
 *
 * A tree is a copied directory: the one that holds cpu/ and node/, or any of sys/devices/system,
 * devices/system below the given one. An archive is a tar of such a tree, however packed, with
 * devices/system once in it. A dump is text, a line "path:value" for each file, as
 * `grep -r . /sys/devices/system/{cpu,node}` prints them; lines "### title" start sections, of
 * which "cpu lists", "topology", "cache", "nodes" and "kernel" are read, and there "online:" and
 * "present:" belong to the section's subject. Unknown paths are passed over.
 *
 * The LLC of a cpu is its largest data cache above level 1; when none is described it is the
 * package within its node, as the kernel does. Cpus that are offline have no description under
 * /sys and are left out.
 */
#ifndef MACHINE_SYSFS_H
#define MACHINE_SYSFS_H

#include "machine/draft.h"

struct machine *sysfs_read_dump(struct arena *arena, const char *path, struct err *err);
struct machine *sysfs_read_tree(struct arena *arena, const char *path, struct err *err);
struct machine *sysfs_read_archive(struct arena *arena, const char *path, struct err *err);

/* Costs that a tree states: clock, size of the L2 cache, idle states. Nothing when it has none. */
void sysfs_add_costs(struct draft *d, const char *path);

#endif
