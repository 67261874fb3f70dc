/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One balance of one domain (load_balance()): is this cpu to do it, from where, move, and what
 * to remember of success and failure.
 *
 * Affinity decides what happens to what could not move: tasks that another cpu of the destination
 * group may take go there, a source whose tasks are all pinned is left out and the search starts
 * again, and a group that affinity left unbalanced is marked one level up.
 */
#include "sched/balance.h"

enum { MAX_PINNED_INTERVAL_MS = 512 };

/* ---- who balances ---- */

static bool is_core_idle(struct sched *s, uint32_t cpu)
{
	cpuset_for_each (sibling, s->topology->smt_mask[cpu]) {
		if (sibling == cpu)
			continue;
		touch_scan(s, FIELD_rq_curr, sibling);
		if (!cpu_is_idle(s, sibling))
			return false;
	}
	return true;
}

/* The first idle cpu of the group's mask; on an idle core if there is one (v6.6). */
static uint32_t first_idle(struct sched *s, const struct balance *b, const struct cpuset *mask)
{
	bool by_core = s->config.version >= 606 && !(b->sd->flags & SD_SHARE_CPUCAPACITY);
	uint32_t fallback = CPU_NONE;

	for (uint32_t cpu = cpuset_next_and(mask, b->cpus, 0); cpu != CPU_NONE;
	     cpu = cpuset_next_and(mask, b->cpus, cpu + 1)) {
		touch_path(s, PATH_scan_cpu, 1);
		touch_scan(s, FIELD_rq_curr, cpu);
		if (!cpu_is_idle(s, cpu))
			continue;
		if (!by_core || is_core_idle(s, cpu))
			return cpu;
		if (fallback == CPU_NONE)
			fallback = cpu;
	}
	return fallback;
}

static bool is_balancer(struct sched *s, const struct balance *b)
{
	const struct cpuset *mask = topology_group(s->topology, b->sd, 0)->mask;
	uint32_t cpu;

	if (!cpuset_has(b->cpus, b->dst_cpu))
		return false;
	if (b->idle == BALANCE_NEWIDLE)
		return true;
	cpu = first_idle(s, b, mask);
	if (cpu == CPU_NONE)
		cpu = cpuset_first(mask);
	return cpu == b->dst_cpu;
}

/* ---- moving, with detours around affinity ---- */

static const struct sched_group *find_busiest(struct sched *s, struct balance *b)
{
	if (sched_has(s, FEATURE_GROUP_CLASSIFICATION))
		return find_busiest_by_class(s, b);
	return find_busiest_by_load(s, b);
}

/* What dst_cpu may not take goes to cpus of its group that may. */
static uint32_t move_within_group(struct sched *s, struct balance *b)
{
	uint32_t moved = move_tasks(s, b), dst = b->dst_cpu;

	while (b->other_dst != CPU_NONE && b->imbalance > 0) {
		cpuset_del(b->cpus, b->dst_cpu);
		b->dst_cpu = b->other_dst;
		b->other_dst = CPU_NONE;
		b->examined = 0;
		moved += move_tasks(s, b);
	}
	b->dst_cpu = dst;
	return moved;
}

/* The level above learns that its group could not be balanced. */
static void mark_imbalance(struct sched *s, const struct balance *b, bool imbalanced)
{
	const struct topology *t = s->topology;
	uint32_t group;

	if (b->sd->parent == DOMAIN_NONE)
		return;
	group = topology_group(t, &t->domain[b->sd->parent], 0)->id;
	if (s->group_imbalance[group] != imbalanced)
		s->group_imbalance[group] = imbalanced;
}

enum outcome { BALANCED, TRIED, ALL_PINNED };

static enum outcome take_from_busiest(struct sched *s, struct balance *b, uint32_t *moved)
{
	const struct cpuset *own = topology_group(s->topology, b->sd, 0)->mask;

