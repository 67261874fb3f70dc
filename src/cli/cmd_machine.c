/* SPDX-License-Identifier: GPL-2.0-only */
/* What was understood of a machine: cpus, ties, assumptions, and every cost with its source. */
#include "cli/commands.h"
#include "cli/formats.h"
#include "machine/read.h"
#include "text/table.h"

#include <string.h>

static void put_count(uint32_t count, const char *what, const char *after)
{
	printf("%u %s%s%s", count, what, count == 1 ? "" : "s", after);
}

static void show_shape(const struct machine *m)
{
	char list[256];

	printf("%s: %s\n", m->name, m->title);
	printf("  architecture %s, cpus %s", m->arch, cpuset_print(&m->online, list, sizeof(list)));
	if (!cpuset_equal(&m->online, &m->present))
		printf(" online of %s", cpuset_print(&m->present, list, sizeof(list)));
	fputs("\n  ", stdout);
	put_count(m->nr_packages, "package", ", ");
	put_count(m->nr_dies, "die", ", ");
	put_count(m->nr_llcs, "LLC", ", ");
	if (m->has_clusters)
		put_count(m->nr_clusters, "cluster", ", ");
	put_count(m->nr_cores, "core", ", ");
	put_count(cpuset_weight(&m->present), "cpu", "\n");
	for (uint32_t i = 0; i < m->nr_assumed; i++)
		printf("  assumed: %s\n", m->assumed[i]);
}

static void show_nodes(const struct machine *m, struct arena *arena)
{
	struct table *table = table_new(arena);
	char list[256];

	table_column(table, "node", TABLE_RIGHT);
	table_column(table, "cpus", TABLE_LEFT);
	table_column(table, "distances", TABLE_LEFT);
	cpuset_for_each (node, &m->nodes) {
		size_t used = 0;
		char distances[512] = "";

		cpuset_for_each (to, &m->nodes) {
			if (used < sizeof(distances) - 12)
				used += (size_t)snprintf(distances + used, sizeof(distances) - used,
							 used ? " %3u" : "%3u",
							 machine_distance(m, node, to));
		}
		table_cell(table, "%u", node);
		table_cell(table, "%s", cpuset_print(&m->node_cpus[node], list, sizeof(list)));
		table_cell(table, "%s", distances);
	}
	putchar('\n');
	table_print(table, stdout, 2);
}

static void cost_row(struct table *table, const char *name, const char *unit,
		     const struct cost_value *cost, const char *phrase)
{
	table_cell(table, "%s", name);
	table_cell(table, "%llu", (unsigned long long)cost->value);
	table_cell(table, "%s", unit);
	table_cell(table, "%s", phrase);
	table_cell(table, "%s%s", cost->inherited ? "inherited: " : "", cost->source);
}

static void show_costs(const struct machine *m, struct arena *arena)
{
	struct table *table = table_new(arena);

	table_column(table, "cost", TABLE_LEFT);
	table_column(table, "value", TABLE_RIGHT);
	table_column(table, "unit", TABLE_LEFT);
	table_column(table, "what", TABLE_LEFT);
	table_column(table, "source", TABLE_LEFT);
	for (size_t i = 0; i < NR_COSTS; i++)
		cost_row(table, cost_name((enum cost)i), cost_unit((enum cost)i), &m->costs.of[i],
			 cost_phrase((enum cost)i));
	for (uint32_t i = 0; i < m->costs.nr_distances; i++)
		cost_row(
			table,
			arena_printf(arena, "line_distance.%u", m->costs.line_distance[i].distance),
			"ns", &m->costs.line_distance[i].line_ns, "line transfer between nodes");
	putchar('\n');
	table_print(table, stdout, 2);
	table = table_new(arena);
	table_column(table, "idle state", TABLE_LEFT);
	table_column(table, "exit ns", TABLE_RIGHT);
	table_column(table, "residency ns", TABLE_RIGHT);
	table_column(table, "watches its flag", TABLE_LEFT);
	for (uint32_t i = 0; i < m->costs.nr_idle_states; i++) {
		const struct idle_state *state = &m->costs.idle_state[i];

		table_cell(table, "%s", state->name);
		table_cell(table, "%llu", (unsigned long long)state->exit_latency_ns);
		table_cell(table, "%llu", (unsigned long long)state->target_residency_ns);
		table_cell(table, "%s", state->polling ? "yes" : "no");
	}
	putchar('\n');
	table_print(table, stdout, 2);
	printf("  %s%s\n", m->costs.idle_inherited ? "inherited: " : "", m->costs.idle_source);
}

static void show(const struct machine *m, struct arena *arena)
{
	show_shape(m);
	show_nodes(m, arena);
	show_costs(m, arena);
}

static bool export(const struct machine *m, struct arena *arena, enum format_id format,
		   struct err *err)
{
	const char *text = format == FORMAT_machine_synthetic ? machine_to_synthetic(arena, m, err)
							      : machine_to_json(arena, m);

	if (!text)
		return false;
	fputs(text, stdout);
	if (format == FORMAT_machine_synthetic)
		putchar('\n');
	return true;
}

static enum exit_code unknown_word(const char *word, struct err *err)
{
	static const char *const words[] = { "show", "export" };
	char near[100];

	err_near(near, sizeof(near), word, words, 2);
	if (*word)
		err_set(err, "machine: unknown word '%s'%s", word, near);
	else
		err_set(err, "machine needs a word%s", near);
	return EXIT_INPUT;
}

enum exit_code command_machine(const struct options *options, struct err *err)
{
	const char *what = options->nr_words ? options->word[0] : "";
	const char *spec = options->nr_words > 1 ? options->word[1]
						 : option_value(options, OPTION_machine, NULL);
	bool exporting = strcmp(what, "export") == 0, good = true;
	enum format_id format;
	struct arena arena;
	struct machine *m;

	if (!exporting && strcmp(what, "show") != 0)
		return unknown_word(what, err);
	if (options->nr_words > 2 || !spec ||
	    (options->nr_words == 2 && option_given(options, OPTION_machine))) {
		err_set(err, "machine %s takes one machine ('schedlab list machines')", what);
		return EXIT_INPUT;
	}
	if (!exporting && option_given(options, OPTION_format)) {
		err_set(err, "machine show has one form; --format is for export");
		return EXIT_INPUT;
	}
	if (!format_find(COMMAND_machine, option_value(options, OPTION_format, NULL), &format, err))
		return EXIT_INPUT;
	arena_init(&arena);
	m = command_machine_named(&arena, options, spec, err);
	if (m && exporting)
		good = export(m, &arena, format, err);
	else if (m)
		show(m, &arena);
	arena_release(&arena);
	return m && good ? EXIT_FINE : EXIT_INPUT;
}
