// SPDX-License-Identifier: GPL-2.0-only
/* Interrupts, softirqs and IPIs. An interrupt runs on the host's stack. */
#include "shim.h"

enum { SOFTIRQ_ROUNDS = 10 };

static void (*softirq_action[NR_SOFTIRQS])(void);

#if KS_HAVE_SOFTIRQ_VOID
void open_softirq(int nr, void (*action)(void))
{
	softirq_action[nr] = action;
}
#else
void open_softirq(int nr, void (*action)(struct softirq_action *))
{
	softirq_action[nr] = (void (*)(void))action; /* its argument is used by nobody */
}
#endif

void __raise_softirq_irqoff(unsigned int nr)
{
	or_softirq_pending(1UL << nr);
}

void raise_softirq_irqoff(unsigned int nr)
{
	__raise_softirq_irqoff(nr);
}

void raise_softirq(unsigned int nr)
{
	__raise_softirq_irqoff(nr);
}

void do_softirq(void)
{
	u32 pending;

	for (int round = 0; round < SOFTIRQ_ROUNDS && (pending = local_softirq_pending());
	     round++) {
		set_softirq_pending(0);
		__this_cpu_add(KS_PREEMPT_COUNT, SOFTIRQ_OFFSET);
		ks_irq_flag = X86_EFLAGS_IF;
		for (int nr = 0; nr < NR_SOFTIRQS; nr++)
			if (pending >> nr & 1 && softirq_action[nr])
				softirq_action[nr]();
		ks_irq_flag = 0;
		__this_cpu_sub(KS_PREEMPT_COUNT, SOFTIRQ_OFFSET);
	}
}

void __local_bh_enable_ip(unsigned long ip, unsigned int cnt)
{
	__this_cpu_sub(KS_PREEMPT_COUNT, cnt);
}

void ks_irq_enter(u32 cpu)
{
	ks_set_cpu(cpu);
	ks_irq_flag = 0;
	__this_cpu_add(KS_PREEMPT_COUNT, HARDIRQ_OFFSET);
}

void ks_irq_exit(void)
{
	__this_cpu_sub(KS_PREEMPT_COUNT, HARDIRQ_OFFSET);
	do_softirq();
	ks_run_rcu();
	ks_irq_flag = X86_EFLAGS_IF;
}

void ks_tick(u32 cpu)
{
	ks_irq_enter(cpu);
	if (is_idle_task(ks_current()))
		ks_got_idle_tick();
#if KS_HAVE_SCHED_TICK
	sched_tick();
#else
	scheduler_tick();
#endif
	ks_irq_exit();
}

void ks_ipi(u32 cpu, enum ks_ipi ipi)
{
	ks_irq_enter(cpu);
	if (ipi == KS_IPI_RESCHED)
		scheduler_ipi();
	else
		generic_smp_call_function_single_interrupt();
	ks_irq_exit();
}

void ks_timer(u32 cpu)
{
	ks_irq_enter(cpu);
	ks_timers_expire();
	ks_irq_exit();
}

/* ---- sending ---- */

static void check_target(int cpu)
{
	if (cpu_is_offline(cpu))
		ks_fail(KS_FAIL_SHIM, "an interrupt is sent to a cpu that is off");
}

static void send_resched(int cpu)
{
	check_target(cpu);
	ks_host->ipi(ks_cpu, cpu, KS_IPI_RESCHED);
}

static void send_call(int cpu)
{
	check_target(cpu);
	ks_host->ipi(ks_cpu, cpu, KS_IPI_CALL);
}

static void send_call_many(const struct cpumask *mask)
{
	int cpu;

	for_each_cpu(cpu, mask) send_call(cpu);
}

struct smp_ops smp_ops = {
	.smp_send_reschedule = send_resched,
	.send_call_func_single_ipi = send_call,
	.send_call_func_ipi = send_call_many,
};

/* ---- tracepoints ---- */

void ks_trace_migrate(struct task_struct *p, unsigned int to)
{
	u32 id = ks_task_id(p);

	if (!ks_booting && id < KS_KTHREAD)
		ks_host->migrated(id, task_cpu(p), to);
}

void ks_trace_kick_poller(int cpu)
{
	if (!ks_booting)
		ks_host->kick_poller(cpu);
}
