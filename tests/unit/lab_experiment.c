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

/* Reads a file of that text into `e`, which lives in the arena. */
static void read_text(struct experiment *e, struct arena *arena, const char *text)
{
	char path[] = "/tmp/schedlab-experiment-XXXXXX";
	struct err err = { 0 };
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	if (!experiment_read(e, arena, path, &err))
		fail_msg("%s", err.what);
	unlink(path);
}

static void tables_beside_the_first_have_bases_of_their_own(void **state)
{
	struct experiment e;
	struct arena arena;

	(void)state;
	arena_init(&arena);
	read_text(&e, &arena,
		  "{\"also\": [{\"base\": \"kernel:a\", \"with\": [\"kernel:b\", \"kernel:c\"]}], "
		  "\"machine\": \"m\", \"workload\": \"x\", \"with\": [\"+A\"]}");
	assert_int_equal(e.nr_variants, 5);
	assert_string_equal(e.variant[1], "+A");
	assert_int_equal(e.base_of[1], 0);
	assert_string_equal(e.variant[2], "kernel:a");
	assert_int_equal(e.base_of[2], 2);
	assert_int_equal(e.base_of[4], 2);
	arena_release(&arena);
}

static void a_kernel_comes_with_the_command_that_makes_it(void **state)
{
	struct experiment e;
	struct arena arena;

	(void)state;
	arena_init(&arena);
	read_text(&e, &arena,
		  "{\"machine\": \"m\", \"workload\": \"x\", \"feedback\": false, \"engine\": "
		  "\"kernel:k\", \"kernels\": {\"k\": {\"tree\": \"t.tar.xz\", \"patches\": "
		  "[\"a.patch\"]}}}");
	assert_int_equal(e.nr_kernels, 1);
	assert_true(e.no_feedback);
	assert_string_equal(e.engine, "kernel:k");
	assert_string_equal(e.kernel[0].name, "k");
	assert_string_equal(e.kernel[0].command, "schedlab kernel build t.tar.xz --patch "
						 "/kernel-patches/a.patch --name k");
	arena_release(&arena);
}

static void patches_of_shipped_experiments_exist(void **state)
{
	static const char *const names[] = { "smt-gate-kernel.json", "idle-cpumask-kernel.json",
					     "latest-idle-kernel.json" };
	struct arena arena;

	(void)state;
	arena_init(&arena);
	for (size_t i = 0; i < 3; i++) {
		struct err err = { 0 };
		struct experiment e;

		if (!experiment_read(&e, &arena, source_path(&arena, names[i]), &err))
			fail_msg("%s: %s", err.where, err.what);
		assert_int_equal(e.nr_kernels, 2);
		for (uint32_t k = 0; k < e.nr_kernels; k++) {
			char *patch = strstr(e.kernel[k].command, "--patch ");

			if (!patch)
				continue;
			patch += strlen("--patch ");
			patch = arena_printf(&arena, "%.*s", (int)strcspn(patch, " "), patch);
			if (access(patch, R_OK) != 0)
				fail_msg("there is no %s", patch);
		}
	}
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
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"also\": [{\"base\": \"b\"}]}",
		       "\"base\" and \"with\"");
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"also\": {}}", "list of tables");
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"feedback\": \"on\"}",
		       "true or false");
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"kernels\": {\"k\": {}}}",
		       "\"tree\"");
	assert_message("{\"machine\": \"m\", \"workload\": \"x\", \"kernels\": {\"k\": {\"tree\": "
		       "\"t\", \"patch\": []}}}",
		       "\"patches\"");
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
		cmocka_unit_test(tables_beside_the_first_have_bases_of_their_own),
		cmocka_unit_test(a_kernel_comes_with_the_command_that_makes_it),
		cmocka_unit_test(patches_of_shipped_experiments_exist),
		cmocka_unit_test(mistakes_name_place_and_remedy),
		cmocka_unit_test(truncated_files_are_refused_at_every_length),
	};

	return cmocka_run_group_tests_name("experiment", tests, NULL, NULL);
}
