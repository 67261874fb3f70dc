/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers, JSON, CSV and tables: what the bytes must be. */
#include "text/csv.h"
#include "text/json_write.h"
#include "text/number.h"
#include "text/table.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct buffer {
	char *text;
	size_t size;
	FILE *out;
};

static struct buffer *buffer_open(void)
{
	struct buffer *b = calloc(1, sizeof(*b));

	assert_non_null(b);
	b->out = open_memstream(&b->text, &b->size);
	assert_non_null(b->out);
	return b;
}

static void buffer_expect(struct buffer *b, const char *expected)
{
	fclose(b->out);
	assert_string_equal(b->text, expected);
	free(b->text);
	free(b);
}

static void shortest_numbers_read_back(void **state)
{
	static const struct {
		double value;
		const char *text;
	} row[] = {
		{ 0.1, "0.1" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 2, "2" },
		{ 869600000, "869600000" },
		{ 1e300, "1e+300" },
		{ -0.0, "-0" },
		{ 5e-324, "4.94065645841247e-324" },
		{ NAN, "nan" },
		{ INFINITY, "inf" },
		{ -INFINITY, "-inf" },
	};
	char out[NUMBER_SIZE];
	uint64_t bits = 88172645463325252ull;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		assert_string_equal(number_shortest(row[i].value, out), row[i].text);
	for (int i = 0; i < 20000; i++) {
		double value;

		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		memcpy(&value, &bits, sizeof(value));
		if (isfinite(value))
			assert_true(strtod(number_shortest(value, out), NULL) == value);
	}
}

static void human_numbers_keep_five_digits(void **state)
{
	static const struct {
		double value;
		const char *text;
	} row[] = {
		{ 1.8151, "1.8151" },
		{ 10.7344, "10.734" },
		{ 312.456, "312.46" },
		{ 4321.05, "4321.1" },
		{ 171792.4, "171792" },
		{ 171792, "171792" },
		{ 0.01234567, "0.01235" },
		{ 0, "0" },
		{ NAN, "n/a" },
		{ -3, "-3" },
		{ 0.00001234567, "1.235e-05" },
		{ 2e18, "2e+18" },
		{ -0.0, "0" },
	};
	char out[NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		assert_string_equal(number_human(row[i].value, out), row[i].text);
}

static void json_places_commas_and_escapes(void **state)
{
	struct buffer *b = buffer_open();
	struct json_writer w = json_writer(b->out);

	jw_object(&w);
	jw_key(&w, "a\"b");
	jw_string(&w, "tab\t line\n bell\a back\\ ü 𝛿");
	jw_key(&w, "list");
	jw_array(&w);
	jw_double(&w, 0.5);
	jw_double(&w, NAN);
	jw_double(&w, INFINITY);
	jw_i64(&w, INT64_MIN);
	jw_u64(&w, UINT64_MAX);
	jw_bool(&w, true);
	jw_null(&w);
	jw_string(&w, NULL);
	jw_rounded(&w, 2.0 / 3, 4);
	jw_array(&w);
	jw_array_end(&w);
	jw_array_end(&w);
	jw_key(&w, "empty");
	jw_object(&w);
	jw_object_end(&w);
	jw_object_end(&w);
	buffer_expect(b, "{\"a\\\"b\":\"tab\\t line\\n bell\\u0007 back\\\\ ü 𝛿\","
			 "\"list\":[0.5,null,null,-9223372036854775808,18446744073709551615,"
			 "true,null,null,0.6667,[]],\"empty\":{}}");
}

static void json_replaces_what_is_not_utf8(void **state)
{
	static const char *const bad[] = { "\xff",	   "\xc0\xaf",	       "\xe0\x80\x80",
					   "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3",
					   "\xe2\x82" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct buffer *b = buffer_open();
		struct json_writer w = json_writer(b->out);
		char expected[64] = "\"";

		for (size_t n = 0; n < strlen(bad[i]); n++)
			strcat(expected, "\xef\xbf\xbd");
		strcat(expected, "\"");
		jw_string(&w, bad[i]);
		buffer_expect(b, expected);
	}
}

static void json_words_are_numbers_when_they_look_so(void **state)
{
	static const char *const word[] = { "2",   "-7", "0", "007", "-0",
					    "1.5", "",	 "-", "2x",  "1234567890123456" };
	struct buffer *b = buffer_open();
	struct json_writer w = json_writer(b->out);

	jw_array(&w);
	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++)
		jw_word(&w, word[i]);
	jw_array_end(&w);
	buffer_expect(b, "[2,-7,0,\"007\",\"-0\",\"1.5\",\"\",\"-\",\"2x\",\"1234567890123456\"]");
}

