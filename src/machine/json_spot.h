/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading JSON with errors that say where: file, line, column, path, what was found, what is
 * allowed.
 *
 * jansson parses and keeps no positions. A spot is a value and the way to it from the root; when
 * something is wrong there, the text is walked along that way once more to find line and column.
 * Reading without errors pays nothing for it. Spots live on the stack, children point to parents,
 * and none outlives the document.
 */
#ifndef MACHINE_JSON_SPOT_H
#define MACHINE_JSON_SPOT_H

#include "base/arena.h"
#include "base/err.h"

#include <jansson.h>
#include <stdint.h>

struct json_doc {
	const char *name; /* for errors: the file */
	const char *text;
	size_t size;
	json_t *root;
	struct err *err;
};

struct json_spot {
	struct json_doc *doc;
	json_t *value;
	const struct json_spot *parent; /* NULL at the root */
	const char *key;		/* of a member; NULL: an item of an array */
	size_t index;			/* of the member or item within its parent */
};

/* Parses; false and err for text that is not JSON or says a key twice. text is not copied. */
bool json_doc_open(struct json_doc *doc, const char *name, const char *text, size_t size,
		   struct err *err);
void json_doc_close(struct json_doc *doc);
struct json_spot json_doc_root(struct json_doc *doc);

/* Is an object and has no other keys than these, else an error with the nearest of them. */
bool json_spot_keys(const struct json_spot *spot, const char *const *names, size_t count);
/* The member, if the object has it. */
bool json_spot_get(const struct json_spot *spot, const char *key, struct json_spot *out);
/* The same, but an error when it is missing. */
bool json_spot_need(const struct json_spot *spot, const char *key, struct json_spot *out);

/* Is an array of at least min and at most max items. */
bool json_spot_array(const struct json_spot *spot, size_t min, size_t max);
struct json_spot json_spot_item(const struct json_spot *spot, size_t index);

/* Is a whole number within the limits. */
bool json_spot_u64(const struct json_spot *spot, uint64_t min, uint64_t max, uint64_t *out);
bool json_spot_bool(const struct json_spot *spot, bool *out);
/* Is a string that is not empty and has no control characters; copied to the arena. */
bool json_spot_text(const struct json_spot *spot, struct arena *arena, const char **out);
/* Is one of the names; *out is its place. */
bool json_spot_choice(const struct json_spot *spot, const char *const *names, size_t count,
		      size_t *out);

/* Reports at this spot; always false. */
bool json_spot_fail(const struct json_spot *spot, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
