/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/record.h"

#include "kernel/cache.h"

#include "base/hash.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *text_of(struct arena *arena, const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return arena_strdup(arena, text ? text : "");
}

static void read_patches(struct arena *arena, const json_t *list, struct kernel_record *record)
{
	uint32_t count = (uint32_t)json_array_size(list);
	const char **patch = ARENA_ARRAY(arena, const char *, count + 1);

	for (uint32_t i = 0; i < count; i++) {
		const char *text = json_string_value(json_array_get(list, i));

		patch[i] = arena_strdup(arena, text ? text : "");
	}
	record->patch = patch;
	record->nr_patches = count;
}

bool record_read(struct arena *arena, const char *dir, const char *name,
		 struct kernel_record *record, struct err *err)
{
	const char *path = arena_printf(arena, "%s/out/record.json", dir);
	json_error_t where;
	json_t *json = json_load_file(path, 0, &where);
	struct stat image;

	if (!json)
		return err_set_at(err, path, where.line > 0 ? (uint32_t)where.line : 0, 0, "%s",
				  where.text);
	*record = (struct kernel_record){
		.name = name,
		.release = text_of(arena, json, "release"),
		.image = arena_printf(arena, "%s/out/image", dir),
		.hash = text_of(arena, json, "hash"),
		.source = text_of(arena, json, "source"),
		.config = text_of(arena, json, "config"),
		.options = text_of(arena, json, "options"),
		.counted = json_is_true(json_object_get(json, "counted")),
	};
	read_patches(arena, json_object_get(json, "patches"), record);
	json_decref(json);
	if (stat(record->image, &image))
		return err_set(err, "the kernel %s has no image any more: build it again", name);
	record->image_bytes = (uint64_t)image.st_size;
	return true;
}

const char *kernel_version(struct arena *arena, const struct kernel_record *record)
{
	size_t major = strcspn(record->release, "."), minor = 0;

	if (record->release[major])
		minor = 1 + strspn(record->release + major + 1, "0123456789");
	return arena_printf(arena, "v%.*s", (int)(major + minor), record->release);
}

const char *kernel_patch_names(struct arena *arena, const struct kernel_record *record,
			       const char *between)
{
	const char *text = "";

	for (uint32_t i = 0; i < record->nr_patches; i++) {
		const char *slash = strrchr(record->patch[i], '/');

		text = arena_printf(arena, "%s%s%s", text, i ? between : "",
				    slash ? slash + 1 : record->patch[i]);
	}
	return text;
}

static bool hash_file(const char *path, uint64_t hash[2], struct err *err)
{
	FILE *file = fopen(path, "rb");
	char block[1 << 16];
	size_t n;
	bool good;

	if (!file)
		return err_set(err, "cannot read %s: %s", path, strerror(errno));
	while ((n = fread(block, 1, sizeof(block), file)) > 0)
		for (int half = 0; half < 2; half++)
			hash[half] = hash_bytes(hash[half], block, n);
	good = !ferror(file) || err_set(err, "cannot read %s: %s", path, strerror(errno));
	fclose(file);
	return good;
}

static const char *hash_text(struct arena *arena, const uint64_t hash[2])
{
	return arena_printf(arena, "%016llx%016llx", (unsigned long long)hash[0],
			    (unsigned long long)hash[1]);
}

/* Each patch's text, so that a record tells an edited patch from the one that was applied. */
static json_t *patch_hashes(struct arena *arena, const struct kernel_request *request,
			    struct err *err)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < request->nr_patches && !err->set; i++) {
		uint64_t hash[2] = { hash_u64(HASH_START, 0), hash_u64(HASH_START, 1) };

		if (hash_file(request->patch[i], hash, err))
			json_array_append_new(list, json_string(hash_text(arena, hash)));
	}
	return list;
}

static json_t *json_of(struct arena *arena, const char *out, const struct kernel_request *request,
		       const uint64_t hash[2], struct err *err)
{
	static const char *const lines[] = { "release", "compiler", "options" };
	json_t *patches = json_array(), *json;

	for (uint32_t i = 0; i < request->nr_patches; i++)
		json_array_append_new(patches, json_string(request->patch[i]));
	json = json_pack("{s:b, s:s, s:s, s:s, s:o, s:o}", "counted", !request->bare, "source",
			 request->source, "config", request->config ? request->config : "", "hash",
			 hash_text(arena, hash), "patches", patches, "patch_hashes",
			 patch_hashes(arena, request, err));
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		json_object_set_new(json, lines[i],
				    json_string(cache_first_line(
					    arena, arena_printf(arena, "%s/%s", out, lines[i]))));
	return json;
}

bool record_write(struct arena *arena, const char *out, const struct kernel_request *request,
		  struct err *err)
{
	const char *path = arena_printf(arena, "%s/record.json", out);
	const char *blocks = arena_printf(arena, "%s/image.blocks", out);
	uint64_t hash[2] = { hash_u64(HASH_START, 0), hash_u64(HASH_START, 1) };
	json_t *json;
	bool good;

	if (!hash_file(arena_printf(arena, "%s/image", out), hash, err) ||
	    (!request->bare && !hash_file(blocks, hash, err)))
		return false;
	json = json_of(arena, out, request, hash, err);
	good = !err->set && json && !json_dump_file(json, path, JSON_INDENT(2));
	json_decref(json);
	return good || err_set(err, "cannot write %s: %s", path, strerror(errno));
}
