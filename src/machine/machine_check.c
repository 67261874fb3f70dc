/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The invariants of a record. A reader calls this last, so a violation is usually the input's:
 * sentences speak of cpus and nodes, not of arrays.
 */
#include "machine/machine.h"

#include "base/check.h"

#include <stddef.h>

enum { DISTANCE_LOCAL = 10, DISTANCE_MAX = 255 };

/* The levels of struct machine_cpu by place, so that one loop serves all of them. */
static const struct level {
	const char *name;
	size_t id, count;
} levels[] = {
	{ "core", offsetof(struct machine_cpu, core), offsetof(struct machine, nr_cores) },
	{ "cluster", offsetof(struct machine_cpu, cluster), offsetof(struct machine, nr_clusters) },
	{ "LLC", offsetof(struct machine_cpu, llc), offsetof(struct machine, nr_llcs) },
	{ "die", offsetof(struct machine_cpu, die), offsetof(struct machine, nr_dies) },
	{ "package", offsetof(struct machine_cpu, package), offsetof(struct machine, nr_packages) },
};
enum { CORE, CLUSTER, LLC, DIE, PACKAGE, NR_LEVELS };

static uint32_t id_of(const struct machine *m, uint32_t cpu, int level)
{
	const char *base = (const char *)&m->cpu[cpu];

	return *(const uint32_t *)(const void *)(base + levels[level].id);
}

static uint32_t count_of(const struct machine *m, int level)
{
	return *(const uint32_t *)(const void *)((const char *)m + levels[level].count);
}

static bool check_cpus(const struct machine *m, struct err *err)
{
	if (m->nr_cpus < 1 || m->nr_cpus > MACHINE_MAX_CPUS)
		return err_set(err, "%u cpus (allowed: 1 to %d)", m->nr_cpus, MACHINE_MAX_CPUS);
	CHECK(m->present.bits == m->nr_cpus && m->online.bits == m->nr_cpus);
	if (cpuset_empty(&m->online))
		return err_set(err, "no cpu is online (at least one must be)");
	if (!cpuset_subset(&m->online, &m->present))
		return err_set(err, "a cpu is online but not present");
	cpuset_for_each (cpu, &m->present) {
		if (m->cpu[cpu].capacity < 1 || m->cpu[cpu].capacity > CAPACITY_FULL)
			return err_set(err, "cpu %u has capacity %u (allowed: 1 to %d)", cpu,
				       m->cpu[cpu].capacity, CAPACITY_FULL);
	}
	return true;
}

/* Ids count from 0 in the order of their first cpu. */
static bool check_dense(const struct machine *m, int level, struct err *err)
{
	uint32_t seen = 0;

	cpuset_for_each (cpu, &m->present) {
		uint32_t id = id_of(m, cpu, level);

		if (id > seen)
			return err_set(err, "%s ids are not numbered by their first cpu (cpu %u)",
				       levels[level].name, cpu);
		seen += id == seen;
	}
	if (seen != count_of(m, level))
		return err_set(err, "%u %s ids are used, %u stated", seen, levels[level].name,
			       count_of(m, level));
	return true;
}

/* For each id of `inner` the one id of `outer` that holds it, CPU_NONE when there are several. */
static uint32_t *holders(struct arena *arena, const struct machine *m, int inner, int outer)
{
	uint32_t *first = ARENA_ARRAY(arena, uint32_t, m->nr_cpus);
	uint32_t *holder = ARENA_ARRAY(arena, uint32_t, m->nr_cpus);

	cpuset_for_each (cpu, &m->present) {
		uint32_t in = id_of(m, cpu, inner), out = id_of(m, cpu, outer);

		if (!first[in]) {
			first[in] = 1;
			holder[in] = out;
		} else if (holder[in] != out) {
			holder[in] = CPU_NONE;
		}
	}
	return holder;
}

static bool check_within(struct arena *arena, const struct machine *m, int inner, int outer,
			 struct err *err)
{
	const uint32_t *holder = holders(arena, m, inner, outer);

	cpuset_for_each (cpu, &m->present) {
		if (holder[id_of(m, cpu, inner)] == CPU_NONE)
			return err_set(err, "the %s of cpu %u lies in more than one %s",
				       levels[inner].name, cpu, levels[outer].name);
	}
	return true;
}

static bool check_nesting(const struct machine *m, struct err *err)
{
	static const int within[][2] = {
		{ CORE, CLUSTER }, { CORE, LLC }, { CORE, DIE }, { DIE, PACKAGE }
	};
	struct arena arena;
	bool ok = true;

	arena_init(&arena);
	for (size_t i = 0; ok && i < sizeof(within) / sizeof(within[0]); i++)
		ok = check_within(&arena, m, within[i][0], within[i][1], err);
	if (ok) {
		const uint32_t *llc = holders(&arena, m, CLUSTER, LLC);
		const uint32_t *cluster = holders(&arena, m, LLC, CLUSTER);

		cpuset_for_each (cpu, &m->present) {
			if (llc[m->cpu[cpu].cluster] == CPU_NONE &&
			    cluster[m->cpu[cpu].llc] == CPU_NONE)
				ok = err_set(err, "cluster and LLC of cpu %u overlap", cpu);
		}
	}
	arena_release(&arena);
	return ok;
}

