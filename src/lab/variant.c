/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/variant.h"

#include "engine/kernel/kernel.h"
#include "engine/model/model.h"
#include "kernel/kernel.h"
#include "sched/config.h"

#include <string.h>

const char *variant_kernel_name(const char *text)
{
	size_t length = strlen(KERNEL_PREFIX);

	return text && strncmp(text, KERNEL_PREFIX, length) == 0 ? text + length : NULL;
}

bool variant_kernel_is_built(struct arena *arena, const char *name)
{
	struct err err = { 0 };
	uint32_t count = 0;
	const struct kernel_record *record = kernel_list(arena, &count, &err);

	for (uint32_t i = 0; i < count; i++)
		if (strcmp(record[i].name, name) == 0)
			return true;
	return false;
}

/* "kernel v6.12.117 (counted) with my.patch" */
static const char *title_of(struct arena *arena, const struct kernel_record *record)
{
	return arena_printf(
		arena, "kernel v%s (%s)%s%s", record->release, record->counted ? "counted" : "bare",
		record->nr_patches ? " with " : "", kernel_patch_names(arena, record, ", "));
}

static bool resolve_kernel(struct variant *v, struct arena *arena, const char *name,
			   struct err *err)
{
	struct kernel_record record = { 0 };

	if (strchr(name, ','))
		return err_set(err,
			       "'" KERNEL_PREFIX "%s': features belong to the model; a kernel is "
			       "changed by a patch ('schedlab kernel build --patch')",
			       name);
	if (!kernel_find(arena, name, &record, err))
		return false;
	*v = (struct variant){
		.text = arena_printf(arena, KERNEL_PREFIX "%s", name),
		.engine = engine_kernel(),
		.profile = kernel_version(arena, &record),
		.features = "base",
		.image = record.image,
		.content = record.hash,
		.counted = record.counted,
		.title = title_of(arena, &record),
	};
	return true;
}

static bool resolve_model(struct variant *v, struct arena *arena, const char *profile,
			  const char *text, struct err *err)
{
	struct sched_config config;

	*v = (struct variant){
		.text = text,
		.engine = engine_model(),
		.profile = profile,
		.features = text,
		.content = "",
		.title = arena_printf(arena, "%s %s", profile,
				      strcmp(text, "base") ? text : "as it is"),
	};
	return sched_config_parse(&config, arena, profile, text, err);
}

static bool known_engine(const char *engine, struct err *err)
{
	static const char *const names[] = { "model", KERNEL_PREFIX "NAME" };
	char near[100];

	if (!engine || strcmp(engine, "model") == 0 || variant_kernel_name(engine))
		return true;
	err_near(near, sizeof(near), engine, names, 2);
	return err_set(err, "there is no engine '%s'%s; 'schedlab kernel list' has the kernels",
		       engine, near);
}

bool variant_resolve(struct variant *variant, struct arena *arena,
		     const struct variant_request *request, struct err *err)
{
	const char *engine = variant_kernel_name(request->engine);
	const char *own = variant_kernel_name(request->text);
	bool changed = request->text[0] && strcmp(request->text, "base") != 0;

	if (!known_engine(request->engine, err))
		return false;
	if (own)
		return resolve_kernel(variant, arena, own, err);
	if (engine && changed)
		return err_set(err,
			       "'%s' is for the model; " KERNEL_PREFIX "%s is changed by a patch "
			       "('schedlab kernel build --patch')",
			       request->text, engine);
	if (engine)
		return resolve_kernel(variant, arena, engine, err);
	return resolve_model(variant, arena, request->profile ? request->profile : DEFAULT_PROFILE,
			     request->text, err);
}

const char *variant_note(const struct variant *variant, struct arena *arena)
{
	if (!variant->image || variant->counted)
		return NULL;
	return arena_printf(arena, "%s is bare: its own code takes no time", variant->text);
}
