/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file is one JSON object whose keys are the rows of the table `keys` below, read in the order of
 * the table; an unknown key is an error, so that a mistyped one is never ignored.
 */
#include "lab/experiment.h"

#include "lab/published.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct reading {
	struct experiment *experiment;
	struct arena *arena;
	struct err *err;
	const char *path, *key;
};

typedef bool read_key(struct reading *r, const json_t *value);

static bool wrong(struct reading *r, const char *wanted, const json_t *found)
{
	static const char *const names[] = { "an object", "an array", "a string", "a number",
					     "a number",  "true",     "false",	  "null" };

	return err_set_at(r->err, r->path, 0, 0, "\"%s\" is %s; %s is wanted", r->key,
			  names[json_typeof(found)], wanted);
}

static bool read_string(struct reading *r, const json_t *value, const char **out)
{
	if (!json_is_string(value))
		return wrong(r, "a string", value);
	*out = arena_strdup(r->arena, json_string_value(value));
	return true;
}

static bool read_list(struct reading *r, const json_t *value, const char **out, uint32_t max,
		      uint32_t *count)
{
	size_t n = json_array_size(value);

	if (!json_is_array(value))
		return wrong(r, "a list of strings", value);
	if (*count + n > max)
		return err_set_at(r->err, r->path, 0, 0, "\"%s\" has %zu entries; at most %u fit",
				  r->key, n, max);
	for (size_t i = 0; i < n; i++)
		if (!read_string(r, json_array_get(value, i), &out[(*count)++]))
			return false;
	return true;
}

static bool key_title(struct reading *r, const json_t *value)
{
	return read_string(r, value, &r->experiment->title);
}

static bool key_bench(struct reading *r, const json_t *value)
{
	return read_string(r, value, &r->experiment->bench);
}

static bool key_machine(struct reading *r, const json_t *value)
{
	return read_string(r, value, &r->experiment->machine);
}

static bool key_set(struct reading *r, const json_t *value)
{
	return read_list(r, value, r->experiment->set, EXPERIMENT_MAX_SETS,
			 &r->experiment->nr_sets);
}

static bool key_profile(struct reading *r, const json_t *value)
{
	return read_string(r, value, &r->experiment->profile);
}

static bool key_base(struct reading *r, const json_t *value)
{
	return read_string(r, value, &r->experiment->variant[0]);
}

static bool key_with(struct reading *r, const json_t *value)
{
	return read_list(r, value, r->experiment->variant, EXPERIMENT_MAX_VARIANTS,
			 &r->experiment->nr_variants);
}

/* {"base": VARIANT, "with": [VARIANT, …]}: a table of its own. */
static bool read_table(struct reading *r, const json_t *value)
{
	struct experiment *e = r->experiment;
	json_t *base = json_object_get(value, "base"), *with = json_object_get(value, "with");
	uint32_t first = e->nr_variants;

	if (!base || !with || json_object_size(value) != 2)
		return err_set_at(r->err, r->path, 0, 0,
				  "an entry of \"also\" is an object with \"base\" and \"with\"");
	if (first == EXPERIMENT_MAX_VARIANTS)
		return err_set_at(r->err, r->path, 0, 0, "more than %d variants",
				  EXPERIMENT_MAX_VARIANTS);
	if (!read_string(r, base, &e->variant[e->nr_variants++]) ||
	    !read_list(r, with, e->variant, EXPERIMENT_MAX_VARIANTS, &e->nr_variants))
		return false;
	for (uint32_t v = first; v < e->nr_variants; v++)
		e->base_of[v] = first;
	return true;
}

static bool key_also(struct reading *r, const json_t *value)
{
	if (!json_is_array(value))
		return wrong(r, "a list of tables", value);
	for (size_t i = 0; i < json_array_size(value); i++)
		if (!read_table(r, json_array_get(value, i)))
			return false;
	return true;
}

static bool key_engine(struct reading *r, const json_t *value)
{
	return read_string(r, value, &r->experiment->engine);
}

static bool key_hotplug(struct reading *r, const json_t *value)
{
	return read_string(r, value, &r->experiment->hotplug);
}

