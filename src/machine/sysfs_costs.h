/* SPDX-License-Identifier: GPL-2.0-only */
/* Costs among the files of /sys. */
#ifndef MACHINE_SYSFS_COSTS_H
#define MACHINE_SYSFS_COSTS_H

#include "machine/draft.h"
#include "machine/sysfs_source.h"

/* Clock, size of the L2 cache and idle states, as far as they are stated and usable. */
void sysfs_take_costs(struct draft *d, const struct sysfs *fs);

#endif
