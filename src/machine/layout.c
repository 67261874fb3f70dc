/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cores count package by package and node by node; cpu ids follow from the numbering.
 */
#include "machine/layout.h"

#include "base/check.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DISTANCE_LOCAL = 10, DISTANCE_HOP = 10, DISTANCE_MAX = 255 };

const char *const numbering_names[NR_NUMBERINGS] = { "threads-last", "threads-adjacent" };
const char *const wiring_names[NR_WIRINGS] = { "mesh", "ring", "line" };

static bool divides(uint64_t part, uint64_t whole, const char *part_name, const char *whole_name,
		    struct err *err)
{
	if (part && whole % part == 0)
		return true;
	return err_set(err, "%llu %s cannot be shared out evenly over %llu %s",
		       (unsigned long long)whole, whole_name, (unsigned long long)part, part_name);
}

static bool layout_check(const struct layout *l, struct err *err)
{
	uint64_t cpus, nodes;

	if (!l->packages || !l->nodes_per_package || !l->cores_per_node || !l->threads_per_core)
		return err_set(err,
			       "a machine of %llu x %llu x %llu x %llu has no cpu "
			       "(packages, nodes, cores and threads are each at least 1)",
			       (unsigned long long)l->packages,
			       (unsigned long long)l->nodes_per_package,
			       (unsigned long long)l->cores_per_node,
			       (unsigned long long)l->threads_per_core);
	if (__builtin_mul_overflow(l->packages, l->nodes_per_package, &nodes) ||
	    nodes > MACHINE_MAX_NODES)
		return err_set(err, "%llu packages x %llu nodes are too many (allowed: %d nodes)",
			       (unsigned long long)l->packages,
			       (unsigned long long)l->nodes_per_package, MACHINE_MAX_NODES);
	if (__builtin_mul_overflow(nodes, l->cores_per_node, &cpus) ||
	    __builtin_mul_overflow(cpus, l->threads_per_core, &cpus) || cpus > MACHINE_MAX_CPUS)
		return err_set(err,
			       "%llu nodes x %llu cores x %llu threads are too many cpus "
			       "(allowed: %d)",
			       (unsigned long long)nodes, (unsigned long long)l->cores_per_node,
			       (unsigned long long)l->threads_per_core, MACHINE_MAX_CPUS);
	return divides(l->dies_per_package, l->nodes_per_package * l->cores_per_node,
		       "dies of a package", "cores", err) &&
	       divides(l->cores_per_llc, l->cores_per_node, "cores of an LLC", "cores of a node",
		       err) &&
	       (!l->cores_per_cluster || divides(l->cores_per_cluster, l->cores_per_node,
						 "cores of a cluster", "cores of a node", err));
}

bool layout_draft(struct draft *d, struct arena *arena, const struct layout *given, struct err *err)
{
	struct layout l = *given;
	uint64_t cores, per_package, per_die;

	if (!l.cores_per_llc)
		l.cores_per_llc = l.cores_per_node;
	if (!layout_check(&l, err))
		return false;
	per_package = l.nodes_per_package * l.cores_per_node;
	per_die = per_package / l.dies_per_package;
	cores = l.packages * per_package;
	draft_init(d, arena, (uint32_t)(cores * l.threads_per_core),
		   (uint32_t)(l.packages * l.nodes_per_package));
	d->has_clusters = l.cores_per_cluster != 0;
	for (uint64_t core = 0; core < cores; core++) {
		for (uint64_t thread = 0; thread < l.threads_per_core; thread++) {
			uint64_t cpu = l.numbering == THREADS_LAST
					       ? thread * cores + core
					       : core * l.threads_per_core + thread;
			struct draft_cpu *c =
				draft_cpu(d, (uint32_t)cpu, (uint32_t)(core / l.cores_per_node));

			c->label[LABEL_CORE] = core;
			c->label[LABEL_CLUSTER] =
				l.cores_per_cluster ? core / l.cores_per_cluster : core;
			c->label[LABEL_LLC] = core / l.cores_per_llc;
			c->label[LABEL_DIE] = core / per_die;
			c->label[LABEL_PACKAGE] = core / per_package;
		}
	}
	return true;
}

