/* SPDX-License-Identifier: GPL-2.0-only */
/* The id is a note of the main program, in a segment that is loaded with it. */
#include "lab/build_id.h"

#include "base/hash.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static uint64_t id_in(const char *at, size_t size)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		ElfW(Nhdr) note;
		size_t name, length;

		memcpy(&note, at, sizeof(note));
		name = (note.n_namesz + 3u) & ~3u;
		length = sizeof(note) + name + ((note.n_descsz + 3u) & ~3u);
		if (length > size)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    memcmp(at + sizeof(note), "GNU", 4) == 0)
			return hash_bytes(HASH_START, at + sizeof(note) + name, note.n_descsz);
		at += length;
		size -= length;
	}
	return 0;
}

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
	uint64_t *id = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum && !*id; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_NOTE)
			*id = id_in((const char *)(info->dlpi_addr + segment->p_vaddr),
				    segment->p_memsz);
	}
	return 1; /* the first object is the program itself */
}

uint64_t build_id(void)
{
	uint64_t id = 0;

	dl_iterate_phdr(look, &id);
	return id;
}
