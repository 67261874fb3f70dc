/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Balancing on behalf of cpus that have stopped their tick.
 *
 * A busy tick that finds work to share (two tasks here, or more than one busy cpu in the LLC) sends
 * one of the idle cpus an interrupt; that one balances for all of them in turn, for as long as it
 * stays idle itself, and pays for it all. Kicks also refresh the decaying load of idle cpus.
 * Not modelled: nohz_full, the kick after a newidle balance (docs/MODEL.md).
 */
#include "sched/nohz.h"

#include "sched/balance.h"

enum { BLOCKED_PERIOD_NS = 32000000 };

/* ---- who has no tick ---- */

static void mask_write(struct sched *s, uint32_t cpu)
{
	touch_pay(s, memory_atomic(s->memory, s->cpu, touch_mask_line(s, FIELD_nohz_mask, 0, cpu),
				   s->t_ns));
	touch_atomic(s, FIELD_nohz_nr, 0);
}

void nohz_count_idle(struct sched *s, uint32_t cpu)
{
	uint32_t llc = s->topology->llc_shared[cpu];

	if (llc == LLC_NONE || !s->rq[cpu].counted_busy)
		return;
	s->rq[cpu].counted_busy = false;
	s->llc[llc].nr_busy_cpus--;
	touch_atomic(s, FIELD_nr_busy_cpus, llc);
}

void nohz_count_busy(struct sched *s, uint32_t cpu)
{
	uint32_t llc = s->topology->llc_shared[cpu];

	if (llc == LLC_NONE || s->rq[cpu].counted_busy)
		return;
	s->rq[cpu].counted_busy = true;
	s->llc[llc].nr_busy_cpus++;
	touch_atomic(s, FIELD_nr_busy_cpus, llc);
}

void nohz_enter(struct sched *s, uint32_t cpu)
{
	if (s->topology->base[cpu] == DOMAIN_NONE)
		return;
	touch_read(s, FIELD_rq_nohz_flags, cpu);
	if (!cpuset_has(&s->nohz.idle_mask, cpu)) {
		touch_write(s, FIELD_rq_nohz_flags, cpu);
		cpuset_add(&s->nohz.idle_mask, cpu);
		s->nohz.nr_idle++;
		mask_write(s, cpu);
		nohz_count_idle(s, cpu);
	}
	s->nohz.has_blocked = true;
	touch_write(s, FIELD_nohz_nr, 0);
}

void nohz_exit(struct sched *s, uint32_t cpu)
{
	touch_read(s, FIELD_rq_nohz_flags, cpu);
	nohz_count_busy(s, cpu);
	if (!cpuset_has(&s->nohz.idle_mask, cpu))
		return;
	touch_write(s, FIELD_rq_nohz_flags, cpu);
	cpuset_del(&s->nohz.idle_mask, cpu);
	s->nohz.nr_idle--;
	mask_write(s, cpu);
}

/* ---- the kick ---- */

/* The first idle cpu without tick, not this one; CPU_NONE without. */
static uint32_t choose_balancer(struct sched *s, uint32_t cpu)
{
	cpuset_for_each (idle, &s->nohz.idle_mask) {
		if (idle == cpu)
			continue;
		touch_path(s, PATH_scan_cpu, 1);
		touch_scan(s, FIELD_rq_curr, idle);
		if (cpu_is_idle(s, idle))
			return idle;
	}
	return CPU_NONE;
}

static void kick(struct sched *s, uint32_t cpu, uint8_t flags)
{
	uint32_t balancer;

	/* One kick a tick: the balancer sets the right time when it has looked. */
	if (flags & NOHZ_BALANCE)
		s->nohz.next_balance_ns = jiffies_ns(s) + s->tick_ns;
	balancer = choose_balancer(s, cpu);
	if (balancer == CPU_NONE)
		return;
	touch_atomic(s, FIELD_rq_nohz_flags, balancer);
	if (s->rq[balancer].nohz_flags) {
		s->rq[balancer].nohz_flags |= flags;
		return;
	}
	s->rq[balancer].nohz_flags = flags;
	s->rq[balancer].nohz_kicked = true;
	s->counter[COUNT_nohz_kick]++;
	if (s->config.version >= 508)
		rq_call(s, balancer);
	else
		rq_send_ipi(s, balancer, SCHED_IPI_RESCHED);
}

