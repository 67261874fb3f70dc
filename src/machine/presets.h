/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machines that come with the program: share/machines/NAME.json, put into the binary when it
 * is built (embed-presets.py), so that a run needs no file and no path.
 */
#ifndef MACHINE_PRESETS_H
#define MACHINE_PRESETS_H

#include "machine/machine.h"

#include <stddef.h>

struct preset {
	const char *name, *title;
	const char *text; /* the JSON file, ended by a NUL that `size` does not count */
	size_t size;
};

/* In the order of names. */
extern const struct preset presets[];
extern const uint32_t nr_presets;

/* NULL when there is none of that name. */
const struct preset *preset_find(const char *name);
struct machine *preset_read(struct arena *arena, const struct preset *preset, struct err *err);

#endif
