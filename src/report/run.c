/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/run.h"

#include "text/json_write.h"
#include "text/number.h"
#include "text/table.h"

#include <inttypes.h>
#include <string.h>

enum { INDENT = 2 };

static void put_table(const struct run_metric *metric, uint32_t count, struct arena *arena,
		      FILE *out)
{
	struct table *table = table_new(arena);
	char text[NUMBER_SIZE];

	table_column(table, NULL, TABLE_LEFT);
	table_column(table, NULL, TABLE_RIGHT);
	table_column(table, NULL, TABLE_LEFT);
	for (uint32_t i = 0; i < count; i++) {
		table_cell(table, "%s", metric[i].name);
		table_cell(table, "%s", number_human(metric[i].value, text));
		table_cell(table, "%s", metric[i].unit);
	}
	table_print(table, out, INDENT);
}

static void put_profile(const struct run_profile *profile, struct arena *arena, FILE *out)
{
	struct table *table = table_new(arena);

	table_column(table, "", TABLE_LEFT);
	for (size_t c = 0; c < RUN_PROFILE_COLUMNS && profile->column[c]; c++)
		table_column(table, profile->column[c], TABLE_RIGHT);
	table_column(table, "", TABLE_LEFT);
	for (uint32_t i = 0; i < profile->rows; i++) {
		table_cell(table, "%s", profile->row[i].name);
		for (size_t c = 0; c < RUN_PROFILE_COLUMNS && profile->column[c]; c++)
			table_cell(table, "%" PRIu64, profile->row[i].value[c]);
		table_cell(table, "%s", profile->row[i].detail);
	}
	fprintf(out, "\n%s\n", profile->title);
	table_print(table, out, INDENT);
}

void run_write_text(const struct run_report *run, FILE *out)
{
	size_t length = strlen(run->summary);
	struct arena arena;

	arena_init(&arena);
	fputs(run->summary, out);
	if (length && run->summary[length - 1] != '\n')
		fputc('\n', out);
	fprintf(out, "\n%s on %s, %s, seed %" PRIu64 "\n", run->workload, run->machine,
		run->variant, run->seed);
	for (uint32_t i = 0; i < run->notes; i++)
		fprintf(out, "  %s\n", run->note[i]);
	put_table(run->metric, run->metrics, &arena, out);
	for (uint32_t s = 0; s < run->sections; s++) {
		fprintf(out, "\n%s\n", run->section[s].title);
		put_table(run->section[s].metric, run->section[s].metrics, &arena, out);
	}
	for (uint32_t i = 0; i < run->profiles; i++)
		put_profile(&run->profile[i], &arena, out);
	fprintf(out, "\ntrace hash %016" PRIx64 "\n", run->trace_hash);
	arena_release(&arena);
}

static void put_metrics(struct json_writer *w, const struct run_metric *metric, uint32_t count)
{
	jw_object(w);
	for (uint32_t i = 0; i < count; i++) {
		jw_break(w);
		jw_key(w, metric[i].name);
		jw_double(w, metric[i].value);
	}
	jw_object_end(w);
}

static void put_units(struct json_writer *w, const struct run_report *run)
{
	jw_break(w);
	jw_key(w, "units");
	jw_object(w);
	for (uint32_t i = 0; i < run->metrics; i++) {
		if (!*run->metric[i].unit)
			continue;
		jw_key(w, run->metric[i].name);
		jw_string(w, run->metric[i].unit);
	}
	jw_object_end(w);
}

static void put_notes(struct json_writer *w, const struct run_report *run)
{
	if (!run->notes)
		return;
	jw_break(w);
	jw_key(w, "notes");
	jw_array(w);
	for (uint32_t i = 0; i < run->notes; i++)
		jw_string(w, run->note[i]);
	jw_array_end(w);
}

static void put_explain(struct json_writer *w, const struct run_report *run)
{
	if (!run->sections)
		return;
	jw_break(w);
	jw_key(w, "explain");
	jw_object(w);
	for (uint32_t s = 0; s < run->sections; s++) {
		jw_break(w);
		jw_key(w, run->section[s].title);
		put_metrics(w, run->section[s].metric, run->section[s].metrics);
	}
	jw_object_end(w);
}

static void put_profile_row(struct json_writer *w, const struct run_profile *profile,
			    const struct run_profile_row *row)
{
	jw_break(w);
	jw_object(w);
	jw_key(w, "name");
	jw_string(w, row->name);
	if (*row->detail) {
		jw_key(w, "fields");
		jw_string(w, row->detail);
	}
	for (size_t c = 0; c < RUN_PROFILE_COLUMNS && profile->column[c]; c++) {
		jw_key(w, profile->column[c]);
		jw_u64(w, row->value[c]);
	}
	jw_object_end(w);
}

static void put_profiles(struct json_writer *w, const struct run_report *run)
{
	if (!run->profiles)
		return;
	jw_break(w);
	jw_key(w, "profile");
	jw_object(w);
	for (uint32_t i = 0; i < run->profiles; i++) {
		jw_break(w);
		jw_key(w, run->profile[i].key);
		jw_array(w);
		for (uint32_t r = 0; r < run->profile[i].rows; r++)
			put_profile_row(w, &run->profile[i], &run->profile[i].row[r]);
		jw_array_end(w);
	}
	jw_object_end(w);
}

void run_write_json(const struct run_report *run, FILE *out)
{
	struct json_writer w = json_writer(out);
	char hash[17];

	snprintf(hash, sizeof(hash), "%016" PRIx64, run->trace_hash);
	jw_object(&w);
	jw_key(&w, "machine");
	jw_string(&w, run->machine);
	jw_key(&w, "variant");
	jw_string(&w, run->variant);
	jw_key(&w, "workload");
	jw_string(&w, run->workload);
	jw_key(&w, "seed");
	jw_u64(&w, run->seed);
	jw_break(&w);
	jw_key(&w, "metrics");
	put_metrics(&w, run->metric, run->metrics);
	put_units(&w, run);
	put_notes(&w, run);
	put_explain(&w, run);
	put_profiles(&w, run);
	jw_break(&w);
	jw_key(&w, "trace_hash");
	jw_string(&w, hash);
	jw_object_end(&w);
	fputc('\n', out);
}
