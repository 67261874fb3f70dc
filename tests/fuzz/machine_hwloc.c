/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What hwloc reads: synthetic strings, and XML when the first byte is '<'. The reading process of
 * machine/guarded.h turns every breakdown into an error, ours too; its stderr tells them apart.
 */
#include "machine.h"

#include "machine/hwloc_read.h"

enum { SHOWN_BYTES = 65536 };

static bool is_ours(const char *said)
{
	return strstr(said, "internal fault") ||
	       (strstr(said, "runtime error") && strstr(said, "src/machine")) ||
	       (strstr(said, "AddressSanitizer") && strstr(said, "src/machine"));
}

static struct machine *read_it(struct arena *arena, const uint8_t *data, size_t size,
			       struct err *err)
{
	struct fuzz_file file;
	struct machine *m;

	if (!size || data[0] != '<')
		return hwloc_read_synthetic(arena, fuzz_text(arena, data, size), err);
	file = fuzz_file_open(data, size);
	m = hwloc_read_xml(arena, file.path, err);
	fuzz_file_close(&file);
	return m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int before = dup(STDERR_FILENO), said = memfd_create("stderr", MFD_CLOEXEC);
	static char text[SHOWN_BYTES + 1];
	struct err err = { 0 };
	struct machine *m;
	struct arena arena;
	ssize_t length;

	arena_init(&arena);
	dup2(said, STDERR_FILENO);
	m = read_it(&arena, data, size, &err);
	dup2(before, STDERR_FILENO);
	length = pread(said, text, SHOWN_BYTES, 0);
	text[length > 0 ? length : 0] = '\0';
	close(before);
	close(said);
	if (is_ours(text)) {
		fputs(text, stderr);
		CHECK(!"hwloc_read.c broke down");
	}
	fuzz_answer(m != NULL, &err);
	if (m)
		fuzz_machine(&arena, m);
	arena_release(&arena);
	return 0;
}
