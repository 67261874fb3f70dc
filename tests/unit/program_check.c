/* SPDX-License-Identifier: GPL-2.0-only */
#include "program/build.h"
#include "program/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
	struct arena arena;
	struct cpuset cpus;
	struct program_builder *b;
	struct err err;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	arena_init(&f->arena);
	f->cpus = cpuset_new(&f->arena, 4);
	cpuset_fill(&f->cpus);
	f->b = program_builder_new(&f->arena, &f->cpus);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	arena_release(&f->arena);
	free(f);
	return 0;
}

static void add(struct fixture *f, enum op_kind kind, uint32_t resource, uint64_t a, uint64_t b)
{
	program_op(f->b, (struct op){ .kind = kind, .resource = resource, .a = a, .b = b });
}

static void start(struct fixture *f, uint32_t program)
{
	program_task(f->b, (struct task_spec){ .program = program, .at_start = true });
}

static void refused(struct fixture *f, const char *where, const char *what)
{
	char text[700], wanted[700];

	assert_null(program_finish(f->b, &f->err));
	err_print(&f->err, text, sizeof(text));
	snprintf(wanted, sizeof(wanted), "%s%s%s", where, where[0] ? ": " : "", what);
	assert_string_equal(text, wanted);
}

static void one_op_refused(void **state, struct op op, const char *where, const char *what)
{
	struct fixture *f = *state;

	program_begin(f->b, "worker");
	program_op(f->b, op);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	refused(f, where, what);
}

static void a_valid_set_gets_its_jumps_and_depths(void **state)
{
	struct fixture *f = *state;
	struct program_set *set;

	program_begin(f->b, "worker");
	add(f, OP_LOOP, 0, 3, 0);
	add(f, OP_LOOP, 0, 2, 0);
	add(f, OP_COMPUTE, 0, 10, 0);
	add(f, OP_END, 0, 0, 0);
	add(f, OP_END, 0, 0, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	set = program_finish(f->b, &f->err);
	assert_non_null(set);
	assert_int_equal(set->op[0].jump, 4);
	assert_int_equal(set->op[4].jump, 0);
	assert_int_equal(set->op[1].jump, 3);
	assert_int_equal(set->op[3].jump, 1);
	assert_int_equal(set->op[2].depth, 2);
	assert_int_equal(set->op[2].jump_set, 0);
	assert_int_equal(set->op[1].depth, 1);
	assert_int_equal(set->op[5].depth, 0);
}

static void an_empty_set_is_refused(void **state)
{
	refused(*state, "", "there is no task (allowed: at least one)");
}

static void a_program_ends_with_exit(void **state)
{
	struct fixture *f = *state;

	program_begin(f->b, "worker");
	add(f, OP_YIELD, 0, 0, 0);
	start(f, 0);
	refused(f, "program 'worker', operation 1 (YIELD)",
		"is the last operation (allowed: EXIT)");
}

static void an_early_exit_is_refused(void **state)
{
	one_op_refused(state, (struct op){ .kind = OP_EXIT },
		       "program 'worker', operation 1 (EXIT)", "stands before the end");
}

static void an_empty_program_is_refused(void **state)
{
	struct fixture *f = *state;

	program_begin(f->b, "hollow");
	start(f, 0);
	refused(f, "", "program 'hollow' is empty (allowed: at least EXIT)");
}

static void loops_must_close(void **state)
{
	one_op_refused(state, (struct op){ .kind = OP_LOOP, .a = 2 },
		       "program 'worker', operation 2 (EXIT)", "1 loops are still open");
}

static void an_end_needs_a_loop(void **state)
{
	one_op_refused(state, (struct op){ .kind = OP_END }, "program 'worker', operation 1 (END)",
		       "there is no loop to end");
}

static void the_deepest_nest_is_allowed_and_one_more_is_not(void **state)
{
	struct fixture *f = *state;

	program_begin(f->b, "worker");
	for (int depth = 0; depth < PROGRAM_MAX_DEPTH; depth++)
		add(f, OP_LOOP, 0, 1, 0);
	for (int depth = 0; depth < PROGRAM_MAX_DEPTH; depth++)
		add(f, OP_END, 0, 0, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	assert_non_null(program_finish(f->b, &f->err));

	f->b = program_builder_new(&f->arena, &f->cpus);
	program_begin(f->b, "worker");
	for (int depth = 0; depth <= PROGRAM_MAX_DEPTH; depth++)
		add(f, OP_LOOP, 0, 1, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	refused(f, "program 'worker', operation 9 (LOOP)", "loops are nested deeper than 8");
}

static void a_missing_resource_is_refused(void **state)
{
	one_op_refused(state, (struct op){ .kind = OP_READ, .resource = 5, .a = 1 },
		       "program 'worker', operation 1 (READ)",
		       "uses resources 5 to 5 (there are 0)");
}

static void a_resource_of_the_wrong_kind_is_refused(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_BARRIER, 2, 1);
	one_op_refused(state, (struct op){ .kind = OP_WRITE, .a = 1 },
		       "program 'worker', operation 1 (WRITE)",
		       "needs a pipe or socket at resources 0 to 0 (found: BARRIER)");
}

static void a_counted_resource_is_checked_to_its_end(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_PIPE, 65536, 3);
	program_begin(f->b, "worker");
	add(f, OP_LOOP, 0, 4, 0);
	program_op(f->b, (struct op){ .kind = OP_WRITE, .by_loop = 1, .a = 1 });
	add(f, OP_END, 0, 0, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	refused(f, "program 'worker', operation 2 (WRITE)", "uses resources 0 to 3 (there are 3)");
}

static void a_counted_range_may_not_cross_into_another_kind(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_PIPE, 65536, 3);
	program_resource(f->b, RESOURCE_MUTEX, 0, 3);
	program_begin(f->b, "worker");
	add(f, OP_LOOP, 0, 4, 0);
	program_op(f->b, (struct op){ .kind = OP_WRITE, .by_loop = 1, .a = 1 });
	add(f, OP_END, 0, 0, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	refused(f, "program 'worker', operation 2 (WRITE)",
		"needs a pipe or socket at resources 0 to 3 (found: PIPE)");
}

static void the_base_of_each_task_counts(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_MUTEX, 0, 1);
	program_resource(f->b, RESOURCE_PIPE, 65536, 2);
	program_begin(f->b, "reader");
	program_op(f->b, (struct op){ .kind = OP_READ, .by_base = 1, .a = 1 });
	add(f, OP_EXIT, 0, 0, 0);
	program_task(f->b, (struct task_spec){ .base = 1, .at_start = true });
	program_task(f->b, (struct task_spec){ .base = 3, .at_start = true });
	refused(f, "program 'reader', operation 1 (READ)", "uses resources 3 to 3 (there are 3)");
}

static void a_counter_needs_its_loop(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_PIPE, 65536, 3);
	one_op_refused(state, (struct op){ .kind = OP_WRITE, .by_loop = 1, .a = 1 },
		       "program 'worker', operation 1 (WRITE)",
		       "counts loop 1, but 0 are around it");
}

