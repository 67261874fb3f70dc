/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/random.h"
#include "program/untimed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../support/command_line.h"

static void runs_on(void **state, const char *prefix, const char *cpus)
{
	char line[200], text[100];

	snprintf(line, sizeof(line), "%s burn -t 1", prefix);
	cpuset_print(&workload_programs(builds(state, line))->set[0], text, sizeof(text));
	assert_string_equal(text, cpus);
}

static void without_prefix_all_online_cpus_are_used(void **state)
{
	runs_on(state, "", "0-6");
}

static void numactl_chooses_nodes_and_cpus(void **state)
{
	runs_on(state, "numactl -N 0", "0-3");
	runs_on(state, "numactl -N1", "4-6");
	runs_on(state, "numactl --cpunodebind=0,1", "0-6");
	runs_on(state, "numactl --cpunodebind all", "0-6");
	runs_on(state, "numactl -N !0", "4-6");
	runs_on(state, "numactl -C 0,2-3", "0,2-3");
	runs_on(state, "numactl --physcpubind=5 --", "5");
	runs_on(state, "numactl -C !0-3", "4-6");
}

static void taskset_takes_lists_and_masks(void **state)
{
	runs_on(state, "taskset -c 0-2", "0-2");
	runs_on(state, "taskset --cpu-list 0,6", "0,6");
	runs_on(state, "taskset -ac 1", "1");
	runs_on(state, "taskset -c 0-6:2", "0,2,4,6");
	runs_on(state, "taskset -c 1,2-6:3", "1-2,5");
	runs_on(state, "taskset 0x5", "0,2");
	runs_on(state, "taskset 7F", "0-6");
	runs_on(state, "taskset 0,00000003", "0-1");
}

static void the_last_prefix_counts(void **state)
{
	runs_on(state, "numactl -N 0 taskset -c 5", "5");
	runs_on(state, "taskset 1 numactl -N 1", "4-6");
	runs_on(state, "taskset -c 2 numactl -m 0", "2");
}

static void memory_policies_are_accepted_with_a_note(void **state)
{
	struct workload *w = builds(state, "numactl -N 0 -m 0 burn");

	assert_int_equal(workload_nr_notes(w), 1);
	assert_string_equal(workload_note(w, 0), "numactl's memory policy is not simulated");
	assert_int_equal(workload_nr_notes(builds(state, "numactl -N 0 -l burn")), 1);
	assert_int_equal(workload_nr_notes(builds(state, "numactl --interleave=all burn")), 1);
	assert_int_equal(workload_nr_notes(builds(state, "numactl -N 0 burn")), 0);
}

static void prefixes_that_name_nothing_are_refused(void **state)
{
	refuses(state, "numactl -N 3 burn",
		"numactl -N: '3' is no list of online nodes (allowed: 0-2)");
	refuses(state, "numactl -N 2 burn", "numactl -N: '2' has no online cpu");
	refuses(state, "numactl -C 7 burn",
		"numactl -C: '7' is no list of online cpus (allowed: 0-6)");
	refuses(state, "taskset -c 0-99 burn",
		"taskset -c: '0-99' is no list of online cpus (allowed: 0-6)");
	refuses(state, "numactl -C !0-6 burn", "numactl -C: '!0-6' leaves no cpus");
	refuses(state, "numactl --physcpubind= burn", "numactl -C: '' leaves no cpus");
	refuses(state, "numactl -C +1 burn",
		"numactl -C: '+1' is no list of online cpus (allowed: 0-6)");
	refuses(state, "taskset -c 0-6:0 burn",
		"taskset -c: '0-6:0' is no list of online cpus (allowed: 0-6)");
	refuses(state, "taskset 0 burn",
		"taskset: '0' is no mask of online cpus (allowed: hexadecimal bits of 0-6, or -c "
		"and a list)");
	refuses(state, "taskset 80 burn",
		"taskset: '80' is no mask of online cpus (allowed: hexadecimal bits of 0-6, or -c "
		"and a list)");
	refuses(state, "taskset 1ffffffffffffffffffffffff burn",
		"taskset: '1ffffffffffffffffffffffff' is no mask of online cpus (allowed: "
		"hexadecimal bits of 0-6, or -c and a list)");
	refuses(state, "taskset hackbench -g 1",
		"unknown workload '-g' (allowed: hackbench, wakers, burn)");
	refuses(state, "numactl -N 0 -C 1 burn",
		"numactl: both nodes and cpus (allowed: one of -N and -C)");
	refuses(state, "taskset -p 1",
		"taskset -p: there is no process to change (allowed: a "
		"command)");
	refuses(state, "numactl --cpunodebnd 0 burn",
		"numactl: unknown option '--cpunodebnd' (did you mean cpunodebind?)");
}

