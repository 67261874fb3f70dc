/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Both sides become text, a line for each domain of each cpu in one spelling, so that comparing is
 * comparing lines.
 */
#include "topology/diff.h"

#include "base/check.h"
#include "base/hash.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64, LIST_BYTES = 8 * 8192 };

struct chain {
	bool known;
	uint32_t nr;
	const char *line[MAX_DEPTH];
};

struct hierarchy {
	const char *name;
	uint32_t nr_cpus;
	struct chain *chain; /* by cpu */
};

static struct hierarchy *hierarchy_new(struct arena *arena, const char *name, uint32_t nr_cpus)
{
	struct hierarchy *h = ARENA_NEW(arena, struct hierarchy);

	h->name = arena_strdup(arena, name);
	h->nr_cpus = nr_cpus;
	h->chain = ARENA_ARRAY(arena, struct chain, nr_cpus);
	return h;
}

/* Text that grows; taking it ends it. */
struct growing {
	FILE *out;
	char *text;
	size_t size;
};

static void growing_start(struct growing *g)
{
	g->out = open_memstream(&g->text, &g->size);
	if (!g->out)
		die("no memory for a line of text");
}

static char *growing_take(struct growing *g, struct arena *arena)
{
	char *copy;

	fclose(g->out);
	g->out = NULL;
	copy = arena_strdup(arena, g->text);
	free(g->text);
	return copy;
}

static const char *domain_line(struct arena *arena, char *list, const struct topology *t,
			       const struct sched_domain *sd)
{
	struct growing text;

	growing_start(&text);
	fprintf(text.out, "%s %s:", t->level[sd->level].name,
		cpuset_print(sd->span, list, LIST_BYTES));
	for (uint32_t i = 0; i < sd->nr_groups; i++) {
		const struct sched_group *g = topology_group(t, sd, i);

		fprintf(text.out, " {%s", cpuset_print(g->span, list, LIST_BYTES));
		if (g->mask != g->span)
			fprintf(text.out, " mask=%s", cpuset_print(g->mask, list, LIST_BYTES));
		fputc('}', text.out);
	}
	return growing_take(&text, arena);
}

struct hierarchy *hierarchy_of(struct arena *arena, const struct topology *t, const char *name)
{
	struct hierarchy *h = hierarchy_new(arena, name, t->nr_cpus);
	char *list = arena_alloc(arena, LIST_BYTES, 1, 1);

	cpuset_for_each (cpu, &t->online) {
		struct chain *chain = &h->chain[cpu];

		chain->known = true;
		for (uint32_t i = t->base[cpu]; i != DOMAIN_NONE; i = t->domain[i].parent) {
			const char *line = domain_line(arena, list, t, &t->domain[i]);

			if (chain->nr < MAX_DEPTH)
				chain->line[chain->nr++] = line;
		}
	}
	return h;
}

struct log_reader {
	struct arena *arena;
	struct arena scratch;
	struct hierarchy *h;
	struct err *err;
	int line;
	struct chain *chain;   /* of the cpu whose lines are being read */
	struct growing domain; /* whose groups are being read */
	bool in_groups;
};

/* The domain being read has no more groups. */
static void end_domain(struct log_reader *r)
{
	r->in_groups = false;
	if (r->domain.out)
		r->chain->line[r->chain->nr++] = growing_take(&r->domain, r->arena);
}

static bool bad_line(struct log_reader *r, const char *what, const char *found)
{
	return err_set_at(r->err, r->h->name, r->line, 0, "%s '%.60s'", what, found);
}

/* Takes the list that starts at *at, checks it, and leaves *at behind it. */
static char *take_list(struct log_reader *r, const char **at)
{
	size_t length = strspn(*at, "0123456789,-");
	char *list = arena_printf(r->arena, "%.*s", (int)length, *at);
	struct cpuset set;

	arena_release(&r->scratch);
	set = cpuset_new(&r->scratch, MACHINE_MAX_CPUS);
	if (!length || !cpuset_parse(&set, list, NULL) || cpuset_empty(&set)) {
		bad_line(r, "not a list of cpus:", *at);
		return NULL;
	}
	*at += length;
	return list;
}

static bool attach_line(struct log_reader *r, const char *line)
{
	const char *cpu = strstr(line, "CPU");
	unsigned long number = cpu ? strtoul(cpu + 3, NULL, 10) : ULONG_MAX;

	if (number >= MACHINE_MAX_CPUS)
		return bad_line(r, "no cpu of this program's:", line);
	r->chain = &r->h->chain[number];
	*r->chain = (struct chain){ .known = true };
	return true;
}

/* "domain-0: span=0-3 level=MC"; before 4.13 "domain 0: span 0-3 level MC". */
static bool domain_head(struct log_reader *r, const char *line)
{
	const char *span = strstr(line, "span"), *level = strstr(line, "level"), *list;

	if (!span || !level)
		return bad_line(r, "no span and level in", line);
	if (r->chain->nr == MAX_DEPTH)
		return bad_line(r, "too many domains at", line);
	span += strcspn(span, "= ") + 1;
	level += strcspn(level, "= ") + 1;
	list = take_list(r, &span);
	if (!list)
		return false;
	growing_start(&r->domain);
	fprintf(r->domain.out, "%.*s %s:", (int)strcspn(level, " \r\n"), level, list);
	return true;
}

static void add_group(struct log_reader *r, const char *span, const char *mask)
{
	fprintf(r->domain.out, " {%s%s%s}", span, mask ? " mask=" : "", mask ? mask : "");
}

