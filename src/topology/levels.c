/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The level table: which cpus each level ties to each cpu.
 *
 * The default levels come from the machine's ids, by the rule of the architecture; NUMA levels
 * from the node distances: level i of a cpu holds the cpus of all nodes not farther than the i-th
 * smallest distance. Only online cpus are in a mask.
 */
#include "topology/builder.h"

#include "base/check.h"

enum { LOCAL_DISTANCE = 10, NR_DISTANCES = 256 };

/*
 * Per cpu: the online cpus with the same id. numa=fake deals the cpus of the only node out to
 * nodes of its own making, so `node` is less than the node's list of cpus then.
 */
struct ties {
	const struct cpuset **core, **cluster, **llc, **package, **node, **node_list;
};

typedef uint32_t id_of(const struct machine_cpu *cpu);

static uint32_t id_core(const struct machine_cpu *cpu)
{
	return cpu->core;
}

static uint32_t id_cluster(const struct machine_cpu *cpu)
{
	return cpu->cluster;
}

static uint32_t id_llc(const struct machine_cpu *cpu)
{
	return cpu->llc;
}

static uint32_t id_package(const struct machine_cpu *cpu)
{
	return cpu->package;
}

static const struct cpuset **masks_new(struct builder *b)
{
	return ARENA_ARRAY(&b->scratch, const struct cpuset *, b->machine->nr_cpus);
}

static const struct cpuset **group_by(struct builder *b, id_of *id, uint32_t nr_ids)
{
	const struct cpuset **mask = masks_new(b);
	struct cpuset *of_id = ARENA_ARRAY(&b->scratch, struct cpuset, nr_ids);
	const struct cpuset **shared = ARENA_ARRAY(&b->scratch, const struct cpuset *, nr_ids);

	cpuset_for_each (cpu, b->level_cpus) {
		uint32_t i = id(&b->machine->cpu[cpu]);

		CHECK(i < nr_ids);
		if (!of_id[i].bits)
			of_id[i] = cpuset_new(&b->scratch, b->machine->nr_cpus);
		cpuset_add(&of_id[i], cpu);
	}
	cpuset_for_each (cpu, b->level_cpus) {
		uint32_t i = id(&b->machine->cpu[cpu]);

		if (!shared[i])
			shared[i] = set_pool_get(&b->sets, &of_id[i]);
		mask[cpu] = shared[i];
	}
	return mask;
}

static const struct cpuset **node_lists(struct builder *b)
{
	const struct cpuset **mask = masks_new(b);
	const struct cpuset **shared =
		ARENA_ARRAY(&b->scratch, const struct cpuset *, b->machine->nr_nodes);

	cpuset_for_each (cpu, b->level_cpus) {
		uint32_t node = b->machine->cpu[cpu].node;

		if (!shared[node]) {
			cpuset_and(&b->work, &b->machine->node_cpus[node], b->level_cpus);
			shared[node] = set_pool_get(&b->sets, &b->work);
		}
		mask[cpu] = shared[node];
	}
	return mask;
}

static bool has_fake_nodes(const struct builder *b)
{
	return b->options.fake_nodes > 1 && b->machine->nr_nodes == 1;
}

static uint32_t node_of(const struct builder *b, uint32_t cpu)
{
	return has_fake_nodes(b) ? cpu % b->options.fake_nodes : b->machine->cpu[cpu].node;
}

static const struct cpuset **same_node(struct builder *b)
{
	const struct cpuset **mask;
	struct cpuset *set;

	if (!has_fake_nodes(b))
		return node_lists(b);
	mask = masks_new(b);
	set = ARENA_ARRAY(&b->scratch, struct cpuset, b->options.fake_nodes);
	for (uint32_t i = 0; i < b->options.fake_nodes; i++)
		set[i] = cpuset_new(&b->scratch, b->machine->nr_cpus);
	cpuset_for_each (cpu, b->level_cpus)
		cpuset_add(&set[node_of(b, cpu)], cpu);
	cpuset_for_each (cpu, b->level_cpus)
		mask[cpu] = set_pool_get(&b->sets, &set[node_of(b, cpu)]);
	return mask;
}