/* Balance is due: is there anything to share? */
static bool has_work_to_share(struct sched *s, uint32_t cpu)
{
	uint32_t llc = s->topology->llc_shared[cpu];

	if (s->rq[cpu].nr_running >= 2)
		return true;
	if (llc == LLC_NONE)
		return false;
	touch_read(s, FIELD_nr_busy_cpus, llc);
	return s->llc[llc].nr_busy_cpus > 1;
}

void nohz_kick(struct sched *s, uint32_t cpu)
{
	uint64_t now_ns = jiffies_ns(s);
	uint8_t flags = 0;

	touch_read(s, FIELD_nohz_nr, 0);
	if (!s->nohz.nr_idle)
		return;
	/* Decayed load is refreshed since v4.17. */
	if (s->nohz.has_blocked && now_ns > s->nohz.next_blocked_ns && s->config.version >= 417)
		flags = NOHZ_STATS;
	if (now_ns >= s->nohz.next_balance_ns && has_work_to_share(s, cpu))
		flags = NOHZ_STATS | NOHZ_BALANCE;
	if (flags)
		kick(s, cpu, flags);
}

/* ---- the balancer ---- */

/* The averages of an idle cpu decay; true when something is left to decay. */
static bool refresh_averages(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];

	if (s->t_ns >= rq->next_blocked_update_ns) {
		balance_update_averages(s, cpu);
		rq->next_blocked_update_ns = jiffies_ns(s) + s->tick_ns;
	}
	return rq->avg.load_avg || rq->avg.util_avg || rq->avg.runnable_avg;
}

struct round {
	uint8_t flags;
	bool has_blocked;
	uint64_t next_balance_ns;
};

static void balance_for(struct sched *s, uint32_t idle, struct round *round)
{
	struct rq *rq = &s->rq[idle];

	touch_path(s, PATH_scan_cpu, 1);
	touch_scan(s, FIELD_rq_curr, idle);
	if (!cpu_is_idle(s, idle))
		return;
	if (round->flags & NOHZ_STATS)
		round->has_blocked |= refresh_averages(s, idle);
	touch_read(s, FIELD_rq_next_balance, idle);
	if (jiffies_ns(s) >= rq->next_balance_ns && (round->flags & NOHZ_BALANCE)) {
		s->counter[COUNT_lb_nohz]++;
		balance_domains(s, idle, BALANCE_IDLE);
	}
	round->next_balance_ns = min_u64(round->next_balance_ns, rq->next_balance_ns);
}

/*
 * Until v6.12 the reschedule flag alone ends it: a balancer that polled was kicked through that
 * very flag (v5.8) and does nothing. v6.13 (ea9cffc0a154) asks whether the cpu is still idle.
 */
static bool has_work(const struct sched *s, uint32_t cpu)
{
	return !cpu_is_idle(s, cpu) || (s->rq[cpu].need_resched && s->config.version < 613);
}

/* All without tick, from the next cpu on round to this one. */
void balance_nohz(struct sched *s, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];
	struct round round = { .flags = rq->nohz_flags, .next_balance_ns = UINT64_MAX };
	uint64_t start_ns = s->t_ns;

	rq->nohz_flags = 0;
	rq->nohz_kicked = false;
	touch_atomic(s, FIELD_rq_nohz_flags, cpu);
	if (!round.flags || has_work(s, cpu))
		return;
	s->nohz.has_blocked = false;
	touch_write(s, FIELD_nohz_nr, 0);
	for (uint32_t lap = 0; lap < 2; lap++) {
		uint32_t at = lap ? 0 : cpu + 1, end = lap ? cpu + 1 : s->nr_cpus;

		for (; (at = cpuset_next(&s->nohz.idle_mask, at)) < end; at++) {
			if (has_work(s, cpu)) {
				s->nohz.has_blocked = true;
				s->counter[COUNT_lb_ns] += s->t_ns - start_ns;
				return;
			}
			balance_for(s, at, &round);
		}
	}
	if (round.next_balance_ns != UINT64_MAX)
		s->nohz.next_balance_ns = round.next_balance_ns;
	s->nohz.next_blocked_ns = jiffies_ns(s) + BLOCKED_PERIOD_NS;
	s->nohz.has_blocked |= round.has_blocked;
	touch_write(s, FIELD_nohz_nr, 0);
	s->counter[COUNT_lb_ns] += s->t_ns - start_ns;
}
