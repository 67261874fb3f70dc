/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands after -m, as far as it names no file: presets and AxBxC. */
#include "machine.h"

#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	struct machine *m;
	struct arena arena;
	struct stat st;
	char *spec;

	arena_init(&arena);
	spec = fuzz_text(&arena, data, size);
	if (strpbrk(spec, ": ") ||
	    (strchr(spec, '/') && spec[strspn(spec, "0123456789x")] != '/') ||
	    !strcmp(spec, "host") || !stat(spec, &st)) {
		arena_release(&arena);
		return 0;
	}
	m = machine_read(&arena, spec, &err);
	fuzz_answer(m != NULL, &err);
	if (m)
		fuzz_machine(&arena, m);
	arena_release(&arena);
	return 0;
}
