/* SPDX-License-Identifier: GPL-2.0-only */
/* What an engine asks of the simulation while one of its verbs runs. */
#include "sim/services.h"
#include "base/check.h"
#include "base/fixed.h"
#include "sim/cpu.h"

#include <stdio.h>

/* The task runs on another core than before: its working set follows. */
static void move_working_set(struct sim *sim, struct sim_task *task, uint32_t c)
{
	enum tie tie = machine_tie(sim->machine, task->cpu, c);
	uint64_t kib = task->spec->working_set_kib, ns;

	if (tie <= TIE_SMT || !kib)
		return;
	if (tie <= TIE_LLC)
		kib = min_u64(kib, sim->costs.l2_kib);
	ns = kib * sim->costs.refill_kib_ns[tie];
	task->refill_ns += ns;
	sim_count(sim, SIM_refill_kib, kib);
	sim_count(sim, SIM_refill_ns, ns);
}

static void switch_in(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];

	CHECK(task->state != TASK_DEAD && task->state != TASK_UNBORN);
	if (task->cpu != c && task->cpu != CPU_NONE)
		move_working_set(sim, task, c);
	/* What the task works on displaces what else the core has cached. */
	if (task->spec->working_set_kib && sim->cpu[c].last_task != t)
		memory_pass(sim->memory, c, task->spec->working_set_kib);
	sim->cpu[c].last_task = t;
	task->cpu = c;
}

static void switch_to(void *context, uint64_t t_ns, uint32_t c, uint32_t prev, uint32_t next)
{
	struct sim *sim = context;
	struct sim_cpu *cpu = &sim->cpu[c];

	CHECK(cpu->curr == prev);
	if (prev == next)
		return;
	cpu_account(sim, c);
	trace_emit(&sim->trace, sim->now_ns, TRACE_SWITCH, c, next, prev);
	if (prev != TASK_NONE && sim->task[prev].state == TASK_RUNNABLE)
		sim->task[prev].involuntary++;
	else if (prev != TASK_NONE)
		sim->task[prev].voluntary++;
	cpu->curr = next;
	if (next != TASK_NONE)
		switch_in(sim, c, next);
}

static void woken(void *context, uint64_t t_ns, uint32_t c, uint32_t t, uint32_t from)
{
	struct sim *sim = context;
	struct sim_task *task = &sim->task[t];

	if (task->state == TASK_UNBORN) {
		task->state = TASK_RUNNABLE;
		trace_emit(&sim->trace, sim->now_ns, TRACE_TASK_NEW, c, t, task->parent);
	} else {
		trace_emit(&sim->trace, sim->now_ns, TRACE_WAKEUP, c, t, from);
	}
}

static void migrated(void *context, uint64_t t_ns, uint32_t c, uint32_t t, uint32_t from)
{
	struct sim *sim = context;

	trace_emit(&sim->trace, sim->now_ns, TRACE_MIGRATE, c, t, from);
}

/* One of a kind is on its way to a cpu at most; the earlier one serves both. */
static void send_ipi(void *context, uint64_t t_ns, uint32_t from, uint32_t to, enum engine_ipi ipi)
{
	struct sim *sim = context;
	uint32_t slot = slot_of(to, ipi == ENGINE_IPI_CALL ? SLOT_CALL : SLOT_RESCHED);
	uint32_t irq = ipi == ENGINE_IPI_CALL ? IRQ_CALL : IRQ_RESCHED;
	bool far = sim->machine->cpu[from].package != sim->machine->cpu[to].package;
	uint64_t when_ns =
		max_u64(t_ns, sim->now_ns) + (far ? sim->costs.ipi_far_ns : sim->costs.ipi_near_ns);

	CHECK(sim->cpu[to].plug < PLUG_LEFT);
	trace_emit(&sim->trace, sim->now_ns, TRACE_IPI, from, TASK_NONE, to);
	if (sim->cpu[to].pending >> irq & 1 || calendar_time(&sim->queue, slot) <= when_ns)
		sim_count(sim, SIM_ipi_merged, 1);
	else
		calendar_set(&sim->queue, slot, when_ns);
}

static void kick_poller(void *context, uint64_t t_ns, uint32_t from, uint32_t to)
{
	struct sim *sim = context;
	uint64_t when_ns = max_u64(t_ns, sim->now_ns) + sim->costs.poll_notice_ns;

	if (calendar_time(&sim->queue, slot_of(to, SLOT_KICK)) > when_ns)
		calendar_set(&sim->queue, slot_of(to, SLOT_KICK), when_ns);
}

static void tick_start(void *context, uint64_t t_ns, uint32_t c)
{
	struct sim *sim = context;
	struct sim_cpu *cpu = &sim->cpu[c];
	uint64_t period = sim->engine_config.tick_ns;

	if (calendar_has(&sim->queue, slot_of(c, SLOT_TICK)))
		return;
	if (cpu->next_tick_ns <= sim->now_ns)
		cpu->next_tick_ns += ((sim->now_ns - cpu->next_tick_ns) / period + 1) * period;
	calendar_set(&sim->queue, slot_of(c, SLOT_TICK), cpu->next_tick_ns);
}

static void tick_stop(void *context, uint64_t t_ns, uint32_t c)
{
	struct sim *sim = context;

	calendar_remove(&sim->queue, slot_of(c, SLOT_TICK));
}

static void set_timer(void *context, uint64_t when_ns, uint32_t c, uint32_t id)
{
	struct sim *sim = context;
	uint32_t slot = slot_of(c, SLOT_ENGINE_TIMER) + id;

	CHECK(id < ENGINE_TIMERS);
	if (when_ns == UINT64_MAX)
		calendar_remove(&sim->queue, slot);
	else
		calendar_set(&sim->queue, slot, max_u64(when_ns, sim->now_ns));
}

/* The engine's verb is left where it stands, and with it all that was to follow it. */
__attribute__((noreturn)) static void fail(void *context, const char *text)
{
	struct sim *sim = context;

	snprintf(sim->failure, sizeof(sim->failure), "%s", text);
	longjmp(sim->engine_failed, 1);
}

struct engine_services sim_services(struct sim *sim)
{
	return (struct engine_services){
		.sim = sim,
		.switch_to = switch_to,
		.woken = woken,
		.migrated = migrated,
		.send_ipi = send_ipi,
		.kick_poller = kick_poller,
		.tick_start = tick_start,
		.tick_stop = tick_stop,
		.set_timer = set_timer,
		.fail = fail,
	};
}
