/* SPDX-License-Identifier: GPL-2.0-only */
#include "program/print.h"
#include "program/untimed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../support/command_line.h"

static void starts_with(void **state, const char *line, const char *wanted)
{
	struct workload *w = builds(state, line);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	workload_print_start(w, out);
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
}

static void it_announces_itself_as_the_real_one_does(void **state)
{
	starts_with(state, "hackbench -g 2 -l 10 -p -T",
		    "Running in threaded mode with 2 groups using 40 file descriptors each (== 80 "
		    "tasks)\nEach sender will pass 10 messages of 100 bytes\n");
	starts_with(state, "hackbench",
		    "Running in process mode with 10 groups using 40 file descriptors each (== "
		    "400 tasks)\nEach sender will pass 100 messages of 100 bytes\n");
	starts_with(state, "hackbench -f 2 -g 1 -l 3 -s 1000",
		    "Running in process mode with 1 groups using 4 file descriptors each (== 4 "
		    "tasks)\nEach sender will pass 3 messages of 1000 bytes\n");
}

/* Everything an option changes, by the announcement. */
static void same(void **state, const char *line, const char *as)
{
	struct workload *w = builds(state, as);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	workload_print_start(w, out);
	fclose(out);
	starts_with(state, line, text);
	free(text);
}

static void options_are_read_as_getopt_reads_them(void **state)
{
	same(state, "hackbench -pTg4 -l7", "hackbench -p -T -g 4 -l 7");
	same(state, "hackbench --groups=4 --loops 7 --datasize=5", "hackbench -g 4 -l 7 -s 5");
	same(state, "hackbench --gro 4 --thr", "hackbench -g 4 -T");
	same(state, "hackbench -T -P", "hackbench");
	same(state, "hackbench -P -T", "hackbench -T");
	same(state, "hackbench -g 1 -g 3", "hackbench -g 3");
	same(state, "hackbench -g 3 --", "hackbench -g 3");
	same(state, "/usr/bin/hackbench -g 3", "hackbench -g 3");
}

static void the_original_form_is_understood(void **state)
{
	same(state, "hackbench 5", "hackbench -g 5");
	same(state, "hackbench 5 process 1000", "hackbench -g 5 -l 1000");
	same(state, "hackbench -p 5 thread 1000", "hackbench -p -T -g 5 -l 1000");
}

static void the_time_is_printed_as_the_real_one_prints_it(void **state)
{
	struct workload *w = builds(state, "hackbench -g 1");
	struct workload_run run = { .mark_ns = { 1000000, 35999999 } };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	workload_print_summary(w, &run, out);
	run.mark_ns[1] = 1816000000;
	workload_print_summary(w, &run, out);
	fclose(out);
	assert_string_equal(text, "Time: 0.034\nTime: 1.815\n");
	free(text);
}

static void throughput_is_defined_as_lkp_defines_it(void **state)
{
	struct workload *w = builds(state, "hackbench -g 2 -l 1024");
	struct workload_run run = { .mark_ns = { 500000000, 2500000000 } };
	struct workload_metric m[WORKLOAD_MAX_METRICS];

	assert_int_equal(workload_metrics(w, &run, m, WORKLOAD_MAX_METRICS), 2);
	assert_string_equal(m[0].name, "hackbench.time");
	assert_string_equal(m[0].unit, "s");
	assert_string_equal(m[0].better, "lower");
	assert_true(m[0].value == 2.0);
	assert_string_equal(m[1].name, "hackbench.throughput");
	assert_string_equal(m[1].better, "higher");
	assert_true(m[1].value == 80.0 * 1024 * 100 / 1024 / 2);
	assert_int_equal(workload_metrics(w, &run, m, 1), 1);
	run.mark_ns[1] = 0;
	assert_int_equal(workload_metrics(w, &run, m, WORKLOAD_MAX_METRICS), 0);
}

