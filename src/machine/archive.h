/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a tar archive, one after the other, without unpacking it anywhere.
 *
 * ustar, GNU and pax archives; plain, or compressed with gzip, bzip2, xz or zstd, whose program
 * then runs as a child with the archive as its input and no shell between. Nothing is written, so
 * where a member's name points and what kind of file it is can do no harm: what is no file or
 * directory (links, devices) is passed over. A stream of more than 512 MiB and a damaged or
 * shortened archive are errors, also when its members so far were handed out.
 */
#ifndef MACHINE_ARCHIVE_H
#define MACHINE_ARCHIVE_H

#include "base/arena.h"
#include "base/err.h"

struct archive_member {
	const char *name; /* as the archive has it, without a slash at its end */
	bool is_dir;
	const char
		*text; /* a file's first ARCHIVE_TEXT_BYTES, ended by a NUL; not kept after use */
	size_t size;   /* of text */
};

enum { ARCHIVE_TEXT_BYTES = 4096 };

/* True when the name ends like an archive: .tar, .tar.gz, .tgz, .tar.bz2, .tar.xz, .tar.zst … */
bool archive_is(const char *path);

/*
 * Hands each member to use(), which returns false (and sets err) to stop. False and err when the
 * archive cannot be read to its end.
 */
bool archive_read(struct arena *arena, const char *path,
		  bool (*use)(void *context, const struct archive_member *member, struct err *err),
		  void *context, struct err *err);

#endif
