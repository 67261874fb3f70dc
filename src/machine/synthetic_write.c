/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A synthetic string is a tree of equal branches, so the machine's levels are put from the
 * coarsest to the finest, and each must cut all units of the one above into equally many parts.
 * Cpu and node ids that do not count along the tree are written as indexes. Last, the string is
 * read: what is returned is known to give the same machine.
 */
#include "base/check.h"
#include "machine/hwloc_read.h"
#include "machine/read.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS = 6, TEXT_BYTES = 4095, REMOTE_DISTANCE = 20 };

static const struct level_kind {
	const char *type, *name;
	size_t id; /* in struct machine_cpu */
	bool always;
} kinds[LEVELS] = {
	{ "pack", "package", offsetof(struct machine_cpu, package), true },
	{ "numa", "node", offsetof(struct machine_cpu, node), true },
	{ "die", "die", offsetof(struct machine_cpu, die), false },
	{ "l3", "LLC", offsetof(struct machine_cpu, llc), true },
	{ "l2", "cluster", offsetof(struct machine_cpu, cluster), false },
	{ "core", "core", offsetof(struct machine_cpu, core), true },
};
enum { PACKAGE, NODE, DIE, LLC, CLUSTER, CORE };

struct level {
	const struct level_kind *kind;
	uint32_t count;
};

struct tree {
	const struct machine *m;
	struct arena *arena;
	struct err *err;
	uint32_t nr_cpus, nr_levels;
	struct level level[LEVELS]; /* from outside in */
	uint32_t *order;	    /* cpus as the tree has them */
};

static uint32_t id_of(const struct tree *t, const struct level *level, uint32_t cpu)
{
	const char *base = (const char *)&t->m->cpu[cpu];

	return *(const uint32_t *)(const void *)(base + level->kind->id);
}

/* What no synthetic string says, whatever the shape. */
static bool expressible(const struct machine *m, struct err *err)
{
	cpuset_for_each (cpu, &m->present) {
		if (!cpuset_has(&m->online, cpu))
			return err_set(err, "no synthetic form: cpu %u is offline", cpu);
		if (m->cpu[cpu].capacity != CAPACITY_FULL)
			return err_set(err, "no synthetic form: cpu %u has a capacity of %u", cpu,
				       m->cpu[cpu].capacity);
	}
	cpuset_for_each (from, &m->nodes) {
		if (cpuset_empty(&m->node_cpus[from]))
			return err_set(err, "no synthetic form: node %u has no cpu", from);
		cpuset_for_each (to, &m->nodes) {
			if (from != to && machine_distance(m, from, to) != REMOTE_DISTANCE)
				return err_set(err,
					       "no synthetic form: the distance from node %u to "
					       "node %u is %u (a synthetic machine has %d "
					       "everywhere)",
					       from, to, machine_distance(m, from, to),
					       REMOTE_DISTANCE);
		}
	}
	return true;
}

/* Coarser levels first; of equal ones the row that comes first in `kinds`. */
static void sort_levels(struct tree *t)
{
	const struct machine *m = t->m;
	const uint32_t counts[LEVELS] = { m->nr_packages, cpuset_weight(&m->nodes), m->nr_dies,
					  m->nr_llcs,	  m->nr_clusters,	    m->nr_cores };

	for (int i = 0; i < LEVELS; i++) {
		struct level level = { &kinds[i], counts[i] };
		uint32_t at = t->nr_levels;

		if ((i == DIE && counts[DIE] == counts[PACKAGE]) ||
		    (i == CLUSTER && counts[CLUSTER] == counts[CORE]))
			continue;
		for (; at && t->level[at - 1].count > level.count; at--)
			t->level[at] = t->level[at - 1];
		t->level[at] = level;
		t->nr_levels++;
	}
}

/* Stable sort of the cpus by one level's ids. */
static void sort_by(struct tree *t, const struct level *level, uint32_t limit)
{
	uint32_t *start = ARENA_ARRAY(t->arena, uint32_t, (size_t)limit + 1);
	uint32_t *sorted = ARENA_ARRAY(t->arena, uint32_t, t->nr_cpus);

	for (uint32_t i = 0; i < t->nr_cpus; i++)
		start[id_of(t, level, t->order[i]) + 1]++;
	for (uint32_t id = 0; id < limit; id++)
		start[id + 1] += start[id];
	for (uint32_t i = 0; i < t->nr_cpus; i++)
		sorted[start[id_of(t, level, t->order[i])]++] = t->order[i];
	t->order = sorted;
}

static void sort_cpus(struct tree *t)
{
	uint32_t i = 0;

	t->nr_cpus = cpuset_weight(&t->m->present);
	t->order = ARENA_ARRAY(t->arena, uint32_t, t->nr_cpus);
	cpuset_for_each (cpu, &t->m->present)
		t->order[i++] = cpu;
	for (uint32_t level = t->nr_levels; level-- > 0;)
		sort_by(t, &t->level[level],
			t->m->nr_cpus > t->m->nr_nodes ? t->m->nr_cpus : t->m->nr_nodes);
}

/* In tree order the units of a level are runs of one length, each unit in one run. */
static bool regular(struct tree *t, uint32_t depth)
{
	const struct level *level = &t->level[depth];
	uint32_t length = t->nr_cpus / level->count;

	for (uint32_t i = 0; i < t->nr_cpus;) {
		uint32_t id = id_of(t, level, t->order[i]), end = i;

		while (end < t->nr_cpus && id_of(t, level, t->order[end]) == id)
			end++;
		if (end - i != length || t->nr_cpus % level->count)
			return err_set(t->err,
				       "no synthetic form: it is not regular: %u cpus in %u %ss, "
				       "but %u together in %s %u",
				       t->nr_cpus, level->count, level->kind->name, end - i,
				       level->kind->name, id);
		i = end;
	}
	return true;
}

