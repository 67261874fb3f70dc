/* SPDX-License-Identifier: GPL-2.0-only */
#include "text/scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_message(const struct scan *scan, const char *expected)
{
	struct err err = { 0 };
	char text[700];

	assert_false(scan_fail(scan, &err, "expected a number"));
	err_print(&err, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void scan_knows_line_and_column(void **state)
{
	struct scan scan = scan_text("f", "a:\n\t 12 xyz\n");
	const char *word;
	size_t length;
	uint64_t value;

	assert_true(scan_word(&scan, "abc", &word, &length));
	assert_int_equal(length, 1);
	expect_message(&scan, "f:1:2: expected a number, found ':'");
	assert_true(scan_literal(&scan, ":"));
	expect_message(&scan, "f:1:3: expected a number, found the end of the line");
	scan_space(&scan);
	assert_true(scan_u64(&scan, &value));
	assert_int_equal(value, 12);
	expect_message(&scan, "f:2:5: expected a number, found ' '");
	scan_space(&scan);
	expect_message(&scan, "f:2:6: expected a number, found 'xyz'");
	assert_true(scan_literal(&scan, "xyz"));
	scan_space(&scan);
	assert_true(scan_at_end(&scan));
	expect_message(&scan, "f:3:1: expected a number, found the end");
}

static void scan_does_not_move_when_it_fails(void **state)
{
	struct scan scan = scan_text("f", "18446744073709551616");
	const char *word;
	size_t length;
	uint64_t value = 5;

	assert_false(scan_u64(&scan, &value));
	assert_false(scan_literal(&scan, "19"));
	assert_false(scan_word(&scan, "xyz", &word, &length));
	assert_int_equal(value, 5);
	assert_int_equal(scan.column, 1);
	scan = scan_text("f", "18446744073709551615");
	assert_true(scan_u64(&scan, &value));
	assert_true(value == UINT64_MAX);
	assert_false(scan_u64(&scan, &value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scan_knows_line_and_column),
		cmocka_unit_test(scan_does_not_move_when_it_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