static void operations_without_resource_take_none(void **state)
{
	one_op_refused(state, (struct op){ .kind = OP_SLEEP, .a = 1, .by_base = 1 },
		       "program 'worker', operation 1 (SLEEP)", "uses no resource");
}

static void arguments_have_ranges(void **state)
{
	one_op_refused(state, (struct op){ .kind = OP_NICE, .a = 40 },
		       "program 'worker', operation 1 (NICE)",
		       "nice + 20 is 40 (allowed: 0 to 39)");
}

static void a_second_argument_has_a_range(void **state)
{
	one_op_refused(state, (struct op){ .kind = OP_COMPUTE, .a = 1, .b = 1000001 },
		       "program 'worker', operation 1 (COMPUTE)",
		       "spread in ppm, plus or minus is 1000001 (allowed: 0 to 1000000)");
}

static void a_cpu_set_must_exist(void **state)
{
	one_op_refused(state, (struct op){ .kind = OP_AFFINITY, .a = 1 },
		       "program 'worker', operation 1 (AFFINITY)",
		       "set 1 does not exist (there are 1)");
}

static void an_unknown_operation_is_refused(void **state)
{
	one_op_refused(state, (struct op){ .kind = 200 }, "program 'worker', operation 1 (unknown)",
		       "kind 200 is unknown");
}

static void an_empty_cpu_set_is_refused(void **state)
{
	struct fixture *f = *state;
	struct cpuset none = cpuset_new(&f->arena, 4);

	program_cpus(f->b, &none);
	program_begin(f->b, "worker");
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	refused(f, "", "cpu set 1 has no cpu");
}

static void a_barrier_needs_parties(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_BARRIER, 0, 1);
	program_begin(f->b, "worker");
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	refused(f, "", "resource 0 (BARRIER): parties is 0 (allowed: 1 to 1048576)");
}

static void every_task_must_be_started(void **state)
{
	struct fixture *f = *state;

	program_begin(f->b, "worker");
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	program_task(f->b, (struct task_spec){ .program = 0 });
	refused(f, "", "task 1 (worker) is never started");
}

static void a_task_is_started_only_once(void **state)
{
	struct fixture *f = *state;

	program_begin(f->b, "worker");
	add(f, OP_EXIT, 0, 0, 0);
	program_begin(f->b, "main");
	add(f, OP_SPAWN, 0, 0, 1);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	start(f, 1);
	refused(f, "program 'main', operation 1 (SPAWN)",
		"starts task 0, which was started already");
}

