/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines in the documented JSON schema. */
#include "machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	struct machine *m;
	struct arena arena;

	arena_init(&arena);
	m = json_read_machine(&arena, "m.json", "m.json", fuzz_text(&arena, data, size), size,
			      &err);
	fuzz_answer(m != NULL, &err);
	CHECK(m || (err.line > 0 && err.column > 0) || err.where[0]);
	if (m)
		fuzz_machine(&arena, m);
	arena_release(&arena);
	return 0;
}
