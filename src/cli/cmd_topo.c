/* SPDX-License-Identifier: GPL-2.0-only */
/* The sched domains that Linux builds on a machine, and where two hierarchies differ. */
#include "base/check.h"
#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/rows.h"
#include "engine/kernel/domains.h"
#include "machine/file.h"
#include "topology/boot.h"
#include "topology/diff.h"
#include "topology/print.h"
#include "topology/rules.h"

#include <string.h>

enum { MAX_FAKE_NODES = 64, MAX_RELAX_LEVEL = 16 };

/* One list of cpus; a list that is not given is empty. */
static bool parse_cpus(struct cpuset *set, const char *list, const char *where, struct err *err)
{
	if (!list || cpuset_parse(set, list, err))
		return true;
	err_locate(err, where);
	return false;
}

static bool parse_partitions(struct topology_options *changes, struct arena *arena,
			     const struct machine *m, const struct options *options,
			     struct err *err)
{
	uint32_t n = options->count[OPTION_partition];
	struct cpuset *set = ARENA_ARRAY(arena, struct cpuset, n + 1), all;

	all = cpuset_new(arena, m->nr_cpus);
	for (uint32_t i = 0; i < n; i++) {
		set[i] = cpuset_new(arena, m->nr_cpus);
		if (!parse_cpus(&set[i], options->value[OPTION_partition][i], "--partition", err))
			return false;
		if (cpuset_intersects(&set[i], &all))
			return err_set_at(err, "--partition", 0, 0, "'%s' shares cpus with another",
					  options->value[OPTION_partition][i]);
		cpuset_or(&all, &all, &set[i]);
	}
	changes->partition = n ? set : NULL;
	changes->nr_partitions = n;
	return true;
}

/* What the command line of the kernel leaves down. */
static bool parse_boot(struct topology_options *changes, struct cpuset *down,
		       const struct machine *m, const struct topology_rules *rules,
		       const struct options *options, struct err *err)
{
	uint64_t max_cpus;

	if (!option_number(options, OPTION_maxcpus, 1, MACHINE_MAX_CPUS, 0, &max_cpus, err))
		return false;
	changes->down = down;
	if (option_given(options, OPTION_nosmt))
		changes->smt = boot_nosmt(m, down);
	if (max_cpus) {
		enum boot_smt smt = boot_maxcpus(m, rules, (uint32_t)max_cpus, down);

		changes->smt = changes->smt == BOOT_SMT_OFF ? BOOT_SMT_OFF : smt;
	}
	return true;
}

static bool parse_changes(struct topology_options *changes, struct arena *arena,
			  const struct machine *m, const struct topology_rules *rules,
			  const struct options *options, struct err *err)
{
	struct cpuset *sets = ARENA_ARRAY(arena, struct cpuset, 3);
	uint64_t fake_nodes, relax;

	sets[0] = cpuset_new(arena, m->nr_cpus);
	sets[1] = cpuset_new(arena, m->nr_cpus);
	sets[2] = cpuset_new(arena, m->nr_cpus);
	*changes = (struct topology_options){ .offline = &sets[0], .isolated = &sets[1] };
	if (!parse_cpus(&sets[0], option_value(options, OPTION_offline, NULL), "--offline", err) ||
	    !parse_cpus(&sets[1], option_value(options, OPTION_isolate, NULL), "--isolate", err) ||
	    !parse_partitions(changes, arena, m, options, err) ||
	    !option_number(options, OPTION_fake_nodes, 2, MAX_FAKE_NODES, 0, &fake_nodes, err) ||
	    !option_number(options, OPTION_relax, 0, MAX_RELAX_LEVEL, 0, &relax, err))
		return false;
	changes->fake_nodes = (uint32_t)fake_nodes;
	changes->has_relax_level = option_given(options, OPTION_relax);
	changes->relax_level = (uint32_t)relax;
	return parse_boot(changes, &sets[2], m, rules, options, err);
}

static struct topology *build(struct arena *arena, const struct options *options, const char *spec,
			      struct err *err)
{
	struct machine *m = command_machine_named(arena, options, spec, err);
	const char *profile = option_value(options, OPTION_profile, DEFAULT_PROFILE);
	struct topology_options changes;
	struct topology_rules rules;
	struct topology *t;

	if (!m || !topology_rules_for(profile, m->arch, &rules, err) ||
	    !parse_changes(&changes, arena, m, &rules, options, err))
		return NULL;
	t = topology_build(arena, m, &rules, &changes, err);
	if (t && option_given(options, OPTION_check) && !topology_check(t, err))
		return NULL;
	return t;
}

static void print(const struct topology *t, enum format_id format)
{
	static void (*const printers[NR_FORMATS])(FILE * out, const struct topology *t) = {
		[FORMAT_topo_tree] = topology_print_tree,
		[FORMAT_topo_sched_verbose] = topology_print_verbose,
		[FORMAT_topo_json] = topology_print_json,
		[FORMAT_topo_dot] = topology_print_dot,
	};

	printers[format](stdout, t);
}

