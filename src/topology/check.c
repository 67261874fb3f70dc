/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What holds in every hierarchy, stated anew: nothing here asks the builder.
 *
 * A domain lies within its parent and its root; its first group is its child; groups below NUMA
 * part the span; flags pass up or down the chain as sd_flags.def says; a group's sums are those of
 * its cpus; the shortcuts are what a walk of the chain finds.
 */
#include "topology/topology.h"

struct checker {
	const struct topology *t;
	struct err *err;
	struct cpuset work;
	bool symmetric, must_reach_root;
};

enum flag_share { CHILD, PARENT, FREE };

static uint32_t flags_shared(enum flag_share how)
{
	static const enum flag_share shared[NR_SD_FLAGS] = {
#define SD_FLAG(name, share, phrase) share,
#include "topology/sd_flags.def"
#undef SD_FLAG
	};
	uint32_t flags = 0;

	for (uint32_t bit = 0; bit < NR_SD_FLAGS; bit++)
		flags |= shared[bit] == how ? 1u << bit : 0;
	return flags;
}

static bool wrong(struct checker *c, const struct sched_domain *sd, const char *what)
{
	char span[160];

	return err_set(c->err, "cpu%u %s domain %s: %s", sd->cpu, c->t->level[sd->level].name,
		       cpuset_print(sd->span, span, sizeof(span)), what);
}

static bool check_group(struct checker *c, const struct sched_domain *sd,
			const struct sched_group *g)
{
	const struct machine *m = c->t->machine;
	uint64_t capacity = 0, min = UINT64_MAX, max = 0;

	if (g->id != (uint32_t)(g - c->t->group))
		return wrong(c, sd, "a group has another's number");
	if (cpuset_empty(g->span) || !cpuset_subset(g->mask, g->span))
		return wrong(c, sd, "a group is empty or its balance mask leaves it");
	if (!cpuset_has(g->mask, g->kernel_id))
		return wrong(c, sd, "a group is numbered by a cpu outside its balance mask");
	cpuset_for_each (cpu, g->span) {
		uint64_t one = m->cpu[cpu].capacity;

		capacity += one;
		min = one < min ? one : min;
		max = one > max ? one : max;
	}
	if (g->capacity != capacity || g->min_capacity != min || g->max_capacity != max)
		return wrong(c, sd, "a group's capacity is not that of its cpus");
	if (g->weight != cpuset_weight(g->span) || !g->cores || g->cores > g->weight)
		return wrong(c, sd, "a group's weight or cores are not those of its cpus");
	return true;
}

static bool check_ring(struct checker *c, const struct sched_domain *sd)
{
	const struct topology *t = c->t;
	bool numa = t->level[sd->level].kind == LEVEL_NUMA;
	bool fits = !numa || t->rules.overlap == OVERLAP_FITS_SPAN;

	if (!sd->nr_groups || sd->first_group + sd->nr_groups > t->nr_ring)
		return wrong(c, sd, "has no groups");
	cpuset_clear(&c->work);
	for (uint32_t i = 0; i < sd->nr_groups; i++) {
		const struct sched_group *g = topology_group(t, sd, i);

		if (!check_group(c, sd, g))
			return false;
		if (fits && !cpuset_subset(g->span, sd->span))
			return wrong(c, sd, "a group reaches beyond the span");
		if (!numa && cpuset_intersects(&c->work, g->span))
			return wrong(c, sd, "groups overlap below NUMA");
		cpuset_or(&c->work, &c->work, g->span);
	}
	if (sd->groups_miss_span == cpuset_equal(&c->work, sd->span))
		return wrong(c, sd, "groups do not cover the span");
	if (sd->groups_miss_span && !numa)
		return wrong(c, sd, "groups below NUMA do not cover the span");
	return true;
}

/*
 * Not so in NUMA domains where groups may reach beyond the domain (until 5.11) or distances differ
 * both ways: there a domain between the two may have gone for having a single group.
 */
static bool check_first_group(struct checker *c, const struct sched_domain *sd)
{
	const struct sched_group *first = topology_group(c->t, sd, 0);
	bool numa = c->t->level[sd->level].kind == LEVEL_NUMA;
	bool exempt = numa && (!c->symmetric || c->t->rules.overlap != OVERLAP_FITS_SPAN);

	if (!cpuset_has(first->span, sd->cpu))
		return wrong(c, sd, "the first group is not the cpu's own");
	if (!exempt && sd->child != DOMAIN_NONE &&
	    !cpuset_equal(first->span, c->t->domain[sd->child].span))
		return wrong(c, sd, "the first group is not the child");
	return true;
}

