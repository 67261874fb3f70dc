/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An image file in memory: its segments at the addresses it was linked for, and the arenas that
 * its kernel allocates from, all at fixed addresses, so that runs are equal to the byte.
 */
#ifndef ENGINE_KERNEL_IMAGE_H
#define ENGINE_KERNEL_IMAGE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum { IMAGE_MAX_SEGMENTS = 8 };

struct image {
	const char *path;
	uint64_t entry;
	uint32_t nr_segments;
	struct image_segment {
		uint64_t address, bytes, file_offset, file_bytes;
	} segment[IMAGE_MAX_SEGMENTS];
	uint64_t writable_bytes; /* upper bound of the kernel's own data */
};

/* Reads the headers of the file and checks that it is an image. */
bool image_read(struct image *image, const char *path, struct err *err);
/* Maps it. False and err set when an address is taken or the file is cut off: nothing is mapped. */
bool image_map(const struct image *image, struct err *err);
void image_unmap(const struct image *image);
/* Whether an address lies in the image. */
bool image_contains(const struct image *image, uint64_t address);

/* Zeroed memory at a fixed address, taken from the system when touched. */
bool image_reserve(uint64_t address, uint64_t bytes, struct err *err);
void image_release(uint64_t address, uint64_t bytes);

#endif