static struct hierarchy *other_side(struct arena *arena, const struct options *options,
				    struct err *err)
{
	const char *machine = option_value(options, OPTION_diff, NULL);
	const char *path = option_value(options, OPTION_diff_log, NULL);
	struct hierarchy *other;
	size_t size;
	char *text;
	FILE *log;

	if (machine) {
		struct topology *t = build(arena, options, machine, err);

		return t ? hierarchy_of(arena, t, machine) : NULL;
	}
	text = file_read(arena, path, &size, err);
	if (!text)
		return NULL;
	log = fmemopen(text, size ? size : 1, "r"); /* an empty file is its NUL */
	if (!log)
		die("out of memory");
	other = hierarchy_from_log(arena, log, path, err);
	fclose(log);
	return other;
}

static enum exit_code diff(struct arena *arena, const struct options *options,
			   const struct topology *t, const char *name, struct err *err)
{
	struct hierarchy *other = other_side(arena, options, err);

	if (!other)
		return EXIT_INPUT;
	return hierarchy_diff(stdout, hierarchy_of(arena, t, name), other) ? EXIT_FOUND : EXIT_FINE;
}

/* What would change the module's hierarchy does not reach a kernel. */
static bool only_the_machine(const struct options *options, struct err *err)
{
	static const enum option_id refused[] = {
		OPTION_profile, OPTION_offline,	 OPTION_isolate,    OPTION_partition,
		OPTION_nosmt,	OPTION_maxcpus,	 OPTION_fake_nodes, OPTION_relax,
		OPTION_diff,	OPTION_diff_log, OPTION_check,
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (option_given(options, refused[i]))
			return err_set(err, "--%s is for the topology module, not for %s",
				       option_rows[refused[i]].name,
				       option_value(options, OPTION_engine, ""));
	return true;
}

/* The kernel's domains, and to people whether the module builds the same. */
static enum exit_code print_kernel(struct arena *arena, const struct options *options,
				   const char *spec, enum format_id format, struct err *err)
{
	struct variant_request request = { .engine = option_value(options, OPTION_engine, NULL),
					   .text = "base" };
	struct kernel_domains domains;
	struct variant variant;
	struct machine *m;
	const char *found;

	if (!only_the_machine(options, err) || !variant_resolve(&variant, arena, &request, err))
		return EXIT_INPUT;
	m = command_machine_named(arena, options, spec, err);
	if (!m || !kernel_domains_read(&domains, arena, m, variant.image, variant.profile + 1, err))
		return EXIT_INPUT;
	print(domains.real, format);
	if (format != FORMAT_topo_tree)
		return EXIT_FINE;
	found = kernel_domains_difference(&domains, arena);
	printf("\n%s: %s%s\n", variant.title,
	       found ? "differs from the topology module: " : "equal to the topology module",
	       found ? found : "");
	return found ? EXIT_FOUND : EXIT_FINE;
}

/* One machine, compared with one other at most. */
static bool one_of_each(const struct options *options, struct err *err)
{
	bool comparing =
		option_given(options, OPTION_diff) || option_given(options, OPTION_diff_log);

	if (options->nr_words > 1)
		return err_set(err, "topo takes one machine; '%s' is too much", options->word[1]);
	if (options->nr_words && option_given(options, OPTION_machine))
		return err_set(err, "topo takes one machine; -m gives another than '%s'",
			       options->word[0]);
	if (option_given(options, OPTION_diff) && option_given(options, OPTION_diff_log))
		return err_set(err, "topo compares with one: --diff or --diff-log");
	if (comparing && option_given(options, OPTION_format))
		return err_set(err, "differences have one form; --format is for domains");
	return true;
}

static enum exit_code print_module(struct arena *arena, const struct options *options,
				   const char *spec, enum format_id format, struct err *err)
{
	const struct topology *t = build(arena, options, spec, err);

	if (!t)
		return EXIT_INPUT;
	if (option_given(options, OPTION_diff) || option_given(options, OPTION_diff_log))
		return diff(arena, options, t, spec, err);
	print(t, format);
	return EXIT_FINE;
}

enum exit_code command_topo(const struct options *options, struct err *err)
{
	const char *spec = options->nr_words ? options->word[0]
					     : option_value(options, OPTION_machine, "host");
	const char *engine = option_value(options, OPTION_engine, "model");
	enum exit_code code;
	enum format_id format;
	struct arena arena;

	if (!one_of_each(options, err) ||
	    !format_find(COMMAND_topo, option_value(options, OPTION_format, NULL), &format, err))
		return EXIT_INPUT;
	arena_init(&arena);
	if (strcmp(engine, "model") == 0)
		code = print_module(&arena, options, spec, format, err);
	else
		code = print_kernel(&arena, options, spec, format, err);
	arena_release(&arena);
	return code;
}
