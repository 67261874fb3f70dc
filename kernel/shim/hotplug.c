// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cpus that go and come: the scheduler's steps, in the order in which kernel/cpu.c takes them.
 *
 * A call runs on the cpu that it is about and does all of it. The first step down is done in the
 * stopper thread and not in the hotplug thread, which would have to wait for its turn among the
 * cpu's tasks. Nothing happens elsewhere while a cpu leaves: multi_cpu_stop() is not needed, and
 * only the stopper of that cpu runs.
 */
#include "shim.h"

#include <linux/rcuwait.h>

#ifdef CONFIG_HOTPLUG_CPU

static void run_until_idle(u32 cpu)
{
	struct ks_call call = { .op = KS_OP_SCHEDULE };

	while (ks_need_resched(cpu))
		ks_call(cpu, &call);
}

/* Runs `step` in the cpu's stopper thread, and whoever is on the cpu then until nobody need be. */
static void run_in_stopper(u32 cpu, cpu_stop_fn_t step)
{
	static struct cpu_stop_work work;

	ks_irq_enter(cpu);
	if (!stop_one_cpu_nowait(cpu, step, NULL, &work))
		ks_fail(KS_FAIL_SHIM, "the stopper thread of a cpu is parked");
	ks_irq_exit();
	run_until_idle(cpu);
}

/* The same in a thread of the fair class, as a cpu's hotplug thread is; nothing else runs there. */
static void run_in_thread(u32 cpu, void (*step)(void *))
{
	struct task_struct *p = ks_thread_new("cpuhp", step, NULL);

	ks_bind_thread(p, cpu);
	ks_irq_enter(cpu);
	sched_post_fork(p);
	wake_up_new_task(p);
	ks_irq_exit();
	run_until_idle(cpu);
}

static int deactivate(void *unused)
{
	if (sched_cpu_deactivate(ks_cpu))
		ks_fail(KS_FAIL_SHIM, "the scheduler refuses to take a cpu off");
	return 0;
}

static void activate(void *unused)
{
	if (sched_cpu_activate(ks_cpu))
		ks_fail(KS_FAIL_SHIM, "the scheduler refuses to take a cpu on");
}

static void wait_empty(void *unused)
{
	sched_cpu_wait_empty(ks_cpu);
}

static int take_down(void *unused)
{
	unsigned long flags;

	if (this_rq()->nr_running != 1)
		ks_fail(KS_FAIL_SHIM, "tasks stay on a cpu that goes off");
	local_irq_save(flags);
	ks_arch_map(ks_cpu, false);
	cpumask_clear_cpu(ks_cpu, &__cpu_online_mask);
	atomic_dec(&__num_online_cpus);
	smpcfd_dying_cpu(ks_cpu);
	sched_cpu_dying(ks_cpu);
	ks_timers_leave(cpumask_first(cpu_active_mask));
	stop_machine_park(ks_cpu);
	local_irq_restore(flags);
	return 0;
}

int rcuwait_wake_up(struct rcuwait *wait)
{
	struct task_struct *p = rcu_dereference_raw(wait->task);

	return p ? wake_up_process(p) : 0;
}

void finish_rcuwait(struct rcuwait *wait)
{
	rcu_assign_pointer(wait->task, NULL);
	__set_current_state(TASK_RUNNING);
}

/* The end of an idle loop whose cpu is off: nobody resumes it. */
void arch_cpu_idle_dead(void)
{
	for (;;)
		ks_park();
}

void cpuhp_report_idle_dead(void)
{
}

void ks_cpu_down(u32 cpu)
{
	struct ks_call call = { .op = KS_OP_IDLE };

	set_cpu_dying(cpu, true);
	run_in_stopper(cpu, deactivate);
	/* Wake-ups on their way to it arrive, and are pushed away. */
	ks_ipi(cpu, KS_IPI_CALL);
	run_until_idle(cpu);
	run_in_thread(cpu, wait_empty);
	run_in_stopper(cpu, take_down);
	ks_call(cpu, &call);
	smpcfd_dead_cpu(cpu);
	ks_irq_flag = X86_EFLAGS_IF;
	ks_run_rcu();
}

void ks_cpu_up(u32 cpu)
{
	set_cpu_dying(cpu, false);
	ks_cpu_start(cpu);
	ks_idle_tick_reset();
	ks_idle_start(cpu);
	ks_irq_enter(cpu);
	stop_machine_unpark(cpu);
	ks_irq_exit();
	run_until_idle(cpu);
	run_in_thread(cpu, activate);
	ks_run_rcu();
}
#endif
