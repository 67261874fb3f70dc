/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be asked of a simulation besides its result. */
#include "sim/state.h"

#include <stdio.h>

static const struct {
	const char *name, *phrase;
} counters[NR_SIM_COUNTERS] = {
#define COUNTER(id, name, phrase) [SIM_##id] = { name, phrase },
#include "sim/counters.def"
#undef COUNTER
};

struct trace *sim_trace(struct sim *sim)
{
	return &sim->trace;
}

const struct memory *sim_memory(const struct sim *sim)
{
	return sim->memory;
}

const struct engine *sim_engine(const struct sim *sim)
{
	return sim->engine;
}

struct sim_cpu_times sim_cpu_times(const struct sim *sim, uint32_t cpu)
{
	const uint64_t *spent_ns = sim->cpu[cpu].spent_ns;
	struct sim_cpu_times times = sim->times[cpu];

	times.user_ns = spent_ns[CPU_USER];
	times.kernel_ns = spent_ns[CPU_KERNEL] + spent_ns[CPU_SPINNING];
	times.idle_ns = spent_ns[CPU_ASLEEP] + spent_ns[CPU_WAKING];
	return times;
}

struct sim_task_times sim_task_times(const struct sim *sim, uint32_t t)
{
	const struct sim_task *task = &sim->task[t];

	return (struct sim_task_times){
		.user_ns = task->user_ns,
		.system_ns = task->system_ns,
		.voluntary = task->voluntary,
		.involuntary = task->involuntary,
	};
}

bool sim_counter(const struct sim *sim, uint32_t i, struct sim_counter *counter)
{
	if (i >= NR_SIM_COUNTERS)
		return false;
	*counter = (struct sim_counter){ counters[i].name, counters[i].phrase, sim->counter[i] };
	return true;
}

bool sim_engine_counter(const struct sim *sim, uint32_t i, struct engine_counter *counter)
{
	return sim->ops->counter(sim->engine, i, counter);
}

static size_t add(char *out, size_t size, size_t at, const struct sim *sim, uint32_t t)
{
	const struct op *op = &sim->programs->op[sim->task[t].op];
	const char *role = sim->programs->program[sim->task[t].spec->program].name;
	int n;

	if (at >= size)
		return at;
	if (sim->task[t].joining)
		n = snprintf(out + at, size - at, "; task %u (%s) waits for its children", t, role);
	else
		n = snprintf(out + at, size - at, "; task %u (%s) waits in %s on resource %u", t,
			     role, op_name(op->kind), sim->task[t].resource);
	return n < 0 ? at : at + (size_t)n;
}

char *sim_explain_deadlock(const struct sim *sim, char *out, size_t size)
{
	enum { MOST = 4 };
	uint32_t named = 0;
	size_t at = 0;
	int n = snprintf(out, size, "all %u living tasks wait for each other", sim->nr_alive);

	if (n > 0)
		at = (size_t)n;
	for (uint32_t t = 0; t < sim->programs->nr_tasks && named < MOST; t++) {
		if (sim->task[t].state != TASK_WAITING)
			continue;
		at = add(out, size, at, sim, t);
		named++;
	}
	if (named < sim->nr_alive && at < size)
		snprintf(out + at, size - at, "; and %u more", sim->nr_alive - named);
	return out;
}