static bool check_nodes(const struct machine *m, struct err *err)
{
	if (m->nr_nodes < 1 || m->nr_nodes > MACHINE_MAX_NODES)
		return err_set(err, "%u nodes (allowed: 1 to %d)", m->nr_nodes, MACHINE_MAX_NODES);
	CHECK(m->nodes.bits == m->nr_nodes);
	cpuset_for_each (cpu, &m->present) {
		uint32_t node = m->cpu[cpu].node;

		if (node >= m->nr_nodes || !cpuset_has(&m->nodes, node))
			return err_set(err, "cpu %u is on node %u, which does not exist", cpu,
				       node);
		if (!cpuset_has(&m->node_cpus[node], cpu))
			return err_set(err, "node %u does not list its cpu %u", node, cpu);
	}
	for (uint32_t node = 0; node < m->nr_nodes; node++) {
		cpuset_for_each (cpu, &m->node_cpus[node]) {
			if (m->cpu[cpu].node != node)
				return err_set(err, "cpu %u is listed by two nodes", cpu);
		}
	}
	return true;
}

static bool check_distances(const struct machine *m, struct err *err)
{
	cpuset_for_each (from, &m->nodes) {
		cpuset_for_each (to, &m->nodes) {
			uint32_t distance = machine_distance(m, from, to);

			if (from == to && distance != DISTANCE_LOCAL)
				return err_set(err,
					       "the distance of node %u to itself is %u "
					       "(allowed: %d)",
					       from, distance, DISTANCE_LOCAL);
			if (from != to && (distance <= DISTANCE_LOCAL || distance > DISTANCE_MAX))
				return err_set(err,
					       "the distance from node %u to node %u is %u "
					       "(allowed: %d to %d)",
					       from, to, distance, DISTANCE_LOCAL + 1,
					       DISTANCE_MAX);
		}
	}
	if (m->reclaim_distance &&
	    (m->reclaim_distance < DISTANCE_LOCAL || m->reclaim_distance > DISTANCE_MAX))
		return err_set(err, "reclaim_distance is %u (allowed: 0, and %d to %d)",
			       m->reclaim_distance, DISTANCE_LOCAL, DISTANCE_MAX);
	return true;
}

static bool check_idle(const struct machine_costs *costs, struct err *err)
{
	uint64_t before_ns = 0;

	if (costs->nr_idle_states < 1 || costs->nr_idle_states > MACHINE_MAX_IDLE_STATES)
		return err_set(err, "%u idle states (allowed: 1 to %d)", costs->nr_idle_states,
			       MACHINE_MAX_IDLE_STATES);
	for (uint32_t i = 0; i < costs->nr_idle_states; i++) {
		if (costs->idle_state[i].exit_latency_ns < before_ns)
			return err_set(err, "idle state %s leaves faster than the one before it",
				       costs->idle_state[i].name);
		before_ns = costs->idle_state[i].exit_latency_ns;
	}
	return true;
}

static bool check_costs(const struct machine *m, struct err *err)
{
	const struct machine_costs *costs = &m->costs;
	uint32_t before = DISTANCE_LOCAL;

	for (int i = 0; i < NR_COSTS; i++) {
		uint64_t value = costs->of[i].value;

		CHECK(costs->of[i].source);
		if (value < cost_min(i) || value > cost_max(i))
			return err_set(err, "%s is %llu (allowed: %llu to %llu)", cost_name(i),
				       (unsigned long long)value, (unsigned long long)cost_min(i),
				       (unsigned long long)cost_max(i));
	}
	CHECK(costs->nr_distances <= MACHINE_MAX_DISTANCES);
	if (!costs->nr_distances)
		return err_set(err, "line_distance has no row");
	for (uint32_t i = 0; i < costs->nr_distances; i++) {
		CHECK(costs->line_distance[i].line_ns.source);
		if (costs->line_distance[i].distance <= before)
			return err_set(err, "line_distance is not in ascending order above %d",
				       DISTANCE_LOCAL);
		before = costs->line_distance[i].distance;
	}
	return check_idle(costs, err);
}

bool machine_check(const struct machine *m, struct err *err)
{
	CHECK(m->name && m->title && m->arch);
	if (!check_cpus(m, err))
		return false;
	for (int level = 0; level < NR_LEVELS; level++)
		if (!check_dense(m, level, err))
			return false;
	return check_nesting(m, err) && check_nodes(m, err) && check_distances(m, err) &&
	       check_costs(m, err);
}
