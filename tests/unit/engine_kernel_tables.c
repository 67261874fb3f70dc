/* SPDX-License-Identifier: GPL-2.0-only */
/* Names for addresses and offsets, from the tables beside an image. */
#include "engine/kernel/record.h"
#include "engine/kernel/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void write_file(struct arena *arena, const char *image, const char *which, const char *text)
{
	FILE *file = fopen(arena_printf(arena, "%s.%s", image, which), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Tables of these texts, which are gone when it returns. */
static struct image_tables read_tables(struct arena *arena, const char *symbols, const char *fields)
{
	char image[] = "/tmp/schedlab-tables-XXXXXX";
	struct image_tables tables;
	int fd = mkstemp(image);

	assert_true(fd >= 0);
	close(fd);
	write_file(arena, image, "symbols", symbols);
	write_file(arena, image, "fields", fields);
	image_tables_read(&tables, arena, image);
	unlink(arena_printf(arena, "%s.symbols", image));
	unlink(arena_printf(arena, "%s.fields", image));
	unlink(image);
	return tables;
}

static void symbol_covers_its_bytes_only(void **state)
{
	struct image_tables tables;
	struct arena arena;

	(void)state;
	arena_init(&arena);
	tables = read_tables(&arena,
			     "0000000000001000 0000000000000020 t first\n"
			     "0000000000001040 0000000000000008 t second.isra.0\n",
			     "");
	assert_null(image_symbol_at(&tables, 0xfff));
	assert_string_equal(image_symbol_at(&tables, 0x101f)->name, "first");
	assert_null(image_symbol_at(&tables, 0x1020));
	assert_string_equal(image_symbol_at(&tables, 0x1047)->name, "second");
	assert_null(image_symbol_at(&tables, 0x1048));
	arena_release(&arena);
}

static void field_within_a_field_has_both_names(void **state)
{
	struct image_tables tables;
	struct arena arena;

	(void)state;
	arena_init(&arena);
	tables = read_tables(&arena, "", "rq nr_running 4 4\nrq cfs 64 128\ncfs_rq load 8 16\n");
	assert_string_equal(image_field_at(&tables, &arena, "rq", 7), "nr_running");
	assert_string_equal(image_field_at(&tables, &arena, "rq", 64 + 23), "cfs.load");
	assert_string_equal(image_field_at(&tables, &arena, "rq", 64 + 24), "cfs");
	assert_string_equal(image_field_at(&tables, &arena, "rq", 0), "");
	assert_string_equal(image_field_at(&tables, &arena, "task_struct", 4), "");
	arena_release(&arena);
}

static void missing_tables_give_no_names(void **state)
{
	struct image_tables tables;
	struct arena arena;

	(void)state;
	arena_init(&arena);
	image_tables_read(&tables, &arena, "/nowhere/image");
	assert_null(image_symbol_at(&tables, 1));
	assert_string_equal(image_field_at(&tables, &arena, "rq", 0), "");
	arena_release(&arena);
}

static void accesses_are_added_up_by_word_and_by_place_in_the_text(void **state)
{
	uint64_t words = 0, accesses = 0, misses = 0;
	struct profile *p;
	struct arena arena;

	(void)state;
	arena_init(&arena);
	p = profile_new(&arena, 4, 0x1000, 0x100);
	profile_access(p, 0x5004, 0x1010, 0);
	profile_access(p, 0x5000, 0x1010, 30);
	profile_access(p, 0x5008, 0x2000, 5);
	for (uint32_t i = 0; i <= p->word_mask; i++) {
		words += p->word[i].address != 0;
		accesses += p->word[i].accesses;
		misses += p->word[i].misses;
	}
	assert_int_equal(words, 2);
	assert_int_equal(accesses, 3);
	assert_int_equal(misses, 2);
	assert_int_equal(p->ns[0x10], 30);
	arena_release(&arena);
}

static void lines_of_an_object_know_its_first(void **state)
{
	struct profile *p;
	struct arena arena;

	(void)state;
	arena_init(&arena);
	p = profile_new(&arena, 4, 0, 0);
	profile_name(p, 1, 8, "rq");
	assert_null(p->object[0].what);
	assert_string_equal(p->object[3].what, "rq");
	assert_int_equal(p->object[3].start, 1);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbol_covers_its_bytes_only),
		cmocka_unit_test(field_within_a_field_has_both_names),
		cmocka_unit_test(missing_tables_give_no_names),
		cmocka_unit_test(accesses_are_added_up_by_word_and_by_place_in_the_text),
		cmocka_unit_test(lines_of_an_object_know_its_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
