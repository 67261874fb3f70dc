/* SPDX-License-Identifier: GPL-2.0-only */
/* Each rule of measure/check.h: a story that is possible, and the same with one thing wrong. */
#include "measure/check.h"
#include "memory_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { TASKS = 4, NONE = -1, LIMIT_NS = 1000 };

struct step {
	uint64_t t_ns;
	enum trace_kind kind;
	uint32_t cpu;
	int task, arg;
};

/* Four cpus, cpu 3 offline; set 0: 0-2, set 1: cpu 1. What is said of the story; NULL: possible. */
static const char *said_of(const struct step *step, size_t count)
{
	static char text[300];
	struct measure_config config = { .max_tasks = TASKS, .nr_sets = 2 };
	struct arena arena;
	struct machine *m;
	struct trace_check *check;
	struct trace trace;
	struct cpuset set[2];

	arena_init(&arena);
	m = machine_by_hand(&arena, (struct shape){ 1, 1, 1, 4, 1 });
	m->costs.nr_idle_states = 2;
	cpuset_del(&m->online, 3);
	set[0] = cpuset_clone(&arena, &m->online);
	set[1] = cpuset_new(&arena, 4);
	cpuset_add(&set[1], 1);
	config.machine = m;
	config.set = set;
	check = trace_check_new(&arena, &config, LIMIT_NS);
	trace_init(&trace);
	trace_add_sink(&trace, trace_check_sink, check);
	for (size_t i = 0; i < count; i++)
		trace_emit(&trace, step[i].t_ns, step[i].kind, step[i].cpu, (uint32_t)step[i].task,
			   (uint32_t)step[i].arg);
	text[0] = '\0';
	if (trace_check_violation(check))
		strncpy(text, trace_check_violation(check), sizeof(text) - 1);
	arena_release(&arena);
	return text;
}

#define STEPS(...)                                                                                 \
	(const struct step[])                                                                      \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
#define SAID(...)	     said_of(STEPS(__VA_ARGS__), sizeof(STEPS(__VA_ARGS__)) / sizeof(struct step))
#define POSSIBLE(...)	     assert_string_equal(SAID(__VA_ARGS__), "")
#define IMPOSSIBLE(why, ...) assert_non_null(strstr(SAID(__VA_ARGS__), why))
#define NEW(t, cpu, task)                                                                          \
	{                                                                                          \
		t, TRACE_TASK_NEW, cpu, task, NONE                                                 \
	}
#define RUN(t, cpu, to, from)                                                                      \
	{                                                                                          \
		t, TRACE_SWITCH, cpu, to, from                                                     \
	}
#define BLOCK(t, cpu, task)                                                                        \
	{                                                                                          \
		t, TRACE_BLOCK, cpu, task, 0                                                       \
	}
#define WAKE(t, cpu, task, b)                                                                      \
	{                                                                                          \
		t, TRACE_WAKEUP, cpu, task, b                                                      \
	}
#define END(t)                                                                                     \
	{                                                                                          \
		t, TRACE_END, 0, NONE, 0                                                           \
	}

static void a_whole_life_is_possible(void **state)
{
	(void)state;
	POSSIBLE(NEW(0, 0, 0), RUN(5, 0, 0, NONE), NEW(6, 1, 1), { 7, TRACE_MIGRATE, 0, 1, 1 },
		 BLOCK(8, 0, 0), RUN(8, 0, 1, 0), { 9, TRACE_WAKING, 0, 0, 1 }, WAKE(9, 2, 0, 0),
		 RUN(10, 2, 0, NONE), { 11, TRACE_TICK, 2, 0, 0 }, { 12, TRACE_TASK_EXIT, 2, 0, 0 },
		 RUN(12, 2, NONE, 0), { 13, TRACE_IDLE_ENTER, 2, NONE, 1 },
		 { 14, TRACE_IDLE_EXIT, 2, NONE, 1 }, { 15, TRACE_IPI, 0, NONE, 2 }, END(20));
}

