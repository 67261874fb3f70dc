/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Archives of /sys trees: *.tar. Checksums are set right again where a header was changed, for else
 * nothing behind them would be tried.
 */
#include "machine.h"

#include "machine/sysfs.h"

enum { BLOCK = 512, AT_SUM = 148, LENGTH_SUM = 8, AT_MAGIC = 257 };

static void mend_sum(uint8_t *block)
{
	unsigned sum = 0;
	char text[LENGTH_SUM + 8];

	memset(block + AT_SUM, ' ', LENGTH_SUM);
	for (int i = 0; i < BLOCK; i++)
		sum += block[i];
	snprintf(text, sizeof(text), "%06o", sum);
	memcpy(block + AT_SUM, text, LENGTH_SUM - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_file file;
	struct err err = { 0 };
	struct machine *m;
	struct arena arena;
	uint8_t *mended;

	arena_init(&arena);
	mended = arena_alloc(&arena, size + 1, 1, 1);
	memcpy(mended, data, size);
	for (size_t at = 0; at + BLOCK <= size; at += BLOCK)
		if (!memcmp(mended + at + AT_MAGIC, "ustar", 5))
			mend_sum(mended + at);
	file = fuzz_file_open(mended, size);
	m = sysfs_read_archive(&arena, file.path, &err);
	fuzz_answer(m != NULL, &err);
	if (m)
		fuzz_machine(&arena, m);
	arena_release(&arena);
	fuzz_file_close(&file);
	return 0;
}