static void tasks_that_start_each_other_are_refused(void **state)
{
	struct fixture *f = *state;

	for (uint32_t i = 0; i < 2; i++) {
		program_begin(f->b, "egg");
		add(f, OP_SPAWN, 0, 1 - i, 1);
		add(f, OP_EXIT, 0, 0, 0);
		program_task(f->b, (struct task_spec){ .program = i });
	}
	program_begin(f->b, "bystander");
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 2);
	refused(f, "", "2 tasks wait for each other to be started");
}

static void a_spawn_in_a_loop_is_refused(void **state)
{
	struct fixture *f = *state;

	program_begin(f->b, "main");
	add(f, OP_LOOP, 0, 2, 0);
	add(f, OP_SPAWN, 0, 1, 1);
	add(f, OP_END, 0, 0, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	program_task(f->b, (struct task_spec){ .program = 0 });
	refused(f, "program 'main', operation 2 (SPAWN)",
		"stands in a loop and would start its tasks again");
}

static void a_spawn_beyond_the_tasks_is_refused(void **state)
{
	one_op_refused(state, (struct op){ .kind = OP_SPAWN, .a = 1, .b = 1 },
		       "program 'worker', operation 1 (SPAWN)",
		       "starts 1 tasks from 1 (there are 1)");
}

static void a_shared_program_may_not_spawn(void **state)
{
	struct fixture *f = *state;

	program_begin(f->b, "main");
	add(f, OP_SPAWN, 0, 2, 1);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	start(f, 0);
	program_task(f->b, (struct task_spec){ .program = 0 });
	refused(f, "program 'main', operation 1 (SPAWN)",
		"stands in a program of 3 tasks (allowed: 1)");
}

static void an_unlock_needs_its_lock(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_MUTEX, 0, 1);
	one_op_refused(state, (struct op){ .kind = OP_UNLOCK },
		       "program 'worker', operation 1 (UNLOCK)",
		       "releases mutex 0, which it does not hold");
}

static void a_mutex_is_not_taken_twice(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_MUTEX, 0, 1);
	program_begin(f->b, "worker");
	add(f, OP_LOCK, 0, 0, 0);
	add(f, OP_LOCK, 0, 0, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	refused(f, "program 'worker', operation 2 (LOCK)", "takes mutex 0, which it holds already");
}

static void a_round_returns_its_mutexes(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_MUTEX, 0, 1);
	program_begin(f->b, "worker");
	add(f, OP_LOOP, 0, 2, 0);
	add(f, OP_LOCK, 0, 0, 0);
	add(f, OP_END, 0, 0, 0);
	add(f, OP_UNLOCK, 0, 0, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	refused(f, "program 'worker', operation 3 (END)",
		"ends a round with other mutexes than it began with");
}

static void nobody_ends_with_a_mutex(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_MUTEX, 0, 1);
	one_op_refused(state, (struct op){ .kind = OP_LOCK },
		       "program 'worker', operation 2 (EXIT)", "ends with mutex 0 taken");
}

static void a_wait_needs_its_mutex(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_CONDITION, 0, 1);
	program_resource(f->b, RESOURCE_MUTEX, 0, 1);
	one_op_refused(state, (struct op){ .kind = OP_WAIT, .b = 1 },
		       "program 'worker', operation 1 (WAIT)",
		       "waits with mutex 1, which it does not hold");
}

