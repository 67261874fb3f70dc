/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Three parts: where the cpus are ("topology" or "cpus"), how far nodes are from each other, and
 * what it all costs. Sets of keys are tables, so that an unknown one is always noticed.
 */
#include "machine/json_read.h"

#include "base/check.h"
#include "machine/draft.h"
#include "machine/json_spot.h"
#include "machine/layout.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { DISTANCE_LOCAL = 10, DISTANCE_MAX = 255, LINE_NS_MAX = 1000000 };

static const uint64_t IDLE_NS_MAX = 10000000000ull;

static const struct layout_key {
	const char *name;
	size_t offset;
	uint64_t min, max, missing;
	bool needed;
	const char *assumed; /* sentence when it is left out, if that says anything */
} layout_keys[] = {
#define KEY(field) #field, offsetof(struct layout, field)
	{ KEY(packages), 1, MACHINE_MAX_NODES, 0, true, NULL },
	{ KEY(dies_per_package), 1, MACHINE_MAX_CPUS, 1, false, NULL },
	{ KEY(nodes_per_package), 1, MACHINE_MAX_NODES, 1, false, "each package is one node" },
	{ KEY(cores_per_node), 1, MACHINE_MAX_CPUS, 0, true, NULL },
	{ KEY(threads_per_core), 1, 64, 1, false, "cores have one thread" },
	{ KEY(cores_per_cluster), 1, MACHINE_MAX_CPUS, 0, false, NULL },
	{ KEY(cores_per_llc), 1, MACHINE_MAX_CPUS, 0, false, "each node has one LLC" },
#undef KEY
};

static bool read_layout_counts(const struct json_spot *topology, struct layout *l,
			       const char **assumed, size_t *nr_assumed)
{
	for (size_t i = 0; i < COUNT(layout_keys); i++) {
		const struct layout_key *key = &layout_keys[i];
		uint64_t *field = (uint64_t *)(void *)((char *)l + key->offset);
		struct json_spot at;

		*field = key->missing;
		if (json_spot_get(topology, key->name, &at)) {
			if (!json_spot_u64(&at, key->min, key->max, field))
				return false;
		} else if (key->needed) {
			return json_spot_need(topology, key->name, &at);
		} else if (key->assumed) {
			assumed[(*nr_assumed)++] = key->assumed;
		}
	}
	return true;
}

static bool read_layout(struct draft *d, struct arena *arena, const struct json_spot *topology)
{
	const char *names[COUNT(layout_keys) + 1], *assumed[COUNT(layout_keys) + 1];
	struct layout l = { 0 };
	struct err why = { 0 };
	struct json_spot at;
	size_t nr_assumed = 0, numbering = THREADS_LAST;

	for (size_t i = 0; i < COUNT(layout_keys); i++)
		names[i] = layout_keys[i].name;
	names[COUNT(layout_keys)] = "numbering";
	if (!json_spot_keys(topology, names, COUNT(names)) ||
	    !read_layout_counts(topology, &l, assumed, &nr_assumed))
		return false;
	if (json_spot_get(topology, "numbering", &at)) {
		if (!json_spot_choice(&at, numbering_names, NR_NUMBERINGS, &numbering))
			return false;
	} else if (l.threads_per_core > 1) {
		assumed[nr_assumed++] =
			"cpu ids count first threads of all cores, then second ones";
	}
	l.numbering = (enum numbering)numbering;
	if (!layout_draft(d, arena, &l, &why))
		return json_spot_fail(topology, "%s", why.what);
	for (size_t i = 0; i < nr_assumed; i++)
		draft_assume(d, "%s", assumed[i]);
	return true;
}

static const char *const cpu_keys[] = { "cpu",	   "core", "cluster",  "llc",	"die",
					"package", "node", "capacity", "online" };

static const char *const label_keys[NR_LABELS] = {
	[LABEL_CORE] = "core", [LABEL_CLUSTER] = "cluster", [LABEL_LLC] = "llc",
	[LABEL_DIE] = "die",   [LABEL_PACKAGE] = "package",
};

static bool optional_u64(const struct json_spot *object, const char *key, uint64_t min,
			 uint64_t max, uint64_t missing, uint64_t *out)
{
	struct json_spot at;

	*out = missing;
	return !json_spot_get(object, key, &at) || json_spot_u64(&at, min, max, out);
}

