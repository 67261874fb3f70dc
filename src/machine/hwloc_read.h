/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machines through hwloc: this host, lstopo exports, synthetic strings.
 *
 * Cpu and node ids are hwloc's os_index, which are the kernel's. The LLC of a cpu is the largest
 * data cache around it that stays within its package. A cpu with several local nodes is on the
 * first of them; the others are memory-only. Clusters are groups that hwloc took from the kernel,
 * or L2 caches of several cores below another LLC.
 */
#ifndef MACHINE_HWLOC_READ_H
#define MACHINE_HWLOC_READ_H

#include "machine/machine.h"

/* /sys where that describes the topology, for what it says beyond hwloc; else hwloc. */
struct machine *hwloc_read_host(struct arena *arena, struct err *err);
struct machine *hwloc_read_xml(struct arena *arena, const char *path, struct err *err);
struct machine *hwloc_read_synthetic(struct arena *arena, const char *text, struct err *err);

#endif
