/* SPDX-License-Identifier: GPL-2.0-only */
/* The sched domains that Linux builds on a machine. */
#include "cli/commands.h"
#include "cli/formats.h"
#include "topology/print.h"
#include "topology/rules.h"

static bool parse_cpus(struct cpuset *set, struct arena *arena, const struct machine *m,
		       const struct options *options, enum option_id id, const char *where,
		       struct err *err)
{
	const char *list = option_value(options, id, NULL);

	*set = cpuset_new(arena, m->nr_cpus);
	if (!list || cpuset_parse(set, list, err))
		return true;
	err_locate(err, where);
	return false;
}

static struct topology *build(struct arena *arena, const struct options *options, struct err *err)
{
	const char *spec = options->nr_words ? options->word[0]
					     : option_value(options, OPTION_machine, "host");
	struct machine *m = command_machine_named(arena, options, spec, err);
	struct topology_rules rules;
	struct topology_options changes;
	struct cpuset offline, isolated;

	if (!m ||
	    !topology_rules_for(option_value(options, OPTION_profile, "v6.12"), m->arch, &rules,
				err) ||
	    !parse_cpus(&offline, arena, m, options, OPTION_offline, "--offline", err) ||
	    !parse_cpus(&isolated, arena, m, options, OPTION_isolate, "--isolate", err))
		return NULL;
	changes = (struct topology_options){ .offline = &offline, .isolated = &isolated };
	return topology_build(arena, m, &rules, &changes, err);
}

static void print(const struct topology *t, enum format_id format)
{
	switch (format) {
	case FORMAT_topo_sched_verbose: topology_print_verbose(stdout, t); break;
	case FORMAT_topo_json: topology_print_json(stdout, t); break;
	case FORMAT_topo_dot: topology_print_dot(stdout, t); break;
	default: topology_print_tree(stdout, t); break;
	}
}

enum exit_code command_topo(const struct options *options, struct err *err)
{
	const struct topology *t = NULL;
	enum format_id format;
	struct arena arena;

	if (options->nr_words > 1) {
		err_set(err, "topo takes one machine; '%s' is too much", options->word[1]);
		return EXIT_INPUT;
	}
	if (!format_find(COMMAND_topo, option_value(options, OPTION_format, NULL), &format, err))
		return EXIT_INPUT;
	arena_init(&arena);
	t = build(&arena, options, err);
	if (t && option_given(options, OPTION_check) && !topology_check(t, err))
		t = NULL;
	if (t)
		print(t, format);
	arena_release(&arena);
	return t ? EXIT_FINE : EXIT_INPUT;
}
