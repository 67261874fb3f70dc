/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of cpus become labels by their first cpu: two cpus with the same set have the same first.
 * Ids that the kernel prints (core_id, cluster_id …) are not used; they repeat between packages.
 */
#include "machine/sysfs.h"

#include "machine/sysfs_costs.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 96, MAX_DISTANCE = 255 };

struct reader {
	struct sysfs *fs;
	struct draft *d;
	struct cpuset set; /* scratch, MACHINE_MAX_CPUS bits */
	struct err *err;
	bool own_core, package_llc, no_node;
	uint32_t homeless;     /* cpus that no node lists */
	uint32_t doubles;      /* nodes whose cpus all belong to earlier ones */
	struct cpuset columns; /* nodes that distance rows count, doubles included */
};

static bool fail(struct reader *r, const char *path, struct sysfs_value value, const char *why)
{
	return err_set_at(r->err, r->fs->name, value.line, value.line ? 1 : 0,
			  "%s: found '%.80s' (%s)", path, value.text, why);
}

/* "ff,00000000": words of 32 bits, most significant first. */
static bool parse_mask(struct cpuset *set, const char *text)
{
	size_t digits = 0;
	uint32_t bit = 0;

	cpuset_clear(set);
	for (size_t i = strlen(text); i-- > 0;) {
		char c = (char)tolower((unsigned char)text[i]);
		const char *digit = c ? strchr("0123456789abcdef", c) : NULL;
		uint32_t value;

		if (c == ',')
			continue;
		if (!digit)
			return false;
		value = (uint32_t)(digit - "0123456789abcdef");
		for (uint32_t b = 0; b < 4; b++) {
			if (!(value >> b & 1))
				continue;
			if (bit + b >= set->bits)
				return false;
			cpuset_add(set, bit + b);
		}
		bit += 4;
		digits++;
	}
	return digits > 0;
}

/* What r->set is read from. */
struct owner {
	bool is_node;
	uint32_t id;
};

static bool fail_set(struct reader *r, struct owner owner, int slot, const char *why)
{
	const struct sysfs_value *slots = (owner.is_node ? r->fs->node : r->fs->cpu)[owner.id];
	char path[PATH_BYTES];

	if (owner.is_node)
		sysfs_node_path(owner.id, slot, path, sizeof(path));
	else
		sysfs_cpu_path(owner.id, slot, path, sizeof(path));
	return fail(r, path, slots[slot], why);
}

/* The set at a list slot or the mask slot after it into r->set. *there: it has members. */
static bool read_set(struct reader *r, struct owner owner, int slot, bool *there)
{
	const struct sysfs_value *slots = (owner.is_node ? r->fs->node : r->fs->cpu)[owner.id];
	struct err why = { 0 };

	*there = slots[slot].text || slots[slot + 1].text;
	if (slots[slot].text && !cpuset_parse(&r->set, slots[slot].text, &why))
		return fail_set(r, owner, slot, why.what);
	if (!slots[slot].text && *there && !parse_mask(&r->set, slots[slot + 1].text))
		return fail_set(r, owner, slot + 1, "allowed: a mask of hexadecimal words");
	*there = *there && !cpuset_empty(&r->set);
	return true;
}

static bool read_cpu_set(struct reader *r, uint32_t cpu, int slot, bool *there)
{
	struct owner owner = { false, cpu };

	if (!read_set(r, owner, slot, there))
		return false;
	if (!*there || cpuset_has(&r->set, cpu))
		return true;
	slot += !r->fs->cpu[cpu][slot].text;
	return fail_set(r, owner, slot, "the cpu itself is not among them");
}

static bool read_number(struct reader *r, struct sysfs_value value, const char *path, uint64_t min,
			uint64_t max, uint64_t *out)
{
	char why[80], *end;

	errno = 0;
	*out = strtoull(value.text, &end, 10);
	end += strspn(end, " \t");
	if (isdigit((unsigned char)*value.text) && !*end && !errno && *out >= min && *out <= max)
		return true;
	snprintf(why, sizeof(why), "allowed: %llu to %llu", (unsigned long long)min,
		 (unsigned long long)max);
	return fail(r, path, value, why);
}