static bool needed_u64(const struct json_spot *object, const char *key, uint64_t min, uint64_t max,
		       uint64_t *out)
{
	struct json_spot at;

	return json_spot_need(object, key, &at) && json_spot_u64(&at, min, max, out);
}

/* The first walk: how many ids there are. */
static bool count_cpus(const struct json_spot *cpus, uint64_t *nr_cpus, uint64_t *nr_nodes)
{
	*nr_cpus = *nr_nodes = 0;
	for (size_t i = 0; i < json_array_size(cpus->value); i++) {
		struct json_spot at = json_spot_item(cpus, i);
		uint64_t cpu, node;

		if (!json_spot_keys(&at, cpu_keys, COUNT(cpu_keys)) ||
		    !needed_u64(&at, "cpu", 0, MACHINE_MAX_CPUS - 1, &cpu) ||
		    !optional_u64(&at, "node", 0, MACHINE_MAX_NODES - 1, 0, &node))
			return false;
		*nr_cpus = cpu >= *nr_cpus ? cpu + 1 : *nr_cpus;
		*nr_nodes = node >= *nr_nodes ? node + 1 : *nr_nodes;
	}
	return true;
}

/* A cpu that names no core, LLC … has its own core, its node's LLC, its only die and package. */
static bool read_labels(struct draft *d, const struct json_spot *at, struct draft_cpu *cpu,
			uint64_t id)
{
	const uint64_t missing[NR_LABELS] = {
		[LABEL_CORE] = UINT32_MAX + id, [LABEL_LLC] = UINT32_MAX + (uint64_t)cpu->node
	};
	struct json_spot label;

	for (int i = 0; i < NR_LABELS; i++)
		if (!optional_u64(at, label_keys[i], 0, UINT32_MAX - 1, missing[i], &cpu->label[i]))
			return false;
	if (!json_spot_get(at, "die", &label))
		cpu->label[LABEL_DIE] = UINT32_MAX + cpu->label[LABEL_PACKAGE];
	if (!json_spot_get(at, "cluster", &label))
		cpu->label[LABEL_CLUSTER] = UINT32_MAX + cpu->label[LABEL_CORE];
	else
		d->has_clusters = true;
	return true;
}

static bool read_cpu(struct draft *d, const struct json_spot *at)
{
	uint64_t id, node, capacity;
	struct draft_cpu *cpu;
	struct json_spot online;

	if (!needed_u64(at, "cpu", 0, MACHINE_MAX_CPUS - 1, &id) ||
	    !optional_u64(at, "node", 0, MACHINE_MAX_NODES - 1, 0, &node) ||
	    !optional_u64(at, "capacity", 1, CAPACITY_FULL, CAPACITY_FULL, &capacity))
		return false;
	if (d->cpu[id].present)
		return json_spot_fail(at, "cpu %u was described before", (uint32_t)id);
	cpu = draft_cpu(d, (uint32_t)id, (uint32_t)node);
	cpu->capacity = (uint32_t)capacity;
	if (json_spot_get(at, "online", &online) && !json_spot_bool(&online, &cpu->online))
		return false;
	return read_labels(d, at, cpu, id);
}

/* What no cpu of the list states, as sentences. */
static void assume_labels(struct draft *d, const struct json_spot *cpus)
{
	static const struct {
		const char *key, *sentence;
	} rows[] = {
		{ "core", "each cpu without a core is a core" },
		{ "llc", "cpus without an LLC share one per node" },
		{ "package", "cpus without a package are in one package" },
		{ "node", "cpus without a node are on node 0" },
	};

	for (size_t row = 0; row < COUNT(rows); row++) {
		for (size_t i = 0; i < json_array_size(cpus->value); i++) {
			if (json_object_get(json_array_get(cpus->value, i), rows[row].key))
				continue;
			draft_assume(d, "%s", rows[row].sentence);
			break;
		}
	}
}

/* "nodes": the ids that exist, for memory-only nodes and holes. */
static bool read_node_ids(const struct json_spot *root, uint64_t *nr_nodes, struct json_spot *ids,
			  bool *given)
{
	uint64_t before = 0;

	*given = json_spot_get(root, "nodes", ids);
	if (!*given)
		return true;
	if (!json_spot_array(ids, 1, MACHINE_MAX_NODES))
		return false;
	for (size_t i = 0; i < json_array_size(ids->value); i++) {
		struct json_spot at = json_spot_item(ids, i);
		uint64_t id;

		if (!json_spot_u64(&at, i ? before + 1 : 0, MACHINE_MAX_NODES - 1, &id))
			return false;
		before = id;
	}
	*nr_nodes = before >= *nr_nodes ? before + 1 : *nr_nodes;
	return true;
}

