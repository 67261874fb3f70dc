/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is what the events say possible? A sink for tests and for runs that must prove themselves.
 *
 * Checked of any engine's events:
 * - time does not go back on a cpu; cpus are on, tasks and sets exist; nothing follows END
 * - a task is created once, and after its end nothing happens to it
 * - a switch takes away who ran and brings another who was queued on that cpu; no task is on two
 *   cpus
 * - a task is queued and started only where its set allows; it may go on where it runs
 * - a task that blocked is not queued before a WAKEUP; WAKEUP and MIGRATE name the cpu where it was
 * - BLOCK and TASK_EXIT are of who runs; the switch away follows, or after BLOCK a WAKEUP before it
 * - only an idle cpu enters an idle state, and it leaves that state before a task runs
 * - a cpu goes off when nothing runs or is queued there, and nothing happens on it until it comes;
 *   a task of whose set no cpu was on may run anywhere until its set changes
 * - at END no task has waited longer than the limit while a cpu it may use idled as long
 * - each task's running, waiting and sleeping time add up to its life
 *
 * The first violation is kept as text; later events are then ignored.
 */
#ifndef MEASURE_CHECK_H
#define MEASURE_CHECK_H

#include "measure/measure.h"

struct trace_check;

/* forgotten_ns: the limit at END; UINT64_MAX checks no such thing. */
struct trace_check *trace_check_new(struct arena *arena, const struct measure_config *config,
				    uint64_t forgotten_ns);

/* A trace_sink; the context is the check. */
void trace_check_sink(void *check, const struct trace_event *event);

/* "event 12 at 340 ns on cpu 3: task 7 …", or NULL while all was possible. */
const char *trace_check_violation(const struct trace_check *check);

/* Whether END was seen: without it what is checked at END was not. */
bool trace_check_ended(const struct trace_check *check);

/*
 * A task's life so far, up to its last change of state: what an engine or simulation says of it
 * can be held against that.
 */
struct trace_check_times {
	uint64_t run_ns, wait_ns, sleep_ns;
};
struct trace_check_times trace_check_times(const struct trace_check *check, uint32_t task);

#endif
