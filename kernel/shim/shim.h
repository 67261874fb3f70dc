/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shim: what the scheduler expects of the rest of a kernel, and the calls of abi.h.
 *
 * Compiled with the flags of kernel/sched/core.o. Everything is called by one thread; ks_cpu is the
 * simulated cpu whose code runs, and %gs points at its per-cpu area.
 */
#ifndef KS_SHIM_H
#define KS_SHIM_H

#include <linux/cgroup.h>
#include <linux/interrupt.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/cputime.h>
#include <linux/sched/debug.h>
#include <linux/sched/hotplug.h>
#include <linux/sched/isolation.h>
#include <linux/sched/nohz.h>
#include <linux/slab.h>
#include <linux/smpboot.h>
#include <linux/stop_machine.h>

#include "sched.h"

#include "abi.h"
#include "ks-probes.h"

/* Where this kernel keeps the current task and the preempt count of a cpu. */
#if KS_HAVE_PCPU_HOT
#define KS_CURRENT	 pcpu_hot.current_task
#define KS_PREEMPT_COUNT pcpu_hot.preempt_count
#define KS_CPU_NUMBER	 pcpu_hot.cpu_number
#else
#define KS_CURRENT	 current_task
#define KS_PREEMPT_COUNT __preempt_count
#define KS_CPU_NUMBER	 cpu_number
#endif

/* Who is current on the cpu just set: the compiler may take `current` for what it was before. */
#define ks_current() raw_cpu_read(KS_CURRENT)

extern const struct ks_host *ks_host;
extern const struct ks_machine *ks_machine;
extern u32 ks_cpu;
extern bool ks_booting;
extern unsigned long ks_irq_flag; /* X86_EFLAGS_IF or 0 */
extern const struct ks_call *ks_pending_call;

/* boot.c */
void ks_boot(const struct ks_machine *machine, const struct ks_host *host);
void ks_cpu_start(u32 cpu);  /* up to its being online; it is the cpu from now on */
void ks_idle_start(u32 cpu); /* its idle loop begins and parks */

/* arch.c */
void ks_arch_init(const struct ks_machine *machine);
void ks_set_cpu(u32 cpu);	    /* from now on code runs on `cpu`; brings jiffies up to date */
void ks_arch_map(u32 cpu, bool on); /* puts it into what the topology reports, or takes it out */

/* hotplug.c */
void ks_cpu_down(u32 cpu);
void ks_cpu_up(u32 cpu);

/* stack.c: kernel stacks */
void ks_stack_new(struct task_struct *p);
void ks_stack_prepare(struct task_struct *p, void (*fn)(void *), void *arg, bool scheduled);
/* Lets the current task of the cpu run until it parks: returns then. */
void ks_resume(void);
/* The current task waits for the host's next call. */
void ks_park(void);

/* tasks.c */
struct task_struct *ks_task(u32 id); /* NULL when there is none */
u32 ks_task_id(const struct task_struct *p);
void ks_tasks_init(void);
struct task_struct *ks_thread_new(const char *name, void (*fn)(void *), void *arg);
void ks_bind_thread(struct task_struct *p, u32 cpu);
void ks_do_call(struct ks_call *call);
void ks_call(u32 cpu, struct ks_call *call);
void ks_interrupt_call(u32 cpu, struct ks_call *call);
int ks_need_resched(u32 cpu);

/* irq.c */
void ks_irq_enter(u32 cpu);
void ks_irq_exit(void);
void ks_tick(u32 cpu);
void ks_ipi(u32 cpu, enum ks_ipi ipi);
void ks_timer(u32 cpu);

/* time.c */
u64 ks_clock(void);
void ks_boot_clock_advance(u64 ns);
void ks_boot_clock_set(u64 ns); /* not back */
void ks_timers_expire(void);
u64 ks_timers_first(u32 cpu); /* when its first timer is due, U64_MAX without */
void ks_idle_init(void);
void ks_got_idle_tick(void);
void ks_timers_leave(u32 to); /* those of this cpu go to another */
void ks_idle_tick_reset(void);

/* memory.c */
void ks_run_rcu(void);

/* groups.c */
void ks_groups_init(void);
struct css_set *ks_root_css_set(void);
void ks_group_move(struct task_struct *p, void *group);
void *ks_group_new(void *parent);
int ks_group_write(void *group, const char *file, long value);

/* report.c */
int ks_domain(u32 cpu, u32 i, struct ks_domain *out);
int ks_group(u32 cpu, u32 i, u32 g, struct ks_group *out);
int ks_bug_at(ks_u64 address, const char **file, ks_u32 *line);
void ks_fail(enum ks_failure kind, const char *text) __attribute__((noreturn));

/* hooks.c */
extern struct ks_meter ks_meter;
void ks_hooks_on(const struct ks_host *host);

/* state.c */
struct ks_state;
ks_u32 ks_decide(const struct ks_state *state);

#endif
