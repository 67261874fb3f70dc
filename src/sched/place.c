/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which path a placement takes: near the waker or the previous cpu for wake-ups, the least busy
 * part of the machine for fork and exec.
 *
 * The domains of the waking cpu are walked upwards. The first one that spans the previous cpu and
 * allows affine wake-ups ends the walk; otherwise the highest one that balances on this kind of
 * placement is where the slow path starts. (select_task_rq_fair(), v3.13 to v6.18.)
 */
#include "sched/place.h"

#include "base/check.h"

enum { NS_PER_S = 1000000000 };

static uint32_t flag_of_reason(enum place_reason reason)
{
	switch (reason) {
	case PLACE_WAKE: return SD_BALANCE_WAKE;
	case PLACE_FORK: return SD_BALANCE_FORK;
	case PLACE_EXEC: return SD_BALANCE_EXEC;
	}
	CHECK(false);
	return 0;
}

/* v3.13 wiped the count each second; v3.16 halves it. */
static uint32_t decayed_flips(const struct sched *s, uint32_t flips)
{
	return s->config.version < 316 ? 0 : flips / 2;
}

/* True when it changed anything. */
static bool count_partner(const struct sched *s, uint32_t *flips, uint32_t *last,
			  uint64_t *decay_ns, uint32_t wakee)
{
	bool decays = s->t_ns > *decay_ns + NS_PER_S, changes = *last != wakee;

	if (decays) {
		*flips = decayed_flips(s, *flips);
		*decay_ns = s->t_ns;
	}
	*last = wakee;
	*flips += changes;
	return decays || changes;
}

/* Lines of idle tasks are not modelled: no other cpu reads them. */
void place_record_wakee(struct sched *s, uint32_t waker, uint32_t wakee)
{
	struct sched_task *task;
	struct rq *rq = &s->rq[s->cpu];

	if (waker == TASK_NONE) {
		count_partner(s, &rq->idle_flips, &rq->idle_last_wakee, &rq->idle_decay_ns, wakee);
		return;
	}
	task = &s->task[waker];
	touch_read(s, FIELD_task_wakee, waker);
	if (count_partner(s, &task->wakee_flips, &task->last_wakee, &task->wakee_decay_ns, wakee))
		touch_write(s, FIELD_task_wakee, waker);
}

static bool is_single(const struct cpuset *set, uint32_t first)
{
	return cpuset_next(set, first + 1) == CPU_NONE;
}

static bool wants_affine(struct sched *s, const struct place *p, enum place_reason reason)
{
	if (reason != PLACE_WAKE || !cpuset_has(p->allowed, p->cpu))
		return false;
	/* Before v4.3 many partners only kept wake_affine() from pulling. */
	if (s->config.version < 403 || !sched_has(s, FEATURE_WAKE_WIDE) || !wake_wide(s, p))
		return true;
	s->counter[COUNT_wake_wide]++;
	return false;
}

/* Until v5.13 the waker remembers where it woke from; later the wakee does, at its own wake-up. */
static void remember_waker_cpu(struct sched *s, const struct place *p)
{
	uint32_t waker = s->rq[p->cpu].curr;

	if (waker != TASK_NONE && sched_has(s, FEATURE_SIS_RECENT) && s->config.version < 514)
		s->task[waker].recent_cpu = p->cpu;
}

struct path {
	uint32_t affine, slow; /* domains, or DOMAIN_NONE */
};

static struct path find_path(struct sched *s, const struct place *p, bool affine, uint32_t flag)
{
	const struct topology *t = s->topology;
	struct path path = { DOMAIN_NONE, DOMAIN_NONE };

	for (uint32_t i = t->base[p->cpu]; i != DOMAIN_NONE; i = t->domain[i].parent) {
		const struct sched_domain *sd = &t->domain[i];

		touch_read(s, FIELD_sd_span, i);
		if (affine && (sd->flags & SD_WAKE_AFFINE) && cpuset_has(sd->span, p->prev)) {
			path.affine = i;
			/* v3.13 prefers an affine wake-up, later versions forget the slow path. */
			path.slow = DOMAIN_NONE;
			break;
		}
		if (sd->flags & flag)
			path.slow = i;
		else if (!affine && s->config.version >= 403)
			break;
	}
	return path;
}

static uint32_t place_fast(struct sched *s, const struct place *p, uint32_t affine_domain)
{
	uint32_t target = p->prev;

	if (affine_domain != DOMAIN_NONE && p->cpu != p->prev)
		target = wake_affine(s, p, affine_domain);
	else if (affine_domain == DOMAIN_NONE && s->config.version < 403)
		return target; /* no search without an affine domain */
	if (target == p->cpu && p->cpu != p->prev)
		s->counter[COUNT_wake_affine]++;
	return select_idle_sibling(s, p->task, p->prev, target);
}

static uint32_t place_among_many(struct sched *s, const struct place *p, enum place_reason reason)
{
	uint32_t flag = flag_of_reason(reason);
	bool affine = wants_affine(s, p, reason);
	struct path path = find_path(s, p, affine, flag);

	if (affine)
		remember_waker_cpu(s, p);
	if (path.affine == DOMAIN_NONE && path.slow != DOMAIN_NONE) {
		s->counter[COUNT_slow_path]++;
		return find_idlest_cpu(s, p, path.slow, flag);
	}
	if (reason == PLACE_WAKE)
		return place_fast(s, p, path.affine);
	/* Nowhere to balance: new tasks stay with their parent, others where they were. */
	return reason == PLACE_FORK ? p->cpu : p->prev;
}

/* The first online cpu of both sets, or CPU_NONE. */
static uint32_t first_online(const struct sched *s, const struct cpuset *a, const struct cpuset *b)
{
	uint32_t cpu = cpuset_next_and(a, b, 0);

	while (cpu != CPU_NONE && !cpuset_has(&s->topology->online, cpu))
		cpu = cpuset_next_and(a, b, cpu + 1);
	return cpu;
}

/* A choice that the task may not use is replaced: the previous cpu's node first. */
static uint32_t allowed_cpu(const struct sched *s, const struct place *p, uint32_t cpu)
{
	const struct machine *m = s->machine;

	if (cpuset_has(p->allowed, cpu) && cpuset_has(&s->topology->online, cpu))
		return cpu;
	cpu = first_online(s, p->allowed, &m->node_cpus[m->cpu[p->prev].node]);
	if (cpu == CPU_NONE)
		cpu = first_online(s, p->allowed, p->allowed);
	CHECK(cpu != CPU_NONE);
	return cpu;
}

uint32_t place_choose(struct sched *s, const struct place *p, enum place_reason reason)
{
	touch_path(s, PATH_select_rq, 1);
	return place_among_many(s, p, reason);
}

uint32_t place_task(struct sched *s, uint32_t task, uint32_t prev_cpu, enum place_reason reason,
		    bool sync)
{
	struct place p = { .task = task, .cpu = s->cpu, .prev = prev_cpu, .sync = sync };
	uint32_t first;

	p.allowed = &s->set[s->task[task].set];
	touch_read(s, FIELD_task_allowed, task);
	first = cpuset_first(p.allowed);
	CHECK(first != CPU_NONE);
	if (is_single(p.allowed, first))
		return first;
	return allowed_cpu(s, &p, place_choose(s, &p, reason));
}
