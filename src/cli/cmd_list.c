/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists: every set that a user chooses from, printed from the table that defines it. */
#include "cli/commands.h"
#include "cli/formats.h"
#include "machine/read.h"
#include "measure/measure.h"
#include "report/form.h"
#include "sched/sched.h"
#include "text/table.h"
#include "workload/workload.h"

#include <string.h>

typedef void list_rows(struct table *table);

static void list_machines(struct table *table)
{
	for (uint32_t i = 0; i < machine_nr_presets(); i++) {
		table_cell(table, "%s", machine_preset_name(i));
		table_cell(table, "%s", machine_preset_title(i));
	}
}

static void list_profiles(struct table *table)
{
	for (uint32_t i = 0; i < sched_nr_profiles(); i++) {
		table_cell(table, "%s", sched_profile_name(i));
		table_cell(table, "%s", sched_profile_phrase(i));
	}
}

/* "on in v6.1 v6.12" */
static void feature_profiles(uint32_t feature, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (uint32_t i = 0; i < sched_nr_profiles() && used < size; i++)
		if (sched_feature_default(feature, sched_profile_version(i)))
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "",
						 sched_profile_name(i));
}

static void list_features(struct table *table)
{
	char on[200];

	for (uint32_t i = 0; i < NR_FEATURES; i++) {
		feature_profiles(i, on, sizeof(on));
		table_cell(table, "%s", sched_feature_name(i));
		table_cell(table, "%s", sched_feature_phrase(i));
		table_cell(table, "%s", on[0] ? on : "-");
		table_cell(table, "%s", sched_feature_source(i));
	}
}

static void list_tunables(struct table *table)
{
	for (uint32_t i = 0; i < NR_TUNABLES; i++) {
		table_cell(table, "%s", sched_tunable_name(i));
		table_cell(table, "%s", sched_tunable_phrase(i));
	}
}

static void list_lines(struct table *table)
{
	for (uint32_t i = 0; i < NR_FIELDS; i++) {
		table_cell(table, "%s", sched_field_name(i));
		table_cell(table, "%s", sched_line_name(sched_field_line(i)));
		table_cell(table, "%s", sched_field_phrase(i));
	}
}

static void list_workloads(struct table *table)
{
	for (uint32_t i = 0; i < workload_nr_kinds(); i++) {
		table_cell(table, "%s", workload_kind_name(i));
		table_cell(table, "%s", workload_kind_phrase(i));
	}
}

static void list_metrics(struct table *table)
{
	struct arena arena;
	struct metrics rows;

	arena_init(&arena);
	rows = measure_rows(&arena);
	for (uint32_t i = 0; i < rows.nr; i++) {
		table_cell(table, "%s", rows.metric[i].name);
		table_cell(table, "%s", rows.metric[i].unit);
		table_cell(table, "%s", rows.metric[i].phrase);
	}
	arena_release(&arena);
}

static void list_counters(struct table *table)
{
	for (uint32_t i = 0; i < sched_nr_counters(); i++) {
		table_cell(table, "%s", sched_counter_name(i));
		table_cell(table, "%s", sched_counter_phrase(i));
	}
}

static void list_formats(struct table *table)
{
	for (uint32_t i = 0; i < REPORT_FORMS; i++) {
		table_cell(table, "%s", command_name(COMMAND_compare));
		table_cell(table, "%s", report_form_name((enum report_form)i));
		table_cell(table, "%s", report_form_sentence((enum report_form)i));
	}
	for (uint32_t i = 0; i < NR_FORMATS; i++) {
		table_cell(table, "%s", command_name(format_command((enum format_id)i)));
		table_cell(table, "%s", format_name((enum format_id)i));
		table_cell(table, "%s", format_phrase((enum format_id)i));
	}
}

static const struct {
	const char *name;
	list_rows *rows;
	const char *heading[4];
} lists[] = {
	{ "machines", list_machines, { "machine", "what it is" } },
	{ "profiles", list_profiles, { "profile", "kernel" } },
	{ "features", list_features, { "feature", "idea", "on in", "source" } },
	{ "tunables", list_tunables, { "tunable", "meaning" } },
	{ "lines",
	  list_lines,
	  { "field", "line", "meaning (a variant line.FIELD=own or =LINE moves it)" } },
	{ "workloads", list_workloads, { "workload", "what it is" } },
	{ "metrics", list_metrics, { "metric", "unit", "meaning" } },
	{ "counters", list_counters, { "counter", "meaning" } },
	{ "formats", list_formats, { "command", "format", "meaning" } },
};

enum { NR_LISTS = sizeof(lists) / sizeof(lists[0]) };

static void print_list(size_t i)
{
	struct arena arena;
	struct table *table;

	arena_init(&arena);
	table = table_new(&arena);
	for (size_t c = 0; c < 4 && lists[i].heading[c]; c++)
		table_column(table, lists[i].heading[c], TABLE_LEFT);
	lists[i].rows(table);
	table_print(table, stdout, 0);
	arena_release(&arena);
}

enum exit_code command_list(const struct options *options, struct err *err)
{
	const char *names[NR_LISTS];
	char near[240];

	for (size_t i = 0; i < NR_LISTS; i++) {
		names[i] = lists[i].name;
		if (options->nr_words == 1 && strcmp(options->word[0], names[i]) == 0) {
			print_list(i);
			return EXIT_FINE;
		}
	}
	if (options->nr_words != 1) {
		err_near(near, sizeof(near), "", names, NR_LISTS);
		err_set(err, "list takes one word%s", near);
		return EXIT_INPUT;
	}
	err_near(near, sizeof(near), options->word[0], names, NR_LISTS);
	err_set(err, "there is no list '%s'%s", options->word[0], near);
	return EXIT_INPUT;
}
