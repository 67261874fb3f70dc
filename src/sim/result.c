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
	times.off_ns = spent_ns[CPU_OFF];
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

static int describe(const struct sim *sim, uint32_t t, char *out, size_t size)
{
	const struct op *op = &sim->programs->op[sim->task[t].op];
	const char *role = sim->programs->program[sim->task[t].spec->program].name;

	if (sim->task[t].state == TASK_RUNNABLE)
		return snprintf(out, size, "; task %u (%s) could run", t, role);
	if (sim->task[t].joining)
		return snprintf(out, size, "; task %u (%s) waits for its children", t, role);
	return snprintf(out, size, "; task %u (%s) waits in %s on resource %u", t, role,
			op_name(op->kind), sim->task[t].resource);
}

char *sim_explain_deadlock(const struct sim *sim, char *out, size_t size)
{
	enum { MOST = 4 };
	bool lost = sim->result.status == SIM_LOST;
	uint32_t named = 0, count = lost ? sim->nr_alive - sim->nr_waiting : sim->nr_waiting;
	int n = snprintf(out, size,
			 lost ? "%u of %u living tasks were forgotten"
			      : "%u of %u living tasks wait for each other",
			 count, sim->nr_alive);

	for (uint32_t t = 0; t < sim->programs->nr_tasks && named < MOST; t++) {
		if (n < 0 || (size_t)n >= size)
			return out;
		if (sim->task[t].state != (lost ? TASK_RUNNABLE : TASK_WAITING))
			continue;
		n += describe(sim, t, out + n, size - (size_t)n);
		named++;
	}
	if (named < count && n > 0 && (size_t)n < size)
		snprintf(out + n, size - (size_t)n, "; and %u more", count - named);
	return out;
}

const char *sim_failure(const struct sim *sim)
{
	return sim->failure;
}
