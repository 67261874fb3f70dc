/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of placement share: the paths of a wake-up from select_task_rq_fair() down.
 *
 * place.c chooses the path, affine.c the side of waker or previous cpu, idle_sibling*.c an idle cpu
 * near it, idlest*.c the least busy group and cpu of the machine. Everything works in the verb in
 * progress. Searches return an allowed cpu or CPU_NONE; a target need not be allowed, and
 * place_task() replaces it then. Allowed sets hold online cpus at least in part.
 */
#ifndef SCHED_PLACE_H
#define SCHED_PLACE_H

#include "sched/internal.h"

struct place {
	uint32_t task;
	uint32_t cpu;  /* of the waker or parent: s->cpu */
	uint32_t prev; /* where the task ran last */
	bool sync;     /* the waker says that it is about to sleep */
	const struct cpuset *allowed;
};

/* ---- place.c ---- */
/* What the class answers for a task of several cpus: a cpu, not necessarily an allowed one. */
uint32_t place_choose(struct sched *s, const struct place *p, enum place_reason reason);

/* ---- affine.c ---- */
/* Whether waker and wakee have too many partners for the wakee to be pulled. */
bool wake_wide(struct sched *s, const struct place *p);
/* p->cpu or p->prev: at which of the two the search for an idle cpu starts. */
uint32_t wake_affine(struct sched *s, const struct place *p, uint32_t domain);

/* ---- idlest.c ---- */
/* The slow path from `domain` of p->cpu down; sd_flag: domains that have it take part. */
uint32_t find_idlest_cpu(struct sched *s, const struct place *p, uint32_t domain, uint32_t sd_flag);
/* ---- idlest_group.c ---- */
/* A group's number in the ring of `domain`, or UINT32_MAX to stay in cpu's own group. */
uint32_t find_idlest_group(struct sched *s, const struct place *p, uint32_t domain, uint32_t cpu);

/* ---- idle_sibling_scan.c ---- */
/* An idle cpu of target's LLC, by the version's searches. */
uint32_t scan_llc(struct sched *s, const struct place *p, uint32_t target);
/* v3.13: a cpu of a wholly idle group, from the LLC down; CPU_NONE without. */
uint32_t scan_groups(struct sched *s, const struct place *p, uint32_t target);
/* ---- idle_sibling_limit.c ---- */
struct scan_limit {
	uint32_t nr;   /* cpus to look at plus one; 0: do not scan at all */
	bool is_timed; /* the scan's length is to be reported */
	uint64_t start_ns;
};

struct scan_limit scan_limit(struct sched *s, uint32_t target, bool for_core);
/* The scan ended without running into its limit. */
void scan_limit_report(struct sched *s, const struct scan_limit *limit);
/* SIS_UTIL: from the LLC's utilisation to the number of cpus worth looking at. */
uint32_t scan_nr_of_util(uint64_t sum_util, uint32_t weight, uint32_t imbalance_pct);

/*
 * available_idle_cpu(): pays for its three lines as far as they are read, and says whether the cpu
 * is idle.
 */
static inline bool look_idle(struct sched *s, uint32_t cpu)
{
	const struct rq *rq = &s->rq[cpu];

	touch_path(s, PATH_scan_cpu, 1);
	touch_scan(s, FIELD_rq_curr, cpu);
	if (rq->curr != TASK_NONE)
		return false;
	touch_scan(s, FIELD_rq_nr_running, cpu);
	if (rq->nr_running)
		return false;
	touch_scan(s, FIELD_rq_ttwu_pending, cpu);
	return !rq->ttwu_pending;
}

/* sched_idle_cpu() (v5.4): a busy cpu may run idle-policy tasks only; here none does. */
static inline void look_sched_idle(struct sched *s, uint32_t cpu)
{
	if (s->config.version < 504)
		return;
	touch_scan(s, FIELD_rq_nr_running, cpu);
	touch_scan(s, FIELD_cfs_load, cpu);
}

/* Both by an idle sibling search, which counts. */
static inline bool scan_idle(struct sched *s, uint32_t cpu)
{
	s->counter[COUNT_sis_scanned]++;
	if (look_idle(s, cpu))
		return true;
	look_sched_idle(s, cpu);
	return false;
}

static inline bool cpus_share_cache(const struct sched *s, uint32_t a, uint32_t b)
{
	return s->topology->llc_id[a] == s->topology->llc_id[b];
}

#endif
