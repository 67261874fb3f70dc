/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/trace.h"

#include "base/check.h"

static const struct kind_row {
	const char *name, *task, *arg, *phrase;
} kind_row[NR_TRACE_KINDS] = {
#define EVENT(name, task, arg, phrase) { #name, task, arg, phrase },
#include "trace/events.def"
#undef EVENT
};

void trace_init(struct trace *trace)
{
	*trace = (struct trace){ .hash = HASH_START };
}

void trace_add_sink(struct trace *trace, trace_sink *sink, void *context)
{
	CHECK(trace->nr_sinks < TRACE_MAX_SINKS);
	trace->sink[trace->nr_sinks] = sink;
	trace->context[trace->nr_sinks++] = context;
}

const char *trace_kind_name(enum trace_kind kind)
{
	CHECK((uint32_t)kind < NR_TRACE_KINDS);
	return kind_row[kind].name;
}

const char *trace_kind_phrase(enum trace_kind kind)
{
	CHECK((uint32_t)kind < NR_TRACE_KINDS);
	return kind_row[kind].phrase;
}
