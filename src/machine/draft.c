/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Labels become dense ids in the order of cpus, so a record depends on what its source says and
 * not on how it says it.
 */
#include "machine/draft.h"

#include "base/check.h"
#include "base/hash.h"
#include "machine/presets.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DISTANCE_LOCAL = 10, DISTANCE_REMOTE = 20 };

void draft_init(struct draft *d, struct arena *arena, uint32_t nr_cpus, uint32_t nr_nodes)
{
	CHECK(nr_cpus <= MACHINE_MAX_CPUS && nr_nodes <= MACHINE_MAX_NODES);
	*d = (struct draft){ .arena = arena, .nr_cpus = nr_cpus, .nr_nodes = nr_nodes };
	d->cpu = ARENA_ARRAY(arena, struct draft_cpu, nr_cpus);
	d->nodes = cpuset_new(arena, nr_nodes);
}

uint32_t *draft_distances(struct draft *d)
{
	d->distance = ARENA_ARRAY(d->arena, uint32_t, (size_t)d->nr_nodes * d->nr_nodes);
	return d->distance;
}

struct draft_cpu *draft_cpu(struct draft *d, uint32_t cpu, uint32_t node)
{
	CHECK(cpu < d->nr_cpus && node < d->nr_nodes);
	cpuset_add(&d->nodes, node);
	d->cpu[cpu] = (struct draft_cpu){
		.present = true, .online = true, .node = node, .capacity = CAPACITY_FULL
	};
	return &d->cpu[cpu];
}

void draft_assume(struct draft *d, const char *format, ...)
{
	char text[480];
	va_list args;

	if (d->nr_assumed == DRAFT_MAX_ASSUMED)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	d->assumed[d->nr_assumed++] = arena_strdup(d->arena, text);
}

/* Linux 5.4 raised it there, because firmware of two-socket EPYCs states a distance of 32. */
uint32_t draft_zen_reclaim(bool zen_vendor, uint32_t family)
{
	return zen_vendor && family >= 0x17 ? 32 : 0;
}

void draft_cost(struct draft *d, enum cost cost, uint64_t value, const char *source)
{
	d->costs.of[cost] = (struct cost_value){ .value = value, .source = source };
}

/* Open addressing over a table at most half full: label -> dense id. */
struct dense {
	uint32_t size, count;
	uint64_t *label;
	uint32_t *id; /* + 1; 0 = free */
};

static uint32_t dense_id(struct dense *t, uint64_t label)
{
	uint32_t at = (uint32_t)hash_u64(HASH_START, label) & (t->size - 1);

	while (t->id[at] && t->label[at] != label)
		at = (at + 1) & (t->size - 1);
	if (!t->id[at]) {
		t->label[at] = label;
		t->id[at] = ++t->count;
	}
	return t->id[at] - 1;
}

static uint32_t *level_id(struct machine_cpu *cpu, int label)
{
	switch ((enum label)label) {
	case LABEL_CORE: return &cpu->core;
	case LABEL_CLUSTER: return &cpu->cluster;
	case LABEL_LLC: return &cpu->llc;
	case LABEL_DIE: return &cpu->die;
	case LABEL_PACKAGE: return &cpu->package;
	case NR_LABELS: break;
	}
	CHECK(false);
	return NULL;
}

/* Numbers one level; returns how many ids it has. */
static uint32_t number_level(const struct draft *d, struct arena *scratch, struct machine *m,
			     int label)
{
	int from = label == LABEL_CLUSTER && !d->has_clusters ? LABEL_CORE : label;
	struct dense t = { .size = 16 };

	while (t.size < 2 * d->nr_cpus)
		t.size *= 2;
	t.label = ARENA_ARRAY(scratch, uint64_t, t.size);
	t.id = ARENA_ARRAY(scratch, uint32_t, t.size);
	cpuset_for_each (cpu, &m->present)
		*level_id(&m->cpu[cpu], label) = dense_id(&t, d->cpu[cpu].label[from]);
	return t.count;
}

static void number_levels(const struct draft *d, struct machine *m)
{
	struct arena scratch;

	arena_init(&scratch);
	m->nr_cores = number_level(d, &scratch, m, LABEL_CORE);
	m->nr_clusters = number_level(d, &scratch, m, LABEL_CLUSTER);
	m->nr_llcs = number_level(d, &scratch, m, LABEL_LLC);
	m->nr_dies = number_level(d, &scratch, m, LABEL_DIE);
	m->nr_packages = number_level(d, &scratch, m, LABEL_PACKAGE);
	arena_release(&scratch);
}