static bool add_node_ids(struct draft *d, const struct json_spot *ids)
{
	struct cpuset said = cpuset_new(d->arena, d->nr_nodes);

	for (size_t i = 0; i < json_array_size(ids->value); i++)
		cpuset_add(&said, (uint32_t)json_integer_value(json_array_get(ids->value, i)));
	if (!cpuset_subset(&d->nodes, &said))
		return json_spot_fail(ids, "a cpu is on a node that is not listed");
	d->nodes = said;
	return true;
}

static bool read_cpus(struct draft *d, struct arena *arena, const struct json_spot *root,
		      const struct json_spot *cpus)
{
	uint64_t nr_cpus, nr_nodes;
	struct json_spot ids;
	bool given;

	if (!json_spot_array(cpus, 1, MACHINE_MAX_CPUS) || !count_cpus(cpus, &nr_cpus, &nr_nodes) ||
	    !read_node_ids(root, &nr_nodes, &ids, &given))
		return false;
	draft_init(d, arena, (uint32_t)nr_cpus, (uint32_t)nr_nodes);
	for (size_t i = 0; i < json_array_size(cpus->value); i++) {
		struct json_spot at = json_spot_item(cpus, i);

		if (!read_cpu(d, &at))
			return false;
	}
	assume_labels(d, cpus);
	return !given || add_node_ids(d, &ids);
}

/* A layout has the nodes it has; more of them may be listed, for memory alone. */
static bool read_extra_nodes(struct draft *d, const struct json_spot *root)
{
	uint64_t nr_nodes = d->nr_nodes;
	struct json_spot ids;
	struct cpuset wider;
	bool given;

	if (!read_node_ids(root, &nr_nodes, &ids, &given) || !given)
		return !given;
	wider = cpuset_new(d->arena, (uint32_t)nr_nodes);
	cpuset_for_each (node, &d->nodes)
		cpuset_add(&wider, node);
	d->nodes = wider;
	d->nr_nodes = (uint32_t)nr_nodes;
	return add_node_ids(d, &ids);
}

static bool read_distance_row(struct draft *d, const struct json_spot *row, uint32_t from,
			      size_t width)
{
	size_t i = 0;

	if (!json_spot_array(row, width, width))
		return false;
	cpuset_for_each (to, &d->nodes) {
		struct json_spot at = json_spot_item(row, i++);
		uint64_t distance;

		if (!json_spot_u64(&at, from == to ? DISTANCE_LOCAL : DISTANCE_LOCAL + 1,
				   from == to ? DISTANCE_LOCAL : DISTANCE_MAX, &distance))
			return false;
		d->distance[from * d->nr_nodes + to] = (uint32_t)distance;
	}
	return true;
}

static bool read_distances(struct draft *d, const struct json_spot *root)
{
	size_t nr = cpuset_weight(&d->nodes), wiring, i = 0;
	struct err why = { 0 };
	struct json_spot at;

	if (!json_spot_get(root, "distances", &at))
		return true;
	if (json_is_string(at.value)) {
		if (nr != d->nr_nodes)
			return json_spot_fail(&at, "nodes with holes need a matrix");
		return json_spot_choice(&at, wiring_names, NR_WIRINGS, &wiring) &&
		       (layout_distances(d, (enum wiring)wiring, &why) ||
			json_spot_fail(&at, "%s", why.what));
	}
	if (!json_spot_array(&at, nr, nr))
		return false;
	draft_distances(d);
	cpuset_for_each (from, &d->nodes) {
		struct json_spot row = json_spot_item(&at, i++);

		if (!read_distance_row(d, &row, from, nr))
			return false;
	}
	return true;
}

/* Left out, it is the architecture's. */
static bool read_reclaim_distance(struct draft *d, const struct json_spot *root)
{
	uint64_t distance;

	if (!optional_u64(root, "reclaim_distance", DISTANCE_LOCAL, DISTANCE_MAX, 0, &distance))
		return false;
	d->reclaim_distance = (uint32_t)distance;
	return true;
}

