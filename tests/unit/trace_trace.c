/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/trace.h"
#include "trace/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t hash_of(uint64_t t_ns, uint32_t kind, uint32_t cpu, uint32_t task, uint32_t arg)
{
	struct trace trace;

	trace_init(&trace);
	trace_emit(&trace, t_ns, kind, cpu, task, arg);
	return trace.hash;
}

static void the_hash_depends_on_every_field(void **state)
{
	uint64_t base = hash_of(5, TRACE_SWITCH, 1, 2, 3);

	(void)state;
	assert_int_equal(base, hash_of(5, TRACE_SWITCH, 1, 2, 3));
	assert_int_not_equal(base, hash_of(6, TRACE_SWITCH, 1, 2, 3));
	assert_int_not_equal(base, hash_of(5, TRACE_WAKEUP, 1, 2, 3));
	assert_int_not_equal(base, hash_of(5, TRACE_SWITCH, 2, 2, 3));
	assert_int_not_equal(base, hash_of(5, TRACE_SWITCH, 1, 3, 3));
	assert_int_not_equal(base, hash_of(5, TRACE_SWITCH, 1, 2, 4));
}

static void the_hash_does_not_depend_on_sinks(void **state)
{
	struct arena arena;
	struct trace with, without;

	(void)state;
	arena_init(&arena);
	trace_init(&with);
	trace_init(&without);
	trace_add_sink(&with, trace_record_sink, trace_record_new(&arena, 4));
	for (uint32_t i = 0; i < 100; i++) {
		trace_emit(&with, i, TRACE_TICK, 0, i, 0);
		trace_emit(&without, i, TRACE_TICK, 0, i, 0);
	}
	assert_int_equal(with.hash, without.hash);
	assert_int_equal(with.nr_events, 100);
	arena_release(&arena);
}

static void a_record_keeps_the_last_events(void **state)
{
	struct arena arena;
	struct trace trace;
	struct trace_record *record;

	(void)state;
	arena_init(&arena);
	trace_init(&trace);
	record = trace_record_new(&arena, 4);
	trace_add_sink(&trace, trace_record_sink, record);
	assert_int_equal(trace_record_count(record), 0);
	for (uint32_t i = 0; i < 3; i++)
		trace_emit(&trace, i, TRACE_TICK, 0, i, 0);
	assert_int_equal(trace_record_count(record), 3);
	assert_int_equal(trace_record_at(record, 0)->task, 0);
	for (uint32_t i = 3; i < 10; i++)
		trace_emit(&trace, i, TRACE_TICK, 0, i, 0);
	assert_int_equal(trace_record_count(record), 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(trace_record_at(record, i)->task, 6 + i);
	arena_release(&arena);
}

static void kinds_have_names_and_phrases(void **state)
{
	(void)state;
	assert_string_equal(trace_kind_name(TRACE_SWITCH), "SWITCH");
	for (uint32_t kind = 0; kind < NR_TRACE_KINDS; kind++) {
		assert_true(trace_kind_name(kind)[0]);
		assert_true(trace_kind_phrase(kind)[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hash_depends_on_every_field),
		cmocka_unit_test(the_hash_does_not_depend_on_sinks),
		cmocka_unit_test(a_record_keeps_the_last_events),
		cmocka_unit_test(kinds_have_names_and_phrases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
