/* SPDX-License-Identifier: GPL-2.0-only */
/* The tracepoints that tell the simulation what it could not see otherwise. */
#include_next <trace/events/sched.h>
#ifndef KS_TRACE_EVENTS_SCHED_H
#define KS_TRACE_EVENTS_SCHED_H
struct task_struct;
extern void ks_trace_migrate(struct task_struct *p, unsigned int to);
extern void ks_trace_kick_poller(int cpu);
#define trace_sched_migrate_task(p, to)		     ks_trace_migrate(p, to)
#define trace_sched_wake_idle_without_ipi(cpu)	     ks_trace_kick_poller(cpu)
#define trace_call__sched_wake_idle_without_ipi(cpu) ks_trace_kick_poller(cpu)
#endif
