/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps in their order, the options, and the shortcuts by cpu. */
#include "topology/builder.h"

#include "base/check.h"

static uint32_t *per_cpu(struct builder *b, uint32_t value)
{
	uint32_t *array = ARENA_LINES(b->arena, uint32_t, b->machine->nr_cpus);

	for (uint32_t cpu = 0; cpu < b->machine->nr_cpus; cpu++)
		array[cpu] = value;
	return array;
}

static void init_topology(struct builder *b)
{
	struct topology *t = b->t = ARENA_NEW(b->arena, struct topology);

	t->machine = b->machine;
	t->rules = b->rules;
	t->nr_cpus = b->machine->nr_cpus;
	t->online = cpuset_clone(b->arena, &b->machine->online);
	if (b->options.down)
		cpuset_andnot(&t->online, &t->online, b->options.down);
	if (b->options.offline)
		cpuset_andnot(&t->online, &t->online, b->options.offline);
	t->active = cpuset_clone(b->arena, &t->online);
	if (b->options.isolated)
		cpuset_andnot(&t->active, &t->active, b->options.isolated);
	t->insane_level = DOMAIN_NONE;
	t->base = per_cpu(b, DOMAIN_NONE);
	t->sd_llc = per_cpu(b, DOMAIN_NONE);
	t->sd_cluster = per_cpu(b, DOMAIN_NONE);
	t->sd_numa = per_cpu(b, DOMAIN_NONE);
	t->sd_asym_packing = per_cpu(b, DOMAIN_NONE);
	t->sd_asym_capacity = per_cpu(b, DOMAIN_NONE);
	t->llc_id = per_cpu(b, 0);
	t->llc_size = per_cpu(b, 1);
	t->llc_shared = per_cpu(b, LLC_NONE);
	t->share_id = per_cpu(b, 0);
}

static void init_builder(struct builder *b)
{
	uint32_t nr_cpus = b->machine->nr_cpus;

	set_pool_init(&b->sets, b->arena, &b->scratch);
	b->work = cpuset_new(&b->scratch, nr_cpus);
	b->stamp = ARENA_ARRAY(&b->scratch, uint32_t, nr_cpus + b->machine->nr_cores);
}

/* Partitions first, in the order given; what is left is the last root domain. */
static bool find_roots(struct builder *b, struct err *err)
{
	struct topology *t = b->t;
	struct cpuset rest = cpuset_clone(b->arena, &t->active);

	t->root = ARENA_ARRAY(b->arena, struct cpuset, b->options.nr_partitions + 1);
	for (uint32_t i = 0; i < b->options.nr_partitions; i++) {
		struct cpuset *root = &t->root[t->nr_roots];

		*root = cpuset_new(b->arena, t->nr_cpus);
		cpuset_and(root, &t->active, &b->options.partition[i]);
		if (!cpuset_subset(root, &rest))
			return err_set(err, "partition %u shares cpus with another", i + 1);
		if (cpuset_empty(root))
			continue;
		cpuset_andnot(&rest, &rest, root);
		t->nr_roots++;
	}
	if (!cpuset_empty(&rest))
		t->root[t->nr_roots++] = rest;
	return true;
}

static void find_capacities(struct builder *b)
{
	b->capacity_cpus = ARENA_ARRAY(&b->scratch, struct cpuset, CAPACITY_FULL + 1);
	uint32_t *index = ARENA_ARRAY(&b->scratch, uint32_t, CAPACITY_FULL + 1);

	cpuset_for_each (cpu, &b->t->active) {
		uint32_t capacity = b->machine->cpu[cpu].capacity;

		CHECK(capacity <= CAPACITY_FULL);
		if (!index[capacity]) {
			b->capacity_cpus[b->nr_capacities] =
				cpuset_new(&b->scratch, b->machine->nr_cpus);
			index[capacity] = ++b->nr_capacities;
		}
		cpuset_add(&b->capacity_cpus[index[capacity] - 1], cpu);
	}
}

static void init_drafts(struct builder *b)
{
	uint32_t nr_cpus = b->machine->nr_cpus;
	size_t nr = (size_t)nr_cpus * b->nr_levels;

	b->domain = ARENA_ARRAY(&b->scratch, struct draft_domain, nr);
	b->by_cpu = ARENA_ARRAY(&b->scratch, uint32_t, nr);
	b->span = ARENA_ARRAY(&b->scratch, const struct cpuset *, nr);
	for (size_t i = 0; i < nr; i++)
		b->by_cpu[i] = GROUP_NONE;
}