static struct ties machine_ties(struct builder *b)
{
	const struct machine *m = b->machine;

	return (struct ties){
		.core = group_by(b, id_core, m->nr_cores),
		.cluster = m->has_clusters ? group_by(b, id_cluster, m->nr_clusters) : NULL,
		.llc = group_by(b, id_llc, m->nr_llcs),
		.package = group_by(b, id_package, m->nr_packages),
		.node = same_node(b),
		.node_list = node_lists(b),
	};
}

/* Both sets' common cpus, by cpu; a pair seen for the cpu before is not computed again. */
static const struct cpuset **intersect(struct builder *b, const struct cpuset **x,
				       const struct cpuset **y)
{
	const struct cpuset **mask = masks_new(b);
	uint32_t last = CPU_NONE;

	cpuset_for_each (cpu, b->level_cpus) {
		if (last != CPU_NONE && x[cpu] == x[last] && y[cpu] == y[last]) {
			mask[cpu] = mask[last];
		} else {
			cpuset_and(&b->work, x[cpu], y[cpu]);
			mask[cpu] = set_pool_get(&b->sets, &b->work);
		}
		last = cpu;
	}
	return mask;
}

static void add_level(struct builder *b, enum level_kind kind, uint32_t flags,
		      const struct cpuset **mask)
{
	CHECK(b->nr_levels < TOPOLOGY_MAX_LEVELS);
	b->level[b->nr_levels++] =
		(struct draft_level){ .kind = kind, .flags = flags, .mask = mask };
}

/* The smallest of node, package and LLC, but no smaller than the cluster. */
static const struct cpuset *arm64_coregroup(const struct builder *b, const struct ties *ties,
					    uint32_t cpu)
{
	const struct cpuset *mask = ties->node_list[cpu];

	if (cpuset_subset(ties->package[cpu], mask))
		mask = ties->package[cpu];
	if (cpuset_subset(ties->llc[cpu], mask))
		mask = ties->llc[cpu];
	if (b->rules.has_cluster_level && ties->cluster && cpuset_subset(mask, ties->cluster[cpu]))
		mask = ties->cluster[cpu];
	return mask;
}

static void arm64_levels(struct builder *b, const struct ties *ties)
{
	const struct cpuset **mc = masks_new(b), **cls = masks_new(b);

	cpuset_for_each (cpu, b->level_cpus) {
		mc[cpu] = arm64_coregroup(b, ties, cpu);
		cls[cpu] = ties->core[cpu];
		if (ties->cluster && !cpuset_subset(mc[cpu], ties->cluster[cpu]))
			cls[cpu] = ties->cluster[cpu];
	}
	add_level(b, LEVEL_SMT, SD_SHARE_CPUCAPACITY | SD_SHARE_LLC, ties->core);
	if (b->rules.has_cluster_level)
		add_level(b, LEVEL_CLS, SD_CLUSTER | SD_SHARE_LLC, cls);
	add_level(b, LEVEL_MC, SD_SHARE_LLC, mc);
	add_level(b, LEVEL_PKG, 0, ties->node_list);
}

static bool any_core_has_threads(struct builder *b)
{
	const struct machine *m = b->machine;
	uint32_t *first = ARENA_ARRAY(&b->scratch, uint32_t, m->nr_cores);

	cpuset_for_each (cpu, &m->present) {
		uint32_t core = m->cpu[cpu].core;

		if (first[core]++)
			return true;
	}
	return false;
}

static bool booted_with_threads(struct builder *b)
{
	switch (b->options.smt) {
	case BOOT_SMT_AS_SEEN: return any_core_has_threads(b);
	case BOOT_SMT_OFF: return false;
	case BOOT_SMT_ON: return true;
	}
	return false;
}

/* The kernel never forgets that it saw one at boot. */
static bool package_spans_nodes(struct builder *b)
{
	const struct machine *m = b->machine;
	uint32_t *node = ARENA_ARRAY(&b->scratch, uint32_t, m->nr_packages);

	cpuset_for_each (cpu, &m->online) {
		uint32_t *known = &node[m->cpu[cpu].package];

		if (*known && *known != node_of(b, cpu) + 1)
			return true;
		*known = node_of(b, cpu) + 1;
	}
	return false;
}