static void time_does_not_go_back_on_a_cpu(void **state)
{
	(void)state;
	POSSIBLE(NEW(9, 0, 0), NEW(5, 1, 1));
	IMPOSSIBLE("at 5 ns on cpu 0, TASK_NEW: the cpu was at 9 ns", NEW(9, 0, 0), NEW(5, 0, 1));
}

static void cpus_tasks_and_sets_exist(void **state)
{
	(void)state;
	IMPOSSIBLE("no such cpu", NEW(0, 4, 0));
	IMPOSSIBLE("offline", NEW(0, 3, 0));
	IMPOSSIBLE("no task 4", NEW(0, 0, 4));
	IMPOSSIBLE("no set 2", NEW(0, 0, 0), { 0, TRACE_AFFINITY, 0, 0, 2 });
	IMPOSSIBLE("no cpu 9", { 0, TRACE_IPI, 0, NONE, 9 });
	IMPOSSIBLE("no idle state 2", { 0, TRACE_IDLE_ENTER, 0, NONE, 2 });
	IMPOSSIBLE("after the end", END(0), NEW(0, 0, 0));
}

static void a_task_is_created_once_and_dies_for_good(void **state)
{
	(void)state;
	IMPOSSIBLE("is queued", NEW(0, 0, 0), NEW(0, 0, 0));
	IMPOSSIBLE("was not created", RUN(0, 0, 0, NONE));
	IMPOSSIBLE("is dead", NEW(0, 0, 0), RUN(0, 0, 0, NONE), { 1, TRACE_TASK_EXIT, 0, 0, 0 },
		   RUN(1, 0, NONE, 0), WAKE(2, 0, 0, 0));
}

static void a_switch_takes_away_who_ran(void **state)
{
	(void)state;
	IMPOSSIBLE("task 0 ran here, not -1", NEW(0, 0, 0), NEW(0, 0, 1), RUN(0, 0, 0, NONE),
		   RUN(1, 0, 1, NONE));
	IMPOSSIBLE("to itself", RUN(0, 0, NONE, NONE));
}

static void no_task_is_on_two_cpus(void **state)
{
	(void)state;
	IMPOSSIBLE("task 0 runs (cpu 0)", NEW(0, 0, 0), RUN(0, 0, 0, NONE), RUN(1, 1, 0, NONE));
	IMPOSSIBLE("queued on cpu 0", NEW(0, 0, 0), RUN(1, 1, 0, NONE));
}

static void affinity_is_kept(void **state)
{
	(void)state;
	IMPOSSIBLE("may not run here", NEW(0, 1, 0), { 0, TRACE_AFFINITY, 1, 0, 1 },
		   { 1, TRACE_MIGRATE, 2, 0, 1 });
	IMPOSSIBLE("may not run here", NEW(0, 0, 0), { 0, TRACE_AFFINITY, 0, 0, 1 },
		   RUN(0, 0, 0, NONE));
	POSSIBLE(NEW(0, 0, 0), RUN(0, 0, 0, NONE), { 1, TRACE_AFFINITY, 0, 0, 1 },
		 RUN(2, 0, NONE, 0), { 3, TRACE_MIGRATE, 1, 0, 0 }, RUN(3, 1, 0, NONE));
	IMPOSSIBLE("may not run here", NEW(0, 1, 0), RUN(0, 1, 0, NONE),
		   { 0, TRACE_AFFINITY, 1, 0, 1 }, BLOCK(1, 1, 0), RUN(1, 1, NONE, 0),
		   WAKE(2, 0, 0, 1));
}