/* "0:{ span=0-1 mask=0 cap=2048 }, …" */
static bool new_groups(struct log_reader *r, const char *line)
{
	for (const char *at = strstr(line, "{ span="); at; at = strstr(at, "{ span=")) {
		const char *end = strchr(at, '}'), *found, *span, *mask = NULL;

		at += strlen("{ span=");
		span = take_list(r, &at);
		if (!span)
			return false;
		found = strstr(at, "mask=");
		if (found && (!end || found < end)) {
			found += strlen("mask=");
			mask = take_list(r, &found);
			if (!mask)
				return false;
		}
		add_group(r, span, mask);
	}
	return true;
}

/* "0-1 (cpu_capacity = 2048) 2-3": before 4.13. */
static bool old_groups(struct log_reader *r, const char *line)
{
	const char *at = strstr(line, "groups:") + strlen("groups:");

	for (at += strspn(at, " \r\n"); *at; at += strspn(at, " ,\r\n")) {
		const char *span;

		if (*at == '(') {
			at += strcspn(at, ")");
			at += *at == ')';
			continue;
		}
		span = take_list(r, &at);
		if (!span)
			return false;
		add_group(r, span, NULL);
	}
	return true;
}

static bool is_domain_head(const char *line)
{
	return strstr(line, "domain-") || (strstr(line, "domain ") && strstr(line, " level "));
}

static bool read_line(struct log_reader *r, const char *line)
{
	if (strstr(line, "attaching sched-domain") || strstr(line, "attaching NULL sched-domain")) {
		end_domain(r);
		return attach_line(r, line);
	}
	if (r->chain && is_domain_head(line)) {
		end_domain(r);
		return domain_head(r, line);
	}
	if (!r->domain.out)
		return true;
	if (strstr(line, "groups:")) {
		r->in_groups = true;
		return strstr(line, "{ span=") ? new_groups(r, line) : old_groups(r, line);
	}
	return !r->in_groups || new_groups(r, line);
}

static bool read_log(struct log_reader *r, FILE *log)
{
	char *line = NULL;
	size_t size = 0;
	bool fine = true;

	while (fine && getline(&line, &size, log) >= 0) {
		r->line++;
		fine = read_line(r, line);
	}
	free(line);
	end_domain(r);
	if (fine && !r->chain)
		return err_set_at(r->err, r->h->name, 0, 0,
				  "no 'attaching sched-domain' line (boot with sched_verbose)");
	return fine;
}

struct hierarchy *hierarchy_from_log(struct arena *arena, FILE *log, const char *name,
				     struct err *err)
{
	struct log_reader r = { .arena = arena, .err = err };
	bool fine;

	arena_init(&r.scratch);
	r.h = hierarchy_new(arena, name, MACHINE_MAX_CPUS);
	fine = read_log(&r, log);
	arena_release(&r.scratch);
	return fine ? r.h : NULL;
}

/* A difference and the cpus that have it. */
struct difference {
	struct difference *next;
	const char *text;
	uint64_t hash;
	struct cpuset cpus;
};

struct differences {
	struct arena arena;
	struct difference *first, **end;
	uint32_t bits, nr;
};

static void add_difference(struct differences *all, uint32_t cpu, const char *text)
{
	uint64_t hash = hash_bytes(HASH_START, text, strlen(text));
	struct difference *d = all->first;

	while (d && (d->hash != hash || strcmp(d->text, text)))
		d = d->next;
	if (!d) {
		d = *all->end = ARENA_NEW(&all->arena, struct difference);
		all->end = &d->next;
		d->text = text;
		d->hash = hash;
		d->cpus = cpuset_new(&all->arena, all->bits);
		all->nr++;
	}
	cpuset_add(&d->cpus, cpu);
}

static const char *line_at(const struct chain *chain, uint32_t depth)
{
	return chain && depth < chain->nr ? chain->line[depth] : "none";
}

static const struct chain *chain_of(const struct hierarchy *h, uint32_t cpu)
{
	return cpu < h->nr_cpus && h->chain[cpu].known ? &h->chain[cpu] : NULL;
}

static void diff_cpu(struct differences *all, const struct hierarchy *a, const struct hierarchy *b,
		     uint32_t cpu)
{
	const struct chain *in_a = chain_of(a, cpu), *in_b = chain_of(b, cpu);

	if (!in_a != !in_b) {
		add_difference(
			all, cpu,
			arena_printf(&all->arena, "only %s has them", in_a ? a->name : b->name));
		return;
	}
	for (uint32_t depth = 0; in_a && (depth < in_a->nr || depth < in_b->nr); depth++) {
		const char *ours = line_at(in_a, depth), *theirs = line_at(in_b, depth);

		if (strcmp(ours, theirs))
			add_difference(all, cpu,
				       arena_printf(&all->arena, "domain-%u\n  %s: %s\n  %s: %s",
						    depth, a->name, ours, b->name, theirs));
	}
}

uint32_t hierarchy_diff(FILE *out, const struct hierarchy *a, const struct hierarchy *b)
{
	struct differences all = { .bits = a->nr_cpus > b->nr_cpus ? a->nr_cpus : b->nr_cpus };
	char *list;

	arena_init(&all.arena);
	all.end = &all.first;
	list = arena_alloc(&all.arena, LIST_BYTES, 1, 1);
	for (uint32_t cpu = 0; cpu < all.bits; cpu++)
		diff_cpu(&all, a, b, cpu);
	for (const struct difference *d = all.first; d; d = d->next)
		fprintf(out, "cpus %s %s\n", cpuset_print(&d->cpus, list, LIST_BYTES), d->text);
	arena_release(&all.arena);
	return all.nr;
}
