/* SPDX-License-Identifier: GPL-2.0-only */
/* The way of a cpu off and on. Internal to sim/; see sim/hotplug.h. */
#ifndef SIM_PLUG_H
#define SIM_PLUG_H

#include "sim/state.h"

/* The slot of the next event in the queue, behind those of the cpus. */
static inline uint32_t plug_slot(const struct sim *sim)
{
	return sim->machine->nr_cpus * SLOTS_PER_CPU;
}

/* Puts the next event into the queue; at the start, and whenever one has ended. */
void plug_arm(struct sim *sim);
/* It came due. */
void plug_due(struct sim *sim);
/* The cpu is where it may leave its task and is about to go, or has done all for that. */
void plug_go_on(struct sim *sim, uint32_t cpu);

#endif