static bool read_core(struct reader *r, uint32_t cpu, struct draft_cpu *c)
{
	bool there;

	if (!read_cpu_set(r, cpu, CPU_CORE_LIST, &there))
		return false;
	if (!there && !read_cpu_set(r, cpu, CPU_THREAD_LIST, &there))
		return false;
	c->label[LABEL_CORE] = there ? cpuset_first(&r->set) : cpu;
	r->own_core |= !there;
	return true;
}

/* A kernel without cluster data prints the cpu alone, which may be less than its core. */
static bool read_cluster(struct reader *r, uint32_t cpu, struct draft_cpu *c)
{
	bool there;

	if (!read_cpu_set(r, cpu, CPU_CLUSTER_LIST, &there))
		return false;
	r->d->has_clusters |= there;
	if (there && cpuset_has(&r->set, (uint32_t)c->label[LABEL_CORE]))
		c->label[LABEL_CLUSTER] = cpuset_first(&r->set);
	else
		c->label[LABEL_CLUSTER] = c->label[LABEL_CORE];
	return true;
}

static bool read_package_id(struct reader *r, uint32_t cpu, uint64_t *id)
{
	char path[PATH_BYTES];

	sysfs_cpu_path(cpu, CPU_PACKAGE_ID, path, sizeof(path));
	return read_number(r, r->fs->cpu[cpu][CPU_PACKAGE_ID], path, 0, INT32_MAX, id);
}

/* An id of -1 is a package that the kernel does not know: they are one. */
static bool read_package(struct reader *r, uint32_t cpu, struct draft_cpu *c)
{
	struct sysfs_value id = r->fs->cpu[cpu][CPU_PACKAGE_ID];
	bool there;

	if (!read_cpu_set(r, cpu, CPU_PACKAGE_LIST, &there))
		return false;
	if (!there && !read_cpu_set(r, cpu, CPU_SIBLINGS_LIST, &there))
		return false;
	if (there)
		c->label[LABEL_PACKAGE] = cpuset_first(&r->set);
	else if (id.text && strcmp(id.text, "-1") &&
		 !read_package_id(r, cpu, &c->label[LABEL_PACKAGE]))
		return false;
	if (!read_cpu_set(r, cpu, CPU_DIE_LIST, &there))
		return false;
	c->label[LABEL_DIE] = there ? cpuset_first(&r->set) : c->label[LABEL_PACKAGE] | 1ull << 32;
	return true;
}

/* The cache of the highest level that holds data, -1 when none is described. */
static bool last_cache(struct reader *r, uint32_t cpu, int *last, uint64_t *last_level)
{
	*last = -1;
	*last_level = 0;
	for (int i = 0; i < SYSFS_CACHES; i++) {
		const struct sysfs_value *cache = &r->fs->cpu[cpu][CPU_CACHE + 5 * i];
		char path[PATH_BYTES];
		uint64_t level;

		if (!cache[CACHE_LEVEL].text ||
		    (cache[CACHE_TYPE].text && !strcmp(cache[CACHE_TYPE].text, "Instruction")))
			continue;
		sysfs_cpu_path(cpu, CPU_CACHE + 5 * i + CACHE_LEVEL, path, sizeof(path));
		if (!read_number(r, cache[CACHE_LEVEL], path, 0, 9, &level))
			return false;
		if (level > *last_level) {
			*last = i;
			*last_level = level;
		}
	}
	return true;
}

static bool read_llc(struct reader *r, uint32_t cpu, struct draft_cpu *c)
{
	uint64_t level;
	bool there = false;
	int last;

	if (!last_cache(r, cpu, &last, &level))
		return false;
	if (last >= 0 && !read_cpu_set(r, cpu, CPU_CACHE + 5 * last + CACHE_LIST, &there))
		return false;
	if (there)
		c->label[LABEL_LLC] = level << 32 | cpuset_first(&r->set);
	else
		c->label[LABEL_LLC] = c->label[LABEL_PACKAGE] << 16 | c->node;
	r->package_llc |= !there;
	return true;
}

