/* SPDX-License-Identifier: GPL-2.0-only */
#include "engine/kernel/scratch.h"

static void nobody_switches(void *sim, uint64_t t_ns, uint32_t cpu, uint32_t prev, uint32_t next)
{
}

static void no_timer(void *sim, uint64_t when_ns, uint32_t cpu, uint32_t id)
{
}

bool kernel_scratch_open(struct kernel_scratch *scratch, const struct machine *machine,
			 const char *image, struct err *err)
{
	const struct engine_ops *ops = engine_kernel();
	uint32_t lines;

	*scratch = (struct kernel_scratch){
		.services = { .switch_to = nobody_switches, .set_timer = no_timer },
		.config = { .machine = machine,
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

void kernel_scratch_close(struct kernel_scratch *scratch)
{
	engine_kernel()->destroy(scratch->engine);
	arena_release(&scratch->arena);
}
