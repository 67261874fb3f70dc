/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slow path: from a domain down to a cpu, at each level the least busy group, in it the least
 * busy cpu, and on from that cpu's own smaller domains. (find_idlest_cpu())
 */
#include "sched/place.h"

/* The rule among the cpus of the chosen group, as it looks at one after another. */
struct choice {
	uint32_t busy, idle; /* best of each kind so far */
	uint64_t least_load, exit_latency_ns, idle_stamp_ns;
	bool is_final;
};

static void consider_busy(struct sched *s, struct choice *c, uint32_t cpu, uint32_t local)
{
	uint64_t load;

	touch_scan(s, FIELD_cfs_avg, cpu);
	load = min_u64(cpu_load(s, cpu), s->config.version < 507 ? s->rq[cpu].load_wt : UINT64_MAX);
	if (load < c->least_load || (load == c->least_load && cpu == local)) {
		c->least_load = load;
		c->busy = cpu;
	}
}

/* v3.15: the state that wakes fastest; among equals the cpu that went idle last. */
static void consider_shallow(struct sched *s, struct choice *c, uint32_t cpu)
{
	const struct rq *rq = &s->rq[cpu];
	uint64_t latency = c->exit_latency_ns;

	touch_scan(s, FIELD_idle_state, cpu);
	touch_scan(s, FIELD_rq_idle, cpu);
	if (rq->idle_state != IDLE_STATE_NONE)
		latency = s->machine->costs.idle_state[rq->idle_state].exit_latency_ns;
	if (latency > c->exit_latency_ns)
		return;
	if (latency == c->exit_latency_ns && rq->idle_stamp_ns <= c->idle_stamp_ns)
		return;
	c->exit_latency_ns = latency;
	c->idle_stamp_ns = rq->idle_stamp_ns;
	c->idle = cpu;
}

/*
 * LATEST_IDLE_CPU: an idle cpu that an interrupt has already woken is taken at once; else the one
 * that entered idle last, the first in the mask among equals.
 */
static void consider_latest(struct sched *s, struct choice *c, uint32_t cpu)
{
	const struct rq *rq = &s->rq[cpu];

	touch_scan(s, FIELD_idle_state, cpu);
	if (rq->idle_state == IDLE_STATE_NONE || rq->need_resched) {
		c->idle = cpu;
		c->is_final = true;
	} else if (c->idle == CPU_NONE || rq->idle_since_ns > c->idle_stamp_ns) {
		c->idle_stamp_ns = rq->idle_since_ns;
		c->idle = cpu;
	}
}

static void consider(struct sched *s, struct choice *c, uint32_t cpu, uint32_t local)
{
	bool latest = sched_has(s, FEATURE_LATEST_IDLE_CPU);
	bool shallow = sched_has(s, FEATURE_SHALLOWEST_IDLE_CPU);

	s->counter[COUNT_slow_scanned]++;
	if (!latest && !shallow) {
		touch_path(s, PATH_scan_cpu, 1);
		consider_busy(s, c, cpu, local);
	} else if (look_idle(s, cpu)) {
		if (latest)
			consider_latest(s, c, cpu);
		else
			consider_shallow(s, c, cpu);
	} else if (c->idle == CPU_NONE) {
		consider_busy(s, c, cpu, local);
	}
}

/* A cpu of the group, or `local` when none is better. */
static uint32_t idlest_cpu_of(struct sched *s, const struct place *p,
			      const struct sched_group *group, uint32_t local)
{
	struct choice c = {
		.busy = CPU_NONE,
		.idle = CPU_NONE,
		.least_load = UINT64_MAX,
		.exit_latency_ns = UINT64_MAX,
	};

	if (group->weight == 1)
		return cpuset_first(group->span);
	for (uint32_t cpu = cpuset_next_and(group->span, p->allowed, 0);
	     cpu != CPU_NONE && !c.is_final;
	     cpu = cpuset_next_and(group->span, p->allowed, cpu + 1))
		consider(s, &c, cpu, local);
	if (c.idle != CPU_NONE)
		return c.idle;
	return c.busy == CPU_NONE ? local : c.busy;
}

/* The highest domain of cpu below `weight` that takes part. */
static uint32_t domain_below(const struct sched *s, uint32_t cpu, uint32_t weight, uint32_t flag)
{
	const struct topology *t = s->topology;
	uint32_t found = DOMAIN_NONE;

	for (uint32_t i = t->base[cpu]; i != DOMAIN_NONE; i = t->domain[i].parent) {
		if (t->domain[i].weight >= weight)
			break;
		if (t->domain[i].flags & flag)
			found = i;
	}
	return found;
}

uint32_t find_idlest_cpu(struct sched *s, const struct place *p, uint32_t domain, uint32_t sd_flag)
{
	const struct topology *t = s->topology;
	uint32_t cpu = p->cpu;

	if (!cpuset_intersects(t->domain[domain].span, p->allowed))
		return p->prev;
	while (domain != DOMAIN_NONE) {
		const struct sched_domain *sd = &t->domain[domain];
		uint32_t group, next = cpu;

		if (sd->flags & sd_flag) {
			group = find_idlest_group(s, p, domain, cpu);
			if (group != UINT32_MAX)
				next = idlest_cpu_of(s, p, topology_group(t, sd, group), cpu);
		}
		if (next == cpu) {
			domain = sd->child;
			continue;
		}
		cpu = next;
		domain = domain_below(s, cpu, sd->weight, sd_flag);
	}
	return cpu;
}
