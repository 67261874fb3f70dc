/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An idle cpu near `target`: quick guesses first, a search of the LLC after them.
 *
 * The order of guesses is the kernel's: the target itself, the previous cpu, a per-cpu kernel
 * thread's own cpu, the cpu used before. Each must share the target's LLC; on machines with
 * clusters (v6.7) a guess of another cluster waits until the search has failed.
 * Not modelled: asymmetric capacity, cpus that run idle-policy tasks (docs/MODEL.md).
 */
#include "sched/place.h"

/* Beside clusters, cpus of one LLC that are in none are near each other. */
static bool is_near(const struct sched *s, uint32_t cpu, uint32_t target)
{
	const struct topology *t = s->topology;

	return !sched_has(s, FEATURE_SIS_CLUSTER) || !t->has_clusters ||
	       t->share_id[cpu] == t->share_id[target];
}

static bool is_guess(struct sched *s, uint32_t cpu, uint32_t target)
{
	return cpu != target && cpus_share_cache(s, cpu, target) && scan_idle(s, cpu);
}

/*
 * A kernel thread bound to this cpu that finishes work for a task that slept here. Delayed sleepers
 * are queued beside it as others are.
 */
static bool woken_by_own_kthread(const struct sched *s, const struct place *p)
{
	uint32_t waker = s->rq[p->cpu].curr;
	const struct cpuset *set;

	if (!sched_has(s, FEATURE_SIS_PER_CPU_KTHREAD) || waker == TASK_NONE || p->prev != p->cpu)
		return false;
	set = &s->set[s->task[waker].set];
	return s->task[waker].is_kthread && cpuset_next(set, cpuset_first(set) + 1) == CPU_NONE &&
	       s->rq[p->cpu].nr_queued <= 1;
}

/* The cpu before the previous one, if it is idle; the previous one is remembered in its place. */
static uint32_t guess_recent(struct sched *s, const struct place *p, uint32_t target)
{
	struct sched_task *task = &s->task[p->task];
	uint32_t recent = task->recent_cpu;

	if (!sched_has(s, FEATURE_SIS_RECENT))
		return CPU_NONE;
	touch_read(s, FIELD_task_wakee, p->task);
	if (s->config.version >= 514)
		task->recent_cpu = p->prev;
	if (recent == CPU_NONE || recent == p->prev || !cpuset_has(p->allowed, recent) ||
	    !is_guess(s, recent, target))
		return CPU_NONE;
	task->recent_cpu = p->prev;
	return recent;
}

static uint32_t hit(struct sched *s, enum sched_counter why, uint32_t cpu)
{
	s->counter[why]++;
	s->counter[COUNT_sis_hit]++;
	return cpu;
}

/* Guesses that were idle but in another cluster. */
struct reserve {
	uint32_t prev, recent;
};

static uint32_t guess(struct sched *s, const struct place *p, uint32_t target,
		      struct reserve *reserve)
{
	uint32_t recent;

	if (scan_idle(s, target))
		return hit(s, COUNT_sis_target_hit, target);
	if (is_guess(s, p->prev, target)) {
		if (is_near(s, p->prev, target))
			return hit(s, COUNT_sis_prev_hit, p->prev);
		reserve->prev = p->prev;
	}
	if (woken_by_own_kthread(s, p))
		return hit(s, COUNT_sis_kthread_hit, p->prev);
	recent = guess_recent(s, p, target);
	if (recent == CPU_NONE)
		return CPU_NONE;
	if (is_near(s, recent, target))
		return hit(s, COUNT_sis_recent_hit, recent);
	reserve->recent = recent;
	return CPU_NONE;
}

static uint32_t search(struct sched *s, const struct place *p, uint32_t target,
		       const struct reserve *reserve)
{
	uint32_t cpu;

	s->counter[COUNT_sis_domain_search]++;
	cpu = scan_llc(s, p, target);
	if (cpu != CPU_NONE)
		return hit(s, COUNT_sis_scan_hit, cpu);
	s->counter[COUNT_sis_failed]++;
	if (reserve->prev != CPU_NONE)
		return hit(s, COUNT_sis_prev_hit, reserve->prev);
	if (reserve->recent != CPU_NONE)
		return hit(s, COUNT_sis_recent_hit, reserve->recent);
	return target;
}

static uint32_t find_sibling(struct sched *s, const struct place *p, uint32_t target)
{
	struct reserve reserve = { CPU_NONE, CPU_NONE };
	uint32_t cpu = guess(s, p, target, &reserve);

	if (cpu != CPU_NONE || s->topology->sd_llc[target] == DOMAIN_NONE)
		return cpu == CPU_NONE ? target : cpu;
	return search(s, p, target, &reserve);
}

uint32_t select_idle_sibling(struct sched *s, uint32_t task, uint32_t prev_cpu, uint32_t target)
{
	struct place p = { .task = task, .cpu = s->cpu, .prev = prev_cpu };
	uint64_t start_ns = s->t_ns;
	uint32_t cpu;

	p.allowed = &s->set[s->task[task].set];
	s->counter[COUNT_sis_search]++;
	cpu = find_sibling(s, &p, target);
	s->counter[COUNT_sis_ns] += s->t_ns - start_ns;
	return cpu;
}
