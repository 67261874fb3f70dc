/* SPDX-License-Identifier: GPL-2.0-only */
#include "machine/hwloc_read.h"
struct machine *hwloc_read_host(struct arena *arena, struct err *err)
{
	err_set(err, "not yet");
	return NULL;
}
struct machine *hwloc_read_xml(struct arena *arena, const char *path, struct err *err)
{
	err_set(err, "not yet");
	return NULL;
}
struct machine *hwloc_read_synthetic(struct arena *arena, const char *text, struct err *err)
{
	err_set(err, "not yet");
	return NULL;
}
