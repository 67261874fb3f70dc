// SPDX-License-Identifier: GPL-2.0-only
/* Per-cpu data, cpu masks, the topology that the architecture reports, interrupt flags. */
#include "shim.h"

#include <asm/paravirt.h>
#include <asm/prctl.h>
#include <asm/smp.h>
#include <asm/unistd.h>
#if KS_HAVE_CPU_SMT_H
#include <linux/cpu_smt.h>
#endif

DEFINE_PER_CPU(unsigned long, this_cpu_off);
EXPORT_PER_CPU_SYMBOL(this_cpu_off);
DEFINE_PER_CPU(int, numa_node);
DEFINE_PER_CPU(cpumask_var_t, cpu_sibling_map);
DEFINE_PER_CPU(cpumask_var_t, cpu_core_map);
DEFINE_PER_CPU(cpumask_var_t, cpu_die_map);
DEFINE_PER_CPU(unsigned long, arch_freq_scale) = SCHED_CAPACITY_SCALE;
DEFINE_PER_CPU(struct pt_regs *, __irq_regs);
DEFINE_PER_CPU_SHARED_ALIGNED(irq_cpustat_t, irq_stat);
DEFINE_PER_CPU_READ_MOSTLY(struct cpuinfo_x86, cpu_info);
DEFINE_STATIC_KEY_FALSE(arch_scale_freq_key);

#if KS_HAVE_PCPU_HOT
DEFINE_PER_CPU_ALIGNED(struct pcpu_hot, pcpu_hot) = { .current_task = &init_task,
						      .preempt_count = INIT_PREEMPT_COUNT };
asm(".globl const_pcpu_hot\n.set const_pcpu_hot, pcpu_hot\n");
#else
DEFINE_PER_CPU(struct task_struct *, current_task) = &init_task;
DEFINE_PER_CPU(int, __preempt_count) = INIT_PREEMPT_COUNT;
DEFINE_PER_CPU(int, cpu_number);
#endif

unsigned long __per_cpu_offset[NR_CPUS];
struct cpumask __cpu_possible_mask, __cpu_online_mask, __cpu_present_mask, __cpu_active_mask,
	__cpu_dying_mask;
#if KS_HAVE_CPU_ENABLED_MASK
struct cpumask __cpu_enabled_mask;
#endif
atomic_t __num_online_cpus;
unsigned int nr_node_ids = MAX_NUMNODES;
nodemask_t node_states[NR_NODE_STATES];
cpumask_var_t node_to_cpumask_map[MAX_NUMNODES];
int node_reclaim_distance = RECLAIM_DISTANCE;
struct cpuinfo_x86 boot_cpu_data;
unsigned int cpu_khz = 2000000, tsc_khz = 2000000;
#if KS_HAVE_CPU_SMT_H
unsigned int cpu_smt_num_threads = 2;
#endif

static struct cpumask llc_map[NR_CPUS], cluster_map[NR_CPUS];
static u8 distance[MAX_NUMNODES][MAX_NUMNODES];

/* Row n + 1 has bit n set; row 0 is empty. */
#define ROW(n) [(n) + 1] = { 1UL << (n) }
#define ROWS8(n)                                                                                   \
	ROW(n)                                                                                     \
	, ROW(n + 1)                                                                               \
	, ROW(n + 2)                                                                               \
	, ROW(n + 3)                                                                               \
	, ROW(n + 4)                                                                               \
	, ROW(n + 5)                                                                               \
	, ROW(n + 6)                                                                               \
	, ROW(n + 7)
const unsigned long cpu_bit_bitmap[BITS_PER_LONG + 1][BITS_TO_LONGS(NR_CPUS)] = {
	ROWS8(0), ROWS8(8), ROWS8(16), ROWS8(24), ROWS8(32), ROWS8(40), ROWS8(48), ROWS8(56),
};

const struct cpumask *cpu_coregroup_mask(int cpu)
{
	return &llc_map[cpu];
}

const struct cpumask *cpu_clustergroup_mask(int cpu)
{
	return &cluster_map[cpu];
}

int __node_distance(int from, int to)
{
	return distance[from][to];
}

#if KS_HAVE_CAPACITY_FUNCTION
unsigned long arch_scale_cpu_capacity(int cpu)
{
	return SCHED_CAPACITY_SCALE;
}
#endif

/* ---- the interrupt flag: every cli, sti and pushf is a call through pv_ops ---- */

unsigned long ks_irq_flag = X86_EFLAGS_IF;
void ks_pv_disable(void);
void ks_pv_enable(void);
void ks_pv_save(void);
void ks_pv_nothing(void);

/* They may clobber no register but %rax. */
asm(".text\n"
    "ks_pv_disable: movq $0, ks_irq_flag(%rip); ret\n"
    "ks_pv_enable: movq $0x200, ks_irq_flag(%rip); ret\n"
    "ks_pv_save: movq ks_irq_flag(%rip), %rax; ret\n"
    ".globl ks_pv_nothing\nks_pv_nothing: ret\n");

#define CALLEE_SAVE(f)                                                                             \
	{                                                                                          \
		.func = (void *)(f)                                                                \
	}
struct paravirt_patch_template pv_ops = {
	.irq.save_fl = CALLEE_SAVE(ks_pv_save),
	.irq.irq_disable = CALLEE_SAVE(ks_pv_disable),
	.irq.irq_enable = CALLEE_SAVE(ks_pv_enable),
	.cpu.start_context_switch = (void *)ks_pv_nothing,
	.cpu.end_context_switch = (void *)ks_pv_nothing,
};

