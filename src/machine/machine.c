/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the record. The tie of two cpus is decided from near to far, so a core whose threads sit
 * on two nodes is still an SMT tie: what matters is the nearest thing they share.
 */
#include "machine/machine.h"

#include "base/check.h"
#include "base/fixed.h"

enum { DISTANCE_LOCAL = 10 };

static const struct cost_row {
	const char *name, *unit, *phrase;
} cost_row[NR_COSTS] = {
#define COST(name, unit, minimum, maximum, phrase) { #name "_" #unit, #unit, phrase },
#include "machine/costs.def"
#undef COST
};

static const uint64_t cost_limit[NR_COSTS][2] = {
#define COST(name, unit, minimum, maximum, phrase) { minimum, maximum },
#include "machine/costs.def"
#undef COST
};

const char *cost_name(enum cost cost)
{
	return cost_row[cost].name;
}

const char *cost_unit(enum cost cost)
{
	return cost_row[cost].unit;
}

const char *cost_phrase(enum cost cost)
{
	return cost_row[cost].phrase;
}

uint64_t cost_min(enum cost cost)
{
	return cost_limit[cost][0];
}

uint64_t cost_max(enum cost cost)
{
	return cost_limit[cost][1];
}

uint64_t machine_cycles_ns(const struct machine *m, uint64_t cycles)
{
	return mul_div_floor(cycles, 1000, machine_cost(m, COST_cpu));
}

enum tie machine_tie(const struct machine *m, uint32_t a, uint32_t b)
{
	const struct machine_cpu *x = &m->cpu[a], *y = &m->cpu[b];

	if (a == b)
		return TIE_SELF;
	if (x->core == y->core)
		return TIE_SMT;
	if (x->cluster == y->cluster)
		return TIE_CLUSTER;
	if (x->llc == y->llc)
		return TIE_LLC;
	return x->node == y->node ? TIE_NODE : TIE_REMOTE;
}

/* The point at `distance` on the straight line through (d0, ns0) and (d1, ns1), d0 < distance < d1.
 */
static uint64_t between(uint32_t distance, uint32_t d0, uint64_t ns0, uint32_t d1, uint64_t ns1)
{
	uint64_t run = d1 - d0, at = distance - d0;

	if (ns1 >= ns0)
		return ns0 + mul_div_floor(ns1 - ns0, at, run);
	return ns0 - mul_div_floor(ns0 - ns1, at, run);
}

uint64_t machine_distance_ns(const struct machine *m, uint32_t distance)
{
	const struct machine_costs *costs = &m->costs;
	uint32_t before = DISTANCE_LOCAL;
	uint64_t before_ns = machine_cost(m, COST_line_node);

	for (uint32_t i = 0; i < costs->nr_distances; i++) {
		uint32_t row = costs->line_distance[i].distance;
		uint64_t row_ns = costs->line_distance[i].line_ns.value;

		if (row == distance)
			return row_ns;
		if (row > distance)
			return between(distance, before, before_ns, row, row_ns);
		before = row;
		before_ns = row_ns;
	}
	return mul_div_floor(before_ns, distance, before);
}

uint64_t machine_line_ns(const struct machine *m, uint32_t a, uint32_t b)
{
	switch (machine_tie(m, a, b)) {
	case TIE_SELF: return 0;
	case TIE_SMT: return machine_cost(m, COST_line_smt);
	case TIE_CLUSTER: return machine_cost(m, COST_line_cluster);
	case TIE_LLC: return machine_cost(m, COST_line_llc);
	case TIE_NODE: return machine_cost(m, COST_line_node);
	case TIE_REMOTE: break;
	case NR_TIES: CHECK(false);
	}
	return machine_distance_ns(m, machine_distance(m, m->cpu[a].node, m->cpu[b].node));
}
