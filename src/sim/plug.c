/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PLUG_ON --interrupt--> PLUG_LEAVES --cpu_down of the engine--> PLUG_LEFT --its time passes-->
 * PLUG_OFF --cpu_up of the engine--> PLUG_ON
 */
#include "sim/plug.h"
#include "base/check.h"
#include "base/fixed.h"
#include "machine/machine.h"
#include "sim/cpu.h"
#include "sim/timer.h"

bool hotplug_check(const struct hotplug_event *event, uint32_t nr, const struct machine *m,
		   struct err *err)
{
	struct cpuset on;
	struct arena arena;
	bool good = true;

	arena_init(&arena);
	on = cpuset_clone(&arena, &m->online);
	for (uint32_t i = 0; i < nr && good; i++) {
		const struct hotplug_event *e = &event[i];
		unsigned long long at_ns = e->time_ns;

		if (i && e->time_ns < event[i - 1].time_ns)
			good = err_set(err, "hotplug events are not in the order of their times");
		else if (e->cpu >= m->nr_cpus || !cpuset_has(&m->present, e->cpu))
			good = err_set(err, "there is no cpu %u in %s to take %s", e->cpu, m->name,
				       e->up ? "on" : "off");
		else if (cpuset_has(&on, e->cpu) == e->up)
			good = err_set(err, "cpu %u is %s already at %llu ns", e->cpu,
				       e->up ? "on" : "off", at_ns);
		else if (!e->up && cpuset_weight(&on) == 1)
			good = err_set(err, "cpu %u is the last one that is on at %llu ns", e->cpu,
				       at_ns);
		else if (e->up)
			cpuset_add(&on, e->cpu);
		else
			cpuset_del(&on, e->cpu);
	}
	arena_release(&arena);
	return good;
}

void plug_arm(struct sim *sim)
{
	const struct sim_config *config = &sim->config;

	if (sim->nr_plugged < config->nr_hotplug)
		calendar_set(&sim->queue, plug_slot(sim),
			     max_u64(sim->now_ns, config->hotplug[sim->nr_plugged].time_ns));
}

static void ended(struct sim *sim)
{
	sim->nr_plugged++;
	plug_arm(sim);
}

static void come(struct sim *sim, uint32_t c)
{
	uint64_t ns;

	CHECK(sim->cpu[c].plug == PLUG_OFF);
	cpu_account(sim, c);
	sim->cpu[c].plug = PLUG_ON;
	sim_count(sim, SIM_cpus_on, 1);
	trace_emit(&sim->trace, sim->now_ns, TRACE_CPU_ON, c, TASK_NONE, 0);
	sim->services.tick_start(sim, sim->now_ns, c);
	ns = sim->ops->cpu_up(sim->engine, sim->now_ns, c);
	cpu_kernel(sim, c, ns);
	ended(sim);
}

void plug_due(struct sim *sim)
{
	const struct hotplug_event *event = &sim->config.hotplug[sim->nr_plugged];

	if (event->up)
		come(sim, event->cpu);
	else
		cpu_interrupt(sim, event->cpu, IRQ_HOTPLUG);
}

/* The first one that stays. */
static uint32_t heir_of(const struct sim *sim, uint32_t c)
{
	cpuset_for_each (other, &sim->machine->present)
		if (other != c && sim->cpu[other].plug == PLUG_ON)
			return other;
	CHECK(!"the last cpu goes off");
	return CPU_NONE;
}

static void leave(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	uint64_t ns;

	trace_emit(&sim->trace, sim->now_ns, TRACE_CPU_LEAVES, c, TASK_NONE, 0);
	ns = sim->ops->cpu_down(sim->engine, sim->now_ns, c);
	CHECK(cpu->curr == TASK_NONE && !cpu->expiring);
	cpu->plug = PLUG_LEFT;
	sim_count(sim, SIM_cpus_off, 1);
	cpu->pending = 0;
	for (uint32_t kind = SLOT_WORK + 1; kind < SLOTS_PER_CPU; kind++)
		calendar_remove(&sim->queue, c * SLOTS_PER_CPU + kind);
	timer_move_all(sim, c, heir_of(sim, c));
	trace_emit(&sim->trace, sim->now_ns, TRACE_CPU_OFF, c, TASK_NONE, 0);
	cpu_kernel(sim, c, ns);
}

void plug_go_on(struct sim *sim, uint32_t c)
{
	if (sim->cpu[c].plug == PLUG_LEAVES) {
		leave(sim, c);
		return;
	}
	CHECK(sim->cpu[c].plug == PLUG_LEFT);
	cpu_off(sim, c);
	sim->cpu[c].plug = PLUG_OFF;
	ended(sim);
}
