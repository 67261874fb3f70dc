/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The walk over the text trusts it: jansson accepted it before. Members are found by their place,
 * which jansson keeps in the order of the text, so no key needs to be unescaped.
 */
#include "machine/json_spot.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 160, FOUND_BYTES = 64 };

static const char *skip_space(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : at;
}

static const char *skip_value(const char *at)
{
	int depth = 0;

	do {
		at = skip_space(at);
		if (*at == '"') {
			at = skip_string(at);
		} else if (*at == '{' || *at == '[') {
			depth++;
			at++;
		} else if (*at == '}' || *at == ']') {
			depth--;
			at++;
		} else if (*at == ',' || *at == ':') {
			at++;
		} else {
			at += strcspn(at, " \t\r\n,:]}");
		}
	} while (depth && *at);
	return at;
}

/* From a container to its member or item `index`: to the key if want_key, else to the value. */
static const char *enter(const char *at, size_t index, bool want_key)
{
	bool object = *at == '{';

	at = skip_space(at + 1);
	for (size_t i = 0;; i++) {
		const char *key = at;

		if (object) {
			at = skip_space(skip_string(at));
			at = skip_space(*at ? at + 1 : at);
		}
		if (i == index)
			return object && want_key ? key : at;
		at = skip_space(skip_value(at));
		if (*at != ',')
			return at;
		at = skip_space(at + 1);
	}
}

static const char *locate(const struct json_spot *spot, bool want_key)
{
	if (!spot->parent)
		return skip_space(spot->doc->text);
	return enter(locate(spot->parent, false), spot->index, want_key);
}

static void place(const struct json_doc *doc, const char *at, int *line, int *column)
{
	*line = 1;
	*column = 1;
	for (const char *c = doc->text; c < at; c++) {
		*column = *c == '\n' ? 1 : *column + 1;
		*line += *c == '\n';
	}
}

/* "$.costs.syscall_cycles" */
static void print_path(const struct json_spot *spot, char *out, size_t size)
{
	size_t used;

	if (!spot->parent) {
		snprintf(out, size, "$");
		return;
	}
	print_path(spot->parent, out, size);
	used = strlen(out);
	if (spot->key)
		snprintf(out + used, size - used, ".%s", spot->key);
	else
		snprintf(out + used, size - used, "[%zu]", spot->index);
}

static bool fail_at(const struct json_spot *spot, bool want_key, const char *text)
{
	char path[PATH_BYTES];
	int line, column;

	place(spot->doc, locate(spot, want_key), &line, &column);
	print_path(spot, path, sizeof(path));
	return err_set_at(spot->doc->err, spot->doc->name, line, column, "%s: %s", path, text);
}

bool json_spot_fail(const struct json_spot *spot, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return fail_at(spot, false, text);
}

/* What stands there, in few words. */
static const char *found(const struct json_spot *spot, char *out)
{
	const json_t *value = spot->value;

	switch (json_typeof(value)) {
	case JSON_OBJECT: return "an object";
	case JSON_ARRAY: return "an array";
	case JSON_TRUE: return "true";
	case JSON_FALSE: return "false";
	case JSON_NULL: return "null";
	case JSON_STRING:
		snprintf(out, FOUND_BYTES, "\"%s\"", json_string_value(value));
		return out;
	case JSON_INTEGER:
		snprintf(out, FOUND_BYTES, "%lld", (long long)json_integer_value(value));
		return out;
	case JSON_REAL: snprintf(out, FOUND_BYTES, "%.10g", json_real_value(value)); return out;
	}
	return "something else";
}

bool json_doc_open(struct json_doc *doc, const char *name, const char *text, size_t size,
		   struct err *err)
{
	json_error_t error;

	*doc = (struct json_doc){ .name = name, .text = text, .size = size, .err = err };
	doc->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
	if (!doc->root)
		return err_set_at(err, name, error.line > 0 ? error.line : 1,
				  error.column > 0 ? error.column : 1, "not JSON: %s", error.text);
	return true;
}

void json_doc_close(struct json_doc *doc)
{
	json_decref(doc->root);
	doc->root = NULL;
}

