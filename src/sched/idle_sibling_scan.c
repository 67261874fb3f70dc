/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Searches of an LLC for an idle core or cpu.
 *
 * A scan starts at the target (v5.14: behind it) and wraps, over the cpus that are both in the LLC
 * and allowed; with SIS_IDLE_CPUMASK over those of them that the LLC's shared mask calls idle.
 * No set is copied for a scan of cpus; a scan of cores strikes the siblings of cores it has seen
 * from a copy.
 */
#include "sched/place.h"

/* Where a scan is: members of both sets, from `start` up and then from 0 to below it. */
struct wrap {
	const struct cpuset *a, *b;
	uint32_t start, next;
	bool wrapped;
};

static struct wrap wrap_begin(const struct cpuset *a, const struct cpuset *b, uint32_t start)
{
	return (struct wrap){ a, b, start, start, false };
}

static uint32_t wrap_next(struct wrap *w)
{
	uint32_t cpu;

	if (!w->wrapped) {
		cpu = cpuset_next_and(w->a, w->b, w->next);
		if (cpu != CPU_NONE) {
			w->next = cpu + 1;
			return cpu;
		}
		w->wrapped = true;
		w->next = 0;
	}
	cpu = cpuset_next_and(w->a, w->b, w->next);
	if (cpu >= w->start)
		return CPU_NONE;
	w->next = cpu + 1;
	return cpu;
}

static uint32_t scan_start(const struct sched *s, uint32_t target)
{
	return s->config.version >= 514 ? target + 1 : target;
}

/* Pays for reading the words of the LLC's idle mask that the LLC's cpus occupy. */
static void read_idle_mask(struct sched *s, uint32_t llc, const struct cpuset *span)
{
	uint32_t done = UINT32_MAX;

	for (uint32_t w = 0; w < span->words; w++) {
		uint32_t line = touch_mask_line(s, FIELD_idle_mask, llc, w * 64);

		if (!span->word[w] || line == done)
			continue;
		touch_pay(s, memory_read(s->memory, s->cpu, line, s->t_ns));
		done = line;
	}
}

/* What is scanned besides the allowed set. */
static const struct cpuset *scan_mask(struct sched *s, uint32_t target)
{
	uint32_t llc = s->topology->llc_shared[target];
	const struct cpuset *span = s->topology->domain[s->topology->sd_llc[target]].span;

	if (!sched_has(s, FEATURE_SIS_IDLE_CPUMASK) || llc == LLC_NONE)
		return span;
	read_idle_mask(s, llc, span);
	return &s->llc[llc].idle_mask;
}

/* ---- has_idle_cores ---- */

/*
 * Without SMT the flag is never set. The merged scan of v5.12 read it all the same, a line that
 * every idle entry and tick of the LLC's cpus writes; SMT_GATED_IDLE_CORES returns the default.
 */
static bool may_have_idle_core(struct sched *s, uint32_t target)
{
	uint32_t llc = s->topology->llc_shared[target];
	bool reads = s->topology->has_smt || (sched_has(s, FEATURE_SIS_MERGED_SCAN) &&
					      !sched_has(s, FEATURE_SMT_GATED_IDLE_CORES));

	if (!sched_has(s, FEATURE_SIS_CORE) || llc == LLC_NONE || !reads)
		return false;
	touch_read(s, FIELD_has_idle_cores, llc);
	return s->llc[llc].has_idle_cores;
}

static void no_idle_core(struct sched *s, uint32_t cpu)
{
	uint32_t llc = s->topology->llc_shared[cpu];

	if (llc == LLC_NONE)
		return;
	s->llc[llc].has_idle_cores = false;
	touch_write(s, FIELD_has_idle_cores, llc);
}

/* ---- one core ---- */

/*
 * Whether all threads of the core are idle. *idle_cpu, if none was found before, becomes its first
 * idle thread that is allowed. Stops at the first busy thread once there is one.
 */
static bool core_is_idle(struct sched *s, const struct place *p, uint32_t core, uint32_t *idle_cpu)
{
	bool idle = true;

	cpuset_for_each (cpu, s->topology->smt_mask[core]) {
		s->counter[COUNT_sis_scanned]++;
		if (!look_idle(s, cpu)) {
			idle = false;
			if (!idle_cpu || *idle_cpu != CPU_NONE)
				break;
			look_sched_idle(s, cpu);
		} else if (idle_cpu && *idle_cpu == CPU_NONE && cpuset_has(p->allowed, cpu)) {
			*idle_cpu = cpu;
		}
	}
	return idle;
}

