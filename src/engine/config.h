/* SPDX-License-Identifier: GPL-2.0-only */
/* What an engine is made from, and what it counts: part of the port, engine/engine.h. */
#ifndef ENGINE_CONFIG_H
#define ENGINE_CONFIG_H

#include "base/cpuset.h"
#include "memory/memory.h"

struct engine_services;

/* A group of the cpu controller. */
#define GROUP_ROOT UINT32_MAX
struct engine_group {
	uint32_t parent;	      /* an earlier group, or GROUP_ROOT */
	uint32_t shares;	      /* cpu.shares; 1024 is the weight of one task of nice 0 */
	uint32_t quota_us, period_us; /* CFS bandwidth; quota 0: none */
};

struct engine_config {
	const struct machine *machine;
	const struct engine_services *services;
	struct memory *memory;	       /* shared with the simulation: one coherence domain */
	const char *profile, *variant; /* "v5.12", "+SMT_GATED_IDLE_CORES,-SIS_PROP" */
	uint64_t seed;
	const char *image;  /* the kernel engine's program; NULL for the model */
	bool no_feedback;   /* costs are counted, yet verbs take no time */
	bool hotplug;	    /* cpus will go off or come: an engine that cannot do that refuses */
	bool profile_lines; /* keep what engine/kernel/profile.h tells */
	uint32_t max_tasks, nr_sets;
	const struct cpuset *set; /* set 0: all that the workload may use */
	uint32_t nr_groups;
	const struct engine_group *group; /* an engine without groups refuses any */
	uint64_t tick_ns;		  /* out of the engine: filled by create */
};

/* One figure an engine counted, e.g. "sis.scanned"; names live as long as the engine. */
struct engine_counter {
	const char *name, *phrase;
	uint64_t value;
};

#endif
