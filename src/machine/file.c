/* SPDX-License-Identifier: GPL-2.0-only */
/* Files under /sys state no size, so this reads until there is no more. */
#include "machine/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_BYTES = 4096, MAX_BYTES = 64 * 1024 * 1024 };

static char *read_all(struct arena *arena, FILE *in, const char *path, size_t *size,
		      struct err *err)
{
	size_t room = FIRST_BYTES, used = 0;
	char *text = arena_alloc(arena, room + 1, 1, 1);

	for (;;) {
		used += fread(text + used, 1, room - used, in);
		if (ferror(in)) {
			err_set_at(err, path, 0, 0, "cannot be read: %s", strerror(errno));
			return NULL;
		}
		if (used < room)
			break;
		if (room >= MAX_BYTES) {
			err_set_at(err, path, 0, 0, "is larger than %d MiB", MAX_BYTES >> 20);
			return NULL;
		}
		room *= 4;
		text = memcpy(arena_alloc(arena, room + 1, 1, 1), text, used);
	}
	text[used] = '\0';
	*size = used;
	return text;
}

char *file_read(struct arena *arena, const char *path, size_t *size, struct err *err)
{
	FILE *in = fopen(path, "rb");
	char *text;

	if (!in) {
		err_set_at(err, path, 0, 0, "cannot be opened: %s", strerror(errno));
		return NULL;
	}
	text = read_all(arena, in, path, size, err);
	fclose(in);
	return text;
}
