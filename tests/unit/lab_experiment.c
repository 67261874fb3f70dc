/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/experiment.h"
#include "lab/published.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *source_path(struct arena *arena, const char *name)
{
	const char *root = getenv("SCHEDLAB_SOURCE");

	return arena_printf(arena, "%s/share/experiments/%s", root ? root : ".", name);
}

/* The message for a file with this text; "" when it is accepted. */
static void message_for(const char *text, char *message, size_t size)
{
	char path[] = "/tmp/schedlab-experiment-XXXXXX";
	struct experiment e;
	struct err err = { 0 };
	struct arena arena;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	arena_init(&arena);
	message[0] = '\0';
	if (!experiment_read(&e, &arena, path, &err)) {
		assert_true(err.set);
		err_print(&err, message, size);
	}
	arena_release(&arena);
	unlink(path);
}

static void assert_message(const char *text, const char *wanted)
{
	char message[800];

	message_for(text, message, sizeof(message));
	if (!strstr(message, wanted))
		fail_msg("'%s' is not in '%s'", wanted, message);
}

static void founding_experiments_are_read_with_their_tables(void **state)
{
	static const char *const names[] = { "smt-gate-kunpeng920.json", "idle-cpumask-192.json",
					     "latest-idle-snb-2s.json" };
	struct arena arena;

	(void)state;
	arena_init(&arena);
	for (size_t i = 0; i < 3; i++) {
		struct experiment e;
		struct err err = { 0 };

		if (!experiment_read(&e, &arena, source_path(&arena, names[i]), &err))
			fail_msg("%s: %s", err.where, err.what);
		assert_int_equal(e.nr_variants, 2);
		assert_non_null(e.published);
	}
	arena_release(&arena);
}

static void published_row_is_found_by_argument_and_by_metric(void **state)
{
	struct experiment e;
	struct arena arena;
	struct err err = { 0 };
	const struct published_row *row;

	(void)state;
	arena_init(&arena);
	assert_true(
		experiment_read(&e, &arena, source_path(&arena, "smt-gate-kunpeng920.json"), &err));
	row = published_find(e.published, "-g", "10", "hackbench.time");
	assert_non_null(row);
	assert_true(row->base == 9.034 && row->other == 8.2882);
	assert_null(published_find(e.published, "-g", "11", "hackbench.time"));
	assert_null(published_find(e.published, NULL, NULL, "hackbench.time"));
	assert_true(
		experiment_read(&e, &arena, source_path(&arena, "latest-idle-snb-2s.json"), &err));
	row = published_find(e.published, NULL, NULL, "interrupts.RES");
	assert_non_null(row);
	assert_true(fabs(row->other / row->base - (1 - 0.857)) < 1e-9);
	arena_release(&arena);
}

static void mistakes_name_place_and_remedy(void **state)
{
	(void)state;
	assert_message("{\"machine\": \"m\",\n \"workload\": }", ":2:");
	assert_message("[]", "an experiment is a JSON object");
	assert_message("{\"machine\": \"m\"}", "\"workload\" is missing");
	assert_message("{\"machin\": \"m\", \"workload\": \"x\"}", "did you mean machine");
	assert_message("{\"machine\": 1, \"workload\": \"x\"}", "\"machine\" is a number");
	assert_message("{\"machine\": \"m\", \"workload\": \"  \"}", "empty");
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"seeds\": 0}", "1 to 10000");
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"with\": \"+A\"}",
		       "list of strings");
	assert_message("{\"machine\": \"m\", \"machine\": \"n\"}", "duplicate");
	assert_message(
		"{\"machine\": \"m\", \"workload\": \"x\", \"published\": {\"file\": \"nowhere\"}}",
		"nowhere");
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"published\": {\"fil\": \"a\"}}",
		       "file");
	assert_message("{\"machine\": \"m\", \"workload\": []}", "empty");
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"published\": {\"file\": \"a\", "
		       "\"table\": 1.5}}",
		       "\"published.table\" is no number");
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"published\": {\"file\": \"a\", "
		       "\"key\": 3}}",
		       "\"published.key\" is no string");
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"published\": {\"file\": \"a\", "
		       "\"key\": \"-g\"}}",
		       "go together");
	assert_message("", ":");
}

static void truncated_files_are_refused_at_every_length(void **state)
{
	static const char text[] = "{\"machine\": \"m\", \"workload\": [\"a\", \"b\"], \"seeds\": "
				   "3, \"with\": [\"+F\"]}";
	char cut[sizeof(text)], message[800];

	(void)state;
	message_for(text, message, sizeof(message));
	assert_string_equal(message, "");
	for (size_t n = 0; n + 1 < sizeof(text); n++) {
		memcpy(cut, text, n);
		cut[n] = '\0';
		message_for(cut, message, sizeof(message));
		assert_string_not_equal(message, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(founding_experiments_are_read_with_their_tables),
		cmocka_unit_test(published_row_is_found_by_argument_and_by_metric),
		cmocka_unit_test(mistakes_name_place_and_remedy),
		cmocka_unit_test(truncated_files_are_refused_at_every_length),
	};

	return cmocka_run_group_tests_name("experiment", tests, NULL, NULL);
}