static bool check_numbers(struct checker *c, const struct sched_domain *sd)
{
	if (sd->weight != cpuset_weight(sd->span) || sd->weight < 2)
		return wrong(c, sd, "weight is not that of the span, or is 1");
	if (sd->level >= c->t->nr_levels)
		return wrong(c, sd, "level is beyond the table");
	if (!sd->min_interval_ms || sd->min_interval_ms > sd->max_interval_ms)
		return wrong(c, sd, "intervals are out of order");
	if (sd->imbalance_pct <= 100 || !sd->busy_factor || sd->cache_nice_tries > 2)
		return wrong(c, sd, "balance parameters are out of range");
	return true;
}

/* Flags that are shared downwards must be in the child, those shared upwards in the parent. */
static bool check_flags(struct checker *c, const struct sched_domain *sd,
			const struct sched_domain *parent)
{
	uint32_t shared_up = flags_shared(PARENT);

	if (parent->flags & flags_shared(CHILD) & ~sd->flags)
		return wrong(c, sd, "lacks a flag that its parent has");
	if (c->t->rules.asym == ASYM_LOWEST_LEVEL)
		shared_up &= ~(uint32_t)SD_ASYM_CPUCAPACITY;
	if (sd->flags & shared_up & ~parent->flags)
		return wrong(c, sd, "has a flag that its parent lacks");
	return true;
}

static bool check_parent(struct checker *c, const struct sched_domain *sd)
{
	const struct topology *t = c->t;
	const struct sched_domain *parent;

	if (sd->parent == DOMAIN_NONE)
		return true;
	if (sd->parent >= t->nr_domains)
		return wrong(c, sd, "parent does not exist");
	parent = &t->domain[sd->parent];
	if (parent->cpu != sd->cpu || parent->child != (uint32_t)(sd - t->domain) ||
	    parent->level <= sd->level)
		return wrong(c, sd, "parent is not the next domain of the cpu");
	if (!cpuset_subset(sd->span, parent->span))
		return wrong(c, sd, "span leaves the parent's");
	return check_flags(c, sd, parent);
}

static const struct cpuset *root_of(const struct topology *t, uint32_t cpu)
{
	for (uint32_t i = 0; i < t->nr_roots; i++) {
		if (cpuset_has(&t->root[i], cpu))
			return &t->root[i];
	}
	return NULL;
}

static bool check_domain(struct checker *c, const struct sched_domain *sd)
{
	const struct cpuset *root = root_of(c->t, sd->cpu);

	if (!check_numbers(c, sd))
		return false;
	if (!root || !cpuset_subset(sd->span, root) || !cpuset_has(sd->span, sd->cpu))
		return wrong(c, sd, "span leaves the root domain or lacks the cpu");
	return check_ring(c, sd) && check_first_group(c, sd) && check_parent(c, sd);
}

/* Levels below NUMA part the cpus: whoever is in the span and has that level has that span. */
static bool check_level(struct checker *c, const struct sched_domain *sd)
{
	const struct topology *t = c->t;

	if (t->level[sd->level].kind == LEVEL_NUMA || sd->cpu != cpuset_first(sd->span))
		return true;
	cpuset_for_each (cpu, sd->span) {
		uint32_t i = t->base[cpu];

		while (i != DOMAIN_NONE && t->domain[i].level < sd->level)
			i = t->domain[i].parent;
		if (i != DOMAIN_NONE && t->domain[i].level == sd->level &&
		    !cpuset_equal(t->domain[i].span, sd->span))
			return wrong(c, sd, "a member has another span at that level");
	}
	return true;
}

static bool wrong_cpu(struct checker *c, uint32_t cpu, const char *what)
{
	return err_set(c->err, "cpu%u: %s", cpu, what);
}

struct walk {
	uint32_t llc, numa, asym_packing, asym_capacity, top;
};

static struct walk walk_chain(const struct topology *t, uint32_t cpu)
{
	struct walk w = { DOMAIN_NONE, DOMAIN_NONE, DOMAIN_NONE, DOMAIN_NONE, DOMAIN_NONE };

	for (uint32_t i = t->base[cpu]; i != DOMAIN_NONE; i = t->domain[i].parent) {
		uint32_t flags = t->domain[i].flags;

		w.top = i;
		if (flags & SD_SHARE_LLC)
			w.llc = i;
		if (flags & SD_ASYM_PACKING)
			w.asym_packing = i;
		if (flags & SD_NUMA && w.numa == DOMAIN_NONE)
			w.numa = i;
		if (flags & topology_asym_flag(t) && w.asym_capacity == DOMAIN_NONE)
			w.asym_capacity = i;
	}
	return w;
}

static bool check_cluster(struct checker *c, uint32_t cpu)
{
	const struct topology *t = c->t;
	uint32_t cluster = DOMAIN_NONE, id = t->llc_id[cpu];

	for (uint32_t i = t->base[cpu]; i != DOMAIN_NONE && cluster == DOMAIN_NONE;
	     i = t->domain[i].parent)
		if (t->domain[i].flags & SD_CLUSTER)
			cluster = i;
	if (t->sd_cluster[cpu] != cluster)
		return wrong_cpu(c, cpu, "sd_cluster is not its cluster's domain");
	if (cluster != DOMAIN_NONE)
		id = cpuset_first(t->domain[cluster].span);
	return t->share_id[cpu] == id || wrong_cpu(c, cpu, "share_id is not the cluster's");
}

