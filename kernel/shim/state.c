// SPDX-License-Identifier: GPL-2.0-only
/* Poses a state in the real structures and asks the fair class where a wake-up goes. */
#include "shim.h"

#include "state.h"

static struct task_struct *wakee, *runner[NR_CPUS];

static void nothing(void *unused)
{
}

static struct task_struct *dummy(void)
{
	struct task_struct *p = ks_thread_new("posed", nothing, NULL);

	p->flags &= ~PF_KTHREAD;
	return p;
}

static void make_dummies(u32 nr_cpus)
{
	if (wakee)
		return;
	wakee = dummy();
	for (u32 cpu = 0; cpu < nr_cpus; cpu++) {
		runner[cpu] = dummy();
		__set_task_cpu(runner[cpu], cpu);
	}
}

/* Tasks that sleep but are still queued. */
static void pose_delayed(struct cfs_rq *cfs, const struct ks_cpu_load *load)
{
#if KS_HAVE_H_NR_RUNNABLE
	cfs->h_nr_queued = load->nr_running;
	cfs->h_nr_runnable = load->nr_running - load->nr_delayed;
#else
	cfs->h_nr_running = load->nr_running;
#endif
#if KS_HAVE_H_NR_DELAYED
	cfs->h_nr_delayed = load->nr_delayed;
#endif
}

static void pose_cpu(u32 cpu, const struct ks_cpu_load *load)
{
	struct sched_domain_shared *shared = rcu_dereference_raw(per_cpu(sd_llc_shared, cpu));
	struct rq *rq = cpu_rq(cpu);

	rcu_assign_pointer(rq->curr, load->busy ? runner[cpu] : rq->idle);
	rq->nr_running = load->nr_running;
	rq->ttwu_pending = load->ttwu_pending;
	rq->cpu_capacity = load->capacity;
	rq->cfs.avg.load_avg = load->load_avg;
	pose_delayed(&rq->cfs, load);
#ifdef CONFIG_FAIR_GROUP_SCHED
	/* What group scheduling keeps of the queue's load is taken anew. */
	rq->cfs.last_h_load_update = jiffies - 1;
#endif
	if (!shared)
		return;
	shared->has_idle_cores = load->has_idle_cores;
	shared->nr_idle_scan = load->nr_idle_scan;
}

static void pose_wakee(const struct ks_state *state)
{
	__set_task_cpu(wakee, state->prev);
	wakee->wake_cpu = state->prev;
	wakee->recent_used_cpu = state->recent;
	wakee->se.avg.load_avg = state->task_load_avg;
	wakee->wakee_flips = state->task_flips;
	cpumask_clear(&wakee->cpus_mask);
	memcpy(cpumask_bits(&wakee->cpus_mask), state->allowed,
	       BITS_TO_LONGS(nr_cpu_ids) * sizeof(long));
	wakee->nr_cpus_allowed = cpumask_weight(&wakee->cpus_mask);
}

static void pose_waker(struct task_struct *p, const struct ks_state *state)
{
	p->wakee_flips = state->waker_flips;
	p->wakee_flip_decay_ts = jiffies - (unsigned long)state->waker_aged_ms * HZ / 1000;
	p->last_wakee = state->waker_partner ? wakee : NULL;
	if (is_idle_task(p))
		return;
	p->se.avg.load_avg = state->waker_load_avg;
	p->flags &= ~PF_KTHREAD;
	if (state->kthread)
		p->flags |= PF_KTHREAD;
	p->nr_cpus_allowed = state->kthread ? 1 : cpumask_weight(&p->cpus_mask);
}

static void tell(const struct task_struct *waker, struct ks_after *after)
{
	u32 cpu;

	after->waker_flips = waker->wakee_flips;
	after->recent = wakee->recent_used_cpu;
	for_each_online_cpu(cpu)
	{
		struct sched_domain_shared *shared =
			rcu_dereference_raw(per_cpu(sd_llc_shared, cpu));

		after->has_idle_cores[cpu] = shared && shared->has_idle_cores;
	}
}

ks_u32 ks_decide(const struct ks_state *state)
{
	struct task_struct *own, *waker;
	bool busy = state->cpu[state->waker].busy;
	int interrupt = !busy || state->interrupt ? HARDIRQ_OFFSET : 0;
	ks_u32 cpu;

	make_dummies(state->nr_cpus);
	ks_set_cpu(state->waker);
	own = ks_current();
	waker = busy ? runner[state->waker] : own;
	for_each_online_cpu(cpu) pose_cpu(cpu, &state->cpu[cpu]);
	pose_wakee(state);
	pose_waker(waker, state);
	raw_cpu_write(KS_CURRENT, waker);
	__this_cpu_add(KS_PREEMPT_COUNT, interrupt);
	cpu = fair_sched_class.select_task_rq(wakee, state->prev,
					      WF_TTWU | (state->sync ? WF_SYNC : 0));
	__this_cpu_sub(KS_PREEMPT_COUNT, interrupt);
	raw_cpu_write(KS_CURRENT, own);
	tell(waker, state->after);
	return cpu;
}