/*
 * All simulated cpus are one thread of the host, as if the machine had one cpu: the kernel's own
 * list of LOCK prefixes becomes prefixes that change nothing, as it does then.
 */
static void drop_lock_prefixes(void)
{
	extern s32 ks_locks_start[], ks_locks_end[];

	for (s32 *lock = ks_locks_start; lock < ks_locks_end; lock++) {
		u8 *at = (u8 *)lock + *lock;

		if (*lock && *at == 0xf0)
			*at = 0x3e; /* %ds: */
	}
}

/* ---- the machine ---- */

u32 ks_cpu;

static void set_gs_base(unsigned long base)
{
	long result = __NR_arch_prctl;

	if (!ks_machine->gs_by_syscall) {
		asm volatile("wrgsbase %0" ::"r"(base) : "memory");
		return;
	}
	asm volatile("syscall"
		     : "+a"(result)
		     : "D"((long)ARCH_SET_GS), "S"(base)
		     : "rcx", "r11", "memory");
	if (result)
		ks_fail(KS_FAIL_SHIM, "the host refuses to set the base of %gs");
}

void ks_set_cpu(u32 cpu)
{
	ks_cpu = cpu;
	set_gs_base(__per_cpu_offset[cpu]);
	jiffies_64 = INITIAL_JIFFIES + ks_clock() / TICK_NSEC;
}

static void init_percpu(const struct ks_machine *m, u32 cpu)
{
	extern char __per_cpu_start[];

	__per_cpu_offset[cpu] = (unsigned long)(m->percpu + cpu * m->percpu_stride) -
				(unsigned long)__per_cpu_start;
	per_cpu(this_cpu_off, cpu) = __per_cpu_offset[cpu];
	per_cpu(KS_CPU_NUMBER, cpu) = cpu;
	per_cpu(KS_PREEMPT_COUNT, cpu) = INIT_PREEMPT_COUNT;
	per_cpu(numa_node, cpu) = m->node[cpu];
}

static void relate(struct cpumask *of_a, struct cpumask *of_b, u32 a, u32 b, bool on)
{
	if (on) {
		cpumask_set_cpu(b, of_a);
		cpumask_set_cpu(a, of_b);
	} else {
		cpumask_clear_cpu(b, of_a);
		cpumask_clear_cpu(a, of_b);
	}
}

/* What two cpus that are in the maps share. */
static void relate_all(const struct ks_machine *m, u32 a, u32 b, bool on)
{
	const u32 *cluster = m->has_clusters ? m->cluster : m->core;

	if (m->core[a] == m->core[b])
		relate(per_cpu(cpu_sibling_map, a), per_cpu(cpu_sibling_map, b), a, b, on);
	if (cluster[a] == cluster[b])
		relate(&cluster_map[a], &cluster_map[b], a, b, on);
	if (m->llc[a] == m->llc[b])
		relate(&llc_map[a], &llc_map[b], a, b, on);
	if (m->package[a] == m->package[b])
		relate(per_cpu(cpu_core_map, a), per_cpu(cpu_core_map, b), a, b, on);
}

void ks_arch_map(u32 cpu, bool on)
{
	static struct cpumask mapped;
	struct cpumask *node = node_to_cpumask_map[ks_machine->node[cpu]];
	u32 other;

	relate(node, node, cpu, cpu, on);
	if (on)
		cpumask_set_cpu(cpu, &mapped);
	for_each_cpu(other, &mapped) relate_all(ks_machine, cpu, other, on);
	if (!on)
		cpumask_clear_cpu(cpu, &mapped);
	if (cpumask_empty(node))
		node_clear_state(ks_machine->node[cpu], N_CPU);
	else
		node_set_state(ks_machine->node[cpu], N_CPU);
}

static void init_nodes(const struct ks_machine *m)
{
	for (u32 node = 0; node < m->nr_nodes; node++) {
		if (!m->node_exists[node])
			continue;
		node_set_state(node, N_POSSIBLE);
		node_set_state(node, N_ONLINE);
		node_set_state(node, N_MEMORY);
		for (u32 to = 0; to < m->nr_nodes; to++)
			distance[node][to] = m->distance[node * m->nr_nodes + to];
	}
}

/* The levels of an x86 kernel whose packages hold several nodes: those of the nodes follow. */
static struct sched_domain_topology_level levels_below_node[] = {
#ifdef CONFIG_SCHED_SMT
	{ cpu_smt_mask, cpu_smt_flags, SD_INIT_NAME(SMT) },
#endif
#ifdef CONFIG_SCHED_CLUSTER
	{ cpu_clustergroup_mask, cpu_cluster_flags, SD_INIT_NAME(CLS) },
#endif
#ifdef CONFIG_SCHED_MC
	{ cpu_coregroup_mask, cpu_core_flags, SD_INIT_NAME(MC) },
#endif
	{ NULL },
};

void ks_arch_init(const struct ks_machine *m)
{
	drop_lock_prefixes();
	nr_cpu_ids = setup_max_cpus = m->nr_cpus;
	nr_node_ids = m->nr_nodes;
	if (m->reclaim_distance)
		node_reclaim_distance = m->reclaim_distance;
#if KS_HAVE_CPU_SMT_H
	cpu_smt_num_threads = m->threads_per_core;
#endif
	init_nodes(m);
	if (m->numa_in_package)
		set_sched_topology(levels_below_node);
	for (u32 cpu = 0; cpu < m->nr_cpus; cpu++) {
		init_percpu(m, cpu);
		if (m->cpu_state[cpu] == KS_CPU_ABSENT)
			continue;
		cpumask_set_cpu(cpu, &__cpu_possible_mask);
		cpumask_set_cpu(cpu, &__cpu_present_mask);
	}
}
