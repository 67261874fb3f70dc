/* SPDX-License-Identifier: GPL-2.0-only */
/* A sink that keeps the last events in memory: for tests, and for what led to a failure. */
#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include "base/arena.h"
#include "trace/trace.h"

struct trace_record {
	struct trace_event *event; /* a ring; read it through trace_record_at() */
	uint64_t capacity, nr_seen;
};

/* Keeps `capacity` events, at least 1. The arena outlives it. */
struct trace_record *trace_record_new(struct arena *arena, uint64_t capacity);

/* A trace_sink; the context is the record. */
void trace_record_sink(void *record, const struct trace_event *event);

/* How many are kept, and the i-th of them, the oldest first. */
uint64_t trace_record_count(const struct trace_record *record);
const struct trace_event *trace_record_at(const struct trace_record *record, uint64_t i);

#endif
