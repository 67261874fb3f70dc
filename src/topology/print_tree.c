/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree for people.
 *
 * A node of the tree is a domain with the cpus that have it on the same way down from their root
 * domain: where NUMA domains overlap, several nodes may have one span. Siblings whose subtrees
 * have the same shape (levels, weights, flags; not cpu numbers) are printed once.
 */
#include "topology/print.h"

#include "base/hash.h"
#include "text/table.h"

#include <string.h>

enum {
	LINE_COLUMNS = 100,
	MAX_ROWS = TOPOLOGY_MAX_LEVELS * 2,
	USUAL_FLAGS = SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE,
};

struct node {
	const struct sched_domain *sd; /* the first owner's */
	struct cpuset owners;
	uint64_t shape;
	struct node *next, *child;
};

struct tree {
	struct arena arena;
	FILE *out;
	const struct topology *t;
	uint32_t *at; /* by cpu: its domain at the depth being built */
	char *list;
	size_t size;
};

static struct node *find_node(struct node *first, const struct sched_domain *sd)
{
	while (first && (first->sd->level != sd->level || first->sd->span != sd->span))
		first = first->next;
	return first;
}

static uint64_t own_shape(const struct topology *t, const struct node *node)
{
	const struct sched_domain *sd = node->sd;
	uint64_t h = HASH_START;

	h = hash_u64(h, sd->level);
	h = hash_u64(h, sd->weight);
	h = hash_u64(h, sd->flags);
	h = hash_u64(h, cpuset_weight(&node->owners));
	for (uint32_t i = 0; i < sd->nr_groups; i++)
		h = hash_u64(h, topology_group(t, sd, i)->weight);
	return h;
}

/* Nodes of the owners' current domains, in the order of their first cpus. */
static struct node *build_nodes(struct tree *tree, const struct cpuset *owners)
{
	struct node *first = NULL, **end = &first;

	cpuset_for_each (cpu, owners) {
		const struct sched_domain *sd;
		struct node *node;

		if (tree->at[cpu] == DOMAIN_NONE)
			continue;
		sd = &tree->t->domain[tree->at[cpu]];
		node = find_node(first, sd);
		if (!node) {
			node = *end = ARENA_NEW(&tree->arena, struct node);
			end = &node->next;
			node->sd = sd;
			node->owners = cpuset_new(&tree->arena, tree->t->nr_cpus);
		}
		cpuset_add(&node->owners, cpu);
		tree->at[cpu] = sd->child;
	}
	for (struct node *node = first; node; node = node->next) {
		node->shape = own_shape(tree->t, node);
		node->child = build_nodes(tree, &node->owners);
		for (struct node *child = node->child; child; child = child->next)
			node->shape = hash_u64(node->shape, child->shape);
	}
	return first;
}

static const char *list(struct tree *tree, const struct cpuset *set)
{
	return cpuset_print(set, tree->list, tree->size);
}

static const char *groups_text(struct tree *tree, const struct sched_domain *sd)
{
	const struct topology *t = tree->t;
	uint32_t sum = 0;
	bool equal = true;
	char *text;

	for (uint32_t i = 0; i < sd->nr_groups; i++) {
		equal &= topology_group(t, sd, i)->weight == topology_group(t, sd, 0)->weight;
		sum += topology_group(t, sd, i)->weight;
	}
	if (equal) {
		text = arena_printf(&tree->arena, "%u group%s of %u", sd->nr_groups,
				    sd->nr_groups > 1 ? "s" : "", topology_group(t, sd, 0)->weight);
	} else {
		text = arena_printf(&tree->arena, "groups of %u", topology_group(t, sd, 0)->weight);
		for (uint32_t i = 1; i < sd->nr_groups; i++)
			text = arena_printf(&tree->arena, "%s+%u", text,
					    topology_group(t, sd, i)->weight);
	}
	if (sd->groups_miss_span)
		return arena_printf(&tree->arena, "%s that miss part of the span", text);
	return sum > sd->weight ? arena_printf(&tree->arena, "%s, overlapping", text) : text;
}

