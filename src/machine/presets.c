/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inheriting reads the whole preset: its text is small, and so its own inheritance, limits and
 * errors are those of any machine file.
 */
#include "machine/presets.h"

#include "machine/draft.h"
#include "machine/json_read.h"
#include "machine/read.h"

#include <string.h>

const struct preset *preset_find(const char *name)
{
	for (uint32_t i = 0; i < nr_presets; i++)
		if (!strcmp(presets[i].name, name))
			return &presets[i];
	return NULL;
}

uint32_t machine_nr_presets(void)
{
	return nr_presets;
}

const char *machine_preset_name(uint32_t i)
{
	return presets[i].name;
}

const char *machine_preset_title(uint32_t i)
{
	return presets[i].title;
}

struct machine *preset_read(struct arena *arena, const struct preset *preset, struct err *err)
{
	const char *file = arena_printf(arena, "%s.json", preset->name);

	return json_read_machine(arena, file, preset->name, preset->text, preset->size, err);
}

static void unknown_preset(const char *name, struct err *err)
{
	const char *names[64];
	uint32_t count = nr_presets < 64 ? nr_presets : 64;
	char near[240];

	for (uint32_t i = 0; i < count; i++)
		names[i] = presets[i].name;
	err_near(near, sizeof(near), name, names, count);
	err_set(err, "unknown preset '%.60s'%s", name, near);
}

/* A figure handed on twice keeps the name of the machine that stated it. */
static struct cost_value handed_on(struct arena *arena, const char *name, struct cost_value from)
{
	if (!from.inherited)
		from.source = arena_printf(arena, "%s: %s", name, from.source);
	from.inherited = true;
	return from;
}

bool costs_inherit(struct arena *arena, struct machine_costs *costs, const char *name,
		   struct err *err)
{
	const struct preset *preset = preset_find(name);
	const struct machine_costs *from;
	const struct machine *m;

	if (!preset) {
		unknown_preset(name, err);
		return false;
	}
	m = preset_read(arena, preset, err);
	if (!m)
		return false;
	from = &m->costs;
	for (int i = 0; i < NR_COSTS; i++)
		if (!costs->of[i].source)
			costs->of[i] = handed_on(arena, name, from->of[i]);
	for (uint32_t i = 0; !costs->nr_distances && i < from->nr_distances; i++) {
		costs->line_distance[i] = from->line_distance[i];
		costs->line_distance[i].line_ns =
			handed_on(arena, name, from->line_distance[i].line_ns);
	}
	if (!costs->nr_distances)
		costs->nr_distances = from->nr_distances;
	if (!costs->idle_source) {
		struct cost_value idle = { 0, from->idle_source, from->idle_inherited };

		costs->idle_source = handed_on(arena, name, idle).source;
		costs->idle_inherited = true;
		costs->nr_idle_states = from->nr_idle_states;
		memcpy(costs->idle_state, from->idle_state, sizeof(costs->idle_state));
	}
	return true;
}