static bool optional_bool(const struct json_spot *object, const char *key, bool *out)
{
	struct json_spot at;

	*out = false;
	return !json_spot_get(object, key, &at) || json_spot_bool(&at, out);
}

static bool needed_text(const struct json_spot *object, const char *key, struct arena *arena,
			const char **out)
{
	struct json_spot at;

	return json_spot_need(object, key, &at) && json_spot_text(&at, arena, out);
}

static bool read_cost_value(const struct json_spot *at, struct arena *arena, uint64_t min,
			    uint64_t max, struct cost_value *out)
{
	static const char *const keys[] = { "value", "source", "inherited" };

	return json_spot_keys(at, keys, COUNT(keys)) &&
	       needed_u64(at, "value", min, max, &out->value) &&
	       needed_text(at, "source", arena, &out->source) &&
	       optional_bool(at, "inherited", &out->inherited);
}

static bool read_cost_table(struct draft *d, const struct json_spot *root)
{
	const char *names[NR_COSTS];
	struct json_spot costs, at;

	if (!json_spot_get(root, "costs", &costs))
		return true;
	for (int i = 0; i < NR_COSTS; i++)
		names[i] = cost_name((enum cost)i);
	if (!json_spot_keys(&costs, names, NR_COSTS))
		return false;
	for (int i = 0; i < NR_COSTS; i++)
		if (json_spot_get(&costs, names[i], &at) &&
		    !read_cost_value(&at, d->arena, cost_min((enum cost)i), cost_max((enum cost)i),
				     &d->costs.of[i]))
			return false;
	return true;
}

/* Rows come in any order and are kept ascending. */
static bool insert_distance(struct machine_costs *costs, const struct json_spot *at,
			    const struct distance_cost *row)
{
	uint32_t place = costs->nr_distances;

	while (place && costs->line_distance[place - 1].distance > row->distance) {
		costs->line_distance[place] = costs->line_distance[place - 1];
		place--;
	}
	if (place && costs->line_distance[place - 1].distance == row->distance)
		return json_spot_fail(at, "distance %u was given before", row->distance);
	costs->line_distance[place] = *row;
	costs->nr_distances++;
	return true;
}

static bool read_line_distance(struct draft *d, const struct json_spot *root)
{
	struct json_spot table;
	const char *key;
	json_t *value;
	size_t index = 0;

	if (!json_spot_get(root, "line_distance", &table))
		return true;
	if (!json_is_object(table.value) || !json_object_size(table.value) ||
	    json_object_size(table.value) > MACHINE_MAX_DISTANCES)
		return json_spot_fail(&table,
				      "allowed: an object of 1 to %d rows \"distance\": "
				      "{\"value\": ns, \"source\": …}",
				      MACHINE_MAX_DISTANCES);
	json_object_foreach(table.value, key, value)
	{
		struct json_spot at = { table.doc, value, &table, key, index++ };
		struct distance_cost row = { 0 };
		char *end;
		unsigned long distance = strtoul(key, &end, 10);

		if (!strspn(key, "0123456789") || *end || distance <= DISTANCE_LOCAL ||
		    distance > DISTANCE_MAX)
			return json_spot_fail(&at, "\"%.40s\" is no distance (allowed: %d to %d)",
					      key, DISTANCE_LOCAL + 1, DISTANCE_MAX);
		row.distance = (uint32_t)distance;
		if (!read_cost_value(&at, d->arena, 1, LINE_NS_MAX, &row.line_ns) ||
		    !insert_distance(&d->costs, &at, &row))
			return false;
	}
	return true;
}

static bool read_idle_state(struct draft *d, const struct json_spot *at, struct idle_state *state)
{
	static const char *const keys[] = { "name", "exit_latency_ns", "target_residency_ns",
					    "polling" };

	return json_spot_keys(at, keys, COUNT(keys)) &&
	       needed_text(at, "name", d->arena, &state->name) &&
	       needed_u64(at, "exit_latency_ns", 0, IDLE_NS_MAX, &state->exit_latency_ns) &&
	       needed_u64(at, "target_residency_ns", 0, IDLE_NS_MAX, &state->target_residency_ns) &&
	       optional_bool(at, "polling", &state->polling);
}