static uint32_t hops(enum wiring wiring, uint32_t a, uint32_t b, uint32_t nodes)
{
	uint32_t way = a < b ? b - a : a - b;

	switch (wiring) {
	case WIRING_MESH: return way ? 1 : 0;
	case WIRING_RING: return way < nodes - way ? way : nodes - way;
	case WIRING_LINE: return way;
	case NR_WIRINGS: break;
	}
	CHECK(false);
	return 0;
}

bool layout_distances(struct draft *d, enum wiring wiring, struct err *err)
{
	uint32_t *distance = draft_distances(d);

	for (uint32_t a = 0; a < d->nr_nodes; a++) {
		for (uint32_t b = 0; b < d->nr_nodes; b++) {
			uint32_t far =
				DISTANCE_LOCAL + DISTANCE_HOP * hops(wiring, a, b, d->nr_nodes);

			if (far > DISTANCE_MAX)
				return err_set(err,
					       "a %s of %u nodes is too long: a distance would "
					       "be %u (allowed: up to %d)",
					       wiring_names[wiring], d->nr_nodes, far,
					       DISTANCE_MAX);
			distance[a * d->nr_nodes + b] = far;
		}
	}
	return true;
}

bool layout_is_grid(const char *spec)
{
	size_t digits = strspn(spec, "0123456789");

	return digits && spec[digits] == 'x' && isdigit((unsigned char)spec[digits + 1]);
}

static bool grid_number(const char **at, uint64_t *value, struct err *err, const char *spec)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return err_set(err, "'%s' is not sockets x cores x threads (such as 4x24x2)", spec);
	errno = 0;
	*value = strtoull(*at, &end, 10);
	if (errno || *value > MACHINE_MAX_CPUS)
		return err_set(err, "%.*s is too many (allowed: %d)", (int)(end - *at), *at,
			       MACHINE_MAX_CPUS);
	*at = end;
	return true;
}

static bool grid_wiring(const char *text, enum wiring *wiring, struct err *err)
{
	char near[240];

	for (int i = 0; i < NR_WIRINGS; i++) {
		if (!strcmp(text, wiring_names[i])) {
			*wiring = (enum wiring)i;
			return true;
		}
	}
	err_near(near, sizeof(near), text, wiring_names, NR_WIRINGS);
	return err_set(err, "unknown wiring '%s'%s", text, near);
}

static bool grid_parse(const char *spec, struct layout *l, enum wiring *wiring, struct err *err)
{
	uint64_t *const part[] = { &l->packages, &l->cores_per_node, &l->threads_per_core };
	const char *at = spec;

	for (size_t i = 0; i < 3; i++) {
		if (i && *at++ != 'x')
			return err_set(err,
				       "'%s' is not sockets x cores x threads (such as 4x24x2)",
				       spec);
		if (!grid_number(&at, part[i], err, spec))
			return false;
	}
	if (*at == '/')
		return grid_wiring(at + 1, wiring, err);
	return !*at || err_set(err,
			       "unexpected '%s' after sockets x cores x threads (allowed: "
			       "/mesh, /ring or /line)",
			       at);
}

/* "1 package", "2 packages" */
static const char *counted(struct arena *arena, uint64_t count, const char *what)
{
	return arena_printf(arena, "%llu %s%s", (unsigned long long)count, what,
			    count == 1 ? "" : "s");
}

struct machine *layout_read_grid(struct arena *arena, const char *spec, struct err *err)
{
	struct layout l = { .dies_per_package = 1, .nodes_per_package = 1 };
	enum wiring wiring = WIRING_MESH;
	struct draft d;

	if (!grid_parse(spec, &l, &wiring, err) || !layout_draft(&d, arena, &l, err))
		return NULL;
	d.name = arena_strdup(arena, spec);
	d.title = arena_printf(arena, "%s x %s x %s", counted(arena, l.packages, "package"),
			       counted(arena, l.cores_per_node, "core"),
			       counted(arena, l.threads_per_core, "thread"));
	draft_assume(&d, "each package is one node with one LLC, without clusters");
	if (l.threads_per_core > 1)
		draft_assume(&d, "cpu ids count first threads of all cores, then second ones");
	if (!strchr(spec, '/') && l.packages > 1)
		draft_assume(&d, "all nodes are 20 apart");
	return layout_distances(&d, wiring, err) ? draft_finish(&d, err) : NULL;
}