static void a_missing_workload_is_refused(void **state)
{
	refuses(state, "", "no workload was given (allowed: hackbench, wakers, burn)");
	refuses(state, "numactl -N 0", "no workload was given (allowed: hackbench, wakers, burn)");
	refuses(state, "taskset -c 0", "no workload was given (allowed: hackbench, wakers, burn)");
	refuses(state, "taskset -c", "taskset: needs a list of cpus and a command");
	refuses(state, "taskset", "taskset: needs a mask (or -c and a list) and a command");
}

static void an_unknown_workload_is_refused_with_near_matches(void **state)
{
	refuses(state, "hackbnch -g 2", "unknown workload 'hackbnch' (did you mean hackbench?)");
	refuses(state, "zzz", "unknown workload 'zzz' (allowed: hackbench, wakers, burn)");
}

static uint32_t help_of(struct fixture *f, const char *line)
{
	const char *argv[64];
	struct workload_command command = { .argv = argv };

	command.argc = split_words(&f->arena, line, argv, 64);
	return workload_help_kind(&command);
}

static void help_is_asked_for_behind_the_workload(void **state)
{
	assert_int_equal(help_of(*state, "hackbench --help"), 0);
	assert_int_equal(help_of(*state, "numactl -N 0 wakers -h"), 1);
	assert_int_equal(help_of(*state, "hackbench -g 2"), WORKLOAD_NONE);
	assert_int_equal(help_of(*state, "hackbench -g --help"), WORKLOAD_NONE);
	assert_int_equal(help_of(*state, ""), WORKLOAD_NONE);
	refuses(state, "burn --help", "burn: --help asks for help rather than a run");
}

static void help_names_every_option_with_its_range(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	workload_kind_help(0, out);
	workload_kind_help(1, out);
	fclose(out);
	assert_non_null(strstr(text, "hackbench [OPTION]... [GROUPS [process|thread [LOOPS]]]\n"));
	assert_non_null(strstr(text, "  -g, --groups=NUM       number of groups (1 to 524288, "
				     "default 10)\n"));
	assert_non_null(strstr(text, "  -i, --inet             TCP connections instead of UNIX "
				     "sockets (not simulated)\n"));
	assert_non_null(strstr(text, "  -r, --run=TIME         computation of a round (default "
				     "20us)\n"));
	assert_non_null(strstr(text, "  -h, --help             print this help\n"));
	free(text);
}

static void the_list_of_workloads_has_a_phrase_each(void **state)
{
	assert_int_equal(workload_nr_kinds(), 3);
	for (uint32_t i = 0; i < workload_nr_kinds(); i++) {
		assert_true(strlen(workload_kind_phrase(i)) > 10);
		assert_non_null(build_line(*state, workload_kind_name(i)));
	}
}

static void wakers_end_in_any_order(void **state)
{
	static const char *const lines[] = {
		"wakers -l 20",
		"wakers -l 20 --pipe",
		"wakers -t 5 -p 0 -l 3",
		"wakers -t 2 -p 1 -l 9 -s 0",
		"wakers -t 9 -p 2 -r 0 -l 4 --exp",
	};
	struct fixture *f = *state;
	struct untimed u;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		for (uint64_t seed = 0; seed < 20; seed++)
			assert_true(untimed_run(&u, &f->arena,
						workload_programs(builds(state, lines[i])), seed));
}

static void wakers_have_their_numbers_of_tasks_and_pairs(void **state)
{
	const struct program_set *set =
		workload_programs(builds(state, "wakers -t 7 -p 2 -l 3 -r 5us"));
	uint32_t roles[4] = { 0 };

	assert_int_equal(set->nr_tasks, 8);
	for (uint32_t i = 0; i < set->nr_tasks; i++)
		roles[set->task[i].program]++;
	assert_string_equal(set->program[1].name, "loner");
	assert_int_equal(roles[1], 3);
	assert_int_equal(roles[2], 2);
	assert_int_equal(roles[3], 2);
}