static bool read_cpu(struct reader *r, uint32_t cpu, uint32_t node)
{
	struct draft_cpu *c = draft_cpu(r->d, cpu, node);
	struct sysfs_value capacity = r->fs->cpu[cpu][CPU_CAPACITY];
	char path[PATH_BYTES];
	uint64_t value;

	if (capacity.text) {
		sysfs_cpu_path(cpu, CPU_CAPACITY, path, sizeof(path));
		if (!read_number(r, capacity, path, 1, CAPACITY_FULL, &value))
			return false;
		c->capacity = (uint32_t)value;
	}
	return read_core(r, cpu, c) && read_cluster(r, cpu, c) && read_package(r, cpu, c) &&
	       read_llc(r, cpu, c);
}

static bool described(const struct sysfs_value *slots)
{
	for (int slot = CPU_CORE_LIST; slot <= CPU_PACKAGE_ID; slot++)
		if (slots && slots[slot].text)
			return true;
	return false;
}

static bool read_id_list(struct reader *r, struct sysfs_value value, const char *path,
			 struct cpuset *out)
{
	struct err why = { 0 };

	return cpuset_parse(out, value.text, &why) || fail(r, path, value, why.what);
}

/* Older kernels describe offline cpus, and sometimes by sets that the cpu has left. */
static bool stale(struct reader *r, uint32_t cpu)
{
	struct err ignored = { 0 };

	for (int slot = CPU_CORE_LIST; slot < CPU_PACKAGE_ID; slot += 2) {
		const char *list = r->fs->cpu[cpu][slot].text;

		if (list && cpuset_parse(&r->set, list, &ignored) && !cpuset_has(&r->set, cpu))
			return true;
	}
	return false;
}

static bool find_cpus(struct reader *r, struct cpuset *online, struct cpuset *known)
{
	struct sysfs *fs = r->fs;

	if (fs->cpu_online.text && !read_id_list(r, fs->cpu_online, "cpu/online", online))
		return false;
	for (uint32_t cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++) {
		if (!described(fs->cpu[cpu])) {
			if (!cpuset_has(online, cpu))
				continue;
			fs->cpu[cpu] = fs->cpu[cpu] ? fs->cpu[cpu]
						    : ARENA_ARRAY(fs->arena, struct sysfs_value,
								  NR_CPU_SLOTS);
		}
		if (!fs->cpu_online.text)
			cpuset_add(online, cpu);
		if (cpuset_has(online, cpu) || !stale(r, cpu))
			cpuset_add(known, cpu);
	}
	if (cpuset_empty(known))
		return err_set_at(r->err, fs->name, 0, 0,
				  "describes no cpu (expected: lines or files "
				  "such as cpu0/topology/core_cpus_list)");
	return true;
}

static bool find_nodes(struct reader *r, struct cpuset *nodes)
{
	struct cpuset said = cpuset_new(r->fs->arena, MACHINE_MAX_NODES);

	if (r->fs->node_online.text && !read_id_list(r, r->fs->node_online, "node/online", &said))
		return false;
	for (uint32_t node = 0; node < MACHINE_MAX_NODES; node++)
		if (r->fs->node_online.text ? cpuset_has(&said, node) : r->fs->node[node] != NULL)
			cpuset_add(nodes, node);
	if (cpuset_empty(nodes)) {
		cpuset_add(nodes, 0);
		r->no_node = true;
	}
	return true;
}

/* Gives the cpus in r->set to `node`; false when some, but not all, belong to another one. */
static bool claim_cpus(struct reader *r, uint32_t node, uint32_t *node_of, bool *is_double)
{
	uint32_t fresh = 0, other = CPU_NONE;

	cpuset_for_each (cpu, &r->set) {
		fresh += node_of[cpu] == CPU_NONE;
		other = node_of[cpu] == CPU_NONE ? other : cpu;
	}
	*is_double = !fresh && other != CPU_NONE;
	if (fresh && other != CPU_NONE)
		return err_set_at(r->err, r->fs->name, r->fs->node[node][NODE_LIST].line, 0,
				  "cpu %u is on node %u and on node %u", other, node_of[other],
				  node);
	if (fresh)
		cpuset_for_each (cpu, &r->set)
			node_of[cpu] = node;
	return true;
}

