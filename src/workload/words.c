/* SPDX-License-Identifier: GPL-2.0-only */
#include "workload/words.h"

#include <string.h>

/* Bytes of the UTF-8 character at s, 0 when there is none; overlong forms and surrogates count. */
static size_t utf8_length(const unsigned char *s)
{
	size_t length = s[0] < 0x80		      ? 1
			: s[0] >= 0xc2 && s[0] < 0xe0 ? 2
			: s[0] >= 0xe0 && s[0] < 0xf0 ? 3
			: s[0] >= 0xf0 && s[0] < 0xf5 ? 4
						      : 0;

	for (size_t i = 1; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

static bool is_control(const unsigned char *s, size_t length)
{
	return (length == 1 && (s[0] < 0x20 || s[0] == 0x7f)) ||
	       (length == 2 && s[0] == 0xc2 && s[1] < 0xa0);
}

char *word_show(const char *word, char out[static WORD_SHOWN])
{
	const unsigned char *s = (const unsigned char *)word;
	size_t used = 0;

	while (*s) {
		size_t length = utf8_length(s);

		if (used + 4 + sizeof("...") > WORD_SHOWN) {
			memcpy(out + used, "...", 3);
			used += 3;
			break;
		}
		if (!length || is_control(s, length)) {
			out[used++] = '?';
			s += length ? length : 1;
			continue;
		}
		memcpy(out + used, s, length);
		used += length;
		s += length;
	}
	out[used] = '\0';
	return out;
}

/* Reads digits, at least one; NULL when there is none or the number does not fit. */
static const char *read_number(const char *word, uint64_t *value)
{
	const char *at = word;

	*value = 0;
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(*at - '0'), value))
			return NULL;
	return at == word ? NULL : at;
}

bool word_number(const char *word, uint64_t *value)
{
	const char *end = read_number(word, value);

	return end && !*end;
}

bool word_time(const char *word, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }
	};
	const char *end = read_number(word, ns);

	if (!end)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].name))
			return !__builtin_mul_overflow(*ns, units[i].ns, ns);
	return false;
}
