/* SPDX-License-Identifier: GPL-2.0-only */
/* A booted kernel without a simulation: to look at what it built, or to pose states. */
#ifndef ENGINE_KERNEL_SCRATCH_H
#define ENGINE_KERNEL_SCRATCH_H

#include "engine/kernel/kernel.h"

#include "../kernel/abi.h"

#include <setjmp.h>

struct kernel_scratch {
	const struct ks_image *ks;
	struct engine *engine;
	struct arena arena;
	struct engine_services services;
	struct engine_config config;
	jmp_buf failed;
	char failure[400];
};

/* Boots the image on a machine, which outlives it. False and err set when that is refused. */
bool kernel_scratch_open(struct kernel_scratch *scratch, const struct machine *machine,
			 const char *image, struct err *err);
/* The same, and the cpus of `off` have gone off since, in ascending order. */
bool kernel_scratch_open_without(struct kernel_scratch *scratch, const struct machine *machine,
				 const struct cpuset *off, const char *image, struct err *err);
void kernel_scratch_close(struct kernel_scratch *scratch);

#endif