static void a_blocked_task_sleeps_until_a_wake_up(void **state)
{
	(void)state;
	IMPOSSIBLE("is asleep", NEW(0, 0, 0), RUN(0, 0, 0, NONE), BLOCK(1, 0, 0),
		   RUN(1, 0, NONE, 0), RUN(2, 0, 0, NONE));
	IMPOSSIBLE("is asleep", NEW(0, 0, 0), RUN(0, 0, 0, NONE), BLOCK(1, 0, 0),
		   RUN(1, 0, NONE, 0), { 2, TRACE_MIGRATE, 1, 0, 0 });
	IMPOSSIBLE("runs", NEW(0, 0, 0), RUN(0, 0, 0, NONE), WAKE(1, 0, 0, 0));
	IMPOSSIBLE("was on cpu 0, not on 2", NEW(0, 0, 0), RUN(0, 0, 0, NONE), BLOCK(1, 0, 0),
		   RUN(1, 0, NONE, 0), WAKE(2, 1, 0, 2));
	POSSIBLE(NEW(0, 0, 0), RUN(0, 0, 0, NONE), BLOCK(1, 0, 0), WAKE(1, 0, 0, 0),
		 RUN(2, 0, NONE, 0), RUN(3, 0, 0, NONE));
}

static void only_who_runs_blocks_ends_or_ticks(void **state)
{
	(void)state;
	IMPOSSIBLE("is queued", NEW(0, 0, 0), BLOCK(1, 0, 0));
	IMPOSSIBLE("runs on cpu 0", NEW(0, 0, 0), RUN(0, 0, 0, NONE), BLOCK(1, 1, 0));
	IMPOSSIBLE("has blocked", NEW(0, 0, 0), RUN(0, 0, 0, NONE), BLOCK(1, 0, 0), BLOCK(1, 0, 0));
	IMPOSSIBLE("runs here", NEW(0, 0, 0), { 1, TRACE_TICK, 0, 0, 0 });
}

static void idle_states_are_of_idle_cpus(void **state)
{
	(void)state;
	IMPOSSIBLE("task 0 runs here", NEW(0, 0, 0), RUN(0, 0, 0, NONE),
		   { 1, TRACE_IDLE_ENTER, 0, NONE, 0 });
	IMPOSSIBLE("runs in idle state 1", NEW(0, 0, 0), { 1, TRACE_IDLE_ENTER, 0, NONE, 1 },
		   RUN(1, 0, 0, NONE));
	IMPOSSIBLE("idle state 1, not 0", { 1, TRACE_IDLE_ENTER, 0, NONE, 1 },
		   { 1, TRACE_IDLE_EXIT, 0, NONE, 0 });
	IMPOSSIBLE("is in idle state 1", { 1, TRACE_IDLE_ENTER, 0, NONE, 1 },
		   { 1, TRACE_IDLE_ENTER, 0, NONE, 0 });
}

static void no_runnable_task_is_forgotten(void **state)
{
	(void)state;
	IMPOSSIBLE("task 1 waits on cpu 0 since 0 ns while cpu 1 idles", NEW(0, 0, 0), NEW(0, 0, 1),
		   RUN(0, 0, 0, NONE), END(LIMIT_NS));
	POSSIBLE(NEW(0, 0, 0), NEW(0, 0, 1), RUN(0, 0, 0, NONE), END(LIMIT_NS - 1));
	POSSIBLE(NEW(0, 1, 0), NEW(0, 1, 1), { 0, TRACE_AFFINITY, 1, 1, 1 }, RUN(0, 1, 0, NONE),
		 END(10 * LIMIT_NS));
}

static void a_task_s_time_does_not_go_back(void **state)
{
	(void)state;
	IMPOSSIBLE("task 0 was at 100 ns before", NEW(100, 0, 0), { 90, TRACE_MIGRATE, 1, 0, 0 });
}

#define OFF(t, cpu)                                                                                \
	{                                                                                          \
		t, TRACE_CPU_OFF, cpu, NONE, 0                                                     \
	}
#define ON(t, cpu)                                                                                 \
	{                                                                                          \
		t, TRACE_CPU_ON, cpu, NONE, 0                                                      \
	}

