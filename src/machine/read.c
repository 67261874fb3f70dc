/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kind of thing a spec is. Presets first, so that no file in the working directory can change
 * what a name means; forms that no file name has next; files last.
 */
#include "machine/read.h"

#include "machine/archive.h"
#include "machine/file.h"
#include "machine/hwloc_read.h"
#include "machine/json_read.h"
#include "machine/layout.h"
#include "machine/presets.h"
#include "machine/sysfs.h"

#include <string.h>
#include <sys/stat.h>

enum { MAX_NAMES = 64, SPEC_BYTES = 4096 };

static struct machine *read_json_file(struct arena *arena, const char *path, struct err *err)
{
	size_t size;
	const char *text = file_read(arena, path, &size, err);

	return text ? json_read_machine(arena, path, path, text, size, err) : NULL;
}

static const struct form {
	const char *ending;
	struct machine *(*read)(struct arena *arena, const char *path, struct err *err);
} forms[] = {
	{ ".json", read_json_file },
	{ ".xml", hwloc_read_xml },
	{ ".txt", sysfs_read_dump },
};
static const struct form archive = { .read = sysfs_read_archive };

static const struct form *form_of(const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t ending = strlen(forms[i].ending);

		if (length > ending && !strcmp(path + length - ending, forms[i].ending))
			return &forms[i];
	}
	return archive_is(path) ? &archive : NULL;
}

static struct machine *unknown(const char *spec, struct err *err)
{
	const char *names[MAX_NAMES];
	size_t count = 0;
	char near[240];

	while (count < nr_presets && count < MAX_NAMES - 1) {
		names[count] = presets[count].name;
		count++;
	}
	names[count++] = "host";
	err_near(near, sizeof(near), spec, names, count);
	err_set(err,
		"unknown machine '%.80s'%s; also: sockets x cores x threads (4x24x2), an hwloc "
		"string (\"numa:2 core:8 pu:2\"), a file .json, .xml or .txt, a copied /sys",
		spec, near);
	return NULL;
}

static struct machine *read_path(struct arena *arena, const char *spec, struct err *err)
{
	const struct form *form = form_of(spec);
	struct stat st;

	if (!stat(spec, &st)) {
		if (S_ISDIR(st.st_mode))
			return sysfs_read_tree(arena, spec, err);
		if (form)
			return form->read(arena, spec, err);
		err_set_at(err, spec, 0, 0,
			   "is no machine by its name (allowed: .json, .xml, .txt, "
			   ".tar, .tar.gz, .tar.bz2, .tar.xz, .tar.zst or a directory)");
		return NULL;
	}
	if (form || strchr(spec, '/'))
		return form ? form->read(arena, spec, err) : sysfs_read_tree(arena, spec, err);
	if (strpbrk(spec, ": "))
		return hwloc_read_synthetic(arena, spec, err);
	return unknown(spec, err);
}

struct machine *machine_read(struct arena *arena, const char *spec, struct err *err)
{
	const struct preset *preset = preset_find(spec);

	if (!*spec || strlen(spec) >= SPEC_BYTES) {
		err_set(err, "a machine's name has 1 to %d characters", SPEC_BYTES - 1);
		return NULL;
	}
	if (preset)
		return preset_read(arena, preset, err);
	if (!strcmp(spec, "host"))
		return hwloc_read_host(arena, err);
	if (layout_is_grid(spec) && !form_of(spec))
		return layout_read_grid(arena, spec, err);
	return read_path(arena, spec, err);
}
