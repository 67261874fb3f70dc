/* SPDX-License-Identifier: GPL-2.0-only */
/* The folder of kernels. Private to src/kernel. */
#ifndef KERNEL_CACHE_H
#define KERNEL_CACHE_H

#include "kernel/kernel.h"

/* "$XDG_CACHE_HOME/schedlab/kernels"; NULL and err set when no variable says where. */
const char *cache_root(struct arena *arena, struct err *err);
/* Whether `name` may be a kernel's: letters, digits and ._- not at its begin. */
bool cache_good_name(const char *name, struct err *err);

/* mkdir -p */
bool cache_make_dir(struct arena *arena, const char *path, struct err *err);
/* rm -rf; what is not there is no error. */
bool cache_remove_tree(const char *path, struct err *err);

/*
 * Takes the lock of `path` for this process; waits for another that has it, saying so to `out`.
 * Returns what to give to cache_unlock(), -1 and err set on failure. The lock's file goes with the
 * path.
 */
int cache_lock(struct arena *arena, const char *path, FILE *out, struct err *err);
void cache_unlock(struct arena *arena, const char *path, int lock);

/* "" when the file is empty or cannot be read. */
const char *cache_first_line(struct arena *arena, const char *path);

#endif
