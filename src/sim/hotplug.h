/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cpus that go off and come during a run.
 *
 * Events happen one after the other, as a kernel's hotplug lock has it: each begins at its time, or
 * when the one before has ended if that is later. A cpu goes off where its task would return to
 * user mode; what it then does for that takes its time, after which it is off: no tick, no timer,
 * no interrupt, no idle state. Its task timers go to the first cpu that is on. A cpu that comes
 * starts at once, in the idle loop or with what it has pulled: the time that firmware takes is not
 * part of it.
 */
#ifndef SIM_HOTPLUG_H
#define SIM_HOTPLUG_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct machine;

struct hotplug_event {
	uint64_t time_ns;
	uint32_t cpu;
	bool up;
};

/*
 * False and err set when times go back, a cpu does not exist or is in that state already, or the
 * last one would go off. `online` of the machine says how the run begins.
 */
bool hotplug_check(const struct hotplug_event *event, uint32_t nr, const struct machine *machine,
		   struct err *err);

#endif