/* An idle core among `cpus`, which loses the cores that were looked at. */
static uint32_t scan_cores(struct sched *s, const struct place *p, struct cpuset *cpus,
			   uint32_t start, uint32_t *idle_cpu)
{
	struct wrap wrap = wrap_begin(cpus, cpus, start);

	for (uint32_t core; (core = wrap_next(&wrap)) != CPU_NONE;) {
		if (core_is_idle(s, p, core, idle_cpu))
			return core;
		cpuset_andnot(cpus, cpus, s->topology->smt_mask[core]);
	}
	return CPU_NONE;
}

/* ---- separate scans: until v5.11 ---- */

static uint32_t scan_for_core(struct sched *s, const struct place *p, uint32_t target)
{
	struct cpuset *cpus = &s->scratch[0];
	uint32_t core;

	if (!s->topology->has_smt || !may_have_idle_core(s, target))
		return CPU_NONE;
	s->counter[COUNT_sis_core_search]++;
	cpuset_and(cpus, scan_mask(s, target), p->allowed);
	core = scan_cores(s, p, cpus, scan_start(s, target), NULL);
	if (core == CPU_NONE)
		no_idle_core(s, target);
	else
		s->counter[COUNT_sis_core_hit]++;
	return core;
}

/* Looks at `*nr` - 1 cpus at most; *nr is 0 when the limit ended it. */
static uint32_t scan_cpus(struct sched *s, struct wrap *wrap, uint32_t *nr)
{
	for (uint32_t cpu; (cpu = wrap_next(wrap)) != CPU_NONE;) {
		if (!--*nr)
			return CPU_NONE;
		if (scan_idle(s, cpu))
			return cpu;
	}
	return CPU_NONE;
}

static uint32_t scan_for_cpu(struct sched *s, const struct place *p, uint32_t target)
{
	struct scan_limit limit = scan_limit(s, target, false);
	struct wrap wrap;
	uint32_t cpu;

	if (!limit.nr)
		return CPU_NONE;
	wrap = wrap_begin(scan_mask(s, target), p->allowed, scan_start(s, target));
	cpu = scan_cpus(s, &wrap, &limit.nr);
	if (limit.nr)
		scan_limit_report(s, &limit);
	return cpu;
}

/* A sibling of `cpu`, not itself; within the LLC. */
static uint32_t scan_smt(struct sched *s, const struct place *p, uint32_t of)
{
	uint32_t domain = s->topology->sd_llc[of];

	if (!s->topology->has_smt)
		return CPU_NONE;
	cpuset_for_each (cpu, s->topology->smt_mask[of]) {
		if (cpu == of || !cpuset_has(p->allowed, cpu) ||
		    !cpuset_has(s->topology->domain[domain].span, cpu))
			continue;
		if (scan_idle(s, cpu)) {
			s->counter[COUNT_sis_smt_hit]++;
			return cpu;
		}
	}
	return CPU_NONE;
}

static uint32_t scan_separately(struct sched *s, const struct place *p, uint32_t target)
{
	uint32_t cpu = scan_for_core(s, p, target);

	if (cpu == CPU_NONE)
		cpu = scan_for_cpu(s, p, target);
	if (cpu == CPU_NONE && sched_has(s, FEATURE_SIS_SMT))
		cpu = scan_smt(s, p, target);
	return cpu;
}

/* ---- the merged scan: since v5.12 ---- */

/* What is scanned before the rest of the LLC, or NULL: there may be cpus in no cluster. */
static const struct cpuset *first_to_scan(const struct sched *s, uint32_t target)
{
	const struct topology *t = s->topology;
	uint32_t cluster = t->sd_cluster[target];

	if (!sched_has(s, FEATURE_SIS_CLUSTER) || cluster == DOMAIN_NONE ||
	    cluster == t->sd_llc[target])
		return NULL;
	return t->domain[cluster].span;
}