static uint32_t last_offlined(const struct builder *b)
{
	uint32_t last = CPU_NONE;

	if (b->options.offline) {
		cpuset_for_each (cpu, b->options.offline) {
			if (cpuset_has(&b->machine->online, cpu) &&
			    !(b->options.down && cpuset_has(b->options.down, cpu)))
				last = cpu;
		}
	}
	return last;
}

static void drop_all(struct builder *b)
{
	for (size_t i = 0; i < (size_t)b->machine->nr_cpus * b->nr_levels; i++)
		b->domain[i].span = NULL;
}

static void build_roots(struct builder *b)
{
	for (uint32_t i = 0; i < b->t->nr_roots; i++) {
		if (!build_domains(b, &b->t->root[i])) {
			drop_all(b);
			return;
		}
		build_groups(b, &b->t->root[i]);
		attach_domains(b, &b->t->root[i]);
	}
}

static void set_llc(struct topology *t, uint32_t cpu, uint32_t *shared_by_first)
{
	const struct sched_domain *llc;

	t->llc_id[cpu] = cpu;
	if (t->sd_llc[cpu] == DOMAIN_NONE)
		return;
	llc = &t->domain[t->sd_llc[cpu]];
	t->llc_id[cpu] = cpuset_first(llc->span);
	t->llc_size[cpu] = llc->weight;
	if (shared_by_first[t->llc_id[cpu]] == LLC_NONE)
		shared_by_first[t->llc_id[cpu]] = t->nr_llc_shared++;
	t->llc_shared[cpu] = shared_by_first[t->llc_id[cpu]];
}

static void set_share_id(struct topology *t, uint32_t cpu)
{
	uint32_t cluster = t->sd_cluster[cpu];

	t->share_id[cpu] =
		cluster == DOMAIN_NONE ? t->llc_id[cpu] : cpuset_first(t->domain[cluster].span);
}

static void set_shortcuts(struct builder *b)
{
	struct topology *t = b->t;
	uint32_t *shared_by_first = ARENA_ARRAY(&b->scratch, uint32_t, t->nr_cpus);
	uint32_t asym = topology_asym_flag(t);

	for (uint32_t cpu = 0; cpu < t->nr_cpus; cpu++)
		shared_by_first[cpu] = LLC_NONE;
	for (uint32_t i = 0; i < t->nr_domains; i++) {
		const struct sched_domain *sd = &t->domain[i];

		if (sd->flags & SD_SHARE_LLC)
			t->sd_llc[sd->cpu] = i;
		if (t->level[sd->level].kind == LEVEL_CLS)
			t->has_clusters = true;
		if (sd->flags & SD_CLUSTER && t->sd_cluster[sd->cpu] == DOMAIN_NONE)
			t->sd_cluster[sd->cpu] = i;
		if (sd->flags & SD_ASYM_PACKING)
			t->sd_asym_packing[sd->cpu] = i;
		if (sd->flags & SD_NUMA && t->sd_numa[sd->cpu] == DOMAIN_NONE)
			t->sd_numa[sd->cpu] = i;
		if (sd->flags & asym && t->sd_asym_capacity[sd->cpu] == DOMAIN_NONE)
			t->sd_asym_capacity[sd->cpu] = i;
	}
	for (uint32_t cpu = 0; cpu < t->nr_cpus; cpu++) {
		set_llc(t, cpu, shared_by_first);
		set_share_id(t, cpu);
	}
}

static bool build(struct builder *b, struct err *err)
{
	init_topology(b);
	if (cpuset_empty(&b->t->online))
		return err_set(err, "no cpu is left online");
	if (!find_roots(b, err))
		return false;
	init_builder(b);
	find_capacities(b);
	build_levels(b, last_offlined(b));
	init_drafts(b);
	build_roots(b);
	emit_topology(b);
	set_shortcuts(b);
	return true;
}

struct topology *topology_build(struct arena *arena, const struct machine *machine,
				const struct topology_rules *rules,
				const struct topology_options *options, struct err *err)
{
	struct builder *b;
	struct arena scratch;
	bool built;

	arena_init(&scratch);
	b = ARENA_NEW(&scratch, struct builder);
	b->arena = arena;
	arena_init(&b->scratch);
	b->machine = machine;
	b->rules = *rules;
	if (options)
		b->options = *options;
	built = build(b, err);
	arena_release(&b->scratch);
	struct topology *t = built ? b->t : NULL;
	arena_release(&scratch);
	return t;
}
