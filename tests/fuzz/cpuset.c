/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of cpus: "0-3,8", "0-15:2/4". The first byte gives the number of ids. */
#include "fuzz.h"

#include "base/cpuset.h"

enum { PRINT_BYTES = 65536 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cpuset set, back;
	struct err err = { 0 };
	struct arena arena;
	bool good;

	if (!size || size > 4096)
		return 0;
	arena_init(&arena);
	set = cpuset_new(&arena, data[0] * 8u + 1);
	good = cpuset_parse(&set, fuzz_text(&arena, data + 1, size - 1), &err);
	fuzz_answer(good, &err);
	if (good) {
		char *text = arena_alloc(&arena, PRINT_BYTES, 1, 1);

		back = cpuset_new(&arena, set.bits);
		CHECK(cpuset_parse(&back, cpuset_print(&set, text, PRINT_BYTES), &err));
		CHECK(cpuset_equal(&set, &back));
		CHECK(cpuset_empty(&set) || cpuset_next(&set, set.bits - 1) <= set.bits - 1 ||
		      cpuset_next(&set, set.bits - 1) == CPU_NONE);
	}
	arena_release(&arena);
	return 0;
}