/*
 * node_of[cpu] for the cpus the nodes list; others keep what they have. Nodes that numa=fake cut
 * from one list the same cpus: only the first of them is a node here.
 */
static bool read_node_cpus(struct reader *r, struct cpuset *nodes, uint32_t *node_of)
{
	bool there, is_double;

	cpuset_for_each (node, &r->columns) {
		if (!r->fs->node[node])
			continue;
		if (!read_set(r, (struct owner){ true, node }, NODE_LIST, &there))
			return false;
		if (!there)
			continue;
		if (!claim_cpus(r, node, node_of, &is_double))
			return false;
		r->doubles += is_double;
		if (is_double)
			cpuset_del(nodes, node);
	}
	return true;
}

/* One row's numbers, a node of `columns` each; *count tells how many there were. */
static bool take_row(struct reader *r, uint32_t from, const struct cpuset *columns, uint32_t *count)
{
	const char *at = r->fs->node[from][NODE_DISTANCE].text;

	*count = 0;
	cpuset_for_each (to, columns) {
		char *end;
		unsigned long distance = strtoul(at, &end, 10);

		at += strspn(at, " \t");
		if (!isdigit((unsigned char)*at) || distance > MAX_DISTANCE)
			return false;
		if (to < r->d->nr_nodes && cpuset_has(&r->d->nodes, to))
			r->d->distance[from * r->d->nr_nodes + to] = (uint32_t)distance;
		at = end;
		++*count;
	}
	return !at[strspn(at, " \t")];
}

/* A row is of the online nodes; a node that went offline may have kept its column. */
static bool read_distance_row(struct reader *r, uint32_t from)
{
	struct sysfs_value value = r->fs->node[from][NODE_DISTANCE];
	struct cpuset possible = cpuset_new(r->fs->arena, MACHINE_MAX_NODES);
	char path[PATH_BYTES], why[80];
	struct err ignored = { 0 };
	uint32_t count;

	if (take_row(r, from, &r->columns, &count))
		return true;
	if (count == cpuset_weight(&r->columns) && r->fs->node_possible.text &&
	    cpuset_parse(&possible, r->fs->node_possible.text, &ignored) &&
	    cpuset_subset(&r->columns, &possible) && take_row(r, from, &possible, &count))
		return true;
	sysfs_node_path(from, NODE_DISTANCE, path, sizeof(path));
	snprintf(why, sizeof(why), "allowed: %u numbers up to %d, one a node",
		 cpuset_weight(&r->columns), MAX_DISTANCE);
	return fail(r, path, value, why);
}

static bool read_distances(struct reader *r)
{
	struct draft *d = r->d;
	uint32_t said = 0, only = cpuset_first(&d->nodes);

	cpuset_for_each (node, &d->nodes)
		said += r->fs->node[node] && r->fs->node[node][NODE_DISTANCE].text;
	if (!said)
		return true;
	if (said != cpuset_weight(&d->nodes))
		return err_set_at(r->err, r->fs->name, 0, 0, "only %u of %u nodes state distances",
				  said, cpuset_weight(&d->nodes));
	draft_distances(d);
	cpuset_for_each (node, &d->nodes) {
		if (!read_distance_row(r, node))
			return false;
	}
	/* Firmware without distances made older kernels print 0 for a machine of one node. */
	if (said == 1 && !d->distance[only * d->nr_nodes + only]) {
		draft_assume(d, "the distance of the only node to itself is 10, not 0");
		d->distance = NULL;
	}
	return true;
}

