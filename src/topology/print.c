/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms that list every cpu: the kernel's own and JSON; and the graph. */
#include "topology/print.h"

#include "text/json_write.h"

#include <string.h>

/* Room for any list of the machine's cpus: at most "8191," each. */
static char *list_room(struct arena *arena, const struct topology *t, size_t *size)
{
	*size = (size_t)t->nr_cpus * 5 + 8;
	return ARENA_ARRAY(arena, char, *size);
}

struct printer {
	FILE *out;
	const struct topology *t;
	char *list;
	size_t size;
};

static const char *list(struct printer *p, const struct cpuset *set)
{
	return cpuset_print(set, p->list, p->size);
}

const char *topology_flag_name(const struct topology *t, uint32_t bit)
{
	static const char *const names[] = {
#define SD_FLAG(name, shared, phrase) "SD_" #name,
#include "topology/sd_flags.def"
#undef SD_FLAG
	};

	if (bit == SD_BIT_SHARE_LLC && strcmp(t->rules.share_llc_name, "SHARE_LLC"))
		return "SD_SHARE_PKG_RESOURCES";
	return names[bit];
}

static void verbose_groups(struct printer *p, const struct sched_domain *sd, int depth)
{
	fprintf(p->out, "%*s groups:", depth + 1, "");
	for (uint32_t i = 0; i < sd->nr_groups; i++) {
		const struct sched_group *g = topology_group(p->t, sd, i);

		fprintf(p->out, "%s %u:{ span=%s", i ? "," : "", g->kernel_id, list(p, g->span));
		if (g->mask != g->span)
			fprintf(p->out, " mask=%s", list(p, g->mask));
		if (g->capacity != CAPACITY_FULL)
			fprintf(p->out, " cap=%llu", (unsigned long long)g->capacity);
		fputs(" }", p->out);
	}
	fputc('\n', p->out);
	if (sd->groups_miss_span)
		fputs("ERROR: groups don't span domain->span\n", p->out);
}

static void verbose_cpu(struct printer *p, uint32_t cpu)
{
	int depth = 0;

	if (p->t->base[cpu] == DOMAIN_NONE) {
		fprintf(p->out, "CPU%u attaching NULL sched-domain.\n", cpu);
		return;
	}
	fprintf(p->out, "CPU%u attaching sched-domain(s):\n", cpu);
	for (uint32_t i = p->t->base[cpu]; i != DOMAIN_NONE; i = p->t->domain[i].parent) {
		const struct sched_domain *sd = &p->t->domain[i];

		fprintf(p->out, "%*s domain-%d: span=%s level=%s\n", depth, "", depth,
			list(p, sd->span), p->t->level[sd->level].name);
		verbose_groups(p, sd, depth);
		depth++;
	}
}

void topology_print_verbose(FILE *out, const struct topology *t)
{
	struct printer p = { .out = out, .t = t };
	struct arena arena;

	arena_init(&arena);
	p.list = list_room(&arena, t, &p.size);
	cpuset_for_each (cpu, &t->online)
		verbose_cpu(&p, cpu);
	arena_release(&arena);
}

static void json_flags(struct json_writer *w, const struct topology *t, const char *key,
		       uint32_t flags)
{
	jw_key(w, key);
	jw_array(w);
	for (uint32_t bit = 0; bit < NR_SD_FLAGS; bit++) {
		if (flags & 1u << bit)
			jw_string(w, topology_flag_name(t, bit));
	}
	jw_array_end(w);
}

static void jw_number(struct json_writer *w, const char *key, uint64_t value)
{
	jw_key(w, key);
	jw_u64(w, value);
}

static void json_set(struct json_writer *w, struct printer *p, const char *key,
		     const struct cpuset *set)
{
	jw_key(w, key);
	jw_string(w, list(p, set));
}

static void json_group(struct json_writer *w, struct printer *p, const struct sched_group *g)
{
	jw_object(w);
	jw_number(w, "id", g->kernel_id);
	json_set(w, p, "span", g->span);
	if (g->mask != g->span)
		json_set(w, p, "mask", g->mask);
	if (g->capacity != CAPACITY_FULL)
		jw_number(w, "capacity", g->capacity);
	jw_object_end(w);
}

