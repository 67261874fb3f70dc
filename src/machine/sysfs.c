/* SPDX-License-Identifier: GPL-2.0-only */
#include "machine/sysfs.h"
struct machine *sysfs_read_dump(struct arena *arena, const char *path, struct err *err)
{
	err_set_at(err, path, 0, 0, "dumps are not read yet");
	return NULL;
}
struct machine *sysfs_read_tree(struct arena *arena, const char *path, struct err *err)
{
	err_set_at(err, path, 0, 0, "trees are not read yet");
	return NULL;
}