static bool key_feedback(struct reading *r, const json_t *value)
{
	if (!json_is_boolean(value))
		return wrong(r, "true or false", value);
	r->experiment->no_feedback = json_is_false(value);
	return true;
}

/* Where the patches of experiments lie, seen from this one. */
static const char *patch_folder(struct reading *r)
{
	const char *slash = strrchr(r->path, '/'), *at = slash;

	while (at > r->path && at[-1] != '/')
		at--;
	if (slash && slash > at && *at != '.')
		return arena_printf(r->arena, "%.*skernel-patches", (int)(at - r->path), r->path);
	return arena_printf(r->arena, "%.*s../kernel-patches",
			    slash ? (int)(slash - r->path + 1) : 0, r->path);
}

/* {"tree": FILE, "patches": [FILE, …]} */
static bool read_kernel(struct reading *r, const char *name, const json_t *value)
{
	const json_t *patches = json_object_get(value, "patches");
	const char *tree = json_string_value(json_object_get(value, "tree")), *command;

	if (!tree || json_object_size(value) != 1 + (patches != NULL) ||
	    (patches && !json_is_array(patches)))
		return err_set_at(r->err, r->path, 0, 0,
				  "\"kernels.%s\" is an object with \"tree\", and maybe a list "
				  "\"patches\"",
				  name);
	command = arena_printf(r->arena, "schedlab kernel build %s", tree);
	for (size_t i = 0; i < json_array_size(patches); i++) {
		const char *patch = json_string_value(json_array_get(patches, i));

		if (!patch)
			return wrong(r, "a string", json_array_get(patches, i));
		command =
			arena_printf(r->arena, "%s --patch %s/%s", command, patch_folder(r), patch);
	}
	r->experiment->kernel[r->experiment->nr_kernels++] =
		(struct kernel_recipe){ arena_strdup(r->arena, name),
					arena_printf(r->arena, "%s --name %s", command, name) };
	return true;
}

static bool key_kernels(struct reading *r, const json_t *value)
{
	const char *name;
	json_t *recipe;

	if (!json_is_object(value))
		return wrong(r, "an object", value);
	if (json_object_size(value) > EXPERIMENT_MAX_KERNELS)
		return err_set_at(r->err, r->path, 0, 0,
				  "\"kernels\" has %zu entries; at most %d fit",
				  json_object_size(value), EXPERIMENT_MAX_KERNELS);
	json_object_foreach((json_t *)(uintptr_t)value, name, recipe)
	{
		if (!read_kernel(r, name, recipe))
			return false;
	}
	return true;
}

static bool key_seeds(struct reading *r, const json_t *value)
{
	json_int_t n = json_integer_value(value);

	if (!json_is_integer(value))
		return wrong(r, "a whole number", value);
	if (n < 1 || n > EXPERIMENT_MAX_SEEDS)
		return err_set_at(r->err, r->path, 0, 0, "\"seeds\" is %lld; 1 to %d are allowed",
				  (long long)n, EXPERIMENT_MAX_SEEDS);
	r->experiment->nr_seeds = (uint32_t)n;
	return true;
}

static bool key_first_seed(struct reading *r, const json_t *value)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return wrong(r, "a whole number from 0 on", value);
	r->experiment->first_seed = (uint64_t)json_integer_value(value);
	return true;
}

/* A command line in words; quotes are not special. */
static bool split_command(struct reading *r, const char *command)
{
	struct experiment *e = r->experiment;
	char *text = arena_strdup(r->arena, command), *rest = NULL;

	for (char *word = strtok_r(text, " \t\n", &rest); word;
	     word = strtok_r(NULL, " \t\n", &rest)) {
		if (e->nr_words == EXPERIMENT_MAX_WORDS)
			return err_set(r->err, "the workload has more than %d words",
				       EXPERIMENT_MAX_WORDS);
		e->word[e->nr_words++] = word;
	}
	return e->nr_words ? true : err_set(r->err, "the workload is empty");
}