/* Cores: the first idle one, else the first idle cpu seen on the way. */
static uint32_t merged_for_core(struct sched *s, const struct place *p, uint32_t target)
{
	struct cpuset *cpus = &s->scratch[0];
	const struct cpuset *cluster = first_to_scan(s, target);
	uint32_t start = scan_start(s, target), idle_cpu = CPU_NONE, core = CPU_NONE;

	s->counter[COUNT_sis_core_search]++;
	cpuset_and(cpus, scan_mask(s, target), p->allowed);
	if (cluster) {
		struct cpuset *near = &s->scratch[1];

		cpuset_and(near, cpus, cluster);
		core = scan_cores(s, p, near, start, &idle_cpu);
		cpuset_andnot(cpus, cpus, cluster);
	}
	if (core == CPU_NONE)
		core = scan_cores(s, p, cpus, start, &idle_cpu);
	if (core != CPU_NONE) {
		s->counter[COUNT_sis_core_hit]++;
		return core;
	}
	/* v5.12 cleared the waking cpu's flag, v5.13 the target's. */
	no_idle_core(s, s->config.version < 513 ? s->cpu : target);
	return idle_cpu;
}

static uint32_t merged_for_cpu(struct sched *s, const struct place *p, uint32_t target,
			       struct scan_limit *limit)
{
	const struct cpuset *mask = scan_mask(s, target), *cpus = p->allowed;
	const struct cpuset *cluster = first_to_scan(s, target);
	uint32_t start = scan_start(s, target), cpu;
	struct wrap wrap;

	if (cluster) {
		struct cpuset *rest = &s->scratch[0];

		cpuset_and(rest, p->allowed, cluster);
		wrap = wrap_begin(mask, rest, start);
		cpu = scan_cpus(s, &wrap, &limit->nr);
		if (cpu != CPU_NONE || !limit->nr)
			return cpu;
		cpuset_andnot(rest, p->allowed, cluster);
		cpus = rest;
	}
	wrap = wrap_begin(mask, cpus, start);
	return scan_cpus(s, &wrap, &limit->nr);
}

static uint32_t scan_merged(struct sched *s, const struct place *p, uint32_t target)
{
	bool for_core = may_have_idle_core(s, target);
	struct scan_limit limit;
	uint32_t cpu;

	if (sched_has(s, FEATURE_SIS_SMT_PREV) && !for_core &&
	    cpus_share_cache(s, p->prev, target)) {
		cpu = scan_smt(s, p, p->prev);
		if (cpu != CPU_NONE)
			return cpu;
	}
	limit = scan_limit(s, target, for_core);
	if (!limit.nr)
		return CPU_NONE;
	if (for_core && s->topology->has_smt)
		return merged_for_core(s, p, target);
	cpu = merged_for_cpu(s, p, target, &limit);
	if (limit.nr)
		scan_limit_report(s, &limit);
	return cpu;
}

/* ---- v3.13: groups ---- */

/* Whether all its cpus are idle; the target counts as busy. */
static bool group_is_idle(struct sched *s, const struct sched_group *group, uint32_t target)
{
	cpuset_for_each (cpu, group->span)
		if (cpu == target || !scan_idle(s, cpu))
			return false;
	return true;
}

uint32_t scan_groups(struct sched *s, const struct place *p, uint32_t target)
{
	const struct topology *t = s->topology;

	for (uint32_t d = t->sd_llc[target]; d != DOMAIN_NONE; d = t->domain[d].child) {
		const struct sched_domain *sd = &t->domain[d];

		for (uint32_t i = 0; i < sd->nr_groups; i++) {
			const struct sched_group *group = topology_group(t, sd, i);

			touch_path(s, PATH_scan_group, 1);
			if (!cpuset_intersects(group->span, p->allowed))
				continue;
			if (group_is_idle(s, group, target))
				return cpuset_next_and(group->span, p->allowed, 0);
		}
	}
	return CPU_NONE;
}

uint32_t scan_llc(struct sched *s, const struct place *p, uint32_t target)
{
	if (sched_has(s, FEATURE_SIS_GROUP_SCAN))
		return scan_groups(s, p, target);
	if (sched_has(s, FEATURE_SIS_MERGED_SCAN))
		return scan_merged(s, p, target);
	return scan_separately(s, p, target);
}
