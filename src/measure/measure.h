/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics of a run, from its events alone.
 *
 * A struct measure is a sink of the trace. It never asks an engine or the simulation, so the same
 * events give the same metrics whoever made them. Cpus are idle and tasks do not exist until an
 * event says otherwise. Metrics can be asked for at any time; they cover what was seen until then
 * or until END. Events that contradict each other are not noticed here: measure/check.h does that.
 */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include "machine/machine.h"
#include "stats/histogram.h"
#include "trace/trace.h"

/* Whose events they are; all of it outlives the measure. */
struct measure_config {
	const struct machine *machine;
	uint32_t max_tasks, nr_sets;
	const struct cpuset *set; /* set 0: all cpus that the workload may use */
	const uint32_t *task_set; /* by task: its set when it is created; NULL: set 0 */
};

struct metric {
	const char *name, *unit, *better, *phrase; /* as in metrics.def */
	double value;
};

struct metrics {
	uint32_t nr;
	struct metric *metric;
};

/* A figure that somebody else counted, e.g. "sis.scanned". */
struct measure_counter {
	const char *name, *phrase;
	uint64_t value;
};

struct measure;

struct measure *measure_new(struct arena *arena, const struct measure_config *config);

/* A trace_sink; the context is the measure. */
void measure_sink(void *measure, const struct trace_event *event);

/*
 * The rows of metrics.def in their order, the idle states, then the counters in theirs; a counter
 * whose name is already there is left out. The array is the arena's, names are the callers'.
 */
struct metrics measure_metrics(const struct measure *measure, struct arena *arena,
			       const struct measure_counter *counter, uint32_t nr_counters);

/* NULL when there is none of that name. */
const struct metric *metrics_find(const struct metrics *metrics, const char *name);

/* ns from runnable to running, and from the begin of a wake-up to running. */
const struct histogram *measure_run_delay(const struct measure *measure);
const struct histogram *measure_wakeup_latency(const struct measure *measure);

/* The rows of metrics.def, for lists; values are 0. */
struct metrics measure_rows(struct arena *arena);

#endif