static void endless(struct fixture *f, enum op_kind inside, uint64_t a)
{
	program_begin(f->b, "server");
	add(f, OP_LOOP, 0, 0, 0);
	add(f, inside, 0, a, 0);
	add(f, OP_END, 0, 0, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
}

static void an_endless_loop_must_pause(void **state)
{
	endless(*state, OP_NICE, 20);
	refused(*state, "program 'server', operation 1 (LOOP)",
		"an endless loop without an operation that takes time or blocks");
}

static void an_endless_program_needs_an_end_of_the_run(void **state)
{
	endless(*state, OP_SLEEP, 5);
	refused(*state, "",
		"program 'server' never ends (allowed: only when the run ends with a chosen task)");
}

static void the_task_that_ends_the_run_must_end(void **state)
{
	struct fixture *f = *state;

	endless(f, OP_SLEEP, 5);
	program_until(f->b, 0);
	refused(f, "", "the run ends with task 0, which never ends");
}

static void an_endless_program_is_fine_beside_one_that_ends_the_run(void **state)
{
	struct fixture *f = *state;
	struct program_set *set;

	endless(f, OP_SLEEP, 5);
	program_begin(f->b, "main");
	add(f, OP_SLEEP, 0, 100, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 1);
	program_until(f->b, 1);
	set = program_finish(f->b, &f->err);
	assert_non_null(set);
	assert_int_equal(set->until_task, 1);
}

static void limits_are_reported_when_finishing(void **state)
{
	struct fixture *f = *state;

	program_resource(f->b, RESOURCE_MUTEX, 0, UINT32_MAX);
	program_resource(f->b, RESOURCE_MUTEX, 0, UINT32_MAX);
	refused(f, "", "4294967295 resources (allowed: at most 4194304)");
}

static void tasks_name_programs_and_sets_that_exist(void **state)
{
	struct fixture *f = *state;

	program_begin(f->b, "worker");
	add(f, OP_EXIT, 0, 0, 0);
	program_task(f->b, (struct task_spec){ .program = 7, .at_start = true });
	refused(f, "", "task 0 runs program 7 (there are 1)");
}

static void nice_values_have_a_range(void **state)
{
	struct fixture *f = *state;

	program_begin(f->b, "worker");
	add(f, OP_EXIT, 0, 0, 0);
	program_task(f->b, (struct task_spec){ .nice = 20, .at_start = true });
	refused(f, "", "task 0 has nice value 20 (allowed: -20 to 19)");
}

static void a_dump_groups_what_is_alike(void **state)
{
	struct fixture *f = *state;
	struct program_set *set;
	char *text = NULL;
	size_t size = 0;
	FILE *out;

	program_resource(f->b, RESOURCE_PIPE, 65536, 2);
	program_begin(f->b, "main");
	add(f, OP_SPAWN, 0, 1, 2);
	add(f, OP_JOIN, 0, 0, 0);
	add(f, OP_EXIT, 0, 0, 0);
	program_begin(f->b, "writer");
	add(f, OP_LOOP, 0, 3, 0);
	program_op(f->b, (struct op){ .kind = OP_WRITE, .by_base = 1, .a = 100 });
	add(f, OP_END, 0, 0, 0);
	add(f, OP_EXIT, 0, 0, 0);
	start(f, 0);
	for (uint32_t i = 0; i < 2; i++)
		program_task(f->b,
			     (struct task_spec){
				     .program = 1, .base = i, .nice = -5, .is_thread = true });
	set = program_finish(f->b, &f->err);
	assert_non_null(set);
	out = open_memstream(&text, &size);
	program_print(set, out);
	fclose(out);
	assert_string_equal(text, "program 0: main\n"
				  "    SPAWN, first task: 1, count: 2\n"
				  "    JOIN\n"
				  "    EXIT\n"
				  "program 1: writer\n"
				  "    LOOP, count, 0 = for ever: 3\n"
				  "      WRITE 0 + base, bytes: 100\n"
				  "    END\n"
				  "    EXIT\n"
				  "resources 0 to 1: PIPE, capacity in bytes: 65536\n"
				  "task 0: main, base 0, address space 0, set 0, at start\n"
				  "tasks 1 to 2: writer, base 0 to 1, address space 0, set 0, "
				  "nice -5, thread\n"
				  "set 0: 0-3\n");
	free(text);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_valid_set_gets_its_jumps_and_depths),
		T(an_empty_set_is_refused),
		T(a_program_ends_with_exit),
		T(an_early_exit_is_refused),
		T(an_empty_program_is_refused),
		T(loops_must_close),
		T(an_end_needs_a_loop),
		T(the_deepest_nest_is_allowed_and_one_more_is_not),
		T(a_missing_resource_is_refused),
		T(a_resource_of_the_wrong_kind_is_refused),
		T(a_counted_resource_is_checked_to_its_end),
		T(a_counted_range_may_not_cross_into_another_kind),
		T(the_base_of_each_task_counts),
		T(a_counter_needs_its_loop),
		T(operations_without_resource_take_none),
		T(arguments_have_ranges),
		T(a_second_argument_has_a_range),
		T(a_cpu_set_must_exist),
		T(an_unknown_operation_is_refused),
		T(an_empty_cpu_set_is_refused),
		T(a_barrier_needs_parties),
		T(every_task_must_be_started),
		T(a_task_is_started_only_once),
		T(tasks_that_start_each_other_are_refused),
		T(a_spawn_in_a_loop_is_refused),
		T(a_spawn_beyond_the_tasks_is_refused),
		T(a_shared_program_may_not_spawn),
		T(an_unlock_needs_its_lock),
		T(a_mutex_is_not_taken_twice),
		T(a_round_returns_its_mutexes),
		T(nobody_ends_with_a_mutex),
		T(a_wait_needs_its_mutex),
		T(an_endless_loop_must_pause),
		T(an_endless_program_needs_an_end_of_the_run),
		T(the_task_that_ends_the_run_must_end),
		T(an_endless_program_is_fine_beside_one_that_ends_the_run),
		T(limits_are_reported_when_finishing),
		T(tasks_name_programs_and_sets_that_exist),
		T(nice_values_have_a_range),
		T(a_dump_groups_what_is_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