static bool key_workload(struct reading *r, const json_t *value)
{
	if (json_is_array(value) && !json_array_size(value))
		return err_set_at(r->err, r->path, 0, 0, "\"workload\" is empty");
	if (json_is_array(value))
		return read_list(r, value, r->experiment->word, EXPERIMENT_MAX_WORDS,
				 &r->experiment->nr_words);
	if (!json_is_string(value))
		return wrong(r, "a command line", value);
	return split_command(r, json_string_value(value));
}

static bool key_metrics(struct reading *r, const json_t *value)
{
	return read_list(r, value, r->experiment->metric, EXPERIMENT_MAX_METRICS,
			 &r->experiment->nr_metrics);
}

static bool key_note(struct reading *r, const json_t *value)
{
	return read_string(r, value, &r->experiment->note);
}

static bool key_published(struct reading *r, const json_t *value)
{
	r->experiment->published = published_read(r->arena, r->path, value, r->err);
	return r->experiment->published != NULL;
}

static const struct {
	const char *name;
	read_key *read;
	bool needed; /* unless there is "bench" */
	bool bench;  /* the only ones beside "bench" */
} keys[] = {
	{ "title", key_title, .bench = true },
	{ "bench", key_bench, .bench = true },
	{ "machine", key_machine, true },
	{ "set", key_set },
	{ "engine", key_engine },
	{ "profile", key_profile },
	{ "base", key_base },
	{ "with", key_with },
	{ "also", key_also },
	{ "kernels", key_kernels },
	{ "feedback", key_feedback },
	{ "hotplug", key_hotplug },
	{ "seeds", key_seeds },
	{ "first_seed", key_first_seed },
	{ "workload", key_workload, true },
	{ "metrics", key_metrics },
	{ "note", key_note },
	{ "published", key_published },
};

enum { NR_KEYS = sizeof(keys) / sizeof(keys[0]) };

static bool unknown_key(struct reading *r, const char *key)
{
	const char *names[NR_KEYS];
	char near[200];

	for (size_t i = 0; i < NR_KEYS; i++)
		names[i] = keys[i].name;
	err_near(near, sizeof(near), key, names, NR_KEYS);
	return err_set_at(r->err, r->path, 0, 0, "unknown key \"%s\"%s", key, near);
}

static bool read_keys(struct reading *r, json_t *root)
{
	const char *key;
	json_t *value;

	json_object_foreach(root, key, value)
	{
		size_t i = 0;

		while (i < NR_KEYS && strcmp(keys[i].name, key) != 0)
			i++;
		if (i == NR_KEYS)
			return unknown_key(r, key);
	}
	for (size_t i = 0; i < NR_KEYS; i++) {
		bool given = json_object_get(root, keys[i].name) != NULL;

		r->key = keys[i].name;
		if (given && !keys[i].read(r, json_object_get(root, keys[i].name)))
			return false;
		if (keys[i].needed && !r->experiment->bench && !given)
			return err_set_at(r->err, r->path, 0, 0, "the key \"%s\" is missing",
					  keys[i].name);
		if (given && r->experiment->bench && !keys[i].bench)
			return err_set_at(r->err, r->path, 0, 0,
					  "the key \"%s\" means nothing beside \"bench\"",
					  keys[i].name);
	}
	return true;
}

void experiment_init(struct experiment *experiment)
{
	*experiment = (struct experiment){
		.title = "", .note = "", .nr_variants = 1, .variant = { "base" }, .first_seed = 1
	};
}

bool experiment_read(struct experiment *experiment, struct arena *arena, const char *path,
		     struct err *err)
{
	struct reading r = { .experiment = experiment, .arena = arena, .err = err, .path = path };
	json_error_t at;
	json_t *root;
	bool good;

	experiment_init(experiment);
	root = json_load_file(path, JSON_REJECT_DUPLICATES, &at);
	if (!root && json_error_code(&at) == json_error_cannot_open_file)
		return err_set_at(err, path, 0, 0, "cannot be opened: %s", strerror(errno));
	if (!root)
		return at.line < 1 ? err_set_at(err, path, 0, 0, "%s", at.text)
				   : err_set_at(err, path, at.line, at.column, "%s", at.text);
	if (json_is_object(root))
		good = read_keys(&r, root);
	else
		good = err_set_at(err, path, 0, 0, "an experiment is a JSON object");
	json_decref(root);
	return good;
}
