/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the two hierarchies have in common (levels, root domains, online cpus) is the module's;
 * domains and groups are the kernel's. Equal sets become one set, and groups that nothing tells
 * apart one group, as the topology module has them.
 */
#include "engine/kernel/domains.h"

#include "base/check.h"
#include "engine/kernel/scratch.h"
#include "memory/memory.h"

#include "../kernel/abi.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DOMAINS = 16 }; /* of one cpu */

struct reading {
	struct arena *arena;
	const struct ks_image *ks;
	struct topology *t;
	const struct cpuset **set;
	uint32_t nr_sets, cap_sets, cap_domains, cap_groups, cap_ring;
};

static void *grow_array(struct arena *arena, void *array, uint32_t nr, uint32_t *cap, size_t size)
{
	void *bigger;

	if (nr < *cap)
		return array;
	*cap = *cap ? 2 * *cap : 256;
	bigger = arena_alloc(arena, *cap, size, 64);
	if (nr)
		memcpy(bigger, array, nr * size);
	return bigger;
}

static const struct cpuset *set_of(struct reading *r, const ks_u64 *words)
{
	struct cpuset set = cpuset_new(r->arena, r->t->nr_cpus), *kept;

	for (uint32_t i = 0; i < set.words; i++)
		set.word[i] = words[i];
	for (uint32_t i = 0; i < r->nr_sets; i++)
		if (cpuset_equal(r->set[i], &set))
			return r->set[i];
	r->set = grow_array(r->arena, r->set, r->nr_sets, &r->cap_sets, sizeof(*r->set));
	kept = ARENA_NEW(r->arena, struct cpuset);
	*kept = set;
	return r->set[r->nr_sets++] = kept;
}

/* The kernel numbers the flags that it has, in the order of sd_flags.def. */
static uint32_t flags_of(const struct topology_rules *rules, uint32_t theirs)
{
	uint32_t ours = 0, bit = 0;

	for (uint32_t i = 0; i < NR_SD_FLAGS; i++) {
		if ((i == SD_BIT_CLUSTER && !rules->has_cluster_flag) ||
		    (i == SD_BIT_OVERLAP && !rules->numa_shows_overlap))
			continue;
		if (theirs >> bit++ & 1)
			ours |= 1u << i;
	}
	return ours;
}

static bool same_group(const struct sched_group *a, const struct sched_group *b)
{
	return a->span == b->span && a->mask == b->mask && a->flags == b->flags &&
	       a->kernel_id == b->kernel_id && a->capacity == b->capacity;
}

static uint32_t group_number(struct reading *r, const struct sched_group *group)
{
	struct topology *t = r->t;

	for (uint32_t i = 0; i < t->nr_groups; i++)
		if (same_group(&t->group[i], group))
			return i;
	t->group = grow_array(r->arena, t->group, t->nr_groups, &r->cap_groups, sizeof(*t->group));
	t->group[t->nr_groups] = *group;
	t->group[t->nr_groups].id = t->nr_groups;
	return t->nr_groups++;
}

static uint32_t count_cores(const struct machine *m, const struct cpuset *span)
{
	uint32_t cores = 0;

	cpuset_for_each (cpu, span) {
		bool first = true;

		cpuset_for_each (other, span) {
			if (other >= cpu)
				break;
			first &= m->cpu[other].core != m->cpu[cpu].core;
		}
		cores += first;
	}
	return cores;
}

static void read_group(struct reading *r, uint32_t cpu, uint32_t i, uint32_t g)
{
	struct topology *t = r->t;
	struct ks_group theirs = { 0 };
	struct sched_group group;

	CHECK(r->ks->group(cpu, i, g, &theirs));
	group = (struct sched_group){
		.span = set_of(r, theirs.span),
		.mask = set_of(r, theirs.mask ? theirs.mask : theirs.span),
		.weight = theirs.weight,
		.flags = flags_of(&t->rules, theirs.flags),
		.capacity = theirs.capacity,
		.min_capacity = theirs.min_capacity,
		.max_capacity = theirs.max_capacity,
		.kernel_id = (uint32_t)theirs.id,
	};
	group.cores = count_cores(t->machine, group.span);
	t->ring = grow_array(r->arena, t->ring, t->nr_ring, &r->cap_ring, sizeof(*t->ring));
	t->ring[t->nr_ring++] = group_number(r, &group);
}

