/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine that is a real kernel's scheduler: an image (kernel/abi.h) mapped into this process.
 *
 * engine_config.image is its path. One at a time in a process, x86-64 hosts only.
 * Kernel time is simulated time plus KS_CLOCK_START. What goes wrong in kernel code (BUG, WARN,
 * panic, a symbol that is not emulated, a fault, an endless loop) ends the run through
 * services->fail() with file and line where known.
 */
#ifndef ENGINE_KERNEL_KERNEL_H
#define ENGINE_KERNEL_KERNEL_H

#include "engine/engine.h"

struct ks_image;

const struct engine_ops *engine_kernel(void);

/* For tests and comparisons: the booted image behind an engine of this kind. */
const struct ks_image *engine_kernel_image(const struct engine *engine);

#endif
