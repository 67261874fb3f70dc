/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cpus that go off and come during a run, as text: "off 3@5ms, on 3@9ms".
 *
 * Entries are separated by commas: off or on, a cpu or a range of them ("4-7", one after the
 * other), @, and a time of the simulation: a whole number with ns, us, ms or s (without one: ns).
 * They need not be in order; entries of one time happen in the order in which they stand.
 */
#ifndef LAB_HOTPLUG_H
#define LAB_HOTPLUG_H

#include "machine/machine.h"
#include "sim/hotplug.h"
#include "store/store.h"

struct hotplug {
	uint32_t nr;
	struct hotplug_event *event; /* by time */
	/* With all cpus on that are on at any time: what a workload may use. */
	const struct machine *reach;
};

enum { HOTPLUG_MAX_EVENTS = 10000 };

/*
 * text NULL: no events. False and err set when an entry cannot be read, or cannot happen on the
 * machine. Memory from `arena`.
 */
bool hotplug_parse(struct hotplug *hotplug, struct arena *arena, const char *text,
		   const struct machine *machine, struct err *err);

/* How many of the events a run has ended before; those of a run that failed are not known. */
uint32_t hotplug_left(const struct hotplug *hotplug, const struct stored_result *result);

#endif
