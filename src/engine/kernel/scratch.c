/* SPDX-License-Identifier: GPL-2.0-only */
#include "engine/kernel/scratch.h"

#include <stdio.h>

static void nobody_switches(void *sim, uint64_t t_ns, uint32_t cpu, uint32_t prev, uint32_t next)
{
}

static void no_timer(void *sim, uint64_t when_ns, uint32_t cpu, uint32_t id)
{
}

static void no_tick(void *sim, uint64_t t_ns, uint32_t cpu)
{
}

static void no_ipi(void *sim, uint64_t t_ns, uint32_t from, uint32_t to, enum engine_ipi ipi)
{
}

static void no_kick(void *sim, uint64_t t_ns, uint32_t from, uint32_t to)
{
}

__attribute__((noreturn)) static void fails(void *sim, const char *text)
{
	struct kernel_scratch *scratch = sim;

	snprintf(scratch->failure, sizeof(scratch->failure), "%s", text);
	longjmp(scratch->failed, 1);
}

static bool open_scratch(struct kernel_scratch *scratch, const struct machine *machine,
			 const char *image, bool hotplug, struct err *err)
{
	const struct engine_ops *ops = engine_kernel();
	uint32_t lines;

	*scratch = (struct kernel_scratch){
		.services = { .sim = scratch,
			      .switch_to = nobody_switches,
			      .set_timer = no_timer,
			      .tick_start = no_tick,
			      .tick_stop = no_tick,
			      .send_ipi = no_ipi,
			      .kick_poller = no_kick,
			      .fail = fails },
		.config = { .machine = machine,
			    .hotplug = hotplug,
			    .image = image,
			    .max_tasks = machine->nr_cpus + 1,
			    .nr_sets = 1,
			    .set = &machine->online },
	};
	scratch->config.services = &scratch->services;
	lines = ops->nr_lines(&scratch->config, err);
	if (!lines)
		return false;
	arena_init(&scratch->arena);
	scratch->config.memory = memory_new(&scratch->arena, machine, lines);
	scratch->engine = ops->create(&scratch->arena, &scratch->config, err);
	if (scratch->engine)
		scratch->ks = engine_kernel_image(scratch->engine);
	else
		arena_release(&scratch->arena);
	return scratch->engine != NULL;
}

bool kernel_scratch_open(struct kernel_scratch *scratch, const struct machine *machine,
			 const char *image, struct err *err)
{
	return open_scratch(scratch, machine, image, false, err);
}

bool kernel_scratch_open_without(struct kernel_scratch *scratch, const struct machine *machine,
				 const struct cpuset *off, const char *image, struct err *err)
{
	if (!open_scratch(scratch, machine, image, true, err))
		return false;
	if (setjmp(scratch->failed) == 0) {
		cpuset_for_each (cpu, off)
			engine_kernel()->cpu_down(scratch->engine, 0, cpu);
		return true;
	}
	err_set(err, "%s", scratch->failure);
	kernel_scratch_close(scratch);
	return false;
}

void kernel_scratch_close(struct kernel_scratch *scratch)
{
	engine_kernel()->destroy(scratch->engine);
	arena_release(&scratch->arena);
}
