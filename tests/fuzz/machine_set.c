/* SPDX-License-Identifier: GPL-2.0-only */
/* --set: changes of a machine's costs, one a line, on two machines. */
#include "machine.h"

static void set_all(const char *name, const char *text)
{
	struct err err = { 0 };
	struct machine *m;
	struct arena arena;
	char *next, *line;

	arena_init(&arena);
	m = machine_read(&arena, name, &err);
	CHECK(m);
	next = arena_strdup(&arena, text);
	while ((line = strsep(&next, "\n"))) {
		bool good;

		memset(&err, 0, sizeof(err));
		good = machine_set(&arena, m, line, &err);
		fuzz_answer(good, &err);
		CHECK(machine_check(m, NULL));
	}
	fuzz_machine(&arena, m);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;

	arena_init(&arena);
	if (size <= 4096) {
		const char *text = fuzz_text(&arena, data, size);

		set_all("kunpeng920", text);
		set_all("4x2x2/ring", text);
	}
	arena_release(&arena);
	return 0;
}