static void say_assumed(struct reader *r, const struct cpuset *known)
{
	struct cpuset present = cpuset_new(r->fs->arena, MACHINE_MAX_CPUS);
	struct err ignored = { 0 };
	char list[200];

	if (r->own_core)
		draft_assume(r->d, "each cpu whose siblings are not described is a core");
	if (r->package_llc)
		draft_assume(r->d, "cpus without a described cache share one LLC per package and "
				   "node");
	if (r->no_node)
		draft_assume(r->d, "no node is described: all is node 0");
	else if (r->homeless)
		draft_assume(r->d, "%u cpus that no node lists are on the first node", r->homeless);
	if (r->doubles)
		draft_assume(r->d, "%u nodes have the cpus of an earlier one: they are left out",
			     r->doubles);
	if (!r->fs->cpu_online.text)
		draft_assume(r->d, "all described cpus are online");
	if (r->fs->cpu_present.text && cpuset_parse(&present, r->fs->cpu_present.text, &ignored)) {
		cpuset_andnot(&present, &present, known);
		if (!cpuset_empty(&present))
			draft_assume(r->d,
				     "cpus %s are offline and not described: they are left out",
				     cpuset_print(&present, list, sizeof(list)));
	}
}

static bool read_machine(struct reader *r)
{
	struct arena *arena = r->fs->arena;
	struct cpuset online = cpuset_new(arena, MACHINE_MAX_CPUS);
	struct cpuset known = cpuset_new(arena, MACHINE_MAX_CPUS);
	struct cpuset nodes = cpuset_new(arena, MACHINE_MAX_NODES);
	uint32_t *node_of = ARENA_ARRAY(arena, uint32_t, MACHINE_MAX_CPUS);
	uint32_t nr_cpus = 0, nr_nodes = 0;

	for (uint32_t cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++)
		node_of[cpu] = CPU_NONE;
	if (!find_cpus(r, &online, &known) || !find_nodes(r, &nodes))
		return false;
	r->columns = cpuset_clone(arena, &nodes);
	if (!read_node_cpus(r, &nodes, node_of))
		return false;
	cpuset_for_each (cpu, &known)
		nr_cpus = cpu + 1;
	cpuset_for_each (node, &nodes)
		nr_nodes = node + 1;
	draft_init(r->d, arena, nr_cpus, nr_nodes);
	cpuset_for_each (node, &nodes)
		cpuset_add(&r->d->nodes, node);
	cpuset_for_each (cpu, &known) {
		uint32_t node = node_of[cpu];

		if (node == CPU_NONE) {
			node = cpuset_first(&nodes);
			r->homeless++;
		}
		if (!read_cpu(r, cpu, node))
			return false;
		r->d->cpu[cpu].online = cpuset_has(&online, cpu);
	}
	say_assumed(r, &known);
	return read_distances(r);
}

static struct machine *finish(struct sysfs *fs, struct err *err)
{
	struct machine *m = NULL;
	struct draft d;
	struct reader r = { .fs = fs, .d = &d, .err = err };

	r.set = cpuset_new(fs->arena, MACHINE_MAX_CPUS);
	if (read_machine(&r)) {
		d.name = fs->name;
		d.title = arena_printf(fs->arena, "/sys of %s", fs->name);
		d.arch = fs->arch;
		d.reclaim_distance = draft_zen_reclaim(fs->zen_vendor, fs->family);
		sysfs_take_costs(&d, fs);
		m = draft_finish(&d, err);
	}
	err_locate(err, fs->name);
	return m;
}

struct machine *sysfs_read_dump(struct arena *arena, const char *path, struct err *err)
{
	struct sysfs *fs = ARENA_NEW(arena, struct sysfs);

	return sysfs_load_dump(fs, arena, path, err) ? finish(fs, err) : NULL;
}

struct machine *sysfs_read_tree(struct arena *arena, const char *path, struct err *err)
{
	struct sysfs *fs = ARENA_NEW(arena, struct sysfs);

	return sysfs_load_tree(fs, arena, path, err) ? finish(fs, err) : NULL;
}

struct machine *sysfs_read_archive(struct arena *arena, const char *path, struct err *err)
{
	struct sysfs *fs = ARENA_NEW(arena, struct sysfs);

	return sysfs_load_archive(fs, arena, path, err) ? finish(fs, err) : NULL;
}
