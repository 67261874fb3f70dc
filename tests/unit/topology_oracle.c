/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hierarchies equal to those that real kernels built on the same machines: every dump of
 * tests/data/oracle, every domain, group, mask, flag and attribute in it. There is no list of
 * exceptions. ORACLE=NAME looks at one dump alone and prints every difference.
 */
#include "machine/read.h"
#include "topology/boot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_ATTRS = 64, MAX_DIFFS = 3 };

struct dump {
	struct arena arena;
	const char *kernel;
	char name[128], arch[16], cpu[64];
	char *sysfs; /* lines up to "." */
	enum boot_smt smt;
	bool has_relax_level;
	uint32_t relax_level, fake_nodes, max_cpus;
	struct cpuset down;
	const char *offline, *isolated[8], *partition[8];
	uint32_t nr_isolated, nr_partitions;
	const char *attrs[MAX_ATTRS];
	struct topology *t;
	uint32_t domains_seen, diffs;
};

static void differ(struct dump *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void differ(struct dump *d, const char *format, ...)
{
	va_list args;

	if (d->diffs++ >= MAX_DIFFS && !getenv("ORACLE"))
		return;
	fprintf(stderr, "%s: ", d->name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static char *read_whole(struct arena *arena, const char *name)
{
	const char *root = getenv("SCHEDLAB_SOURCE");
	char *path = arena_printf(arena, "%s/tests/data/oracle/%s", root ? root : ".", name);
	FILE *file = fopen(path, "r");
	long size;
	char *text;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	rewind(file);
	text = arena_alloc(arena, (size_t)size + 1, 1, 1);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	fclose(file);
	return text;
}

/* "= PATH SET SET …": the value of each cpu is the set that it is in. */
static void unfold_sets(FILE *out, struct arena *arena, const char *path, char *sets)
{
	char *save;

	for (char *text = strtok_r(sets, " ", &save); text; text = strtok_r(NULL, " ", &save)) {
		struct cpuset set = cpuset_new(arena, MACHINE_MAX_CPUS);

		assert_true(cpuset_parse(&set, text, NULL));
		cpuset_for_each (cpu, &set)
			fprintf(out, "cpu%u/%s:%s\n", cpu, path, text);
	}
}

static void unfold_line(FILE *out, struct arena *arena, char *line)
{
	struct cpuset set = cpuset_new(arena, MACHINE_MAX_CPUS);
	char *save, *kind = line[0] == '=' || line[0] == '+' ? strtok_r(line, " ", &save) : NULL;
	char *path, *cpus;

	if (!kind) {
		fprintf(out, "%s\n", line);
		return;
	}
	path = strtok_r(NULL, " ", &save);
	if (kind[0] == '=') {
		unfold_sets(out, arena, path, save);
		return;
	}
	cpus = strtok_r(NULL, " ", &save);
	assert_true(cpuset_parse(&set, cpus, NULL));
	cpuset_for_each (cpu, &set)
		fprintf(out, "cpu%u/%s:%s\n", cpu, path, save);
}

static struct machine *read_machine(struct dump *d)
{
	char path[] = "/tmp/schedlab-oracle-XXXXXX.txt";
	int fd = mkstemps(path, 4);
	FILE *out = fdopen(fd, "w");
	char *copy = arena_strdup(&d->arena, d->sysfs), *save;
	struct err err = { 0 };
	struct machine *m;
	char text[700];

	assert_non_null(out);
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		unfold_line(out, &d->arena, line);
	fclose(out);
	m = machine_read(&d->arena, path, &err);
	unlink(path);
	err_print(&err, text, sizeof(text));
	if (!m)
		differ(d, "not read: %s", text);
	return m;
}

static struct cpuset *parse_set(struct dump *d, const struct machine *m, const char *text)
{
	struct cpuset *set = ARENA_NEW(&d->arena, struct cpuset);
	struct err err = { 0 };

	*set = cpuset_new(&d->arena, m->nr_cpus);
	if (!cpuset_parse(set, text, &err))
		fail_msg("%s: %s", text, err.what);
	return set;
}

static struct topology_options options_of(struct dump *d, const struct machine *m)
{
	struct topology_options options = { .smt = d->smt,
					    .has_relax_level = d->has_relax_level,
					    .relax_level = d->relax_level,
					    .fake_nodes = d->fake_nodes };
	struct cpuset *partition = ARENA_ARRAY(&d->arena, struct cpuset, 8);
	struct cpuset isolated = cpuset_new(&d->arena, m->nr_cpus);
	struct cpuset *copy = ARENA_NEW(&d->arena, struct cpuset);

	for (uint32_t i = 0; i < d->nr_isolated; i++)
		cpuset_or(&isolated, &isolated, parse_set(d, m, d->isolated[i]));
	for (uint32_t i = 0; i < d->nr_partitions; i++)
		partition[i] = *parse_set(d, m, d->partition[i]);
	*copy = isolated;
	options.isolated = copy;
	options.partition = partition;
	options.nr_partitions = d->nr_partitions;
	if (d->offline)
		options.offline = parse_set(d, m, d->offline);
	return options;
}

static void build(struct dump *d)
{
	struct topology_options options;
	struct topology_rules rules;
	struct machine *m = read_machine(d);
	struct err err = { 0 };
	char version[32];

	d->t = NULL;
	if (!m)
		return;
	snprintf(version, sizeof(version), "debian-%s", d->kernel);
	assert_string_equal(m->arch, d->arch);
	assert_true(topology_rules_for(version, d->arch, &rules, &err));
	if (!strncmp(d->cpu, "EPYC", 4))
		m->reclaim_distance = 32;
	if (d->smt == BOOT_SMT_AS_SEEN && strstr(d->sysfs, "\nsmt/control:o"))
		d->smt = BOOT_SMT_ON;
	options = options_of(d, m);
	if (d->max_cpus) {
		d->down = cpuset_new(&d->arena, m->nr_cpus);
		options.smt = boot_maxcpus(m, &rules, d->max_cpus, &d->down);
		options.down = &d->down;
	}
	d->t = topology_build(&d->arena, m, &rules, &options, &err);
	if (!d->t)
		differ(d, "not built: %s", err.what);
	else if (!topology_check(d->t, &err))
		differ(d, "check: %s", err.what);
}

static const char *flag_name(const struct topology *t, uint32_t bit)
{
	static const char *const names[] = {
#define SD_FLAG(name, shared, phrase) #name,
#include "topology/sd_flags.def"
#undef SD_FLAG
	};
	return bit == SD_BIT_SHARE_LLC ? t->rules.share_llc_name : names[bit];
}

static char *print_flags(const struct topology *t, uint32_t flags, char *out, size_t size)
{
	const uint32_t all =
		SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE;
	size_t at = 0;

	out[0] = 0;
	if ((flags & all) == all) {
		at += (size_t)snprintf(out, size, "SD_BALANCE_ALL");
		flags &= ~all;
	}
	for (uint32_t bit = 0; bit < NR_SD_FLAGS; bit++) {
		if (flags & 1u << bit)
			at += (size_t)snprintf(out + at, size - at, "%sSD_%s", at ? "|" : "",
					       flag_name(t, bit));
	}
	return out;
}

static void compare_attr(struct dump *d, const struct sched_domain *sd, const char *key,
			 const char *value)
{
	char found[512];

	if (!strcmp(key, "flags"))
		print_flags(d->t, sd->flags, found, sizeof(found));
	else if (!strcmp(key, "groups_flags"))
		print_flags(d->t, topology_group(d->t, sd, 0)->flags, found, sizeof(found));
	else if (!strcmp(key, "name"))
		snprintf(found, sizeof(found), "%s", d->t->level[sd->level].name);
	else if (!strcmp(key, "level"))
		snprintf(found, sizeof(found), "%u", sd->level);
	else if (!strcmp(key, "busy_factor"))
		snprintf(found, sizeof(found), "%u", sd->busy_factor);
	else if (!strcmp(key, "imbalance_pct"))
		snprintf(found, sizeof(found), "%u", sd->imbalance_pct);
	else if (!strcmp(key, "cache_nice_tries"))
		snprintf(found, sizeof(found), "%u", sd->cache_nice_tries);
	else
		fail_msg("unknown attribute %s", key);
	if (strcmp(found, value))
		differ(d, "cpu%u level %s: %s is %s, the kernel has %s", sd->cpu,
		       d->t->level[sd->level].name, key, found, value);
}

static void compare_attrs(struct dump *d, const struct sched_domain *sd, const char *attrs)
{
	char copy[2048], *save;

	snprintf(copy, sizeof(copy), "%s", attrs);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *equals = strchr(word, '=');

		*equals = 0;
		compare_attr(d, sd, word, equals + 1);
	}
	/* The dump leaves groups_flags out when they are 0; 6.1 never tells them. */
	if (strcmp(d->kernel, "6.1") && !strstr(attrs, "groups_flags=") &&
	    topology_group(d->t, sd, 0)->flags)
		differ(d, "cpu%u level %s: group flags %#x, the kernel has none", sd->cpu,
		       d->t->level[sd->level].name, topology_group(d->t, sd, 0)->flags);
}

/* "id:span[/mask][~]"; without ~ the kernel's capacity is exact. */
static void print_group(const struct sched_group *g, char *out, size_t size)
{
	char span[512], mask[512];

	cpuset_print(g->span, span, sizeof(span));
	cpuset_print(g->mask, mask, sizeof(mask));
	if (g->mask == g->span)
		snprintf(out, size, "%u:%s", g->kernel_id, span);
	else
		snprintf(out, size, "%u:%s/%s", g->kernel_id, span, mask);
}

/* Where the kernel's capacity is exact it is that of full cpus, group by group from `start`. */
static void compare_capacities(struct dump *d, const struct sched_domain *sd, uint32_t start,
			       const char *groups)
{
	for (uint32_t i = 0; i < sd->nr_groups; i++) {
		const struct sched_group *g = topology_group(d->t, sd, (start + i) % sd->nr_groups);
		size_t length = strcspn(groups, " ");
		bool exact = length && groups[length - 1] != '~';

		if (exact && g->capacity != (uint64_t)g->weight * CAPACITY_FULL)
			differ(d,
			       "cpu%u level %s: group %u has capacity %llu, the kernel's is full",
			       sd->cpu, d->t->level[sd->level].name, g->kernel_id,
			       (unsigned long long)g->capacity);
		groups += length + strspn(groups + length, " ");
	}
}

static void compare_groups(struct dump *d, const struct sched_domain *sd, const char *mode,
			   const char *groups)
{
	char found[16384] = "", expected[16384], one[1200];
	size_t at = 0, n = 0;
	uint32_t start = 0;

	if (!strcmp(mode, "own")) {
		for (uint32_t i = 1; i < sd->nr_groups; i++) {
			if (topology_group(d->t, sd, i)->kernel_id <
			    topology_group(d->t, sd, start)->kernel_id)
				start = i;
		}
	}
	for (uint32_t i = 0; i < sd->nr_groups; i++) {
		print_group(topology_group(d->t, sd, (start + i) % sd->nr_groups), one,
			    sizeof(one));
		at += (size_t)snprintf(found + at, sizeof(found) - at, "%s%s", at ? " " : "", one);
	}
	for (const char *c = groups; *c && n + 1 < sizeof(expected); c++) {
		if (*c != '~')
			expected[n++] = *c;
	}
	expected[n] = 0;
	if (strcmp(found, expected))
		differ(d, "cpu%u level %s: groups %s, the kernel has %s", sd->cpu,
		       d->t->level[sd->level].name, found, expected);
	compare_capacities(d, sd, start, groups);
	if (!cpuset_has(topology_group(d->t, sd, 0)->span, sd->cpu))
		differ(d, "cpu%u: the first group is not its own", sd->cpu);
}

static const struct sched_domain *domain_at(const struct topology *t, uint32_t cpu, uint32_t depth)
{
	uint32_t at = t->base[cpu];

	while (at != DOMAIN_NONE && depth--)
		at = t->domain[at].parent;
	return at == DOMAIN_NONE ? NULL : &t->domain[at];
}

struct expected {
	char cpus[1024], level[16], span[1024], mode[16];
	uint32_t depth, min_ms, max_ms, attrs;
	const char *groups;
};

static void compare_domain(struct dump *d, uint32_t cpu, const struct expected *e)
{
	const struct sched_domain *sd = domain_at(d->t, cpu, e->depth);
	char span[1024];

	d->domains_seen++;
	if (!sd) {
		differ(d, "cpu%u has no domain-%u, the kernel has %s", cpu, e->depth, e->level);
		return;
	}
	if (strcmp(d->t->level[sd->level].name, e->level))
		differ(d, "cpu%u domain-%u is %s, the kernel has %s", cpu, e->depth,
		       d->t->level[sd->level].name, e->level);
	if (strcmp(cpuset_print(sd->span, span, sizeof(span)), e->span))
		differ(d, "cpu%u domain-%u spans %s, the kernel's %s", cpu, e->depth, span,
		       e->span);
	if (sd->min_interval_ms != e->min_ms || sd->max_interval_ms != e->max_ms)
		differ(d, "cpu%u %s: intervals %u %u, the kernel has %u %u", cpu, e->level,
		       sd->min_interval_ms, sd->max_interval_ms, e->min_ms, e->max_ms);
	compare_attrs(d, sd, d->attrs[e->attrs]);
	compare_groups(d, sd, e->mode, e->groups);
}

static void domain_line(struct dump *d, const char *line)
{
	struct expected e;
	int at = 0;

	if (!d->t)
		return;
	assert_int_equal(sscanf(line, "%1023s %u %15s %1023s %u %u %u %15s %n", e.cpus, &e.depth,
				e.level, e.span, &e.min_ms, &e.max_ms, &e.attrs, e.mode, &at),
			 8);
	e.groups = line + at;
	cpuset_for_each (cpu, parse_set(d, d->t->machine, e.cpus))
		compare_domain(d, cpu, &e);
}

static void none_line(struct dump *d, const char *line)
{
	if (!d->t)
		return;
	cpuset_for_each (cpu, parse_set(d, d->t->machine, line)) {
		if (d->t->base[cpu] != DOMAIN_NONE)
			differ(d, "cpu%u has domains, the kernel has none", cpu);
	}
}

static void booted_line(struct dump *d, const char *word)
{
	if (!strcmp(word, "nosmt"))
		d->smt = BOOT_SMT_OFF;
	if (sscanf(word, "relax_domain_level=%u", &d->relax_level) == 1)
		d->has_relax_level = true;
	sscanf(word, "numa=fake=%u", &d->fake_nodes);
	sscanf(word, "maxcpus=%u", &d->max_cpus);
}

/* True when the line starts with the word; *rest is what follows it. */
static bool starts(const char *line, const char *word, const char **rest)
{
	size_t length = strlen(word);

	if (strncmp(line, word, length))
		return false;
	*rest = line + length;
	return true;
}

static void attrs_line(struct dump *d, const char *line)
{
	uint32_t number;
	int at = 0;

	assert_int_equal(sscanf(line, "%u %n", &number, &at), 1);
	assert_true(number < MAX_ATTRS);
	d->attrs[number] = line + at;
}

/* Every domain of ours must have been expected. */
static void end_dump(struct dump *d)
{
	if (d->t && d->t->nr_domains != d->domains_seen)
		differ(d, "%u domains, the kernel has %u", d->t->nr_domains, d->domains_seen);
}

struct base {
	char name[128];
	char *sysfs;
};

static char *find_base(const struct base *base, uint32_t nr, const char *name)
{
	for (uint32_t i = 0; i < nr; i++) {
		if (!strcmp(base[i].name, name))
			return base[i].sysfs;
	}
	fail_msg("no dump %s", name);
	return NULL;
}

struct reader {
	struct arena arena;
	const char *kernel;
	char *at;
	struct base base[128];
	uint32_t nr_bases, nr_dumps, nr_differ;
};

static char *next_line(struct reader *r)
{
	char *line = r->at, *end;

	if (!line || !*line)
		return NULL;
	end = strchr(line, '\n');
	r->at = end ? end + 1 : NULL;
	if (end)
		*end = 0;
	return line;
}

static char *sysfs_block(struct reader *r, const char *name)
{
	char *text = r->at, *end = strstr(text, "\n.\n");
	struct base *base = &r->base[r->nr_bases++];

	assert_non_null(end);
	*end = 0;
	r->at = end + 3;
	snprintf(base->name, sizeof(base->name), "%s", name);
	base->sysfs = text;
	return text;
}

/* Booted with fewer cpus than there are: the machine is that of the dump with all brought online.
 */
static void whole_machine(struct reader *r, struct dump *d)
{
	char title[160];
	const char *text, *end;

	snprintf(title, sizeof(title), "\ndump %s--allon\n", d->name);
	text = strstr(d->name, "--allon") ? NULL : strstr(r->at, title);
	if (!text) {
		d->max_cpus = 0;
		return;
	}
	text = strstr(text, "\nsysfs\n") + strlen("\nsysfs\n");
	end = strstr(text, "\n.\n");
	d->sysfs = arena_printf(&d->arena, "%.*s", (int)(end - text), text);
}

static void dump_line(struct reader *r, struct dump *d, char *line)
{
	const char *rest;
	bool built = d->t || d->diffs;

	if (starts(line, "arch ", &rest))
		snprintf(d->arch, sizeof(d->arch), "%s", rest);
	else if (starts(line, "cpu ", &rest))
		snprintf(d->cpu, sizeof(d->cpu), "%s", rest);
	else if (starts(line, "booted ", &rest))
		booted_line(d, rest);
	else if (starts(line, "partition ", &rest))
		d->partition[d->nr_partitions++] = rest;
	else if (starts(line, "isolated ", &rest))
		d->isolated[d->nr_isolated++] = rest;
	else if (starts(line, "offline ", &rest))
		d->offline = rest;
	else if (starts(line, "after ", &rest))
		d->sysfs = find_base(r->base, r->nr_bases, rest);
	else if (!strcmp(line, "sysfs"))
		d->sysfs = sysfs_block(r, d->name);
	else if (starts(line, "attrs ", &rest))
		attrs_line(d, rest);
	else if (starts(line, "about ", &rest) || !*line)
		return;
	else if (!built) {
		if (d->max_cpus)
			whole_machine(r, d);
		build(d);
	}
	if (starts(line, "domain ", &rest))
		domain_line(d, rest);
	else if (starts(line, "none ", &rest))
		none_line(d, rest);
}

static void read_dump(struct reader *r, const char *name)
{
	struct dump d = { .kernel = r->kernel };
	const char *only = getenv("ORACLE");
	char *line;

	snprintf(d.name, sizeof(d.name), "%s", name);
	arena_init(&d.arena);
	while ((line = next_line(r)) && strcmp(line, "end")) {
		if (!only || !strcmp(only, name) || !strcmp(line, "sysfs"))
			dump_line(r, &d, line);
	}
	if (!only || !strcmp(only, name)) {
		end_dump(&d);
		r->nr_dumps++;
		r->nr_differ += d.diffs != 0;
	}
	arena_release(&d.arena);
}

static void compare_kernel(const char *kernel, uint32_t nr_dumps)
{
	struct reader *r = calloc(1, sizeof(*r));
	const char *name;
	char *line, file[32];

	assert_non_null(r);
	arena_init(&r->arena);
	r->kernel = kernel;
	snprintf(file, sizeof(file), "%s.txt", kernel);
	r->at = read_whole(&r->arena, file);
	while ((line = next_line(r))) {
		if (starts(line, "dump ", &name))
			read_dump(r, name);
	}
	if (r->nr_differ)
		fprintf(stderr, "%u of %u dumps of %s differ\n", r->nr_differ, r->nr_dumps, kernel);
	if (!getenv("ORACLE"))
		assert_int_equal(r->nr_dumps, nr_dumps);
	assert_int_equal(r->nr_differ, 0);
	arena_release(&r->arena);
	free(r);
}

static void hierarchies_equal_those_of_6_1(void **state)
{
	compare_kernel("6.1", 64);
}

static void hierarchies_equal_those_of_6_12(void **state)
{
	compare_kernel("6.12", 96);
}

static void hierarchies_equal_those_of_7_2(void **state)
{
	compare_kernel("7.2", 79);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hierarchies_equal_those_of_6_1),
		cmocka_unit_test(hierarchies_equal_those_of_6_12),
		cmocka_unit_test(hierarchies_equal_those_of_7_2),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
