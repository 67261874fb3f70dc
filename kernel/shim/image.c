// SPDX-License-Identifier: GPL-2.0-only
/* The entry point: what this image is and what it can do. */
#include "shim.h"

#include <generated/utsrelease.h>

extern char __per_cpu_start[], __per_cpu_end[], ks_data_start[], ks_data_end[], ks_text_start[],
	ks_text_end[], ks_blocks[];

static ks_u64 task_runtime(ks_u32 task)
{
	return ks_task(task) ? ks_task(task)->se.sum_exec_runtime : 0;
}

static ks_u32 task_cpu_of(ks_u32 task)
{
	return ks_task(task) ? task_cpu(ks_task(task)) : KS_NONE;
}

static ks_u32 running_on(ks_u32 cpu)
{
	return cpu_rq(cpu)->nr_running;
}

const struct ks_image *ks_entry(void)
{
	static struct ks_image image = {
		.abi = KS_ABI_VERSION,
		.counted = KS_COUNTED,
		.hz = HZ,
		.rq_bytes = sizeof(struct rq),
		.max_cpus = NR_CPUS,
		.mask_words = BITS_TO_LONGS(NR_CPUS),
		.task_bytes = sizeof(struct task_struct),
		.release = UTS_RELEASE,
		.percpu_start = __per_cpu_start,
		.data_start = ks_data_start,
		.data_end = ks_data_end,
		.text_start = ks_text_start,
		.text_end = ks_text_end,
		.meter = &ks_meter,
		.blocks = (ks_u8 *)ks_blocks,
		.boot = ks_boot,
		.call = ks_call,
		.interrupt_call = ks_interrupt_call,
		.tick = ks_tick,
		.ipi = ks_ipi,
		.timer = ks_timer,
		.need_resched = ks_need_resched,
#ifdef CONFIG_HOTPLUG_CPU
		.cpu_down = ks_cpu_down,
		.cpu_up = ks_cpu_up,
#endif
		.group_new = ks_group_new,
		.group_write = ks_group_write,
		.domain = ks_domain,
		.group = ks_group,
		.task_runtime = task_runtime,
		.task_cpu = task_cpu_of,
		.nr_running = running_on,
		.bug_at = ks_bug_at,
		.decide = ks_decide,
	};

	image.percpu_size = __per_cpu_end - __per_cpu_start;
	image.rq_start = (char *)&runqueues;
	return &image;
}