struct json_spot json_doc_root(struct json_doc *doc)
{
	return (struct json_spot){ .doc = doc, .value = doc->root };
}

static bool is_one_of(const char *key, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(key, names[i]))
			return true;
	return false;
}

bool json_spot_keys(const struct json_spot *spot, const char *const *names, size_t count)
{
	char near[240], text[400], what[FOUND_BYTES];
	const char *key;
	json_t *value;
	size_t index = 0;

	if (!json_is_object(spot->value))
		return json_spot_fail(spot, "found %s (allowed: an object)", found(spot, what));
	json_object_foreach(spot->value, key, value)
	{
		if (!is_one_of(key, names, count)) {
			struct json_spot at = { spot->doc, value, spot, key, index };

			err_near(near, sizeof(near), key, names, count);
			snprintf(text, sizeof(text), "unknown key%s", near);
			return fail_at(&at, true, text);
		}
		index++;
	}
	return true;
}

bool json_spot_get(const struct json_spot *spot, const char *key, struct json_spot *out)
{
	const char *name;
	json_t *value;
	size_t index = 0;

	json_object_foreach(spot->value, name, value)
	{
		if (!strcmp(name, key)) {
			*out = (struct json_spot){ spot->doc, value, spot, name, index };
			return true;
		}
		index++;
	}
	return false;
}

bool json_spot_need(const struct json_spot *spot, const char *key, struct json_spot *out)
{
	return json_spot_get(spot, key, out) || json_spot_fail(spot, "\"%s\" is missing", key);
}

bool json_spot_array(const struct json_spot *spot, size_t min, size_t max)
{
	char what[FOUND_BYTES];
	size_t size = json_array_size(spot->value);

	if (!json_is_array(spot->value))
		return json_spot_fail(spot, "found %s (allowed: an array)", found(spot, what));
	if (size >= min && size <= max)
		return true;
	if (min == max)
		return json_spot_fail(spot, "found %zu items (allowed: exactly %zu)", size, min);
	return json_spot_fail(spot, "found %zu items (allowed: %zu to %zu)", size, min, max);
}

struct json_spot json_spot_item(const struct json_spot *spot, size_t index)
{
	return (struct json_spot){ spot->doc, json_array_get(spot->value, index), spot, NULL,
				   index };
}

bool json_spot_u64(const struct json_spot *spot, uint64_t min, uint64_t max, uint64_t *out)
{
	char what[FOUND_BYTES];
	json_int_t value = json_integer_value(spot->value);

	if (json_is_integer(spot->value) && value >= 0 && (uint64_t)value >= min &&
	    (uint64_t)value <= max) {
		*out = (uint64_t)value;
		return true;
	}
	return json_spot_fail(spot, "found %s (allowed: a whole number from %llu to %llu)",
			      found(spot, what), (unsigned long long)min, (unsigned long long)max);
}

bool json_spot_bool(const struct json_spot *spot, bool *out)
{
	char what[FOUND_BYTES];

	*out = json_is_true(spot->value);
	return json_is_boolean(spot->value) ||
	       json_spot_fail(spot, "found %s (allowed: true or false)", found(spot, what));
}

/* Texts stand in tables, where a line break or an escape would do harm. */
static bool is_one_line(const char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			return false;
	return true;
}

bool json_spot_text(const struct json_spot *spot, struct arena *arena, const char **out)
{
	char what[FOUND_BYTES];

	if (!json_is_string(spot->value) || !json_string_length(spot->value))
		return json_spot_fail(spot, "found %s (allowed: a text)", found(spot, what));
	*out = arena_strdup(arena, json_string_value(spot->value));
	return is_one_line(*out) ||
	       json_spot_fail(spot, "holds a control character (allowed: one line of text)");
}

bool json_spot_choice(const struct json_spot *spot, const char *const *names, size_t count,
		      size_t *out)
{
	char near[240], what[FOUND_BYTES];
	const char *text = json_string_value(spot->value);

	for (size_t i = 0; text && i < count; i++) {
		if (!strcmp(text, names[i])) {
			*out = i;
			return true;
		}
	}
	err_near(near, sizeof(near), text ? text : "", names, count);
	return json_spot_fail(spot, "found %s%s", found(spot, what), near);
}
