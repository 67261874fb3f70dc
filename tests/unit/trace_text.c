/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *role(void *context, uint32_t task)
{
	(void)context;
	return task ? "receiver" : "sender";
}

static const char expected[] =
	"          <idle>-0       [000] .....    0.000000000: sched_wakeup_new: comm=sender pid=1 "
	"prio=120 target_cpu=000\n"
	"          <idle>-0       [000] .....    0.000000100: sched_switch: prev_comm=<idle> "
	"prev_pid=0 "
	"prev_prio=120 prev_state=R ==> next_comm=sender next_pid=1 next_prio=120\n"
	"          sender-1       [000] .....    0.000000200: sched_waking: comm=receiver pid=2 "
	"prio=120 target_cpu=000\n"
	"          <idle>-0       [001] .....    1.000000250: sched_wakeup: comm=receiver pid=2 "
	"prio=120 target_cpu=001\n"
	"          sender-1       [000] .....    1.000000300: block: pid=1\n"
	"          sender-1       [000] .....    1.000000310: sched_switch: prev_comm=sender "
	"prev_pid=1 "
	"prev_prio=120 prev_state=S ==> next_comm=<idle> next_pid=0 next_prio=120\n"
	"          <idle>-0       [000] .....    1.000000320: cpu_idle: state=2 cpu_id=0\n"
	"          <idle>-0       [000] .....    1.000000330: cpu_idle: state=4294967295 cpu_id=0\n"
	"          <idle>-0       [000] .....    1.000000340: sched_migrate_task: comm=receiver "
	"pid=2 "
	"prio=120 orig_cpu=1 dest_cpu=0\n"
	"          <idle>-0       [000] .....    1.000000350: end\n";

static void lines_have_the_form_of_ftrace(void **state)
{
	static const struct trace_event event[] = {
		{ 0, TRACE_TASK_NEW, 0, 0, TASK_NONE },
		{ 100, TRACE_SWITCH, 0, 0, TASK_NONE },
		{ 200, TRACE_WAKING, 0, 1, 0 },
		{ 1000000250, TRACE_WAKEUP, 1, 1, 0 },
		{ 1000000300, TRACE_BLOCK, 0, 0, 0 },
		{ 1000000310, TRACE_SWITCH, 0, TASK_NONE, 0 },
		{ 1000000320, TRACE_IDLE_ENTER, 0, TASK_NONE, 2 },
		{ 1000000330, TRACE_IDLE_EXIT, 0, TASK_NONE, 2 },
		{ 1000000340, TRACE_MIGRATE, 0, 1, 1 },
		{ 1000000350, TRACE_END, 0, TASK_NONE, 0 },
	};
	struct arena arena;
	struct trace_text *text;
	char *out = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&out, &size);

	(void)state;
	arena_init(&arena);
	text = trace_text_new(&arena, file, 2, 2, role, NULL);
	for (size_t i = 0; i < sizeof(event) / sizeof(*event); i++)
		trace_print_text(text, &event[i]);
	fclose(file);
	assert_int_equal(strncmp(out, "# tracer: nop\n#\n", 16), 0);
	assert_string_equal(strstr(out, "          <idle>"), expected);
	free(out);
	arena_release(&arena);
}

static void every_kind_is_one_line(void **state)
{
	struct arena arena;
	struct trace_text *text;
	char *out = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&out, &size);

	(void)state;
	arena_init(&arena);
	text = trace_text_new(&arena, file, 1, 1, NULL, NULL);
	for (uint32_t kind = 0; kind < NR_TRACE_KINDS; kind++) {
		const struct trace_event event = { kind, kind, 0, 0, 0 };

		trace_print_text(text, &event);
		fflush(file);
		assert_int_equal(out[size - 1], '\n');
	}
	fclose(file);
	free(out);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_have_the_form_of_ftrace),
		cmocka_unit_test(every_kind_is_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