static void json_domain(struct json_writer *w, struct printer *p, const struct sched_domain *sd)
{
	jw_object(w);
	jw_key(w, "level");
	jw_string(w, p->t->level[sd->level].name);
	json_set(w, p, "span", sd->span);
	jw_key(w, "groups");
	jw_array(w);
	for (uint32_t i = 0; i < sd->nr_groups; i++)
		json_group(w, p, topology_group(p->t, sd, i));
	jw_array_end(w);
	json_flags(w, p->t, "flags", sd->flags);
	json_flags(w, p->t, "group_flags", topology_group(p->t, sd, 0)->flags);
	jw_number(w, "level_number", sd->level);
	jw_number(w, "imbalance_pct", sd->imbalance_pct);
	jw_number(w, "busy_factor", sd->busy_factor);
	jw_number(w, "min_interval_ms", sd->min_interval_ms);
	jw_number(w, "max_interval_ms", sd->max_interval_ms);
	jw_number(w, "cache_nice_tries", sd->cache_nice_tries);
	jw_number(w, "imb_numa_nr", sd->imb_numa_nr);
	jw_object_end(w);
}

static void json_cpu(struct json_writer *w, struct printer *p, uint32_t cpu)
{
	char name[16];

	snprintf(name, sizeof(name), "%u", cpu);
	jw_break(w);
	jw_key(w, name);
	jw_array(w);
	for (uint32_t i = p->t->base[cpu]; i != DOMAIN_NONE; i = p->t->domain[i].parent)
		json_domain(w, p, &p->t->domain[i]);
	jw_array_end(w);
}

void topology_print_json(FILE *out, const struct topology *t)
{
	struct json_writer w = json_writer(out);
	struct printer p = { .out = out, .t = t };
	struct arena arena;

	arena_init(&arena);
	p.list = list_room(&arena, t, &p.size);
	jw_object(&w);
	jw_key(&w, "kernel");
	jw_string(&w, t->rules.version);
	json_set(&w, &p, "online", &t->online);
	jw_key(&w, "roots");
	jw_array(&w);
	for (uint32_t i = 0; i < t->nr_roots; i++)
		jw_string(&w, list(&p, &t->root[i]));
	jw_array_end(&w);
	jw_key(&w, "cpus");
	jw_object(&w);
	cpuset_for_each (cpu, &t->online)
		json_cpu(&w, &p, cpu);
	jw_object_end(&w);
	jw_break(&w);
	jw_object_end(&w);
	fputc('\n', out);
	arena_release(&arena);
}

static bool same_box(const struct topology *t, uint32_t a, uint32_t b)
{
	if (a == DOMAIN_NONE || b == DOMAIN_NONE)
		return a == b;
	return t->domain[a].level == t->domain[b].level && t->domain[a].span == t->domain[b].span;
}

/* Has a cpu before this domain's one of the same level and span; and the same above it? */
static bool drawn_before(const struct topology *t, uint32_t index, bool with_parent)
{
	const struct sched_domain *sd = &t->domain[index];

	cpuset_for_each (cpu, sd->span) {
		if (cpu >= sd->cpu)
			return false;
		for (uint32_t i = t->base[cpu]; i != DOMAIN_NONE; i = t->domain[i].parent) {
			if (same_box(t, i, index) &&
			    (!with_parent || same_box(t, t->domain[i].parent, sd->parent)))
				return true;
		}
	}
	return false;
}

static void dot_name(struct printer *p, const struct sched_domain *sd)
{
	fprintf(p->out, "\"%u:%s\"", sd->level, list(p, sd->span));
}

static void dot_domain(struct printer *p, uint32_t index)
{
	const struct sched_domain *sd = &p->t->domain[index];

	if (!drawn_before(p->t, index, false)) {
		fputs("  ", p->out);
		dot_name(p, sd);
		fprintf(p->out, " [label=\"%s\\n%s\\n%u groups\"];\n", p->t->level[sd->level].name,
			list(p, sd->span), sd->nr_groups);
	}
	if (sd->parent != DOMAIN_NONE && !drawn_before(p->t, index, true)) {
		fputs("  ", p->out);
		dot_name(p, &p->t->domain[sd->parent]);
		fputs(" -> ", p->out);
		dot_name(p, sd);
		fputs(";\n", p->out);
	}
}

void topology_print_dot(FILE *out, const struct topology *t)
{
	struct printer p = { .out = out, .t = t };
	struct arena arena;

	arena_init(&arena);
	p.list = list_room(&arena, t, &p.size);
	fputs("digraph topology {\n  node [shape=box];\n", out);
	for (uint32_t i = 0; i < t->nr_domains; i++)
		dot_domain(&p, i);
	fputs("}\n", out);
	arena_release(&arena);
}