static bool more_nodes_than_packages(const struct builder *b)
{
	const struct machine *m = b->machine;
	uint32_t nodes = 0;

	cpuset_for_each (node, &m->nodes)
		nodes += !cpuset_empty(&m->node_cpus[node]);
	return nodes > m->nr_packages;
}

static bool drops_pkg(struct builder *b)
{
	switch (b->rules.numa_in_package) {
	case NUMA_IN_PACKAGE_KEEPS_PKG: return false;
	case NUMA_IN_PACKAGE_BY_CPUS: return package_spans_nodes(b);
	case NUMA_IN_PACKAGE_BY_COUNT: return more_nodes_than_packages(b);
	}
	return false;
}

static void x86_levels(struct builder *b, const struct ties *ties)
{
	const struct cpuset **smt = intersect(b, ties->core, ties->node);
	const struct cpuset **cls = ties->cluster ? intersect(b, ties->cluster, ties->node) : smt;

	if (!b->rules.smt_needs_threads || booted_with_threads(b))
		add_level(b, LEVEL_SMT, SD_SHARE_CPUCAPACITY | SD_SHARE_LLC, smt);
	if (b->rules.has_cluster_level)
		add_level(b, LEVEL_CLS, SD_CLUSTER | SD_SHARE_LLC, cls);
	add_level(b, LEVEL_MC, SD_SHARE_LLC, intersect(b, ties->llc, ties->node));
	if (!drops_pkg(b))
		add_level(b, LEVEL_PKG, 0, ties->node_list);
}

static void plain_levels(struct builder *b, const struct ties *ties)
{
	add_level(b, LEVEL_SMT, SD_SHARE_CPUCAPACITY | SD_SHARE_LLC, ties->core);
	add_level(b, LEVEL_MC, SD_SHARE_LLC, ties->llc);
	add_level(b, LEVEL_PKG, 0, ties->node_list);
}

/* Nodes whose distances count: those with online cpus. Returns how many, in `out`. */
static uint32_t cpu_nodes(const struct builder *b, uint32_t *out)
{
	uint32_t nr = 0;

	cpuset_for_each (node, &b->machine->nodes) {
		if (cpuset_intersects(&b->machine->node_cpus[node], b->numa_cpus))
			out[nr++] = node;
	}
	return nr;
}

static void mark_row(const struct machine *m, uint32_t from, uint32_t above, bool *seen)
{
	cpuset_for_each (to, &m->nodes) {
		uint32_t distance = machine_distance(m, from, to);

		if (distance > above && distance < NR_DISTANCES)
			seen[distance] = true;
	}
}

static uint32_t farthest(const bool *seen)
{
	uint32_t distance = NR_DISTANCES - 1;

	while (distance && !seen[distance])
		distance--;
	return distance;
}

/* Old kernels look at node 0's row; the others count only under sched_debug, when farther. */
static void old_distances(const struct builder *b, bool *seen)
{
	const struct machine *m = b->machine;

	cpuset_for_each (node, &m->nodes) {
		mark_row(m, node, farthest(seen), seen);
		if (b->rules.numa_distances == NUMA_DISTANCES_OF_NODE0)
			return;
	}
}

/* False when the kernel refuses the table: then there are no NUMA levels at all. */
static bool find_distances(const struct builder *b, const uint32_t *node, uint32_t nr, bool *seen)
{
	seen[LOCAL_DISTANCE] = true;
	if (b->rules.numa_distances != NUMA_DISTANCES_OF_ALL) {
		old_distances(b, seen);
		return true;
	}
	for (uint32_t i = 0; i < nr; i++) {
		for (uint32_t j = 0; j < nr; j++) {
			uint32_t distance = machine_distance(b->machine, node[i], node[j]);

			if (distance < LOCAL_DISTANCE || distance >= NR_DISTANCES)
				return false;
			seen[distance] = true;
		}
	}
	return true;
}

