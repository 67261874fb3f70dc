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

static void pose_cpu(u32 cpu, const struct ks_cpu_load *load)
{
	struct sched_domain_shared *shared = rcu_dereference_raw(per_cpu(sd_llc_shared, cpu));
	struct rq *rq = cpu_rq(cpu);

	rcu_assign_pointer(rq->curr, load->busy ? runner[cpu] : rq->idle);
	rq->nr_running = load->nr_running;
	rq->ttwu_pending = load->ttwu_pending;
	rq->cfs.avg.load_avg = load->load_avg;
#ifdef CONFIG_FAIR_GROUP_SCHED
	/* What group scheduling keeps of the queue's load is taken anew. */
	rq->cfs.last_h_load_update = jiffies - 1;
#endif
	if (!shared)
		return;
	shared->has_idle_cores = load->has_idle_cores;
	shared->nr_idle_scan = load->nr_idle_scan;
}

static void pose_task(struct task_struct *p, u32 cpu, u64 load_avg, u32 flips)
{
	__set_task_cpu(p, cpu);
	p->se.avg.load_avg = load_avg;
	p->wakee_flips = flips;
	p->wakee_flip_decay_ts = jiffies;
	p->last_wakee = wakee; /* the wake-up to come is no change of partner */
}

ks_u32 ks_decide(const struct ks_state *state)
{
	struct task_struct *own;
	ks_u32 cpu;

	make_dummies(state->nr_cpus);
	ks_set_cpu(state->waker);
	own = ks_current();
	for_each_online_cpu(cpu) pose_cpu(cpu, &state->cpu[cpu]);
	pose_task(wakee, state->prev, state->task_load_avg, state->task_flips);
	wakee->wake_cpu = state->prev;
	wakee->recent_used_cpu = state->recent;
	cpumask_clear(&wakee->cpus_mask);
	memcpy(cpumask_bits(&wakee->cpus_mask), state->allowed,
	       BITS_TO_LONGS(nr_cpu_ids) * sizeof(long));
	wakee->nr_cpus_allowed = cpumask_weight(&wakee->cpus_mask);
	if (state->cpu[state->waker].busy) {
		pose_task(runner[state->waker], state->waker, state->waker_load_avg,
			  state->waker_flips);
		raw_cpu_write(KS_CURRENT, runner[state->waker]);
	} else {
		own->wakee_flips = 0;
		own->wakee_flip_decay_ts = jiffies;
		own->last_wakee = wakee;
	}
	/* What wakes on an idle cpu is an interrupt. */
	if (!state->cpu[state->waker].busy)
		__this_cpu_add(KS_PREEMPT_COUNT, HARDIRQ_OFFSET);
	cpu = fair_sched_class.select_task_rq(wakee, state->prev,
					      WF_TTWU | (state->sync ? WF_SYNC : 0));
	if (!state->cpu[state->waker].busy)
		__this_cpu_sub(KS_PREEMPT_COUNT, HARDIRQ_OFFSET);
	raw_cpu_write(KS_CURRENT, own);
	return cpu;
}
