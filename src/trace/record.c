/* SPDX-License-Identifier: GPL-2.0-only */
/* Event n of the run lies in place n % capacity. */
#include "trace/record.h"

#include "base/check.h"

struct trace_record *trace_record_new(struct arena *arena, uint64_t capacity)
{
	struct trace_record *record = ARENA_NEW(arena, struct trace_record);

	CHECK(capacity);
	record->capacity = capacity;
	record->event = ARENA_LINES(arena, struct trace_event, capacity);
	return record;
}

void trace_record_sink(void *context, const struct trace_event *event)
{
	struct trace_record *record = context;

	record->event[record->nr_seen++ % record->capacity] = *event;
}

uint64_t trace_record_count(const struct trace_record *record)
{
	return record->nr_seen < record->capacity ? record->nr_seen : record->capacity;
}

const struct trace_event *trace_record_at(const struct trace_record *record, uint64_t i)
{
	uint64_t count = trace_record_count(record);

	CHECK(i < count);
	return &record->event[(record->nr_seen - count + i) % record->capacity];
}
