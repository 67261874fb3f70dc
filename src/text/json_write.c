/* SPDX-License-Identifier: GPL-2.0-only */
/* One rule places every comma: `before` runs ahead of each key and each unkeyed value. */
#include "text/json_write.h"

#include "base/check.h"
#include "text/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct json_writer json_writer(FILE *out)
{
	return (struct json_writer){ .out = out };
}

static void before(struct json_writer *w)
{
	if (w->filled[w->depth] && w->depth)
		fputc(',', w->out);
	w->filled[w->depth] = true;
	if (w->line_broken)
		fputc('\n', w->out);
	w->line_broken = false;
}

static void before_value(struct json_writer *w)
{
	if (w->depth && w->kind[w->depth] == '{') {
		CHECK(w->keyed);
		w->keyed = false;
		return;
	}
	CHECK(w->depth || !w->filled[0]);
	before(w);
}

static void open_container(struct json_writer *w, char kind)
{
	before_value(w);
	CHECK(w->depth + 1 < JSON_DEPTH);
	w->depth++;
	w->kind[w->depth] = kind;
	w->filled[w->depth] = false;
	fputc(kind, w->out);
}

static void close_container(struct json_writer *w, char kind)
{
	CHECK(w->depth && w->kind[w->depth] == kind && !w->keyed);
	if (w->line_broken)
		fputc('\n', w->out);
	w->line_broken = false;
	w->depth--;
	fputc(kind == '{' ? '}' : ']', w->out);
}

void jw_object(struct json_writer *w)
{
	open_container(w, '{');
}

void jw_object_end(struct json_writer *w)
{
	close_container(w, '{');
}

void jw_array(struct json_writer *w)
{
	open_container(w, '[');
}

void jw_array_end(struct json_writer *w)
{
	close_container(w, '[');
}

void jw_break(struct json_writer *w)
{
	w->line_broken = true;
}

/*
 * Length of the UTF-8 sequence at `at`, 0 when it is malformed: overlong forms, surrogates and
 * values above U+10FFFF included (RFC 3629). A terminator inside ends it as malformed.
 */
static int utf8_length(const unsigned char *at)
{
	int length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;

	if (at[0] > 0xf4)
		return 0;
	for (int i = 1; i < length; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
	    (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
		return 0;
	return length;
}

static void put_byte(FILE *out, unsigned char byte)
{
	static const char plain[] = "\"\\\b\f\n\r\t", name[] = "\"\\bfnrt";
	const char *found = byte ? strchr(plain, byte) : NULL;

	if (found)
		fprintf(out, "\\%c", name[found - plain]);
	else if (byte < 0x20)
		fprintf(out, "\\u%04x", byte);
	else
		fputc(byte, out);
}

static void put_string(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	fputc('"', out);
	while (*at) {
		int length = utf8_length(at);

		if (length == 1)
			put_byte(out, *at);
		else if (length)
			fwrite(at, 1, (size_t)length, out);
		else
			fputs("\xef\xbf\xbd", out);
		at += length ? length : 1;
	}
	fputc('"', out);
}

void jw_key(struct json_writer *w, const char *key)
{
	CHECK(w->depth && w->kind[w->depth] == '{' && !w->keyed);
	before(w);
	put_string(w->out, key);
	fputc(':', w->out);
	w->keyed = true;
}

void jw_string(struct json_writer *w, const char *text)
{
	before_value(w);
	if (text)
		put_string(w->out, text);
	else
		fputs("null", w->out);
}

void jw_double(struct json_writer *w, double value)
{
	char text[NUMBER_SIZE];

	before_value(w);
	fputs(isfinite(value) ? number_shortest(value, text) : "null", w->out);
}

void jw_rounded(struct json_writer *w, double value, int digits)
{
	char text[NUMBER_SIZE];

	before_value(w);
	fputs(isfinite(value) ? number_rounded(value, digits, text) : "null", w->out);
}

void jw_u64(struct json_writer *w, uint64_t value)
{
	before_value(w);
	fprintf(w->out, "%" PRIu64, value);
}

void jw_i64(struct json_writer *w, int64_t value)
{
	before_value(w);
	fprintf(w->out, "%" PRId64, value);
}

void jw_bool(struct json_writer *w, bool value)
{
	before_value(w);
	fputs(value ? "true" : "false", w->out);
}

void jw_null(struct json_writer *w)
{
	before_value(w);
	fputs("null", w->out);
}

static bool is_integer(const char *text)
{
	const char *digits = text + (*text == '-');
	size_t length = strlen(digits);

	if (!length || length > 15 || strspn(digits, "0123456789") != length)
		return false;
	return digits[0] != '0' || (length == 1 && digits == text);
}

void jw_word(struct json_writer *w, const char *text)
{
	if (!text || !is_integer(text)) {
		jw_string(w, text);
		return;
	}
	before_value(w);
	fputs(text, w->out);
}
