/* SPDX-License-Identifier: GPL-2.0-only */
#include "workload/prefix.h"

#include "workload/options.h"
#include "workload/words.h"

#include <ctype.h>
#include <string.h>

struct numactl_options {
	const char *nodes, *cpus, *memory;
	uint64_t local;
};

struct taskset_options {
	uint64_t list, all;
};

#define OPTION_TABLE numactl_options
static const struct option_row numactl_rows[] = {
#include "workload/numactl.def"
};
#undef OPTION_TABLE

#define OPTION_TABLE taskset_options
static const struct option_row taskset_rows[] = {
#include "workload/taskset.def"
};
#undef OPTION_TABLE

static const struct option_table numactl_table = { "numactl", numactl_rows,
						   sizeof(numactl_rows) / sizeof(numactl_rows[0]),
						   true };
static const struct option_table taskset_table = { "taskset", taskset_rows,
						   sizeof(taskset_rows) / sizeof(taskset_rows[0]),
						   true };

static bool no_help(const char *tool, const struct option_result *result, struct err *err)
{
	return !result->help ||
	       err_set_at(err, tool, 0, 0, "--help is of no use in front of a workload");
}

static bool parse_numactl(struct prefix *p, uint32_t argc, const char *const *argv, struct err *err)
{
	struct numactl_options values;
	struct option_result result;

	if (!options_parse(&numactl_table, argc, argv, &values, &result, err) ||
	    !no_help("numactl", &result, err))
		return false;
	if (values.nodes && values.cpus)
		return err_set_at(err, "numactl", 0, 0,
				  "both nodes and cpus (allowed: one of -N and -C)");
	p->memory_policy |= values.memory || values.local;
	if (values.nodes || values.cpus) {
		p->nodes = values.nodes;
		p->cpus = values.cpus;
		p->mask = NULL;
		p->where = values.nodes ? "numactl -N" : "numactl -C";
	}
	p->end += result.end;
	return true;
}

static bool parse_taskset(struct prefix *p, uint32_t argc, const char *const *argv, struct err *err)
{
	struct taskset_options values;
	struct option_result result;

	if (!options_parse(&taskset_table, argc, argv, &values, &result, err) ||
	    !no_help("taskset", &result, err))
		return false;
	if (result.end == argc)
		return err_set_at(err, "taskset", 0, 0, "needs %s and a command",
				  values.list ? "a list of cpus" : "a mask (or -c and a list)");
	p->nodes = NULL;
	p->where = values.list ? "taskset -c" : "taskset";
	p->cpus = values.list ? argv[result.end] : NULL;
	p->mask = values.list ? NULL : argv[result.end];
	p->end += result.end + 1;
	return true;
}

bool prefix_parse(struct prefix *prefix, uint32_t argc, const char *const *argv, struct err *err)
{
	*prefix = (struct prefix){ 0 };
	while (prefix->end < argc) {
		const char *word = argv[prefix->end];
		bool numactl = !strcmp(word, "numactl");

		if (!numactl && strcmp(word, "taskset"))
			return true;
		prefix->end++;
		if (!(numactl ? parse_numactl : parse_taskset)(prefix, argc - prefix->end,
							       argv + prefix->end, err))
			return false;
	}
	return true;
}

/* A list that may have taskset's steps: its "FIRST-LAST:STEP" is "FIRST-LAST:1/STEP" to cpuset. */
static bool parse_list(struct cpuset *out, const char *text)
{
	struct err err = { 0 };
	struct arena arena;
	char *list, *at;
	bool good;

	arena_init(&arena);
	list = at = arena_alloc(&arena, 3 * strlen(text) + 1, 1, 1);
	for (; *text; text++) {
		*at++ = *text;
		if (*text == ':' && text[1 + strspn(text + 1, "0123456789")] != '/') {
			*at++ = '1';
			*at++ = '/';
		}
	}
	*at = '\0';
	good = cpuset_parse(out, list, &err);
	arena_release(&arena);
	return good;
}

/* Members of `all` that a numactl list names: "all", "LIST" or "!LIST". */
static bool read_list(const char *where, const char *text, const struct cpuset *all,
		      const char *what, struct cpuset *out, struct err *err)
{
	bool inverted = text[0] == '!';
	const char *list = text + inverted;
	char have[120], shown[WORD_SHOWN];

	if (!strcmp(list, "all"))
		cpuset_copy(out, all);
	else if (!parse_list(out, list) || !cpuset_subset(out, all))
		return err_set_at(err, where, 0, 0, "'%s' is no list of online %s (allowed: %s)",
				  word_show(text, shown), what,
				  cpuset_print(all, have, sizeof(have)));
	if (inverted)
		cpuset_andnot(out, all, out);
	return !cpuset_empty(out) ||
	       err_set_at(err, where, 0, 0, "'%s' leaves no %s", word_show(text, shown), what);
}

static bool read_nodes(const char *text, const struct machine *m, struct cpuset *out,
		       struct err *err)
{
	char shown[WORD_SHOWN];
	struct arena arena;
	struct cpuset nodes;
	bool good;

	arena_init(&arena);
	nodes = cpuset_new(&arena, m->nr_nodes);
	good = read_list("numactl -N", text, &m->nodes, "nodes", &nodes, err);
	if (good) {
		cpuset_clear(out);
		cpuset_for_each (node, &nodes)
			cpuset_or(out, out, &m->node_cpus[node]);
		cpuset_and(out, out, &m->online);
	}
	arena_release(&arena);
	if (good && cpuset_empty(out))
		return err_set_at(err, "numactl -N", 0, 0, "'%s' has no online cpu",
				  word_show(text, shown));
	return good;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Hexadecimal from its last digit on, "0x" and commas between groups allowed. */
static bool fill_mask(const char *text, struct cpuset *out)
{
	const char *first = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? text + 2 : text;
	uint64_t cpu = 0;

	cpuset_clear(out);
	for (const char *at = first + strlen(first); at-- > first;) {
		int digit = hex_digit(*at);

		if (*at == ',')
			continue;
		if (digit < 0)
			return false;
		for (int bit = 0; bit < 4; bit++, cpu++) {
			if (!(digit >> bit & 1))
				continue;
			if (cpu >= out->bits)
				return false;
			cpuset_add(out, (uint32_t)cpu);
		}
	}
	return true;
}

static bool read_mask(const char *text, const struct machine *m, struct cpuset *out,
		      struct err *err)
{
	char shown[WORD_SHOWN], have[120];

	if (fill_mask(text, out) && !cpuset_empty(out) && cpuset_subset(out, &m->online))
		return true;
	return err_set_at(err, "taskset", 0, 0,
			  "'%s' is no mask of online cpus (allowed: hexadecimal bits of %s, or -c "
			  "and a list)",
			  word_show(text, shown), cpuset_print(&m->online, have, sizeof(have)));
}

bool prefix_cpus(const struct prefix *prefix, const struct machine *machine, struct cpuset *out,
		 struct err *err)
{
	if (prefix->nodes)
		return read_nodes(prefix->nodes, machine, out, err);
	if (prefix->cpus)
		return read_list(prefix->where, prefix->cpus, &machine->online, "cpus", out, err);
	if (prefix->mask)
		return read_mask(prefix->mask, machine, out, err);
	cpuset_copy(out, &machine->online);
	return true;
}
