/* SPDX-License-Identifier: GPL-2.0-only */
/* Entries are taken from the queue in the order of (time, order of setting). */
#include "base/check.h"
#include "sim/cpu.h"
#include "sim/plug.h"
#include "sim/task.h"

/* What came due happens. False when it changed nothing. */
static bool take(struct sim *sim, uint32_t c, enum slot_kind kind)
{
	switch (kind) {
	case SLOT_WORK: cpu_work_done(sim, c); return true;
	case SLOT_TICK:
		sim->cpu[c].next_tick_ns += sim->engine_config.tick_ns;
		calendar_set(&sim->queue, slot_of(c, SLOT_TICK), sim->cpu[c].next_tick_ns);
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

static void finish(struct sim *sim)
{
	cpuset_for_each (c, &sim->machine->present)
		cpu_account(sim, c);
	trace_emit(&sim->trace, sim->now_ns, TRACE_END, 0, TASK_NONE, 0);
	sim->result.end_ns = sim->now_ns;
	sim->result.nr_events = sim->nr_events;
	sim->result.trace_hash = sim->trace.hash;
	sim->result.nr_trace_events = sim->trace.nr_events;
}

static bool limit_passed(struct sim *sim, uint64_t next_ns)
{
	const struct sim_config *config = &sim->config;

	if (sim->nr_events >= config->max_events) {
		sim->result.status = SIM_EVENT_LIMIT;
		return true;
	}
	if (next_ns > config->max_ns) {
		sim->result.status = SIM_TIME_LIMIT;
		sim->now_ns = config->max_ns;
		return true;
	}
	return false;
}

static void run(struct sim *sim)
{
	uint64_t next_ns;
	uint32_t slot;

	sim_start_tasks(sim);
	cpuset_for_each (c, &sim->machine->online) {
		calendar_set(&sim->queue, slot_of(c, SLOT_TICK), sim->cpu[c].next_tick_ns);
		cpu_kernel(sim, c, 0);
	}
	plug_arm(sim);
	while (!sim->over) {
		if (calendar_empty(&sim->queue)) {
			sim->result.status = SIM_LOST;
			break;
		}
		slot = calendar_take(&sim->queue, &next_ns);
		if (limit_passed(sim, next_ns))
			break;
		sim->now_ns = next_ns;
		if (slot == plug_slot(sim)) {
			plug_due(sim);
			sim->nr_events++;
		} else if (take(sim, slot / SLOTS_PER_CPU, slot % SLOTS_PER_CPU)) {
			sim->nr_events++;
		}
	}
}

struct sim_result sim_run(struct sim *sim)
{
	CHECK(sim->now_ns == 0 && sim->nr_events == 0);
	if (setjmp(sim->engine_failed) == 0)
		run(sim);
	else
		sim->result.status = SIM_FAILED;
	finish(sim);
	return sim->result;
}
