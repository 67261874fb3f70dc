/* SPDX-License-Identifier: GPL-2.0-only */
/* Dumps of /sys/devices/system: *.txt. */
#include "machine.h"

#include "machine/sysfs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_file file = fuzz_file_open(data, size);
	struct err err = { 0 };
	struct machine *m;
	struct arena arena;

	arena_init(&arena);
	m = sysfs_read_dump(&arena, file.path, &err);
	fuzz_answer(m != NULL, &err);
	if (m)
		fuzz_machine(&arena, m);
	arena_release(&arena);
	fuzz_file_close(&file);
	return 0;
}