static void wakers_and_burn_refuse_what_makes_no_sense(void **state)
{
	refuses(state, "wakers -t 3 -p 2", "wakers: 2 pairs need 4 tasks (there are 3)");
	refuses(state, "wakers -r 0 -s 0",
		"wakers: tasks neither run nor sleep (allowed: one of them 0)");
	refuses(state, "wakers -r 5m",
		"wakers -r: '5m' (allowed: a time from 0 to "
		"1000000000000000 ns, with ns, us, ms or s behind it)");
	refuses(state, "burn -r 0",
		"burn -r: '0' (allowed: a time from 1 to 1000000000000000 ns, "
		"with ns, us, ms or s behind it)");
	refuses(state, "burn 4 5",
		"burn: '4' is no option (several values to sweep need quotes: "
		"'{2,4,8}')");
}

static void burn_computes_its_time_in_each_task(void **state)
{
	struct workload *w = builds(state, "burn -t 3 --run 2ms");
	const struct program_set *set = workload_programs(w);
	struct workload_run run = { .mark_ns = { 0, 2000000 } };
	struct workload_metric m[4];

	assert_int_equal(set->nr_tasks, 4);
	assert_int_equal(set->op[set->program[1].first_op].a, 2000000);
	assert_int_equal(workload_metrics(w, &run, m, 4), 1);
	assert_string_equal(m[0].name, "burn.time");
	assert_true(m[0].value == 0.002);
}

/* clang-format off */
static const char *const pieces[] = {
	"hackbench", "numactl", "taskset", "wakers", "burn", "-g", "-c", "-N", "-C", "-pT",
	"--groups=", "--groups", "--", "-", "", "0", "1", "-1", "99999999999999999999", "{",
	"{}", "{1,2}", "1..", "1..3", "..", "=", "--=", "-g=", "\xff\xfe\xfd", "\xe2\x82\xac",
	"\n", "%s%n", "!", "!all", "all", "0x", "0x,", ",", "0-", "-0", "0-3:1/2", "process",
	"-h", "--h", "-F", "-l", "1s", "--run", "--run=1us",
};
/* clang-format on */

/* Bytes of every kind, and pieces of real options, in every place: never a crash. */
static void hostile_words_are_refused_or_built(void **state)
{
	struct random r = random_stream(1, RANDOM_TEST, 3);
	uint32_t built = 0;

	for (uint32_t round = 0; round < 20000; round++) {
		const struct workload_commands *commands;
		const char *argv[8];
		struct fixture f;
		uint32_t argc = 1 + (uint32_t)random_below(&r, 7);

		fixture_init(&f);
		for (uint32_t i = 0; i < argc; i++)
			argv[i] = pieces[random_below(&r, sizeof(pieces) / sizeof(pieces[0]))];
		if (random_below(&r, 2))
			argv[0] = "hackbench";
		commands = workload_expand(&f.arena, argc, argv, &f.err);
		for (uint32_t i = 0; commands && i < commands->nr_commands; i++) {
			memset(&f.err, 0, sizeof(f.err));
			if (workload_build(&f.arena, &commands->command[i], f.machine, &f.err))
				built++;
			else
				assert_true(f.err.set && f.err.what[0]);
			workload_help_kind(&commands->command[i]);
		}
		assert_true(commands || f.err.set);
		arena_release(&f.arena);
	}
	assert_true(built > 100);
}

static void very_long_words_are_shown_short(void **state)
{
	struct fixture *f = *state;
	char word[4000];
	const char *argv[] = { "hackbench", "-g", word };
	struct workload_command command = { .argc = 3, .argv = argv };

	memset(word, '9', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	assert_null(workload_build(&f->arena, &command, f->machine, &f->err));
	assert_true(strlen(f->err.what) < 150);
	assert_non_null(strstr(f->err.what, "...' (allowed: a number from 1 to 524288)"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(without_prefix_all_online_cpus_are_used),
		T(numactl_chooses_nodes_and_cpus),
		T(taskset_takes_lists_and_masks),
		T(the_last_prefix_counts),
		T(memory_policies_are_accepted_with_a_note),
		T(prefixes_that_name_nothing_are_refused),
		T(a_missing_workload_is_refused),
		T(an_unknown_workload_is_refused_with_near_matches),
		T(help_is_asked_for_behind_the_workload),
		T(help_names_every_option_with_its_range),
		T(the_list_of_workloads_has_a_phrase_each),
		T(wakers_end_in_any_order),
		T(wakers_have_their_numbers_of_tasks_and_pairs),
		T(wakers_and_burn_refuse_what_makes_no_sense),
		T(burn_computes_its_time_in_each_task),
		T(hostile_words_are_refused_or_built),
		T(very_long_words_are_shown_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
