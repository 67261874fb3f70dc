/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of cpus that go off and on: what is read, what is refused, with which words. */
#include "lab/hotplug.h"

#include "lab/job.h"
#include "machine/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct world {
	struct arena arena;
	struct machine *machine;
	struct hotplug hotplug;
	struct err err;
};

static int open_world(void **state)
{
	static struct world world;
	struct err err = { 0 };

	arena_init(&world.arena);
	world.machine = machine_read(&world.arena, "2x2x1", &err);
	*state = &world;
	return world.machine ? 0 : -1;
}

static int close_world(void **state)
{
	struct world *w = *state;

	arena_release(&w->arena);
	return 0;
}

static bool parse(struct world *w, const char *text)
{
	w->err = (struct err){ 0 };
	return hotplug_parse(&w->hotplug, &w->arena, text, w->machine, &w->err);
}

static void refused(struct world *w, const char *text, const char *why)
{
	char message[400];

	assert_false(parse(w, text));
	err_print(&w->err, message, sizeof(message));
	if (!strstr(message, why))
		fail_msg("'%s' is refused by: %s", text, message);
}

static void entries_come_in_the_order_of_their_times(void **state)
{
	struct world *w = *state;

	assert_true(parse(w, "on 3@9ms, off 3@5ms,off 1-2@7us"));
	assert_int_equal(w->hotplug.nr, 4);
	assert_int_equal(w->hotplug.event[0].time_ns, 7000);
	assert_int_equal(w->hotplug.event[0].cpu, 1);
	assert_int_equal(w->hotplug.event[1].cpu, 2);
	assert_int_equal(w->hotplug.event[2].time_ns, 5000000);
	assert_false(w->hotplug.event[2].up);
	assert_true(w->hotplug.event[3].up);
	assert_ptr_not_equal(w->hotplug.reach, w->machine);
}

static void no_list_is_no_event(void **state)
{
	struct world *w = *state;

	assert_true(parse(w, NULL));
	assert_int_equal(w->hotplug.nr, 0);
	assert_ptr_equal(w->hotplug.reach, w->machine);
}

static void what_cannot_be_read_or_happen_is_refused(void **state)
{
	struct world *w = *state;

	refused(w, "", "'off' or 'on' is wanted");
	refused(w, "down 3@5ms", "'off' or 'on' is wanted");
	refused(w, "off x@5ms", "a cpu is wanted");
	refused(w, "off 3", "'@' and a time are wanted");
	refused(w, "off 3@", "a time is wanted");
	refused(w, "off 3@5parsec", "not a time");
	refused(w, "off 3@1.5ms", "not a time");
	refused(w, "off 3-1@5ms", "not a range");
	refused(w, "off 4294967299@5ms", "there are no such cpus");
	refused(w, "off 3@18446744073s", "no run is that long (allowed: up to 576460752 s)");
	refused(w, "off 3@5ms on 3@6ms", "a comma is wanted");
	refused(w, "off 9@5ms", "there is no cpu 9");
	refused(w, "on 3@5ms", "cpu 3 is on already");
	refused(w, "off 3@5ms, off 3@6ms", "cpu 3 is off already");
	refused(w, "off 0-3@5ms", "cpu 3 is the last one");
}

static void a_list_is_part_of_the_key_of_a_result(void **state)
{
	struct world *w = *state;
	struct variant variant = { .profile = "v6.1", .features = "base", .content = "" };
	struct workload_command command = { 0 };
	struct job job = { .machine = w->machine, .variant = &variant, .command = &command };
	uint64_t without[2], with[2], later[2];

	job_key(&job, "", without);
	assert_true(parse(w, "off 3@5ms"));
	job.hotplug = &w->hotplug;
	job_key(&job, "", with);
	assert_true(parse(w, "off 3@6ms"));
	job_key(&job, "", later);
	assert_memory_not_equal(without, with, sizeof(with));
	assert_memory_not_equal(with, later, sizeof(with));
}

static void events_that_a_run_left_out_are_counted(void **state)
{
	struct world *w = *state;
	struct stored_metric metric[] = { { "sim.cpus_off", "", "", 2 },
					  { "sim.cpus_on", "", "", 1 } };
	struct stored_result result = { .nr_metrics = 2, .metric = metric };

	assert_true(parse(w, "off 1-2@5ms, on 1-2@9ms"));
	assert_int_equal(hotplug_left(&w->hotplug, &result), 1);
	metric[1].value = 2;
	assert_int_equal(hotplug_left(&w->hotplug, &result), 0);
	result.nr_metrics = 0;
	assert_int_equal(hotplug_left(&w->hotplug, &result), 0);
}

static void the_model_refuses_it(void **state)
{
	struct world *w = *state;
	struct variant variant = { 0 };
	struct variant_request request = { .text = "base" };
	const struct workload_commands *commands;
	const char *word[] = { "hackbench", "-g", "1", "-l", "1" };
	struct job job = { .machine = w->machine, .variant = &variant };
	struct job_outcome outcome;
	char message[400];

	assert_true(variant_resolve(&variant, &w->arena, &request, &w->err));
	commands = workload_expand(&w->arena, 5, word, &w->err);
	assert_non_null(commands);
	assert_true(parse(w, "off 3@5us"));
	job.command = &commands->command[0];
	job.hotplug = &w->hotplug;
	assert_false(job_run(&w->arena, &job, &outcome, &w->err));
	err_print(&w->err, message, sizeof(message));
	assert_non_null(strstr(message, "-e kernel:NAME"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_come_in_the_order_of_their_times),
		cmocka_unit_test(no_list_is_no_event),
		cmocka_unit_test(what_cannot_be_read_or_happen_is_refused),
		cmocka_unit_test(a_list_is_part_of_the_key_of_a_result),
		cmocka_unit_test(events_that_a_run_left_out_are_counted),
		cmocka_unit_test(the_model_refuses_it),
	};

	return cmocka_run_group_tests(tests, open_world, close_world);
}