	for (;;) {
		const struct sched_group *group = find_busiest(s, b);

		b->src_cpu = group ? find_busiest_cpu(s, b, group) : CPU_NONE;
		if (b->src_cpu == CPU_NONE)
			return BALANCED;
		b->all_pinned = true;
		b->some_pinned = false;
		b->examined = 0;
		b->other_dst = CPU_NONE;
		if (s->rq[b->src_cpu].nr_running <= 1) {
			b->all_pinned = false;
			return TRIED;
		}
		*moved += move_within_group(s, b);
		if (b->some_pinned && b->imbalance > 0)
			mark_imbalance(s, b, true);
		if (!b->all_pinned)
			return TRIED;
		cpuset_del(b->cpus, b->src_cpu);
		if (cpuset_subset(b->cpus, own))
			return ALL_PINNED;
	}
}

/* ---- active balance ---- */

/* Failed too often: only the running task is left to take. By tasks alone since v5.12. */
static bool needs_push(const struct sched *s, const struct balance *b)
{
	if (b->state->nr_balance_failed <= b->sd->cache_nice_tries + 2)
		return false;
	return s->config.version < 512 || b->unit == MOVE_TASKS;
}

/* False when the running task may not come here. */
static bool start_push(struct sched *s, struct balance *b)
{
	struct rq *src = &s->rq[b->src_cpu];

	rq_lock(s, b->src_cpu);
	if (src->curr != TASK_NONE && !task_may_run_on(s, src->curr, b->dst_cpu)) {
		rq_unlock(s, b->src_cpu);
		return false;
	}
	if (!src->active_balance) {
		touch_write(s, FIELD_rq_active_balance, b->src_cpu);
		src->active_balance = true;
		src->push_cpu = b->dst_cpu;
		s->counter[COUNT_lb_active]++;
		rq_send_ipi(s, b->src_cpu, SCHED_IPI_RESCHED);
	}
	rq_unlock(s, b->src_cpu);
	if (s->config.version < 512)
		b->state->nr_balance_failed = b->sd->cache_nice_tries + 1;
	return true;
}

/* ---- what is remembered ---- */

static void lengthen_interval(struct balance *b, bool pinned)
{
	if (b->idle == BALANCE_NEWIDLE)
		return;
	if ((pinned && b->state->balance_interval_ms < MAX_PINNED_INTERVAL_MS) ||
	    b->state->balance_interval_ms < b->sd->max_interval_ms)
		b->state->balance_interval_ms *= 2;
}

static void after_failure(struct sched *s, struct balance *b)
{
	s->counter[COUNT_lb_failed]++;
	if (b->idle != BALANCE_NEWIDLE)
		b->state->nr_balance_failed++;
	if (needs_push(s, b) && !start_push(s, b)) {
		lengthen_interval(b, true);
		return;
	}
	b->state->balance_interval_ms = b->sd->min_interval_ms;
}

static void after_balanced(struct sched *s, struct balance *b, bool pinned)
{
	if (!pinned)
		mark_imbalance(s, b, false);
	b->state->nr_balance_failed = 0;
	lengthen_interval(b, pinned);
}

static uint32_t balance_as_balancer(struct sched *s, struct balance *b)
{
	uint32_t moved = 0;

	switch (take_from_busiest(s, b, &moved)) {
	case BALANCED: after_balanced(s, b, false); break;
	case ALL_PINNED: after_balanced(s, b, true); break;
	case TRIED:
		if (moved) {
			b->state->nr_balance_failed = 0;
			b->state->balance_interval_ms = b->sd->min_interval_ms;
		} else {
			after_failure(s, b);
		}
	}
	touch_write(s, FIELD_sd_balance, b->domain);
	return moved;
}

uint32_t balance_domain(struct sched *s, uint32_t cpu, uint32_t domain, enum balance_idle idle,
			bool *goes_on)
{
	struct balance b = {
		.domain = domain,
		.sd = &s->topology->domain[domain],
		.state = &s->domain[domain],
		.dst_cpu = cpu,
		.src_cpu = CPU_NONE,
		.idle = idle,
		.cpus = &s->scratch[2],
		.other_dst = CPU_NONE,
	};

	touch_path(s, PATH_balance, 1);
	s->counter[COUNT_lb_count]++;
	cpuset_and(b.cpus, b.sd->span, &s->topology->active);
	if (!is_balancer(s, &b)) {
		*goes_on = false;
		return 0;
	}
	return balance_as_balancer(s, &b);
}
