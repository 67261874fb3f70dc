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
	jw_break(&w);
	jw_key(&w, "trace_hash");
	jw_string(&w, hash);
	jw_object_end(&w);
	fputc('\n', out);
}
