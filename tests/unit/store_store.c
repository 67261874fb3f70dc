/* SPDX-License-Identifier: GPL-2.0-only */
#include "store/store.h"

#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
	struct arena arena;
	char folder[64], path[96];
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	arena_init(&f->arena);
	strcpy(f->folder, "/tmp/schedlab-store-XXXXXX");
	if (!mkdtemp(f->folder))
		return -1;
	snprintf(f->path, sizeof(f->path), "%s/deep/er/results.db", f->folder);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	char command[128];

	snprintf(command, sizeof(command), "chmod -R u+w %s; rm -rf %s", f->folder, f->folder);
	if (system(command) != 0)
		return -1;
	arena_release(&f->arena);
	free(f);
	return 0;
}

static const struct stored_metric metrics[] = { { "hackbench.time", "s", "lower", 0.1 + 0.2 },
						{ "odd", "", "", 1e-300 } };
static const struct stored_result result = { .trace_hash = 0xfedcba9876543210ull,
					     .nr_metrics = 2,
					     .metric = metrics };
static const struct stored_job job = { .key = { ~0ull, 7 },
				       .machine = "m",
				       .profile = "v5.12",
				       .variant = "base",
				       .command = "hackbench",
				       .seed = ~0ull };

static void result_comes_back_exactly_after_reopening(void **state)
{
	struct fixture *f = *state;
	struct stored_result back;
	struct err err = { 0 };
	struct store *store = store_open(f->path, &err);

	assert_non_null(store);
	assert_false(store_get(store, job.key, &f->arena, &back));
	assert_true(store_put(store, &job, &result, &err));
	store_close(store);
	store = store_open(f->path, &err);
	assert_non_null(store);
	assert_true(store_get(store, job.key, &f->arena, &back));
	assert_int_equal(back.trace_hash, result.trace_hash);
	assert_int_equal(back.nr_metrics, 2);
	assert_string_equal(back.metric[0].name, "hackbench.time");
	assert_string_equal(back.metric[0].better, "lower");
	assert_string_equal(back.metric[1].unit, "");
	assert_true(back.metric[0].value == metrics[0].value);
	assert_true(back.metric[1].value == metrics[1].value);
	store_close(store);
}

static void other_key_is_not_found(void **state)
{
	struct fixture *f = *state;
	struct stored_result back;
	struct err err = { 0 };
	struct store *store = store_open(f->path, &err);
	const uint64_t key[2] = { 7, ~0ull };

	assert_true(store_put(store, &job, &result, &err));
	assert_false(store_get(store, key, &f->arena, &back));
	store_close(store);
}

static void file_that_is_no_database_is_refused(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };
	FILE *file;

	snprintf(f->path, sizeof(f->path), "%s/text", f->folder);
	file = fopen(f->path, "w");
	for (int i = 0; i < 1000; i++)
		fputs("not a database ", file);
	fclose(file);
	assert_null(store_open(f->path, &err));
	assert_non_null(strstr(err.what, "not a database"));
	assert_string_equal(err.where, f->path);
}

static void folder_in_place_of_the_file_is_refused(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	assert_null(store_open(f->folder, &err));
	assert_true(err.set);
}

static void file_in_place_of_a_folder_is_refused(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	assert_null(store_open("/dev/null/x/results.db", &err));
	assert_non_null(strstr(err.what, "folder"));
	(void)f;
}

static void file_of_another_version_is_refused(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };
	struct store *store = store_open(f->path, &err);
	FILE *file;

	store_close(store);
	file = fopen(f->path, "r+");
	fseek(file, 63, SEEK_SET); /* user_version, the last of its four bytes */
	fputc(9, file);
	fclose(file);
	assert_null(store_open(f->path, &err));
	assert_non_null(strstr(err.what, "version 9"));
}

static void database_of_another_program_is_refused(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };
	sqlite3 *db;

	snprintf(f->path, sizeof(f->path), "%s/other.db", f->folder);
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE TABLE bookmarks(url TEXT)", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	assert_null(store_open(f->path, &err));
	assert_non_null(strstr(err.what, "another program"));
}

static void name_that_means_no_file_to_sqlite_is_a_file_or_refused(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };
	char before[4096];

	assert_null(store_open("", &err));
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(f->folder), 0);
	store_close(store_open(":memory:", NULL));
	assert_int_equal(access(":memory:", R_OK), 0);
	assert_int_equal(chdir(before), 0);
}

static void damaged_text_is_no_result(void **state)
{
	struct fixture *f = *state;
	static const char *const damaged[] = {
		"",
		"12",
		"xedcba9876543210\n",
		"fedcba9876543210\nname\ts\tlower\t",
		"fedcba9876543210\nname\ts\tlower\t0x1p3",
		"fedcba9876543210\nname\ts\tlower\t\n",
		"fedcba9876543210\nname\ts\tlower\t3x\n",
		"fedcba9876543210\n\ts\tlower\t3\n",
		"fedcba9876543210\n\n",
		"fedcba9876543210\n",
		"fedcba9876543210\nname\ts\tlower\tnan\n",
		"fedcba9876543210\nname\ts\tlower\t-inf\n",
	};
	struct stored_result back;

	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++)
		assert_false(
			stored_result_parse(&f->arena, arena_strdup(&f->arena, damaged[i]), &back));
	assert_true(stored_result_parse(
		&f->arena, arena_strdup(&f->arena, "fedcba9876543210\nn\t\t\t0x1p3\n"), &back));
	assert_true(back.metric[0].value == 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(result_comes_back_exactly_after_reopening, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(other_key_is_not_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(file_that_is_no_database_is_refused, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(folder_in_place_of_the_file_is_refused, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(file_in_place_of_a_folder_is_refused, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(file_of_another_version_is_refused, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(database_of_another_program_is_refused, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			name_that_means_no_file_to_sqlite_is_a_file_or_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damaged_text_is_no_result, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