#define LEAVE(t, cpu)                                                                              \
	{                                                                                          \
		t, TRACE_CPU_LEAVES, cpu, NONE, 0                                                  \
	}

static void nothing_happens_on_a_cpu_that_is_off(void **state)
{
	(void)state;
	POSSIBLE(LEAVE(1, 1), OFF(1, 1), ON(2, 1), NEW(3, 1, 0), ON(4, 3));
	IMPOSSIBLE("the cpu is offline", LEAVE(1, 1), OFF(1, 1), { 2, TRACE_TICK, 1, NONE, 0 });
	IMPOSSIBLE("the cpu is offline", LEAVE(1, 1), OFF(1, 1), OFF(2, 1));
	IMPOSSIBLE("nobody said", OFF(1, 1));
	IMPOSSIBLE("the cpu is on", ON(1, 1));
}

static void a_cpu_goes_off_empty(void **state)
{
	(void)state;
	POSSIBLE(NEW(0, 1, 0), RUN(1, 1, 0, NONE), LEAVE(2, 1), RUN(2, 1, NONE, 0),
		 { 2, TRACE_MIGRATE, 0, 0, 1 }, OFF(2, 1));
	IMPOSSIBLE("task 0 runs here", NEW(0, 1, 0), RUN(1, 1, 0, NONE), LEAVE(2, 1), OFF(2, 1));
	IMPOSSIBLE("task 0 is queued here", NEW(0, 1, 0), LEAVE(2, 1), OFF(2, 1));
	IMPOSSIBLE("in idle state 0", { 1, TRACE_IDLE_ENTER, 1, NONE, 0 }, LEAVE(2, 1), OFF(2, 1));
}

/* Set 1 is cpu 1. */
static void a_task_without_a_cpu_may_run_anywhere(void **state)
{
	(void)state;
	POSSIBLE(NEW(0, 1, 0), { 1, TRACE_AFFINITY, 1, 0, 1 }, LEAVE(2, 1),
		 { 2, TRACE_MIGRATE, 0, 0, 1 }, OFF(2, 1), RUN(3, 0, 0, NONE));
	IMPOSSIBLE("may not run here", NEW(0, 1, 0), { 1, TRACE_AFFINITY, 1, 0, 1 }, LEAVE(2, 2),
		   { 2, TRACE_MIGRATE, 0, 0, 1 });
	IMPOSSIBLE("may not run here", NEW(0, 1, 0), { 1, TRACE_AFFINITY, 1, 0, 1 }, LEAVE(2, 1),
		   { 2, TRACE_MIGRATE, 0, 0, 1 }, OFF(2, 1), ON(3, 1),
		   { 4, TRACE_AFFINITY, 0, 0, 1 }, { 5, TRACE_MIGRATE, 2, 0, 0 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_life_is_possible),
		cmocka_unit_test(time_does_not_go_back_on_a_cpu),
		cmocka_unit_test(cpus_tasks_and_sets_exist),
		cmocka_unit_test(a_task_is_created_once_and_dies_for_good),
		cmocka_unit_test(a_switch_takes_away_who_ran),
		cmocka_unit_test(no_task_is_on_two_cpus),
		cmocka_unit_test(affinity_is_kept),
		cmocka_unit_test(a_blocked_task_sleeps_until_a_wake_up),
		cmocka_unit_test(only_who_runs_blocks_ends_or_ticks),
		cmocka_unit_test(idle_states_are_of_idle_cpus),
		cmocka_unit_test(no_runnable_task_is_forgotten),
		cmocka_unit_test(nothing_happens_on_a_cpu_that_is_off),
		cmocka_unit_test(a_cpu_goes_off_empty),
		cmocka_unit_test(a_task_without_a_cpu_may_run_anywhere),
		cmocka_unit_test(a_task_s_time_does_not_go_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
