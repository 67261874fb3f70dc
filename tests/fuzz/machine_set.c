/* SPDX-License-Identifier: GPL-2.0-only */
/* --set: changes of a machine's costs, one a line. The machine is read once and copied. */
#include "machine.h"

static const struct machine *line_of_three(void)
{
	static struct machine *m;
	static struct arena arena;
	struct err err = { 0 };

	if (!m)
		m = machine_read(&arena, "3x1x2/line", &err);
	CHECK(m);
	return m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine m = *line_of_three();
	struct arena arena;
	char *next, *line;

	if (size > 4096)
		return 0;
	arena_init(&arena);
	next = fuzz_text(&arena, data, size);
	while ((line = strsep(&next, "\n"))) {
		struct err err = { 0 };

		fuzz_answer(machine_set(&arena, &m, line, &err), &err);
		CHECK(machine_check(&m, NULL));
	}
	fuzz_machine(&arena, &m);
	arena_release(&arena);
	return 0;
}
