/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/hotplug.h"

#include "lab/explain.h"
#include "sim/sim.h"
#include "text/scan.h"
#include "workload/words.h"

#include <stdio.h>
#include <string.h>

static const char *const usage = "(allowed: off or on CPU@TIME, as in 'off 3@5ms, on 3@9ms')";

static bool read_time(struct scan *scan, uint64_t *ns, struct err *err)
{
	struct scan start = *scan;
	const char *word;
	char text[32];
	size_t length;

	if (!scan_word(scan, "0123456789.abcdefghijklmnopqrstuvwxyz", &word, &length))
		return scan_fail(scan, err, "a time is wanted %s", usage);
	snprintf(text, sizeof(text), "%.*s", (int)length, word);
	if (length >= sizeof(text) || !word_time(text, ns))
		return scan_fail(&start, err,
				 "this is not a time: a whole number with ns, us, ms or s");
	if (*ns <= SIM_MAX_NS)
		return true;
	return scan_fail(&start, err, "no run is that long (allowed: up to %llu s)",
			 SIM_MAX_NS / 1000000000);
}

static bool read_cpus(struct scan *scan, uint64_t *first, uint64_t *last, struct err *err)
{
	struct scan start = *scan;

	if (!scan_u64(scan, first))
		return scan_fail(scan, err, "a cpu is wanted %s", usage);
	*last = *first;
	if (scan_literal(scan, "-") && !scan_u64(scan, last))
		return scan_fail(scan, err, "the last cpu of a range is wanted %s", usage);
	if (*last >= *first && *last < UINT32_MAX)
		return true;
	return scan_fail(&start, err,
			 *last < *first ? "this is not a range of cpus" : "there are no such cpus");
}

static bool read_verb(struct scan *scan, bool *up, struct err *err)
{
	const char *word;
	size_t length;
	struct scan start = *scan;

	if (!scan_word(scan, "abcdefghijklmnopqrstuvwxyz", &word, &length))
		return scan_fail(scan, err, "'off' or 'on' is wanted %s", usage);
	*up = length == 2 && !memcmp(word, "on", 2);
	if (*up || (length == 3 && !memcmp(word, "off", 3)))
		return true;
	return scan_fail(&start, err, "'off' or 'on' is wanted %s", usage);
}

/* Keeps the events in the order of their times, and equal ones as they come. */
static bool add(struct hotplug *hotplug, struct hotplug_event event, struct scan *scan,
		struct err *err)
{
	uint32_t at = hotplug->nr;

	if (hotplug->nr == HOTPLUG_MAX_EVENTS)
		return scan_fail(scan, err, "more than %d cpus go off or on", HOTPLUG_MAX_EVENTS);
	for (; at && hotplug->event[at - 1].time_ns > event.time_ns; at--)
		hotplug->event[at] = hotplug->event[at - 1];
	hotplug->event[at] = event;
	hotplug->nr++;
	return true;
}

static bool read_entry(struct hotplug *hotplug, struct scan *scan, struct err *err)
{
	struct hotplug_event event = { 0 };
	uint64_t first, last;

	scan_space(scan);
	if (!read_verb(scan, &event.up, err))
		return false;
	scan_space(scan);
	if (!read_cpus(scan, &first, &last, err))
		return false;
	if (!scan_literal(scan, "@"))
		return scan_fail(scan, err, "'@' and a time are wanted %s", usage);
	if (!read_time(scan, &event.time_ns, err))
		return false;
	for (uint64_t cpu = first; cpu <= last; cpu++) {
		event.cpu = (uint32_t)cpu;
		if (!add(hotplug, event, scan, err))
			return false;
	}
	scan_space(scan);
	return true;
}

static void reach_all(struct hotplug *hotplug, struct arena *arena, const struct machine *machine)
{
	struct machine *reach = ARENA_NEW(arena, struct machine);

	*reach = *machine;
	reach->online = cpuset_clone(arena, &machine->online);
	for (uint32_t i = 0; i < hotplug->nr; i++)
		cpuset_add(&reach->online, hotplug->event[i].cpu);
	hotplug->reach = reach;
}

bool hotplug_parse(struct hotplug *hotplug, struct arena *arena, const char *text,
		   const struct machine *machine, struct err *err)
{
	struct scan scan = scan_text("--hotplug", text ? text : "");

	*hotplug = (struct hotplug){ .reach = machine };
	if (!text)
		return true;
	hotplug->event = ARENA_ARRAY(arena, struct hotplug_event, HOTPLUG_MAX_EVENTS);
	do {
		if (!read_entry(hotplug, &scan, err))
			return false;
	} while (scan_literal(&scan, ","));
	if (!scan_at_end(&scan))
		return scan_fail(&scan, err, "a comma is wanted between entries");
	if (!hotplug_check(hotplug->event, hotplug->nr, machine, err))
		return false;
	reach_all(hotplug, arena, machine);
	return true;
}

uint32_t hotplug_left(const struct hotplug *hotplug, const struct stored_result *result)
{
	const struct stored_metric *off = result_metric(result, "sim.cpus_off");
	const struct stored_metric *on = result_metric(result, "sim.cpus_on");

	return off && on ? hotplug->nr - (uint32_t)(off->value + on->value) : 0;
}