static const struct cpuset *cpus_within(struct builder *b, uint32_t from, const uint32_t *node,
					uint32_t nr, uint32_t distance)
{
	cpuset_clear(&b->work);
	for (uint32_t i = 0; i < nr; i++) {
		if (machine_distance(b->machine, from, node[i]) <= distance)
			cpuset_or(&b->work, &b->work, &b->machine->node_cpus[node[i]]);
	}
	cpuset_and(&b->work, &b->work, b->numa_cpus);
	return set_pool_get(&b->sets, &b->work);
}

static const struct cpuset **numa_masks(struct builder *b, const uint32_t *node, uint32_t nr,
					uint32_t distance)
{
	const struct cpuset **mask = masks_new(b);
	const struct cpuset **near =
		ARENA_ARRAY(&b->scratch, const struct cpuset *, b->machine->nr_nodes);

	for (uint32_t i = 0; i < nr; i++)
		near[node[i]] = cpus_within(b, node[i], node, nr, distance);
	cpuset_for_each (cpu, b->numa_cpus)
		mask[cpu] = near[b->machine->cpu[cpu].node];
	return mask;
}

static void numa_levels(struct builder *b)
{
	uint32_t *node = ARENA_ARRAY(&b->scratch, uint32_t, b->machine->nr_nodes);
	uint32_t nr = cpu_nodes(b, node);
	bool seen[NR_DISTANCES] = { false };
	uint32_t flags = SD_NUMA | (b->rules.numa_shows_overlap ? SD_OVERLAP : 0);

	if (!find_distances(b, node, nr, seen))
		return;
	for (uint32_t d = 0; d < NR_DISTANCES; d++) {
		bool local = d == LOCAL_DISTANCE;

		if (!seen[d] || (local && !b->rules.has_node_level))
			continue;
		add_level(b, local ? LEVEL_NODE : LEVEL_NUMA, local ? 0 : flags,
			  numa_masks(b, node, nr, d));
		b->level[b->nr_levels - 1].numa_distance = d;
	}
}

static void set_tie_masks(struct builder *b)
{
	struct topology *t = b->t;
	struct ties ties = machine_ties(b);

	t->smt_mask = ARENA_ARRAY(b->arena, const struct cpuset *, t->nr_cpus);
	cpuset_for_each (cpu, &t->online) {
		t->smt_mask[cpu] = ties.core[cpu];
		t->has_smt |= cpuset_weight(ties.core[cpu]) > 1;
	}
}

/*
 * Since hotplug rebuilds domains at once, the cpu that is going offline is still in the masks
 * then; only when it leaves its node without cpus is it out of the NUMA masks.
 */
static void choose_cpus(struct builder *b, uint32_t leaving)
{
	const struct cpuset *online = &b->t->online;
	struct cpuset *with = ARENA_NEW(&b->scratch, struct cpuset);
	const struct cpuset *node;

	b->level_cpus = b->numa_cpus = online;
	if (leaving == CPU_NONE || !b->rules.masks_have_leaving_cpu)
		return;
	*with = cpuset_clone(&b->scratch, online);
	cpuset_add(with, leaving);
	b->level_cpus = with;
	node = &b->machine->node_cpus[b->machine->cpu[leaving].node];
	if (cpuset_intersects(node, online))
		b->numa_cpus = with;
}

void build_levels(struct builder *b, uint32_t leaving)
{
	struct ties ties;

	choose_cpus(b, CPU_NONE);
	set_tie_masks(b);
	choose_cpus(b, leaving);
	ties = machine_ties(b);
	switch (b->rules.masks) {
	case MASKS_X86: x86_levels(b, &ties); break;
	case MASKS_ARM64: arm64_levels(b, &ties); break;
	case MASKS_PLAIN: plain_levels(b, &ties); break;
	}
	numa_levels(b);
	if (!b->rules.has_cluster_flag) {
		for (uint32_t l = 0; l < b->nr_levels; l++)
			b->level[l].flags &= ~(uint32_t)SD_CLUSTER;
	}
}
