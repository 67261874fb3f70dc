/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which cpus the kernel's command line leaves down at boot, for topology_options.down.
 *
 * `down` has the machine's nr_cpus bits. Both functions add to it; what is in it already stays down
 * and counts nowhere, so that "nosmt maxcpus=4" is four cores. Cpus which the record has as offline
 * stay so and do not count either.
 */
#ifndef TOPOLOGY_BOOT_H
#define TOPOLOGY_BOOT_H

#include "topology/topology.h"

/* nosmt: only the first thread of each core comes up. What topology_options.smt is then. */
enum boot_smt boot_nosmt(const struct machine *m, struct cpuset *down);

/*
 * maxcpus=N: the first max_cpus (at least 1) in the order of the rules come up. BOOT_SMT_ON when
 * this leaves siblings down that the kernel knows of; else BOOT_SMT_AS_SEEN.
 */
enum boot_smt boot_maxcpus(const struct machine *m, const struct topology_rules *rules,
			   uint32_t max_cpus, struct cpuset *down);

#endif