static void place_cpus(const struct draft *d, struct machine *m)
{
	m->has_clusters = d->has_clusters;
	m->nr_cpus = d->nr_cpus;
	m->present = cpuset_new(d->arena, d->nr_cpus);
	m->online = cpuset_new(d->arena, d->nr_cpus);
	m->cpu = ARENA_ARRAY(d->arena, struct machine_cpu, d->nr_cpus);
	for (uint32_t cpu = 0; cpu < d->nr_cpus; cpu++) {
		if (!d->cpu[cpu].present)
			continue;
		cpuset_add(&m->present, cpu);
		if (d->cpu[cpu].online)
			cpuset_add(&m->online, cpu);
		m->cpu[cpu].node = d->cpu[cpu].node;
		m->cpu[cpu].capacity = d->cpu[cpu].capacity;
	}
	number_levels(d, m);
}

static void place_nodes(struct draft *d, struct machine *m)
{
	m->nr_nodes = d->nr_nodes;
	m->nodes = d->nodes;
	m->node_cpus = ARENA_ARRAY(d->arena, struct cpuset, d->nr_nodes);
	for (uint32_t node = 0; node < d->nr_nodes; node++)
		m->node_cpus[node] = cpuset_new(d->arena, d->nr_cpus);
	cpuset_for_each (cpu, &m->present)
		cpuset_add(&m->node_cpus[m->cpu[cpu].node], cpu);
	if (!d->distance) {
		draft_distances(d);
		cpuset_for_each (from, &d->nodes)
			cpuset_for_each (to, &d->nodes)
				d->distance[from * d->nr_nodes + to] =
					from == to ? DISTANCE_LOCAL : DISTANCE_REMOTE;
		if (cpuset_weight(&d->nodes) > 1)
			draft_assume(d, "node distances are %d and %d", DISTANCE_LOCAL,
				     DISTANCE_REMOTE);
	}
	m->distance = d->distance;
	m->reclaim_distance = d->reclaim_distance;
}

/* Documented machines stand in for the ones that say nothing of costs. */
static const struct {
	const char *arch, *preset;
} nearest[] = { { "x86_64", "clx-8260-2s" }, { "arm64", "kunpeng920" }, { "ppc64le", "power9" } };

static const char *nearest_preset(const char *arch)
{
	for (size_t i = 0; i < sizeof(nearest) / sizeof(nearest[0]); i++)
		if (!strcmp(arch, nearest[i].arch) && preset_find(nearest[i].preset))
			return nearest[i].preset;
	return nearest[0].preset;
}

static uint32_t missing_costs(const struct machine_costs *costs)
{
	uint32_t missing = !costs->nr_distances + !costs->idle_source;

	for (int i = 0; i < NR_COSTS; i++)
		missing += !costs->of[i].source;
	return missing;
}

static bool settle_costs(struct draft *d, struct err *err)
{
	uint32_t missing = missing_costs(&d->costs);

	if (!missing)
		return true;
	if (!d->inherit)
		d->inherit = nearest_preset(d->arch);
	if (!costs_inherit(d->arena, &d->costs, d->inherit, err))
		return false;
	if (!d->inherit_said)
		draft_assume(d, "%u of %d costs are those of %s", missing, NR_COSTS + 2,
			     d->inherit);
	missing = missing_costs(&d->costs);
	return !missing ||
	       err_set(err, "%u costs are missing and %s does not have them", missing, d->inherit);
}

/* A file's name and what hardware calls itself may hold anything; tables take one line. */
static const char *one_line(struct arena *arena, const char *text)
{
	char *copy = arena_strdup(arena, text);

	for (char *at = copy; *at; at++)
		if (iscntrl((unsigned char)*at))
			*at = '?';
	return copy;
}

struct machine *draft_finish(struct draft *d, struct err *err)
{
	struct machine *m = ARENA_NEW(d->arena, struct machine);

	if (!d->arch) {
		d->arch = "x86_64";
		draft_assume(d, "the architecture is x86_64");
	}
	place_cpus(d, m);
	place_nodes(d, m);
	if (!settle_costs(d, err))
		return NULL;
	m->name = one_line(d->arena, d->name);
	m->title = d->title ? one_line(d->arena, d->title) : m->name;
	m->arch = d->arch;
	m->costs = d->costs;
	if (d->nr_assumed) {
		const char **assumed = ARENA_ARRAY(d->arena, const char *, d->nr_assumed);

		memcpy(assumed, d->assumed, d->nr_assumed * sizeof(*assumed));
		m->assumed = assumed;
		m->nr_assumed = d->nr_assumed;
	}
	return machine_check(m, err) ? m : NULL;
}
