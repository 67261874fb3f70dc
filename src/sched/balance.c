/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When to balance: at ticks, each domain by its own interval, and when a cpu is about to idle, as
 * long as that pays.
 *
 * Times are read from jiffies as in the kernel. What a newidle balance cost is remembered for each
 * domain as its recent worst, which fades by 1 % a second, and compared with how long this cpu
 * uses to stay idle.
 */
#include "sched/balance.h"
#include "sched/nohz.h"

#include "base/random.h"

enum { NS_PER_MS = 1000000, DECAY_PERIOD_NS = 1000000000 };

static const uint64_t far_ns = 60ull * 1000000000;

void balance_note_overload(struct sched *s)
{
	if (s->config.version < 317)
		return;
	touch_read(s, FIELD_rd_overload, 0);
	if (s->rd_overload)
		return;
	s->rd_overload = true;
	touch_write(s, FIELD_rd_overload, 0);
}

void balance_update_averages(struct sched *s, uint32_t cpu)
{
	rq_lock(s, cpu);
	rq_update(s, cpu);
	rq_unlock(s, cpu);
}

/* ---- intervals ---- */

/* In whole ticks, a tick at least and a tenth of a second a cpu at most. */
static uint64_t interval_ns(const struct sched *s, uint32_t domain, bool busy)
{
	uint64_t ms = s->domain[domain].balance_interval_ms, ticks, most;

	if (busy)
		ms *= s->topology->domain[domain].busy_factor;
	ticks = (ms * NS_PER_MS + s->tick_ns - 1) / s->tick_ns;
	/* v5.10: domains of a multiple of each other's interval do not meet at one tick. */
	if (busy && s->config.version >= 510 && ticks)
		ticks--;
	most = s->tunable[TUNABLE_hz] * s->nr_online / 10;
	ticks = max_u64(min_u64(ticks, most), 1);
	return ticks * s->tick_ns;
}

static uint64_t due_ns(const struct sched *s, uint32_t domain, bool busy)
{
	return s->domain[domain].last_balance_ns + interval_ns(s, domain, busy);
}

/* ---- cost of newidle balancing ---- */

/* True when it faded now. */
static bool decay_newidle_cost(struct sched *s, uint32_t domain)
{
	struct domain_state *d = &s->domain[domain];

	if (jiffies_ns(s) <= d->next_decay_ns)
		return false;
	d->max_newidle_cost_ns = d->max_newidle_cost_ns * 253 / 256;
	d->next_decay_ns = jiffies_ns(s) + DECAY_PERIOD_NS;
	return true;
}

static void note_newidle_cost(struct sched *s, uint32_t domain, uint64_t cost_ns)
{
	struct domain_state *d = &s->domain[domain];

	/* v6.12 keeps one long balance from forbidding all others for a minute. */
	if (s->config.version >= 612)
		cost_ns = min_u64(cost_ns, s->tunable[TUNABLE_migration_cost_ns] + 200);
	if (cost_ns <= d->max_newidle_cost_ns)
		return;
	d->max_newidle_cost_ns = cost_ns;
	if (s->config.version >= 516)
		d->next_decay_ns = jiffies_ns(s) + DECAY_PERIOD_NS;
}

/* ---- periodic ---- */

/* Some domains are balanced by one cpu at a time: who comes while it lasts goes without. */
static bool is_serialized(const struct sched *s, uint32_t domain)
{
	return (s->topology->domain[domain].flags & SD_SERIALIZE) &&
	       s->t_ns < s->serialize_until_ns;
}

static void balance_due_domain(struct sched *s, uint32_t cpu, uint32_t domain,
			       enum balance_idle *idle, bool *goes_on)
{
	if (is_serialized(s, domain))
		return;
	if (jiffies_ns(s) < due_ns(s, domain, *idle == BALANCE_BUSY))
		return;
	if (balance_domain(s, cpu, domain, *idle, goes_on))
		*idle = cpu_is_idle(s, cpu) ? BALANCE_IDLE : BALANCE_BUSY;
	s->domain[domain].last_balance_ns = jiffies_ns(s);
	if (s->topology->domain[domain].flags & SD_SERIALIZE)
		s->serialize_until_ns = s->t_ns;
}

void balance_domains(struct sched *s, uint32_t cpu, enum balance_idle idle)
{
	const struct topology *t = s->topology;
	uint64_t next_ns = jiffies_ns(s) + far_ns, cost_ns = 0;
	bool goes_on = true, faded = false;

	for (uint32_t i = t->base[cpu]; i != DOMAIN_NONE; i = t->domain[i].parent) {
		faded |= decay_newidle_cost(s, i);
		cost_ns += s->domain[i].max_newidle_cost_ns;
		if (!goes_on && !faded)
			break;
		if (!goes_on)
			continue;
		touch_read(s, FIELD_sd_balance, i);
		balance_due_domain(s, cpu, i, &idle, &goes_on);
		next_ns = min_u64(next_ns, due_ns(s, i, idle == BALANCE_BUSY));
	}
	if (faded)
		s->rq[cpu].max_idle_balance_ns =
			max_u64(s->tunable[TUNABLE_migration_cost_ns], cost_ns);
	s->rq[cpu].next_balance_ns = next_ns;
	touch_write(s, FIELD_rq_next_balance, cpu);
}