/*
 * Ids that follow from the places of a tree: each level adds its digit times a weight, and the
 * weights are the products of the counts of the levels with lower ones. hwloc writes that as
 * loops STEP*COUNT from the lowest weight up. NULL when the ids do not follow so.
 */
static const char *as_loops(struct tree *t, const uint32_t *ids, uint32_t nr, const uint32_t *step,
			    const uint32_t *count, uint32_t nr_digits)
{
	const char *text = "";
	uint32_t weight = 1;

	for (uint32_t done = 0; done < nr_digits; done++) {
		uint32_t digit = 0;

		while (digit < nr_digits && (count[digit] < 2 || ids[step[digit]] != weight))
			digit++;
		if (digit == nr_digits)
			break;
		text = arena_printf(t->arena, "%s%s%u*%u", text, *text ? ":" : "", step[digit],
				    count[digit]);
		weight *= count[digit];
	}
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t id = 0;

		for (uint32_t digit = 0; digit < nr_digits; digit++)
			if (count[digit] > 1)
				id += i / step[digit] % count[digit] * ids[step[digit]];
		if (id != ids[i])
			return NULL;
	}
	return weight == nr ? text : NULL;
}

static const char *as_list(struct tree *t, const uint32_t *ids, uint32_t nr)
{
	char *text = arena_alloc(t->arena, nr, 12, 1);
	size_t length = 0;

	for (uint32_t i = 0; i < nr; i++)
		length += (size_t)sprintf(text + length, i ? ",%u" : "%u", ids[i]);
	return text;
}

/* "(indexes=…)" for ids of the first nr_levels levels' innermost units; empty when 0, 1, 2, … */
static const char *indexes(struct tree *t, const uint32_t *ids, uint32_t nr, uint32_t nr_levels)
{
	uint32_t step[LEVELS + 1], count[LEVELS + 1], above = 1, counting = 0;
	const char *text;

	while (counting < nr && ids[counting] == counting)
		counting++;
	if (counting == nr)
		return "";
	for (uint32_t i = 0; i < nr_levels; i++) {
		uint32_t units = i < t->nr_levels ? t->level[i].count : t->nr_cpus;

		step[i] = nr / units;
		count[i] = units / above;
		above = units;
	}
	text = as_loops(t, ids, nr, step, count, nr_levels);
	return arena_printf(t->arena, "(indexes=%s)", text ? text : as_list(t, ids, nr));
}

static const char *level_text(struct tree *t, uint32_t depth)
{
	const struct level *level = &t->level[depth];
	uint32_t above = depth ? t->level[depth - 1].count : 1;
	uint32_t *ids = ARENA_ARRAY(t->arena, uint32_t, level->count);

	for (uint32_t i = 0; i < level->count; i++)
		ids[i] = id_of(t, level, t->order[i * (t->nr_cpus / level->count)]);
	return arena_printf(t->arena, "%s:%u%s", level->kind->type, level->count / above,
			    level->kind == &kinds[NODE] ? indexes(t, ids, level->count, depth + 1)
							: "");
}

/* NULL and err when the levels do not nest in equal parts. */
static char *write_tree(struct tree *t)
{
	char *text = arena_strdup(t->arena, "");

	for (uint32_t depth = 0; depth < t->nr_levels; depth++) {
		const struct level *level = &t->level[depth];

		if (!regular(t, depth))
			return NULL;
		if (depth && level->count % level[-1].count) {
			err_set(t->err, "no synthetic form: it is not regular: %u %ss in %u %ss",
				level->count, level->kind->name, level[-1].count,
				level[-1].kind->name);
			return NULL;
		}
		text = arena_printf(t->arena, "%s%s ", text, level_text(t, depth));
	}
	return arena_printf(t->arena, "%spu:%u%s", text,
			    t->nr_cpus / t->level[t->nr_levels - 1].count,
			    indexes(t, t->order, t->nr_cpus, t->nr_levels + 1));
}

static bool same_shape(const struct machine *a, const struct machine *b)
{
	if (a->nr_cpus != b->nr_cpus || a->nr_nodes != b->nr_nodes ||
	    !cpuset_equal(&a->present, &b->present) || !cpuset_equal(&a->nodes, &b->nodes))
		return false;
	cpuset_for_each (cpu, &a->present) {
		if (memcmp(&a->cpu[cpu], &b->cpu[cpu], sizeof(a->cpu[cpu])))
			return false;
	}
	return true;
}

char *machine_to_synthetic(struct arena *arena, const struct machine *m, struct err *err)
{
	struct tree t = { .m = m, .arena = arena, .err = err };
	struct machine *again;
	char *text;

	if (!expressible(m, err))
		return NULL;
	sort_levels(&t);
	sort_cpus(&t);
	text = write_tree(&t);
	if (!text)
		return NULL;
	if (strlen(text) > TEXT_BYTES) {
		err_set(err,
			"no synthetic form: its cpu ids follow no rule and would make a string of "
			"%zu characters (allowed: %d)",
			strlen(text), TEXT_BYTES);
		return NULL;
	}
	again = hwloc_read_synthetic(arena, text, err);
	if (again && !same_shape(m, again))
		err_set(err, "no synthetic form: hwloc reads '%.200s' as another machine", text);
	return again && same_shape(m, again) ? text : NULL;
}
