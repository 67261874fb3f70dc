/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/published.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	ROLE_X,
	ROLE_METRIC,
	ROLE_BASE,
	ROLE_BASE_STD,
	ROLE_WITH,
	ROLE_WITH_STD,
	ROLE_CHANGE,
	NR_ROLES
};

static const char *const role_names[NR_ROLES] = { "x",	  "metric",   "base",  "base_std",
						  "with", "with_std", "change" };
static const char *const other_names[] = { "file", "table", "key" };

struct source {
	struct arena *arena;
	struct err *err;
	const char *path; /* of the published file */
	const json_t *table;
	const char *key;
	int column[NR_ROLES]; /* -1: not given */
};

static bool is_index(const json_t *value)
{
	return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool check_keys(const json_t *reference, const char *path, struct err *err)
{
	const char *names[NR_ROLES + 3], *key;
	char near[200];
	json_t *value;

	memcpy(names, role_names, sizeof(role_names));
	memcpy(names + NR_ROLES, other_names, sizeof(other_names));
	json_object_foreach((json_t *)(uintptr_t)reference, key, value)
	{
		size_t i = 0;

		while (i < NR_ROLES + 3 && strcmp(names[i], key) != 0)
			i++;
		if (i == NR_ROLES + 3) {
			err_near(near, sizeof(near), key, names, NR_ROLES + 3);
			return err_set_at(err, path, 0, 0, "unknown key \"published.%s\"%s", key,
					  near);
		}
		if (strcmp(key, "table") ? !json_is_string(value) : !is_index(value))
			return err_set_at(err, path, 0, 0, "\"published.%s\" is no %s", key,
					  strcmp(key, "table") ? "string" : "number from 0 on");
	}
	if (!json_object_get(reference, "key") != !json_object_get(reference, "x"))
		return err_set_at(err, path, 0, 0,
				  "\"published.key\" and \"published.x\" go together");
	return true;
}

static bool find_columns(struct source *s, const json_t *reference)
{
	const json_t *columns = json_object_get(s->table, "columns");

	for (size_t role = 0; role < NR_ROLES; role++) {
		const char *wanted =
			json_string_value(json_object_get(reference, role_names[role]));

		s->column[role] = -1;
		if (!wanted)
			continue;
		for (size_t i = 0; i < json_array_size(columns); i++) {
			const char *name = json_string_value(json_array_get(columns, i));

			if (name && strcmp(name, wanted) == 0)
				s->column[role] = (int)i;
		}
		if (s->column[role] < 0)
			return err_set_at(s->err, s->path, 0, 0, "the table has no column \"%s\"",
					  wanted);
	}
	if (s->column[ROLE_BASE] < 0 || (s->column[ROLE_WITH] < 0 && s->column[ROLE_CHANGE] < 0))
		return err_set_at(
			s->err, s->path, 0, 0,
			"\"published\" needs \"base\" and one of \"with\" and \"change\"");
	return true;
}

static double number(const struct source *s, const json_t *row, int role)
{
	const json_t *value;

	if (s->column[role] < 0)
		return NAN;
	value = json_array_get(row, (size_t)s->column[role]);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static struct published_row read_row(const struct source *s, const json_t *row)
{
	struct published_row out = { .base = number(s, row, ROLE_BASE),
				     .base_std_pct = number(s, row, ROLE_BASE_STD),
				     .other = number(s, row, ROLE_WITH),
				     .other_std_pct = number(s, row, ROLE_WITH_STD) };
	double change = number(s, row, ROLE_CHANGE), x = number(s, row, ROLE_X);

	if (isnan(out.other) && !isnan(change))
		out.other = out.base * (1 + change / 100);
	if (s->key && !isnan(x)) {
		out.key = s->key;
		out.value = arena_printf(s->arena, "%g", x);
	}
	if (s->column[ROLE_METRIC] >= 0) {
		const char *metric =
			json_string_value(json_array_get(row, (size_t)s->column[ROLE_METRIC]));

		out.metric = metric ? arena_strdup(s->arena, metric) : NULL;
	}
	return out;
}

static const struct published *read_table(struct source *s, const json_t *root,
					  const json_t *reference)
{
	const json_t *mail = json_object_get(root, "source"), *rows;
	const char *title = json_string_value(json_object_get(mail, "title"));
	const char *url = json_string_value(json_object_get(mail, "url"));
	struct published *p = ARENA_NEW(s->arena, struct published);
	struct published_row *row;

	s->table = json_array_get(json_object_get(root, "tables"),
				  (size_t)json_integer_value(json_object_get(reference, "table")));
	rows = json_object_get(s->table, "rows");
	if (!title || json_array_size(rows) < 1 || json_array_size(rows) > EXPERIMENT_MAX_ROWS) {
		err_set_at(s->err, s->path, 0, 0,
			   "no such table, or a table without title or rows");
		return NULL;
	}
	if (!find_columns(s, reference))
		return NULL;
	p->title = arena_strdup(s->arena, title);
	p->url = arena_strdup(s->arena, url ? url : "");
	row = ARENA_ARRAY(s->arena, struct published_row, json_array_size(rows));
	for (size_t i = 0; i < json_array_size(rows); i++)
		row[p->nr_rows++] = read_row(s, json_array_get(rows, i));
	p->row = row;
	return p;
}

const struct published *published_read(struct arena *arena, const char *path,
				       const json_t *reference, struct err *err)
{
	const char *file = json_string_value(json_object_get(reference, "file"));
	const char *key = json_string_value(json_object_get(reference, "key"));
	const char *slash = strrchr(path, '/');
	struct source s = { .arena = arena, .err = err };
	const struct published *published;
	json_error_t at;
	json_t *root;

	if (!file) {
		err_set_at(err, path, 0, 0, "\"published\" is an object with a \"file\"");
		return NULL;
	}
	if (!check_keys(reference, path, err))
		return NULL;
	s.key = key ? arena_strdup(arena, key) : NULL;
	s.path = arena_printf(arena, "%.*s../published/%s", slash ? (int)(slash - path + 1) : 0,
			      path, file);
	root = json_load_file(s.path, JSON_REJECT_DUPLICATES, &at);
	if (!root) {
		err_set_at(err, s.path, at.line > 0 ? at.line : 0, at.line > 0 ? at.column : 0,
			   "%s", at.text);
		return NULL;
	}
	published = read_table(&s, root, reference);
	json_decref(root);
	return published;
}

const struct published_row *published_find(const struct published *published, const char *key,
					   const char *value, const char *metric)
{
	for (uint32_t i = 0; published && i < published->nr_rows; i++) {
		const struct published_row *row = &published->row[i];
		bool right_cell = !row->key || (key && value && strcmp(row->key, key) == 0 &&
						strcmp(row->value, value) == 0);
		bool right_metric = !row->metric || (metric && strcmp(row->metric, metric) == 0);

		if (right_cell && right_metric)
			return row;
	}
	return NULL;
}
