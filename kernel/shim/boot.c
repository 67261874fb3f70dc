// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boot: sched_init(), every cpu through the hotplug steps of the scheduler, sched_init_smp() and
 * the initcalls in a thread, then every cpu once through its stopper thread, so that no cpu has
 * been idle for ever. It ends with all cpus in their idle loops, ticks on.
 */
#include "shim.h"

const struct ks_host *ks_host;
const struct ks_machine *ks_machine;
bool ks_booting = true;
enum system_states system_state = SYSTEM_BOOTING;

typedef initcall_entry_t initcall;
extern initcall ks_initcall_early[], ks_initcall_early_end[], ks_initcall[], ks_initcall_end[];

static unsigned char ipi_pending[NR_CPUS]; /* bits: enum ks_ipi */

static void boot_ipi(u32 from, u32 to, enum ks_ipi ipi)
{
	ipi_pending[to] |= 1 << ipi;
}

static void boot_tick(u32 cpu, int on)
{
}

/* The host's services, but IPIs are kept here and nothing is reported. */
static struct ks_host boot_host;

static void run_cpu(u32 cpu)
{
	struct ks_call call = { .op = KS_OP_SCHEDULE };

	for (int ipi = 0; ipi < 2; ipi++) {
		if (!(ipi_pending[cpu] >> ipi & 1))
			continue;
		ipi_pending[cpu] &= ~(1 << ipi);
		ks_ipi(cpu, ipi);
	}
	while (ks_need_resched(cpu))
		ks_call(cpu, &call);
}

static bool is_quiet(void)
{
	u32 cpu;

	for_each_online_cpu(cpu) if (ipi_pending[cpu] || ks_need_resched(cpu)) return false;
	return true;
}

static void run_until_quiet(void)
{
	u32 cpu;

	while (!is_quiet()) {
		for_each_online_cpu(cpu) run_cpu(cpu);
		ks_boot_clock_advance(10 * NSEC_PER_USEC);
	}
}

static void run_initcalls(initcall *call, initcall *end)
{
	for (; call < end; call++)
		initcall_from_entry(call)();
}

static void init_thread(void *unused)
{
	sched_init_smp();
	run_initcalls(ks_initcall, ks_initcall_end);
	system_state = SYSTEM_RUNNING;
}

static void idle_thread(void *unused)
{
	cpu_startup_entry(ks_cpu ? CPUHP_AP_ONLINE_IDLE : CPUHP_ONLINE);
}

static void new_idle_thread(u32 cpu)
{
	struct task_struct *p = ks_thread_new("swapper", idle_thread, NULL);

	p->flags |= PF_IDLE;
	init_idle(p, cpu);
	per_cpu(KS_CURRENT, cpu) = p;
}

void ks_cpu_start(u32 cpu)
{
	ks_set_cpu(cpu);
	smpcfd_prepare_cpu(cpu);
	ks_arch_map(cpu, true);
	sched_cpu_starting(cpu);
	cpumask_set_cpu(cpu, &__cpu_online_mask);
	atomic_inc(&__num_online_cpus);
}

void ks_idle_start(u32 cpu)
{
	ks_stack_prepare(per_cpu(KS_CURRENT, cpu), idle_thread, NULL, false);
	ks_set_cpu(cpu);
	ks_resume();
}

static void start_secondary(u32 cpu)
{
	ks_cpu_start(cpu);
	sched_cpu_activate(cpu);
	ks_run_rcu();
}

/* The boot cpu's idle task is init_task; it gets a stack of its own here. */
static void start_first(u32 first)
{
	struct task_struct *init = ks_thread_new("init", init_thread, NULL);

	wake_up_new_task(init);
	ks_stack_new(&init_task);
	ks_idle_start(first);
}

static void start_loops(u32 first)
{
	u32 cpu;

	ks_set_cpu(first);
	start_first(first);
	for_each_online_cpu(cpu)
	{
		if (cpu != first)
			ks_idle_start(cpu);
	}
	run_until_quiet();
}

static int stop_nothing(void *unused)
{
	return 0;
}

static void run_nothing(void *unused)
{
}

/* A thread of the fair class that runs once on `cpu`: what its first task sets up is there then. */
static void run_once_on(u32 cpu)
{
	struct task_struct *p = ks_thread_new("warm", run_nothing, NULL);

	ks_bind_thread(p, cpu);
	sched_post_fork(p);
	wake_up_new_task(p);
}

static void warm_cpus(u32 first)
{
	static struct cpu_stop_work work[NR_CPUS];
	u32 cpu;

	for_each_online_cpu(cpu)
	{
		ks_irq_enter(first);
		stop_one_cpu_nowait(cpu, stop_nothing, NULL, &work[cpu]);
		ks_irq_exit();
		run_until_quiet();
		ks_irq_enter(first);
		run_once_on(cpu);
		ks_irq_exit();
		run_until_quiet();
	}
}

/* The machine idles until the simulation begins: timers that are due by then have expired. */
static void pass_time(void)
{
	for (;;) {
		u64 when = KS_CLOCK_START;
		u32 cpu, next = KS_NONE;

		for_each_online_cpu(cpu)
		{
			if (ks_timers_first(cpu) >= when)
				continue;
			when = ks_timers_first(cpu);
			next = cpu;
		}
		if (next == KS_NONE)
			return;
		ks_boot_clock_set(when);
		ks_timer(next);
		run_until_quiet();
	}
}

static u32 first_online(const struct ks_machine *m)
{
	for (u32 cpu = 0; cpu < m->nr_cpus; cpu++)
		if (m->cpu_state[cpu] == KS_CPU_ONLINE)
			return cpu;
	ks_fail(KS_FAIL_SHIM, "no online cpu");
}

static void boot_first(u32 first)
{
	ks_set_cpu(first);
	ks_arch_map(first, true);
	cpumask_set_cpu(first, &__cpu_online_mask);
	cpumask_set_cpu(first, &__cpu_active_mask);
	atomic_set(&__num_online_cpus, 1);
	sched_init();
	sched_clock_init();
	ks_groups_init();
	ks_tasks_init();
	ks_idle_init();
	system_state = SYSTEM_SCHEDULING;
	call_function_init();
}

void ks_boot(const struct ks_machine *machine, const struct ks_host *host)
{
	u32 first = first_online(machine), cpu;

	boot_host = *host;
	boot_host.ipi = boot_ipi;
	boot_host.tick = boot_tick;
	ks_host = &boot_host;
	ks_machine = machine;
	ks_arch_init(machine);
	boot_first(first);
	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		if (machine->cpu_state[cpu] != KS_CPU_ABSENT && cpu != first)
			new_idle_thread(cpu);
	run_initcalls(ks_initcall_early, ks_initcall_early_end);
	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		if (machine->cpu_state[cpu] == KS_CPU_ONLINE && cpu != first)
			start_secondary(cpu);
	ks_set_cpu(first);
	for_each_online_cpu(cpu) stop_machine_unpark(cpu);
	start_loops(first);
	warm_cpus(first);
	pass_time();
	ks_host = host;
	ks_booting = false;
	ks_hooks_on(host);
}