/* The level as the module numbers it, renamed when the kernel says otherwise. */
static uint32_t level_of(struct reading *r, const struct ks_domain *theirs)
{
	struct topology *t = r->t;
	uint32_t level = (uint32_t)theirs->level;

	CHECK(level < TOPOLOGY_MAX_LEVELS);
	while (t->nr_levels <= level)
		t->level[t->nr_levels++] = (struct topology_level){ LEVEL_NUMA, "?", 0 };
	if (strcmp(t->level[level].name, theirs->name))
		t->level[level].name = arena_strdup(r->arena, theirs->name);
	return level;
}

static void read_domain(struct reading *r, uint32_t cpu, uint32_t i, const struct ks_domain *theirs)
{
	struct topology *t = r->t;
	struct sched_domain *sd;

	t->domain =
		grow_array(r->arena, t->domain, t->nr_domains, &r->cap_domains, sizeof(*t->domain));
	sd = &t->domain[t->nr_domains];
	*sd = (struct sched_domain){
		.span = set_of(r, theirs->span),
		.cpu = cpu,
		.parent = DOMAIN_NONE,
		.child = i ? t->nr_domains - 1 : DOMAIN_NONE,
		.level = level_of(r, theirs),
		.weight = theirs->weight,
		.flags = flags_of(&t->rules, theirs->flags),
		.first_group = t->nr_ring,
		.nr_groups = theirs->nr_groups,
		.imbalance_pct = theirs->imbalance_pct,
		.busy_factor = theirs->busy_factor,
		.min_interval_ms = (uint32_t)theirs->min_interval,
		.max_interval_ms = (uint32_t)theirs->max_interval,
		.cache_nice_tries = theirs->cache_nice_tries,
		.imb_numa_nr = theirs->imb_numa_nr,
	};
	if (i)
		sd[-1].parent = t->nr_domains;
	t->nr_domains++;
	for (uint32_t g = 0; g < theirs->nr_groups; g++)
		read_group(r, cpu, i, g);
}

static void read_all(struct reading *r)
{
	struct topology *t = r->t;

	t->nr_domains = t->nr_groups = t->nr_ring = 0;
	t->insane_level = DOMAIN_NONE;
	t->base = ARENA_ARRAY(r->arena, uint32_t, t->nr_cpus);
	for (uint32_t cpu = 0; cpu < t->nr_cpus; cpu++) {
		struct ks_domain theirs;

		t->base[cpu] = DOMAIN_NONE;
		if (!cpuset_has(&t->online, cpu))
			continue;
		for (uint32_t i = 0; i < MAX_DOMAINS && r->ks->domain(cpu, i, &theirs); i++) {
			if (!i)
				t->base[cpu] = t->nr_domains;
			read_domain(r, cpu, i, &theirs);
		}
	}
}

static bool boot_and_read(struct reading *r, const struct machine *machine,
			  const struct cpuset *off, const char *image, struct err *err)
{
	struct kernel_scratch scratch;

	if (!(off ? kernel_scratch_open_without(&scratch, machine, off, image, err)
		  : kernel_scratch_open(&scratch, machine, image, err)))
		return false;
	r->ks = scratch.ks;
	read_all(r);
	kernel_scratch_close(&scratch);
	return true;
}

static uint32_t version_number(const char *text)
{
	char *end;
	unsigned long major = strtoul(text, &end, 10);

	return (uint32_t)(major * 1000 + (*end == '.' ? strtoul(end + 1, NULL, 10) : 0));
}

/* The newest row of plain versions ("v6.12") that is not newer. */
static bool rules_of(struct topology_rules *rules, const char *release, const char *arch,
		     struct err *err)
{
	uint32_t wanted = version_number(release), best = 0;
	const char *name = topology_rules_name(0);

	for (uint32_t i = 0; i < topology_nr_rules(); i++) {
		const char *row = topology_rules_name(i);
		uint32_t number = row[0] == 'v' ? version_number(row + 1) : 0;

		if (number > best && number <= wanted) {
			best = number;
			name = row;
		}
	}
	return topology_rules_for(name, arch, rules, err);
}

bool kernel_domains_read_without(struct kernel_domains *domains, struct arena *arena,
				 const struct machine *machine, const struct cpuset *off,
				 const char *image, const char *release, struct err *err)
{
	struct topology_options options = { .offline = off };
	struct reading r = { .arena = arena };
	struct topology_rules rules;

	if (!rules_of(&rules, release, machine->arch, err))
		return false;
	/* Before 6.10 that is so without cpusets, which images do not have. */
	rules.masks_have_leaving_cpu = true;
	domains->model = topology_build(arena, machine, &rules, &options, err);
	if (!domains->model)
		return false;
	domains->real = r.t = ARENA_NEW(arena, struct topology);
	*r.t = *domains->model;
	return boot_and_read(&r, machine, off, image, err);
}