static bool check_llc(struct checker *c, uint32_t cpu)
{
	const struct topology *t = c->t;
	uint32_t llc = t->sd_llc[cpu];
	const struct cpuset *span = llc == DOMAIN_NONE ? NULL : t->domain[llc].span;

	if (t->llc_size[cpu] != (span ? cpuset_weight(span) : 1))
		return wrong_cpu(c, cpu, "llc_size is not the LLC's");
	if (t->llc_id[cpu] != (span ? cpuset_first(span) : cpu))
		return wrong_cpu(c, cpu, "llc_id is not the LLC's first cpu");
	if (!span)
		return t->llc_shared[cpu] == LLC_NONE ||
		       wrong_cpu(c, cpu, "shares state without LLC");
	if (t->llc_shared[cpu] >= t->nr_llc_shared ||
	    t->llc_shared[cpu] != t->llc_shared[cpuset_first(span)])
		return wrong_cpu(c, cpu, "does not share the LLC's state");
	return true;
}

static bool is_symmetric(const struct machine *m)
{
	cpuset_for_each (from, &m->nodes) {
		cpuset_for_each (to, &m->nodes) {
			if (machine_distance(m, from, to) != machine_distance(m, to, from))
				return false;
		}
	}
	return true;
}

/* With all distances known and the same both ways, the outermost domain is the whole root. */
static bool must_reach_root(const struct topology *t)
{
	uint32_t last = t->nr_levels - 1;

	return t->insane_level == DOMAIN_NONE && t->rules.numa_distances == NUMA_DISTANCES_OF_ALL &&
	       (t->level[last].kind == LEVEL_NUMA || t->level[last].kind == LEVEL_NODE);
}

static bool check_cpu(struct checker *c, uint32_t cpu)
{
	const struct topology *t = c->t;
	struct walk w = walk_chain(t, cpu);
	const struct cpuset *root = root_of(t, cpu);

	if (!cpuset_has(&t->active, cpu))
		return t->base[cpu] == DOMAIN_NONE || wrong_cpu(c, cpu, "inactive, with domains");
	if (!root)
		return wrong_cpu(c, cpu, "active, in no root domain");
	if (w.llc != t->sd_llc[cpu] || w.numa != t->sd_numa[cpu] ||
	    w.asym_packing != t->sd_asym_packing[cpu] ||
	    w.asym_capacity != t->sd_asym_capacity[cpu])
		return wrong_cpu(c, cpu, "a shortcut is not what its chain has");
	if (c->must_reach_root && cpuset_weight(root) > 1 &&
	    (w.top == DOMAIN_NONE || !cpuset_equal(t->domain[w.top].span, root)))
		return wrong_cpu(c, cpu, "its domains do not reach the whole root domain");
	return check_llc(c, cpu) && check_cluster(c, cpu);
}

static bool check_roots(struct checker *c)
{
	const struct topology *t = c->t;

	cpuset_clear(&c->work);
	for (uint32_t i = 0; i < t->nr_roots; i++) {
		if (cpuset_empty(&t->root[i]) || cpuset_intersects(&c->work, &t->root[i]))
			return err_set(c->err, "root domains are empty or overlap");
		cpuset_or(&c->work, &c->work, &t->root[i]);
	}
	if (!cpuset_equal(&c->work, &t->active) || !cpuset_subset(&t->active, &t->online))
		return err_set(c->err, "root domains do not hold the active cpus");
	return true;
}

static bool check_all(struct checker *c)
{
	const struct topology *t = c->t;

	if (!check_roots(c))
		return false;
	for (uint32_t i = 0; i < t->nr_domains; i++) {
		if (!check_domain(c, &t->domain[i]))
			return false;
	}
	for (uint32_t i = 0; i < t->nr_domains; i++) {
		if (!check_level(c, &t->domain[i]))
			return false;
	}
	for (uint32_t cpu = 0; cpu < t->nr_cpus; cpu++) {
		if (!check_cpu(c, cpu))
			return false;
	}
	return true;
}

bool topology_check(const struct topology *t, struct err *err)
{
	struct checker c = { .t = t, .err = err };
	struct arena scratch;
	bool fine;

	arena_init(&scratch);
	c.work = cpuset_new(&scratch, t->nr_cpus);
	c.symmetric = is_symmetric(t->machine);
	c.must_reach_root = c.symmetric && must_reach_root(t);
	fine = check_all(&c);
	arena_release(&scratch);
	return fine;
}
