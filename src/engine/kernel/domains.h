/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sched domains that a real kernel builds on a machine, in the terms of the topology module:
 * to be printed like its own, and to be held against them.
 */
#ifndef ENGINE_KERNEL_DOMAINS_H
#define ENGINE_KERNEL_DOMAINS_H

#include "topology/topology.h"

struct kernel_domains {
	struct topology *real;	/* as the kernel built them */
	struct topology *model; /* as the topology module does for that version */
};

/*
 * Boots the image on the machine and reads its domains. release: "6.12.117"; the module's rules are
 * those of its newest version that is not newer. False and err set when the kernel cannot be booted
 * on the machine. All memory is from `arena`.
 */
bool kernel_domains_read(struct kernel_domains *domains, struct arena *arena,
			 const struct machine *machine, const char *image, const char *release,
			 struct err *err);

/*
 * The same after cpus went off one by one, in ascending order, on the booted machine. They are
 * online there, and another is left.
 */
bool kernel_domains_read_without(struct kernel_domains *domains, struct arena *arena,
				 const struct machine *machine, const struct cpuset *off,
				 const char *image, const char *release, struct err *err);

/*
 * The first difference, cpu by cpu from the innermost domain out, as one sentence in the arena;
 * NULL when there is none. Capacities are left out: a kernel subtracts what it spends itself.
 */
const char *kernel_domains_difference(const struct kernel_domains *domains, struct arena *arena);

#endif
