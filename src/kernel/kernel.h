/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernels that the user has built: where they are kept, how they are made and found.
 *
 * A kernel NAME is a directory of $XDG_CACHE_HOME/schedlab/kernels (~/.cache without it). Its `out`
 * holds a finished image with its tables and a record, replaced as one by a rename; beside it lie
 * the overlay of the user's tree and the objects, for the next build. A kernel without `out` is not
 * there. Builds of one name exclude each other; others run side by side.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>
#include <stdio.h>

struct kernel_record {
	const char *name;
	const char *release;	  /* "6.12.117" */
	const char *image;	  /* path; its tables lie beside it */
	const char *hash;	  /* of image and tables, as text: equal kernels are equal */
	const char *source;	  /* the tree or tarball as given */
	const char *config;	  /* the configuration file, "" for the defaults */
	const char *options;	  /* "+PREEMPT -SCHED_MC" against the defaults, or "defaults" */
	const char *const *patch; /* as given */
	uint32_t nr_patches;
	bool counted; /* instrumented: kernel code is charged for what it does */
	uint64_t image_bytes;
};

/* "v6.12" of the release "6.12.117": the version as profiles are called. */
const char *kernel_version(struct arena *arena, const struct kernel_record *record);
/* Its patches by their files' names, with that between two; "" without any. */
const char *kernel_patch_names(struct arena *arena, const struct kernel_record *record,
			       const char *between);

struct kernel_request {
	const char *name, *source;
	const char *config;	  /* NULL: the tree's .config, or the defaults */
	const char *const *patch; /* applied in order */
	uint32_t nr_patches;
	bool bare;
	FILE *out; /* what is done, in lines for people */
};

/*
 * Builds or brings up to date. False and err set with what is wrong: the tree, a patch, a missing
 * package, no space, an interrupt; then a kernel of that name is as it was before.
 */
bool kernel_build(struct arena *arena, const struct kernel_request *request, struct err *err);

/* False and err set, with near matches and how to build it, when there is none of that name. */
bool kernel_find(struct arena *arena, const char *name, struct kernel_record *record,
		 struct err *err);

/* All of them by name; *count of them. NULL and err set: no such folder, or more than 1,000. */
struct kernel_record *kernel_list(struct arena *arena, uint32_t *count, struct err *err);

/* With all that was kept for the next build. */
bool kernel_remove(struct arena *arena, const char *name, struct err *err);

#endif
