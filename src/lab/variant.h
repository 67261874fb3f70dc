/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One side of a comparison: an engine, and what is changed in it.
 *
 * Written "kernel:NAME" it is the scheduler of a kernel that `schedlab kernel build` made. All else
 * is of the engine asked for: the model, with the words of sched/config.h, or again a kernel, which
 * only takes "base", since a kernel is changed by a patch.
 */
#ifndef LAB_VARIANT_H
#define LAB_VARIANT_H

#include "engine/engine.h"

#define DEFAULT_PROFILE "v6.12" /* the model's version when none is given */
#define KERNEL_PREFIX	"kernel:"

struct variant_request {
	const char *engine;  /* "model" or "kernel:NAME"; NULL: the model */
	const char *profile; /* the model's version; NULL: DEFAULT_PROFILE */
	const char *text;    /* "base", "+SIS_CORE", "kernel:NAME" */
};

struct variant {
	const char *text; /* as given; "kernel:NAME" for a kernel */
	const struct engine_ops *engine;
	const char *profile;  /* "v6.12"; of a kernel: the version of its release */
	const char *features; /* the model's; "base" for a kernel */
	const char *image;    /* NULL: the model */
	const char *content;  /* what the image contains, as a hash in text; "" for the model */
	bool counted;	      /* the kernel's code is charged for what it does */
	const char *title;    /* "v5.12 as it is", "kernel v6.12.117 (counted) with my.patch" */
};

/*
 * False and err set, with near matches, when the engine, the kernel or a word of the variant is
 * not known. Everything is allocated in `arena`.
 */
bool variant_resolve(struct variant *variant, struct arena *arena,
		     const struct variant_request *request, struct err *err);

/* "kernel:NAME": NAME; NULL for what is no kernel. */
const char *variant_kernel_name(const char *text);

/* Whether a kernel of that name was built. */
bool variant_kernel_is_built(struct arena *arena, const char *name);

/* One sentence on how this side was run that a reader must know; NULL when there is none. */
const char *variant_note(const struct variant *variant, struct arena *arena);

#endif