void balance_tick(struct sched *s, uint32_t cpu)
{
	bool idle = cpu_is_idle(s, cpu);
	uint64_t start_ns = s->t_ns;

	if (s->topology->base[cpu] == DOMAIN_NONE)
		return;
	if (!idle) {
		idle_mask_tick(s, cpu);
		nohz_exit(s, cpu);
		nohz_kick(s, cpu);
	}
	touch_read(s, FIELD_rq_next_balance, cpu);
	if (jiffies_ns(s) < s->rq[cpu].next_balance_ns)
		return;
	balance_update_averages(s, cpu);
	balance_domains(s, cpu, idle ? BALANCE_IDLE : BALANCE_BUSY);
	s->counter[COUNT_lb_ns] += s->t_ns - start_ns;
}

/* ---- newidle ---- */

/* Not when nobody has a task too many, nor when idle periods are shorter than the search. */
static bool newidle_pays(struct sched *s, uint32_t cpu)
{
	const struct rq *rq = &s->rq[cpu];
	uint32_t base = s->topology->base[cpu];

	if (s->config.version >= 317) {
		touch_read(s, FIELD_rd_overload, 0);
		if (!s->rd_overload)
			return false;
	}
	if (s->config.version >= 516)
		return rq->avg_idle_ns >= s->domain[base].max_newidle_cost_ns;
	return rq->avg_idle_ns >= s->tunable[TUNABLE_migration_cost_ns];
}

/* The domains upwards, as far as the idle time expected covers them; *next_ns: earliest due. */
static uint32_t newidle_domains(struct sched *s, uint32_t cpu, uint64_t *next_ns)
{
	const struct topology *t = s->topology;
	struct rq *rq = &s->rq[cpu];
	uint64_t spent_ns = 0;
	uint32_t moved = 0;

	for (uint32_t i = t->base[cpu]; i != DOMAIN_NONE; i = t->domain[i].parent) {
		uint64_t start_ns = s->t_ns;
		bool goes_on = true;

		touch_read(s, FIELD_sd_balance, i);
		*next_ns = min_u64(*next_ns, due_ns(s, i, false));
		if (rq->avg_idle_ns < spent_ns + s->domain[i].max_newidle_cost_ns)
			break;
		if (t->domain[i].flags & SD_BALANCE_NEWIDLE) {
			s->counter[COUNT_lb_newidle]++;
			moved += balance_domain(s, cpu, i, BALANCE_NEWIDLE, &goes_on);
			note_newidle_cost(s, i, s->t_ns - start_ns);
			spent_ns += s->t_ns - start_ns;
		}
		if (moved || rq->nr_running || rq->ttwu_pending)
			break;
	}
	rq->max_idle_balance_ns = max_u64(rq->max_idle_balance_ns, spent_ns);
	return moved;
}

bool balance_newidle(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	uint32_t base = s->topology->base[cpu];
	uint64_t start_ns = s->t_ns, next_ns;

	rq->idle_stamp_ns = max_u64(s->t_ns, 1);
	touch_write(s, FIELD_rq_idle, cpu);
	if (base == DOMAIN_NONE)
		return false;
	touch_path(s, PATH_newidle, 1);
	next_ns = due_ns(s, base, false);
	if (newidle_pays(s, cpu)) {
		rq_unlock(s, cpu);
		balance_update_averages(s, cpu);
		newidle_domains(s, cpu, &next_ns);
		rq_lock(s, cpu);
		rq_update(s, cpu);
	} else {
		s->counter[COUNT_lb_newidle_skipped]++;
	}
	rq->next_balance_ns = min_u64(rq->next_balance_ns, next_ns);
	if (rq->nr_running)
		rq->idle_stamp_ns = 0;
	s->counter[COUNT_lb_ns] += s->t_ns - start_ns;
	return rq->nr_running > 0;
}

/* ---- the beginning ---- */

static void init_cpu(struct sched *s, uint32_t cpu)
{
	struct random random = random_stream(s->seed, RANDOM_TICK_PHASE, s->nr_cpus + cpu);
	uint32_t llc = s->topology->llc_shared[cpu];
	struct rq *rq = &s->rq[cpu];

	/* As after boot: the idlest search passes over a cpu that never was idle. */
	rq->idle_stamp_ns = 1;
	rq->max_idle_balance_ns = s->tunable[TUNABLE_migration_cost_ns];
	rq->avg_idle_ns = 2 * rq->max_idle_balance_ns;
	rq->wake_avg_idle_ns = rq->avg_idle_ns;
	rq->next_balance_ns = s->tick_ns * random_below(&random, 8);
	if (llc == LLC_NONE)
		return;
	rq->counted_busy = true;
	s->llc[llc].nr_busy_cpus++;
	s->llc[llc].has_idle_cores = s->topology->has_smt;
	s->llc[llc].nr_idle_scan = s->topology->llc_size[cpu];
	if (sched_has(s, FEATURE_SIS_IDLE_CPUMASK))
		cpuset_add(&s->llc[llc].idle_mask, cpu);
}

void balance_init(struct sched *s, struct arena *arena)
{
	const struct topology *t = s->topology;

	s->group_imbalance = ARENA_ARRAY(arena, bool, t->nr_groups);
	s->nr_online = cpuset_weight(&t->online);
	for (uint32_t i = 0; i < t->nr_domains; i++) {
		s->domain[i].balance_interval_ms = t->domain[i].min_interval_ms;
		s->domain[i].next_decay_ns = DECAY_PERIOD_NS;
	}
	cpuset_for_each (cpu, &t->online)
		init_cpu(s, cpu);
}