bool kernel_domains_read(struct kernel_domains *domains, struct arena *arena,
			 const struct machine *machine, const char *image, const char *release,
			 struct err *err)
{
	return kernel_domains_read_without(domains, arena, machine, NULL, image, release, err);
}

/* ---- differences ---- */

struct difference {
	const struct topology *real, *model;
	struct arena *arena;
	uint32_t cpu, depth;
};

static const char *say(const struct difference *d, const char *what, const char *real,
		       const char *model)
{
	return arena_printf(d->arena,
			    "cpu %u domain-%u: %s is %s in the kernel and %s in the module", d->cpu,
			    d->depth, what, real, model);
}

static const char *set_text(const struct difference *d, const struct cpuset *set)
{
	char text[2048];

	return arena_strdup(d->arena, cpuset_print(set, text, sizeof(text)));
}

static const char *differ_sets(const struct difference *d, const char *what,
			       const struct cpuset *real, const struct cpuset *model)
{
	if (cpuset_equal(real, model))
		return NULL;
	return say(d, what, set_text(d, real), set_text(d, model));
}

static const char *differ_numbers(const struct difference *d, const struct sched_domain *a,
				  const struct sched_domain *b)
{
	const struct {
		const char *what;
		uint32_t real, model;
	} rows[] = {
		{ "flags", a->flags, b->flags },
		{ "span_weight", a->weight, b->weight },
		{ "imbalance_pct", a->imbalance_pct, b->imbalance_pct },
		{ "busy_factor", a->busy_factor, b->busy_factor },
		{ "min_interval", a->min_interval_ms, b->min_interval_ms },
		{ "max_interval", a->max_interval_ms, b->max_interval_ms },
		{ "cache_nice_tries", a->cache_nice_tries, b->cache_nice_tries },
		{ "imb_numa_nr", a->imb_numa_nr, b->imb_numa_nr },
		{ "the number of groups", a->nr_groups, b->nr_groups },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].real != rows[i].model)
			return say(d, rows[i].what,
				   arena_printf(d->arena, i ? "%u" : "%#x", rows[i].real),
				   arena_printf(d->arena, i ? "%u" : "%#x", rows[i].model));
	return NULL;
}

static const char *differ_groups(const struct difference *d, const struct sched_domain *a,
				 const struct sched_domain *b)
{
	for (uint32_t i = 0; i < a->nr_groups; i++) {
		const struct sched_group *real = topology_group(d->real, a, i);
		const struct sched_group *model = topology_group(d->model, b, i);
		const char *what = arena_printf(d->arena, "group %u", i);
		const char *mask = arena_printf(d->arena, "the balance mask of group %u", i);
		const char *found = differ_sets(d, what, real->span, model->span);

		if (!found)
			found = differ_sets(d, mask, real->mask, model->mask);
		if (found)
			return found;
	}
	return NULL;
}

static const char *differ_domains(const struct difference *d, const struct sched_domain *a,
				  const struct sched_domain *b)
{
	const char *real = d->real->level[a->level].name;
	const char *model = d->model->level[b->level].name;
	const char *found = NULL;

	if (strcmp(real, model))
		return say(d, "the level", real, model);
	found = differ_sets(d, "the span", a->span, b->span);
	if (!found)
		found = differ_numbers(d, a, b);
	return found ? found : differ_groups(d, a, b);
}

static const char *differ_cpu(struct difference *d)
{
	uint32_t a = d->real->base[d->cpu], b = d->model->base[d->cpu];

	for (d->depth = 0; a != DOMAIN_NONE && b != DOMAIN_NONE; d->depth++) {
		const char *found = differ_domains(d, &d->real->domain[a], &d->model->domain[b]);

		if (found)
			return found;
		a = d->real->domain[a].parent;
		b = d->model->domain[b].parent;
	}
	if (a == b)
		return NULL;
	return say(d, "the domain", a == DOMAIN_NONE ? "missing" : "there",
		   b == DOMAIN_NONE ? "missing" : "there");
}

const char *kernel_domains_difference(const struct kernel_domains *domains, struct arena *arena)
{
	struct difference d = { .real = domains->real, .model = domains->model, .arena = arena };

	cpuset_for_each (cpu, &domains->model->online) {
		const char *found;

		d.cpu = cpu;
		found = differ_cpu(&d);
		if (found)
			return found;
	}
	return NULL;
}