static void the_programs_have_the_structure_that_strace_shows(void **state)
{
	struct workload *w = builds(state, "numactl -N 1 hackbench -p -T -g 3 -f 2 -l 5 -s 64");
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	program_print(workload_programs(w), out);
	fclose(out);
	assert_string_equal(
		text, "program 0: main\n"
		      "    SPAWN, first task: 1, count: 12\n"
		      "    LOOP, count, 0 = for ever: 12\n"
		      "      READ 0, bytes: 1\n"
		      "    END\n"
		      "    MARK, mark: 0\n"
		      "    WRITE 1, bytes: 1\n"
		      "    JOIN\n"
		      "    MARK, mark: 1\n"
		      "    EXIT\n"
		      "program 1: receiver\n"
		      "    WRITE 0, bytes: 1\n"
		      "    POLL 1\n"
		      "    LOOP, count, 0 = for ever: 10\n"
		      "      READ 2 + base, bytes: 64\n"
		      "    END\n"
		      "    EXIT\n"
		      "program 2: sender\n"
		      "    WRITE 0, bytes: 1\n"
		      "    POLL 1\n"
		      "    LOOP, count, 0 = for ever: 5\n"
		      "      LOOP, count, 0 = for ever: 2\n"
		      "        WRITE 2 + base + counter 2, bytes: 64\n"
		      "      END\n"
		      "    END\n"
		      "    EXIT\n"
		      "resources 0 to 7: PIPE, capacity in bytes: 65536\n"
		      "task 0: main, base 0, address space 0, set 0, at start\n"
		      "tasks 1 to 2: receiver, base 0 to 1, address space 0, set 0, 1 KiB, "
		      "thread\n"
		      "tasks 3 to 4: sender, base 0, address space 0, set 0, 1 KiB, thread\n"
		      "tasks 5 to 6: receiver, base 2 to 3, address space 0, set 0, 1 KiB, "
		      "thread\n"
		      "tasks 7 to 8: sender, base 2, address space 0, set 0, 1 KiB, thread\n"
		      "tasks 9 to 10: receiver, base 4 to 5, address space 0, set 0, 1 KiB, "
		      "thread\n"
		      "tasks 11 to 12: sender, base 4, address space 0, set 0, 1 KiB, thread\n"
		      "set 0: 4-6\n");
	free(text);
}

static void processes_have_an_address_space_each(void **state)
{
	const struct program_set *set = workload_programs(builds(state, "hackbench -g 2 -f 3"));

	assert_int_equal(set->nr_tasks, 13);
	for (uint32_t i = 0; i < set->nr_tasks; i++) {
		assert_int_equal(set->task[i].address_space, i);
		assert_false(set->task[i].is_thread);
	}
	assert_int_equal(set->resource[2].kind, RESOURCE_SOCKET);
	assert_int_equal(set->resource[0].kind, RESOURCE_SOCKET);
}

