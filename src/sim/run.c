/* SPDX-License-Identifier: GPL-2.0-only */
/* Entries are taken from the queue in the order of (time, order of setting). */
#include "base/check.h"
#include "sim/cpu.h"
#include "sim/task.h"

/* What came due. False when it changed nothing. */
static bool take(struct sim *sim, uint32_t c, enum slot_kind kind)
{
	switch (kind) {
	case SLOT_WORK: cpu_work_done(sim, c); return true;
	case SLOT_TICK:
		sim->cpu[c].next_tick_ns += sim->engine_config.tick_ns;
		heap_set(&sim->queue, slot_of(c, SLOT_TICK), sim->cpu[c].next_tick_ns);
		cpu_interrupt(sim, c, IRQ_TICK);
		return true;
	case SLOT_RESCHED: cpu_interrupt(sim, c, IRQ_RESCHED); return true;
	case SLOT_CALL: cpu_interrupt(sim, c, IRQ_CALL); return true;
	case SLOT_KICK: return cpu_kicked(sim, c);
	case SLOT_TIMER: cpu_interrupt(sim, c, IRQ_TIMER); return true;
	case SLOT_ENGINE_TIMER:
	case SLOTS_PER_CPU: break;
	}
	cpu_interrupt(sim, c, IRQ_ENGINE_TIMER + (kind - SLOT_ENGINE_TIMER));
	return true;
}

/*
 * A cpu whose work ends mostly begins other work: its entry stays at the root until it is moved,
 * and is removed only if it was not.
 */
static void step(struct sim *sim)
{
	struct heap *queue = &sim->queue;
	uint32_t slot = heap_first(queue), c = slot / SLOTS_PER_CPU;
	enum slot_kind kind = slot % SLOTS_PER_CPU;
	uint64_t order = queue->entry[HEAP_ROOT].order;

	sim->now_ns = heap_first_time(queue);
	if (kind != SLOT_WORK)
		heap_remove(queue, slot);
	if (take(sim, c, kind))
		sim->nr_events++;
	if (kind == SLOT_WORK && queue->at[slot] && queue->entry[queue->at[slot]].order == order)
		heap_remove(queue, slot);
}

static void finish(struct sim *sim)
{
	cpuset_for_each (c, &sim->machine->online)
		cpu_account(sim, c);
	trace_emit(&sim->trace, sim->now_ns, TRACE_END, 0, TASK_NONE, 0);
	sim->result.end_ns = sim->now_ns;
	sim->result.nr_events = sim->nr_events;
	sim->result.trace_hash = sim->trace.hash;
	sim->result.nr_trace_events = sim->trace.nr_events;
}

static bool limit_passed(struct sim *sim)
{
	const struct sim_config *config = &sim->config;

	if (config->max_events && sim->nr_events >= config->max_events) {
		sim->result.status = SIM_EVENT_LIMIT;
		return true;
	}
	if (config->max_ns && heap_first_time(&sim->queue) > config->max_ns) {
		sim->result.status = SIM_TIME_LIMIT;
		sim->now_ns = config->max_ns;
		return true;
	}
	return false;
}

struct sim_result sim_run(struct sim *sim)
{
	CHECK(sim->now_ns == 0 && sim->nr_events == 0);
	sim_start_tasks(sim);
	cpuset_for_each (c, &sim->machine->online) {
		heap_set(&sim->queue, slot_of(c, SLOT_TICK), sim->cpu[c].next_tick_ns);
		cpu_kernel(sim, c, 0);
	}
	while (!sim->over) {
		if (heap_empty(&sim->queue)) {
			sim->result.status = SIM_LOST;
			break;
		}
		if (limit_passed(sim))
			break;
		step(sim);
	}
	finish(sim);
	return sim->result;
}