static bool read_idle(struct draft *d, const struct json_spot *root)
{
	static const char *const keys[] = { "source", "inherited", "states" };
	struct machine_costs *costs = &d->costs;
	struct json_spot idle, states;

	if (!json_spot_get(root, "idle_states", &idle))
		return true;
	if (!json_spot_keys(&idle, keys, COUNT(keys)) ||
	    !needed_text(&idle, "source", d->arena, &costs->idle_source) ||
	    !optional_bool(&idle, "inherited", &costs->idle_inherited) ||
	    !json_spot_need(&idle, "states", &states) ||
	    !json_spot_array(&states, 1, MACHINE_MAX_IDLE_STATES))
		return false;
	for (size_t i = 0; i < json_array_size(states.value); i++) {
		struct json_spot at = json_spot_item(&states, i);
		struct idle_state *state = &costs->idle_state[costs->nr_idle_states++];

		if (!read_idle_state(d, &at, state))
			return false;
		if (i && state->exit_latency_ns < state[-1].exit_latency_ns)
			return json_spot_fail(&at, "leaves faster than the state before it");
	}
	return true;
}

static const char *const root_keys[] = {
	"$schema",	 "name",
	"title",	 "arch",
	"inherit",	 "topology",
	"cpus",		 "nodes",
	"distances",	 "costs",
	"line_distance", "idle_states",
	"assumed",	 "reclaim_distance",
};

static bool read_place(struct draft *d, struct arena *arena, const struct json_spot *root)
{
	struct json_spot topology, cpus;
	bool regular = json_spot_get(root, "topology", &topology);
	bool listed = json_spot_get(root, "cpus", &cpus);

	if (regular && listed)
		return json_spot_fail(&cpus, "\"topology\" and \"cpus\" exclude each other");
	if (!regular && !listed)
		return json_spot_fail(root,
				      "neither \"topology\" nor \"cpus\" says where the cpus are");
	if (listed)
		return read_cpus(d, arena, root, &cpus) && read_distances(d, root);
	return read_layout(d, arena, &topology) && read_extra_nodes(d, root) &&
	       read_distances(d, root);
}

static bool optional_text(const struct json_spot *root, const char *key, struct arena *arena,
			  const char **out)
{
	struct json_spot at;

	return !json_spot_get(root, key, &at) || json_spot_text(&at, arena, out);
}

static bool read_assumed(struct draft *d, const struct json_spot *root)
{
	struct json_spot list;

	if (!json_spot_get(root, "assumed", &list))
		return true;
	if (!json_spot_array(&list, 0, DRAFT_MAX_ASSUMED))
		return false;
	for (size_t i = 0; i < json_array_size(list.value); i++) {
		struct json_spot at = json_spot_item(&list, i);
		const char *text;

		if (!json_spot_text(&at, d->arena, &text))
			return false;
		draft_assume(d, "%s", text);
	}
	return true;
}

static bool read_root(struct draft *d, struct arena *arena, const struct json_spot *root)
{
	struct json_spot inherit;

	if (!json_spot_keys(root, root_keys, COUNT(root_keys)) || !read_place(d, arena, root) ||
	    !read_reclaim_distance(d, root) || !optional_text(root, "name", arena, &d->name) ||
	    !optional_text(root, "title", arena, &d->title) ||
	    !optional_text(root, "arch", arena, &d->arch) ||
	    !optional_text(root, "inherit", arena, &d->inherit) || !read_assumed(d, root) ||
	    !read_cost_table(d, root) || !read_line_distance(d, root) || !read_idle(d, root))
		return false;
	d->inherit_said = d->inherit != NULL;
	if (d->inherit) {
		struct err why = { 0 };

		json_spot_get(root, "inherit", &inherit);
		if (!costs_inherit(arena, &d->costs, d->inherit, &why))
			return json_spot_fail(&inherit, "%s", why.what);
	}
	return true;
}

struct machine *json_read_machine(struct arena *arena, const char *file, const char *fallback_name,
				  const char *text, size_t size, struct err *err)
{
	struct machine *m = NULL;
	struct json_doc doc;
	struct draft d;

	if (!json_doc_open(&doc, file, text, size, err))
		return NULL;
	struct json_spot root = json_doc_root(&doc);

	if (read_root(&d, arena, &root)) {
		if (!d.name)
			d.name = arena_strdup(arena, fallback_name);
		m = draft_finish(&d, err);
		if (!m)
			err_locate(err, file);
	}
	json_doc_close(&doc);
	return m;
}
