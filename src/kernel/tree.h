/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The trees that kernels are built from: the user's folders, and tarballs, which are unpacked once
 * into the folder .trees of the cache. Private to src/kernel.
 */
#ifndef KERNEL_TREE_H
#define KERNEL_TREE_H

#include "kernel/kernel.h"

/*
 * The folder of request->source, unpacked if it has to be; notes in DIR/tree that the kernel in DIR
 * uses it. NULL and err set when it cannot be had.
 */
const char *tree_find(struct arena *arena, const struct kernel_request *request, const char *dir,
		      struct err *err);

/* Removes unpacked trees that no kernel uses any more. */
bool tree_prune(struct arena *arena, struct err *err);

#endif