/* "0-3 | 4-7 | …", cut to the columns that are left. */
static void print_spans(struct tree *tree, const struct node *node, size_t columns)
{
	uint64_t shape = node->shape;
	size_t used = 0;

	for (bool first = true; node; node = node->next) {
		const char *span;

		if (node->shape != shape)
			continue;
		span = list(tree, node->sd->span);
		if (used + strlen(span) + strlen(" | ") + strlen(" | …") > columns) {
			fputs(first ? "…" : " | …", tree->out);
			break;
		}
		used += (size_t)fprintf(tree->out, "%s%s", first ? "" : " | ", span);
		first = false;
	}
	fputc('\n', tree->out);
}

static uint32_t count_like(const struct node *node)
{
	uint32_t n = 0;

	for (const struct node *other = node; other; other = other->next)
		n += other->shape == node->shape;
	return n;
}

static bool printed_before(const struct node *first, const struct node *node)
{
	while (first != node && first->shape != node->shape)
		first = first->next;
	return first != node;
}

static void print_nodes(struct tree *tree, const struct node *first, int depth)
{
	for (const struct node *node = first; node; node = node->next) {
		const struct sched_domain *sd = node->sd;
		const struct topology_level *level = &tree->t->level[sd->level];
		uint32_t count = count_like(node);
		int used = 2 * depth;

		if (printed_before(first, node))
			continue;
		fprintf(tree->out, "%*s", used, "");
		if (count > 1)
			used += fprintf(tree->out, "%u x ", count);
		used += fprintf(tree->out, "%s of %u cpus", level->name, sd->weight);
		if (level->kind == LEVEL_NUMA)
			used += fprintf(tree->out, " within distance %u", level->numa_distance);
		used += fprintf(tree->out, ", %s: ", groups_text(tree, sd));
		print_spans(tree, node,
			    used < LINE_COLUMNS - 8 ? (size_t)(LINE_COLUMNS - used) : 8);
		print_nodes(tree, node->child, depth + 1);
	}
}

static void go_to_top(struct tree *tree, const struct cpuset *root)
{
	cpuset_for_each (cpu, root) {
		uint32_t i = tree->t->base[cpu];

		while (i != DOMAIN_NONE && tree->t->domain[i].parent != DOMAIN_NONE)
			i = tree->t->domain[i].parent;
		tree->at[cpu] = i;
	}
}

/* One row of the table of levels: domains that differ in span, interval and distance only. */
struct row {
	const struct sched_domain *sd;
	uint32_t least_ms, most_ms, least_imb, most_imb;
};

static bool same_row(const struct topology *t, const struct sched_domain *a,
		     const struct sched_domain *b)
{
	return t->level[a->level].name == t->level[b->level].name && a->flags == b->flags &&
	       a->imbalance_pct == b->imbalance_pct && a->busy_factor == b->busy_factor &&
	       a->cache_nice_tries == b->cache_nice_tries;
}

static void add_row(const struct topology *t, struct row *row, uint32_t *nr,
		    const struct sched_domain *sd)
{
	uint32_t i = 0;

	while (i < *nr && !same_row(t, row[i].sd, sd))
		i++;
	if (i == MAX_ROWS)
		return;
	if (i == *nr)
		row[(*nr)++] = (struct row){ sd, sd->min_interval_ms, sd->max_interval_ms,
					     sd->imb_numa_nr, sd->imb_numa_nr };
	if (sd->min_interval_ms < row[i].least_ms)
		row[i].least_ms = sd->min_interval_ms;
	if (sd->max_interval_ms > row[i].most_ms)
		row[i].most_ms = sd->max_interval_ms;
	if (sd->imb_numa_nr < row[i].least_imb)
		row[i].least_imb = sd->imb_numa_nr;
	if (sd->imb_numa_nr > row[i].most_imb)
		row[i].most_imb = sd->imb_numa_nr;
}

static void sort_rows(struct row *row, uint32_t nr)
{
	for (uint32_t i = 1; i < nr; i++) {
		struct row moved = row[i];
		uint32_t at = i;

		for (; at && row[at - 1].sd->level > moved.sd->level; at--)
			row[at] = row[at - 1];
		row[at] = moved;
	}
}