static void json_breaks_lines_where_asked(void **state)
{
	struct buffer *b = buffer_open();
	struct json_writer w = json_writer(b->out);

	jw_array(&w);
	for (int i = 0; i < 3; i++) {
		jw_break(&w);
		jw_i64(&w, i);
	}
	jw_break(&w);
	jw_array_end(&w);
	buffer_expect(b, "[\n0,\n1,\n2\n]");
}

static void csv_quotes_only_what_needs_it(void **state)
{
	struct buffer *b = buffer_open();
	struct csv_writer csv = { .out = b->out };

	csv_string(&csv, "plain");
	csv_string(&csv, "a,b");
	csv_string(&csv, "say \"hi\"");
	csv_string(&csv, "");
	csv_double(&csv, 0.1);
	csv_double(&csv, NAN);
	csv_u64(&csv, 7);
	csv_end_line(&csv);
	csv_string(&csv, "two\nlines");
	csv_rounded(&csv, 1.0 / 3, 3);
	csv_end_line(&csv);
	buffer_expect(b, "plain,\"a,b\",\"say \"\"hi\"\"\",,0.1,,7\r\n\"two\nlines\",0.333\r\n");
}

static void table_aligns_code_points_and_leaves_no_trailing_blanks(void **state)
{
	struct buffer *b = buffer_open();
	struct arena arena;
	struct table *table;

	arena_init(&arena);
	table = table_new(&arena);
	table_column(table, "name", TABLE_LEFT);
	table_column(table, "value", TABLE_RIGHT);
	table_column(table, "note", TABLE_LEFT);
	table_cell(table, "µs");
	table_cell(table, "%d", 12345678);
	table_cell(table, "x");
	table_cell(table, "longer");
	table_cell(table, "1 ± 2");
	table_end_row(table);
	table_end_row(table);
	table_cell(table, "only");
	table_print(table, b->out, 2);
	arena_release(&arena);
	buffer_expect(b, "  name       value  note\n"
			 "  µs      12345678  x\n"
			 "  longer     1 ± 2\n"
			 "\n"
			 "  only\n");
}

static void table_without_headings_has_no_heading_line(void **state)
{
	struct buffer *b = buffer_open();
	struct arena arena;
	struct table *table;

	arena_init(&arena);
	table = table_new(&arena);
	table_column(table, NULL, TABLE_LEFT);
	table_column(table, "", TABLE_RIGHT);
	table_cell(table, "a");
	table_cell(table, "1");
	table_cell(table, "bb");
	table_cell(table, "22");
	table_print(table, b->out, 0);
	arena_release(&arena);
	buffer_expect(b, "a    1\nbb  22\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shortest_numbers_read_back),
		cmocka_unit_test(human_numbers_keep_five_digits),
		cmocka_unit_test(json_places_commas_and_escapes),
		cmocka_unit_test(json_replaces_what_is_not_utf8),
		cmocka_unit_test(json_words_are_numbers_when_they_look_so),
		cmocka_unit_test(json_breaks_lines_where_asked),
		cmocka_unit_test(csv_quotes_only_what_needs_it),
		cmocka_unit_test(table_aligns_code_points_and_leaves_no_trailing_blanks),
		cmocka_unit_test(table_without_headings_has_no_heading_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
