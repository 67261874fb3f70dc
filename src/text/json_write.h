/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A streaming JSON writer: commas, escapes and number forms are its business, nesting is checked.
 *
 *	struct json_writer w = json_writer(out);
 *	jw_object(&w);
 *	jw_key(&w, "mean");
 *	jw_double(&w, 1.5);
 *	jw_object_end(&w);
 *
 * Output is compact, except where json_break asks for a new line. Write errors stay in the FILE
 * (ferror) and are the caller's. Breaking the grammar (a value without key in an object, an end
 * without a beginning) is our bug and fails a CHECK. Reading JSON is jansson's work.
 */
#ifndef TEXT_JSON_WRITE_H
#define TEXT_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 32 };

struct json_writer {
	FILE *out;
	uint32_t depth;
	char kind[JSON_DEPTH];	 /* '{' or '[' of each open container */
	bool filled[JSON_DEPTH]; /* something was written at this depth */
	bool keyed;		 /* a key waits for its value */
	bool line_broken;	 /* the next item starts on a new line */
};

struct json_writer json_writer(FILE *out);

void jw_object(struct json_writer *w);
void jw_object_end(struct json_writer *w);
void jw_array(struct json_writer *w);
void jw_array_end(struct json_writer *w);
/* The next item or closing bracket starts on a new line, so that files differ by line. */
void jw_break(struct json_writer *w);

void jw_key(struct json_writer *w, const char *key);
/* Bytes that are not UTF-8 become U+FFFD; NULL becomes null. */
void jw_string(struct json_writer *w, const char *text);
/* The shortest form that reads back as the same double; NaN and infinities become null. */
void jw_double(struct json_writer *w, double value);
/* At most `digits` significant digits: for results of libm, whose last bits vary by machine. */
void jw_rounded(struct json_writer *w, double value, int digits);
void jw_u64(struct json_writer *w, uint64_t value);
void jw_i64(struct json_writer *w, int64_t value);
void jw_bool(struct json_writer *w, bool value);
void jw_null(struct json_writer *w);
/* A number when the text is a JSON integer of at most 15 digits ("2", "-7"), else a string. */
void jw_word(struct json_writer *w, const char *text);

#endif