/* The four flags that nearly all domains have are one word. */
static void flags_cell(struct tree *tree, struct table *table, uint32_t flags)
{
	const char *text = "";

	if ((flags & USUAL_FLAGS) == USUAL_FLAGS) {
		text = "BALANCE";
		flags &= ~(uint32_t)USUAL_FLAGS;
	}
	for (uint32_t bit = 0; bit < NR_SD_FLAGS; bit++) {
		if (flags & 1u << bit)
			text = arena_printf(&tree->arena, "%s%s%s", text, *text ? " " : "",
					    topology_flag_name(tree->t, bit) + strlen("SD_"));
	}
	table_cell(table, "%s", text);
}

static void range_cell(struct table *table, uint32_t least, uint32_t most)
{
	if (least == most)
		table_cell(table, "%u", least);
	else
		table_cell(table, "%u..%u", least, most);
}

static struct table *new_table(struct tree *tree)
{
	static const char *const heading[] = { "level", "flags", "imbalance", "busy",
					       "ms",	"tries", "imb" };
	struct table *table = table_new(&tree->arena);

	for (uint32_t i = 0; i < sizeof(heading) / sizeof(heading[0]); i++)
		table_column(table, heading[i], i > 1 ? TABLE_RIGHT : TABLE_LEFT);
	return table;
}

static void print_levels(struct tree *tree)
{
	struct row *row = ARENA_ARRAY(&tree->arena, struct row, MAX_ROWS);
	struct table *table = new_table(tree);
	uint32_t nr = 0;

	for (uint32_t i = 0; i < tree->t->nr_domains; i++)
		add_row(tree->t, row, &nr, &tree->t->domain[i]);
	sort_rows(row, nr);
	for (uint32_t i = 0; i < nr; i++) {
		const struct sched_domain *sd = row[i].sd;

		table_cell(table, "%s", tree->t->level[sd->level].name);
		flags_cell(tree, table, sd->flags);
		table_cell(table, "%u%%", sd->imbalance_pct);
		table_cell(table, "%u", sd->busy_factor);
		range_cell(table, row[i].least_ms, row[i].most_ms);
		table_cell(table, "%u", sd->cache_nice_tries);
		range_cell(table, row[i].least_imb, row[i].most_imb);
	}
	if (!nr)
		return;
	table_print(table, tree->out, 0);
	fputs("BALANCE: on newidle, exec and fork, and WAKE_AFFINE; ms: balance interval; "
	      "imb: imb_numa_nr\n",
	      tree->out);
}

static void print_lone_cpus(struct tree *tree)
{
	struct cpuset lone = cpuset_new(&tree->arena, tree->t->nr_cpus);

	cpuset_for_each (cpu, &tree->t->online) {
		if (tree->t->base[cpu] == DOMAIN_NONE)
			cpuset_add(&lone, cpu);
	}
	if (!cpuset_empty(&lone))
		fprintf(tree->out, "no domains: %s\n", list(tree, &lone));
	if (tree->t->insane_level != DOMAIN_NONE)
		fprintf(tree->out,
			"the kernel refuses level %s: its sets of cpus overlap, or cut those "
			"below\n",
			tree->t->level[tree->t->insane_level].name);
}

void topology_print_tree(FILE *out, const struct topology *t)
{
	struct tree tree = { .out = out, .t = t };

	arena_init(&tree.arena);
	tree.size = (size_t)t->nr_cpus * 5 + 8;
	tree.list = ARENA_ARRAY(&tree.arena, char, tree.size);
	tree.at = ARENA_ARRAY(&tree.arena, uint32_t, t->nr_cpus);
	fprintf(out, "%s: %u cpus online, domains as %s builds them\n", t->machine->name,
		cpuset_weight(&t->online), t->rules.version);
	for (uint32_t i = 0; i < t->nr_roots; i++) {
		go_to_top(&tree, &t->root[i]);
		fprintf(out, "root domain %s\n", list(&tree, &t->root[i]));
		print_nodes(&tree, build_nodes(&tree, &t->root[i]), 1);
	}
	print_lone_cpus(&tree);
	fputc('\n', out);
	print_levels(&tree);
	arena_release(&tree.arena);
}
