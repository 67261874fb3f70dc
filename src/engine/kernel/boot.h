/* SPDX-License-Identifier: GPL-2.0-only */
/* From a configuration to a booted kernel, and back. Private to engine/kernel. */
#ifndef ENGINE_KERNEL_BOOT_H
#define ENGINE_KERNEL_BOOT_H

#include "engine/kernel/internal.h"

/* Maps the image and finds what it can do, in e->ks; refuses machines that it is not for. */
bool boot_map(struct engine *e, const struct engine_config *config, struct err *err);
/* Boots it on e->machine; on failure everything is unmapped again. */
bool boot_open(struct engine *e, struct arena *arena, struct err *err);
void boot_close(struct engine *e);

#endif