/* Messages by an independent count: each of g x f senders writes l times to each of f receivers. */
static void every_message_is_sent_and_received(void **state)
{
	static const uint64_t cases[][4] = {
		{ 1, 1, 1, 1 },	     { 2, 3, 7, 100 },	 { 3, 20, 4, 100 },
		{ 1, 2, 3, 200000 }, { 5, 1, 50, 4096 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (uint64_t seed = 0; seed < 5; seed++) {
			const uint64_t *c = cases[i];
			uint64_t messages = c[0] * c[1] * c[1] * c[2], workers = c[0] * c[1] * 2;
			char line[120];
			struct untimed u;

			snprintf(line, sizeof(line), "hackbench %s -g %llu -f %llu -l %llu -s %llu",
				 seed % 2 ? "-p" : "-T", (unsigned long long)c[0],
				 (unsigned long long)c[1], (unsigned long long)c[2],
				 (unsigned long long)c[3]);
			assert_true(untimed_run(&u, &f->arena,
						workload_programs(builds(state, line)), seed));
			assert_int_equal(u.reads, messages + workers);
			assert_int_equal(u.writes, messages + workers + 1);
			assert_int_equal(u.bytes_read, messages * c[3] + workers);
			assert_int_equal(u.spawned, workers);
			assert_true(u.mark_step[0] && u.mark_step[0] < u.mark_step[1]);
		}
}

static void a_thousand_groups_are_fine(void **state)
{
	const struct program_set *set = workload_programs(builds(state, "hackbench -g 1000"));

	assert_int_equal(set->nr_tasks, 40001);
	assert_int_equal(set->nr_resources, 20002);
}

static void too_many_tasks_are_refused(void **state)
{
	builds(state, "hackbench -g 26214");
	refuses(state, "hackbench -g 26215",
		"hackbench: 26215 groups of 40 tasks are 1048600 tasks (allowed: at most 1048575)");
	refuses(state, "hackbench -g 524288 -f 524288",
		"hackbench: 524288 groups of 1048576 tasks are 549755813888 tasks (allowed: at "
		"most 1048575)");
}

static void numbers_out_of_range_are_refused(void **state)
{
	refuses(state, "hackbench -g 0", "hackbench -g: '0' (allowed: a number from 1 to 524288)");
	refuses(state, "hackbench -g -1",
		"hackbench -g: '-1' (allowed: a number from 1 to 524288)");
	refuses(state, "hackbench --loops=0",
		"hackbench --loops: '0' (allowed: a number from 1 to 2147483647)");
	refuses(state, "hackbench -l 2x",
		"hackbench -l: '2x' (allowed: a number from 1 to 2147483647)");
	refuses(state, "hackbench -s 18446744073709551616",
		"hackbench -s: '18446744073709551616' (allowed: a number from 1 to 1048576)");
	refuses(state, "hackbench --groups=",
		"hackbench --groups: '' (allowed: a number from 1 to 524288)");
	refuses(state, "hackbench -g", "hackbench -g: needs a value: NUM");
	refuses(state, "hackbench --fds", "hackbench --fds: needs a value: NUM");
}

static void what_is_not_simulated_is_refused(void **state)
{
	refuses(state, "hackbench -i",
		"hackbench -i: TCP is not simulated (allowed: --pipe, or nothing for UNIX "
		"sockets)");
	refuses(state, "hackbench --inet",
		"hackbench --inet: TCP is not simulated (allowed: --pipe, or nothing for UNIX "
		"sockets)");
	refuses(state, "hackbench -pF",
		"hackbench -F: real-time policies are not simulated (allowed: without -F)");
}

static void unknown_options_are_refused_with_near_matches(void **state)
{
	refuses(state, "hackbench -z",
		"hackbench: unknown option in '-z' (allowed: -f -F -g -l -p -i -s -T -P)");
	refuses(state, "hackbench --pips",
		"hackbench: unknown option '--pips' (did you mean pipe?)");
	refuses(state, "hackbench --f",
		"hackbench: '--f' fits --fds --fifo (allowed: one of them)");
	refuses(state, "hackbench --pipe=1", "hackbench --pipe: takes no value");
	refuses(state, "hackbench ---",
		"hackbench: unknown option '---' (allowed: fds, fifo, groups, loops, pipe, inet, "
		"datasize, threads, process)");
}

static void words_must_fit_the_original_form(void **state)
{
	refuses(state, "hackbench 0",
		"hackbench: GROUPS is '0' (allowed: a number from 1 to 524288)");
	refuses(state, "hackbench ten",
		"hackbench: GROUPS is 'ten' (allowed: a number from 1 to "
		"524288)");
	refuses(state, "hackbench 10 fork", "hackbench: mode is 'fork' (allowed: process, thread)");
	refuses(state, "hackbench 10 process 0",
		"hackbench: LOOPS is '0' (allowed: a number from 1 to 2147483647)");
	refuses(state, "hackbench 10 process 1 x",
		"hackbench: 'x' is one word too many (allowed: GROUPS [process|thread [LOOPS]])");
	refuses(state, "hackbench -g 2 4 8",
		"hackbench: '4' beside -g, -l, -T or -P (allowed: either these options or GROUPS "
		"[process|thread [LOOPS]]; values to sweep need quotes: '{2,4,8}')");
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(it_announces_itself_as_the_real_one_does),
		T(options_are_read_as_getopt_reads_them),
		T(the_original_form_is_understood),
		T(the_time_is_printed_as_the_real_one_prints_it),
		T(throughput_is_defined_as_lkp_defines_it),
		T(the_programs_have_the_structure_that_strace_shows),
		T(processes_have_an_address_space_each),
		T(every_message_is_sent_and_received),
		T(a_thousand_groups_are_fine),
		T(too_many_tasks_are_refused),
		T(numbers_out_of_range_are_refused),
		T(what_is_not_simulated_is_refused),
		T(unknown_options_are_refused_with_near_matches),
		T(words_must_fit_the_original_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
