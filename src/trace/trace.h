/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened, in order: the record that metrics, checkers and hashes read.
 *
 * Every event of a run goes through one struct trace: it is folded into the hash and handed to
 * each sink. The hash is a function of the events alone. Sinks are called in the order they were
 * added and must not change the run.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/cpuset.h"
#include "base/hash.h"

enum trace_kind {
#define EVENT(name, task, arg, phrase) TRACE_##name,
#include "trace/events.def"
#undef EVENT
	NR_TRACE_KINDS
};

struct trace_event {
	uint64_t t_ns;
	uint32_t kind; /* enum trace_kind */
	uint32_t cpu, task, arg;
};

typedef void trace_sink(void *context, const struct trace_event *event);

enum { TRACE_MAX_SINKS = 4 };

struct trace {
	uint64_t hash, nr_events;
	uint32_t nr_sinks;
	trace_sink *sink[TRACE_MAX_SINKS];
	void *context[TRACE_MAX_SINKS];
};

void trace_init(struct trace *trace);
void trace_add_sink(struct trace *trace, trace_sink *sink, void *context);

static inline void trace_emit(struct trace *trace, uint64_t t_ns, enum trace_kind kind,
			      uint32_t cpu, uint32_t task, uint32_t arg)
{
	uint64_t who = (uint64_t)task << 32 | arg, where = (uint64_t)cpu << 8 | kind;

	/* Only the last step waits for the event before; the products run ahead of it. */
	trace->hash =
		hash_u64(trace->hash, t_ns * 0x9e3779b97f4a7c15ull + who * 0xc2b2ae3d27d4eb4full +
					      where * 0x165667b19e3779f9ull);
	trace->nr_events++;
	if (__builtin_expect(trace->nr_sinks != 0, 0)) {
		struct trace_event event = { t_ns, kind, cpu, task, arg };

		for (uint32_t i = 0; i < trace->nr_sinks; i++)
			trace->sink[i](trace->context[i], &event);
	}
}

/* "SWITCH", and the row's phrase. */
const char *trace_kind_name(enum trace_kind kind);
const char *trace_kind_phrase(enum trace_kind kind);

#endif
