/* SPDX-License-Identifier: GPL-2.0-only */
#include "workload/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void shows(const char *word, const char *wanted)
{
	char out[WORD_SHOWN];

	assert_string_equal(word_show(word, out), wanted);
}

static void plain_words_are_shown_as_they_are(void **state)
{
	shows("", "");
	shows("2..14", "2..14");
	shows("gr\xc3\xb6\xc3\x9f"
	      "e",
	      "gr\xc3\xb6\xc3\x9f"
	      "e");
	shows("\xf0\x9f\x90\xa7", "\xf0\x9f\x90\xa7");
}

static void control_characters_and_broken_utf8_become_question_marks(void **state)
{
	shows("a\nb\x1b[31m\x7f", "a?b?[31m?");
	shows("\xc2\x9b", "?");
	shows("\xff\xfe", "??");
	shows("x\xc3", "x?");
	shows("\xe2\x82", "??");
	shows("\xc0\x80", "??");
}

static void long_words_are_cut_between_characters(void **state)
{
	char word[300], out[WORD_SHOWN];

	memset(word, 'a', sizeof(word));
	word[299] = '\0';
	word_show(word, out);
	assert_true(strlen(out) < WORD_SHOWN);
	assert_string_equal(out + strlen(out) - 3, "...");
	for (size_t shift = 0; shift < 4; shift++) {
		for (size_t i = 0; i < sizeof(word) - 1; i++)
			word[i] = i < shift ? 'a' : "\xf0\x9f\x90\xa7"[(i - shift) % 4];
		word_show(word, out);
		assert_null(strchr(out, '?'));
		assert_int_equal((strlen(out) - 3 - shift) % 4, 0);
	}
}

static void numbers_are_digits_that_fit(void **state)
{
	uint64_t value;

	assert_true(word_number("0", &value) && value == 0);
	assert_true(word_number("007", &value) && value == 7);
	assert_true(word_number("18446744073709551615", &value) && value == UINT64_MAX);
	assert_false(word_number("18446744073709551616", &value));
	assert_false(word_number("99999999999999999999999999", &value));
	assert_false(word_number("", &value));
	assert_false(word_number("-1", &value));
	assert_false(word_number("+1", &value));
	assert_false(word_number(" 1", &value));
	assert_false(word_number("2x", &value));
	assert_false(word_number("0x10", &value));
	assert_false(word_number("1e3", &value));
	assert_false(word_number("\xd9\xa3", &value));
}

static void times_take_a_unit(void **state)
{
	uint64_t ns;

	assert_true(word_time("5", &ns) && ns == 5);
	assert_true(word_time("5ns", &ns) && ns == 5);
	assert_true(word_time("20us", &ns) && ns == 20000);
	assert_true(word_time("3ms", &ns) && ns == 3000000);
	assert_true(word_time("2s", &ns) && ns == 2000000000);
	assert_false(word_time("2m", &ns));
	assert_false(word_time("ms", &ns));
	assert_false(word_time("1.5ms", &ns));
	assert_false(word_time("18446744073709551615s", &ns));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_words_are_shown_as_they_are),
		cmocka_unit_test(control_characters_and_broken_utf8_become_question_marks),
		cmocka_unit_test(long_words_are_cut_between_characters),
		cmocka_unit_test(numbers_are_digits_that_fit),
		cmocka_unit_test(times_take_a_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
