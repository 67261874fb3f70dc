/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many cpus of an LLC a search may look at.
 *
 * SIS_AVG_CPU and SIS_PROP weigh what a scan costs against how long this cpu uses to be idle;
 * SIS_UTIL takes the LLC's utilisation, which balancing leaves in the shared state.
 */
#include "sched/place.h"

#define SCAN_ALL UINT32_MAX

enum { LEAST_SCAN = 4 };

/*
 * What the past idle time promises, v5.14 (94aafc3ee31d): half the average at the last wake-up on
 * an idle cpu, halved for each tick since, less what scans have used of it.
 */
static uint64_t promised_idle_ns(struct sched *s)
{
	struct rq *rq = &s->rq[s->cpu];
	uint64_t now_tick = s->t_ns / s->tick_ns;

	touch_read(s, FIELD_rq_idle, s->cpu);
	if (s->config.version < 514)
		return rq->avg_idle_ns;
	while (rq->wake_stamp_ns / s->tick_ns < now_tick && rq->wake_avg_idle_ns) {
		rq->wake_stamp_ns += s->tick_ns;
		rq->wake_avg_idle_ns /= 2;
	}
	return rq->wake_avg_idle_ns;
}

/* 512 compensates the large spread of idle times; v5.14 leaves it out as its average is aged. */
static uint64_t idle_share_ns(struct sched *s)
{
	uint64_t idle_ns = promised_idle_ns(s);

	return s->config.version < 514 ? idle_ns / 512 : idle_ns;
}

/* nr = cpus * idle / cost, 4 at least. */
static uint32_t nr_of_proportion(uint32_t weight, uint64_t idle_ns, uint64_t cost_ns)
{
	uint64_t span_ns = weight * idle_ns;

	if (span_ns <= LEAST_SCAN * cost_ns)
		return LEAST_SCAN;
	return (uint32_t)min_u64(span_ns / cost_ns, SCAN_ALL - 1);
}

static void limit_by_idle_time(struct sched *s, struct scan_limit *limit, uint32_t target)
{
	uint32_t this_llc = s->topology->sd_llc[s->cpu];
	uint32_t weight = s->topology->domain[s->topology->sd_llc[target]].weight;
	uint64_t idle_ns, cost_ns;

	/* A cpu without LLC domain searches none. */
	if (this_llc == DOMAIN_NONE) {
		limit->nr = 0;
		return;
	}
	touch_read(s, FIELD_sd_balance, this_llc);
	idle_ns = idle_share_ns(s);
	cost_ns = s->domain[this_llc].avg_scan_cost_ns + 1;
	limit->is_timed = true;
	if (sched_has(s, FEATURE_SIS_AVG_CPU) && idle_ns < cost_ns)
		limit->nr = 0;
	else if (sched_has(s, FEATURE_SIS_PROP))
		limit->nr = nr_of_proportion(weight, idle_ns, cost_ns);
}

static void limit_by_utilisation(struct sched *s, struct scan_limit *limit, uint32_t target)
{
	uint32_t llc = s->topology->llc_shared[target];
	uint32_t nr;

	if (llc == LLC_NONE)
		return;
	touch_read(s, FIELD_nr_idle_scan, llc);
	nr = s->llc[llc].nr_idle_scan + 1;
	if (nr == 1)
		limit->nr = 0;
	else if (nr < limit->nr)
		limit->nr = nr;
}

struct scan_limit scan_limit(struct sched *s, uint32_t target, bool for_core)
{
	struct scan_limit limit = { .nr = SCAN_ALL };
	bool by_time = sched_has(s, FEATURE_SIS_PROP) || sched_has(s, FEATURE_SIS_AVG_CPU);

	/* The merged scan looks for a core without regard to time. */
	if (by_time && !(for_core && sched_has(s, FEATURE_SIS_MERGED_SCAN)))
		limit_by_idle_time(s, &limit, target);
	if (sched_has(s, FEATURE_SIS_UTIL) && limit.nr)
		limit_by_utilisation(s, &limit, target);
	if (!limit.nr)
		s->counter[COUNT_sis_skipped]++;
	limit.start_ns = s->t_ns;
	return limit;
}

void scan_limit_report(struct sched *s, const struct scan_limit *limit)
{
	struct domain_state *sd;
	struct rq *rq = &s->rq[s->cpu];
	uint64_t spent_ns = s->t_ns - limit->start_ns;

	if (!limit->is_timed)
		return;
	if (s->config.version >= 514)
		rq->wake_avg_idle_ns -= min_u64(rq->wake_avg_idle_ns, spent_ns);
	sd = &s->domain[s->topology->sd_llc[s->cpu]];
	sd->avg_scan_cost_ns += (uint64_t)((int64_t)(spent_ns - sd->avg_scan_cost_ns) / 8);
	touch_write(s, FIELD_sd_balance, s->topology->sd_llc[s->cpu]);
}

/*
 * 70fb5ccf2ebb (v6.0): with x the mean utilisation of a cpu and pct the imbalance percentage
 *   y = 1024 - x^2 * pct^2 / (10000 * 1024), at least 0;  nr = y * cpus / 1024
 * so that nothing is scanned from 1024 * 100 / pct on (85 % with 117).
 */
uint32_t scan_nr_of_util(uint64_t sum_util, uint32_t weight, uint32_t imbalance_pct)
{
	uint64_t x = sum_util / weight, pct = imbalance_pct;
	uint64_t loss = x * x * pct * pct / (10000 * CAPACITY_FULL);

	return (uint32_t)((CAPACITY_FULL - min_u64(loss, CAPACITY_FULL)) * weight / CAPACITY_FULL);
}
