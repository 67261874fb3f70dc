/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rule: a verb of the engine is called only at the time of the entry taken from the queue.
 * What takes time is begun, and what follows it waits for the entry at its end.
 *
 * Order at the end of kernel work: the rest of a timer interrupt, pending interrupts from the
 * lowest number up, then the interrupted or next task, or the idle loop. A cpu whose task holds a
 * kernel mutex takes no interrupt: it releases first.
 */
#include "sim/cpu.h"
#include "base/check.h"
#include "base/fixed.h"
#include "sim/plug.h"
#include "sim/task.h"
#include "sim/timer.h"

static bool is_busy(enum cpu_state state)
{
	return state >= CPU_KERNEL;
}

void cpu_account_time(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	uint64_t ns = sim->now_ns - cpu->since_ns;

	cpu->since_ns = sim->now_ns;
	cpu->spent_ns[cpu->state] += ns;
	if (cpu->curr == TASK_NONE || cpu->in_irq)
		return;
	if (cpu->state == CPU_USER)
		sim->task[cpu->curr].user_ns += ns;
	else
		sim->task[cpu->curr].system_ns += ns;
}

/* The same, and what is left of the work in progress. */
static void settle(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	uint64_t ns = sim_work_ns(cpu->speeds, cpu->busy_siblings, sim->now_ns - cpu->since_ns);

	cpu->left_ns -= min_u64(cpu->left_ns, ns);
	cpu_account(sim, c);
}

/* Work in progress ends at another time now that a sibling became busy or idle. */
static void change_speed(struct sim *sim, uint32_t c, uint32_t busy)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	if (!is_busy(cpu->state))
		return;
	settle(sim, c);
	cpu->busy_siblings = (uint8_t)busy;
	if (cpu->state != CPU_SPINNING)
		calendar_set(&sim->queue, slot_of(c, SLOT_WORK),
			     sim->now_ns + sim_wall_ns(cpu->speeds, busy, cpu->left_ns));
}

static void set_state(struct sim *sim, uint32_t c, enum cpu_state state)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	bool was_busy = is_busy(cpu->state);

	cpu->state = (uint8_t)state;
	if (was_busy == is_busy(state))
		return;
	sim->core_busy[cpu->core] = (uint8_t)(sim->core_busy[cpu->core] + (was_busy ? -1 : 1));
	for (uint32_t s = cpu->sibling; s != c; s = sim->cpu[s].sibling)
		change_speed(sim, s, sim->core_busy[cpu->core] - 1u);
	cpu->busy_siblings = (uint8_t)(sim->core_busy[cpu->core] - !was_busy);
}

static void begin(struct sim *sim, uint32_t c, enum cpu_state state, uint64_t ns)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	cpu_account(sim, c);
	if (is_busy(cpu->state))
		cpu->state = (uint8_t)state;
	else
		set_state(sim, c, state);
	cpu->left_ns = ns + cpu->debt_ns;
	cpu->debt_ns = 0;
	calendar_set(&sim->queue, slot_of(c, SLOT_WORK),
		     sim->now_ns + sim_wall_ns(cpu->speeds, cpu->busy_siblings, cpu->left_ns));
}

void cpu_kernel(struct sim *sim, uint32_t c, uint64_t ns)
{
	begin(sim, c, CPU_KERNEL, ns);
}

void cpu_user(struct sim *sim, uint32_t c, uint64_t ns)
{
	begin(sim, c, CPU_USER, ns);
}

void cpu_spin(struct sim *sim, uint32_t c)
{
	cpu_account(sim, c);
	set_state(sim, c, CPU_SPINNING);
	calendar_remove(&sim->queue, slot_of(c, SLOT_WORK));
}

void cpu_off(struct sim *sim, uint32_t c)
{
	cpu_account(sim, c);
	set_state(sim, c, CPU_OFF);
}

void cpu_schedule(struct sim *sim, uint32_t c)
{
	cpu_kernel(sim, c, sim->ops->schedule(sim->engine, sim->now_ns, c));
}

uint64_t cpu_next_timer_ns(const struct sim *sim, uint32_t c)
{
	uint32_t first = sim->cpu[c].timer_root;
	uint64_t next = first == TASK_NONE ? UINT64_MAX : sim->task[first].timer_ns;

	for (uint32_t i = 0; i < ENGINE_TIMERS; i++)
		next = min_u64(next, calendar_time(&sim->queue, slot_of(c, SLOT_ENGINE_TIMER) + i));
	return next;
}

static void idle_enter(struct sim *sim, uint32_t c)
{
	struct engine_idle idle = { .next_timer_ns = cpu_next_timer_ns(sim, c) };
	struct sim_cpu *cpu = &sim->cpu[c];
	uint64_t ns = sim->ops->idle_enter(sim->engine, sim->now_ns, c, &idle);

	CHECK(idle.state < sim->machine->costs.nr_idle_states);
	cpu->idle_phase = IDLE_ENTERING;
	cpu->idle_state = (uint8_t)idle.state;
	trace_emit(&sim->trace, sim->now_ns, TRACE_IDLE_ENTER, c, TASK_NONE, idle.state);
	cpu_kernel(sim, c, ns + sim->costs.idle_loop_ns / 2);
}

static void idle_exit(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	uint64_t ns;

	cpu->idle_phase = IDLE_OUT;
	trace_emit(&sim->trace, sim->now_ns, TRACE_IDLE_EXIT, c, TASK_NONE, cpu->idle_state);
	ns = sim->ops->idle_exit(sim->engine, sim->now_ns, c);
	cpu_kernel(sim, c, ns + sim->costs.idle_loop_ns / 2);
}

static void fall_asleep(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	cpu_account(sim, c);
	set_state(sim, c, CPU_ASLEEP);
	cpu->idle_phase = IDLE_ENTERED;
	sim->times[c].state_entries[cpu->idle_state]++;
	calendar_remove(&sim->queue, slot_of(c, SLOT_WORK));
}

static void wake_up(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	const struct idle_state *state = &sim->machine->costs.idle_state[cpu->idle_state];

	sim->times[c].state_ns[cpu->idle_state] += sim->now_ns - cpu->since_ns;
	cpu_account(sim, c);
	cpu->state = CPU_WAKING;
	calendar_set(&sim->queue, slot_of(c, SLOT_WORK), sim->now_ns + state->exit_latency_ns);
}

static void idle_loop(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	bool resched = sim->ops->need_resched(sim->engine, c);

	switch ((enum idle_phase)cpu->idle_phase) {
	case IDLE_OUT:
		if (cpu->plug != PLUG_ON)
			plug_go_on(sim, c);
		else if (resched)
			cpu_schedule(sim, c);
		else
			idle_enter(sim, c);
		return;
	case IDLE_ENTERING:
		if (!resched) {
			fall_asleep(sim, c);
			return;
		}
		sim_count(sim, SIM_idle_short, 1);
		break;
	case IDLE_ENTERED: break;
	}
	idle_exit(sim, c);
}

static uint64_t irq_verb(struct sim *sim, uint32_t c, enum irq irq)
{
	const struct sim_costs *costs = &sim->costs;
	struct engine *e = sim->engine;
	uint64_t now = sim->now_ns;

	switch (irq) {
	case IRQ_TIMER:
		sim_count(sim, SIM_irq_timer, 1);
		sim->cpu[c].expiring = true;
		return 0;
	case IRQ_TICK:
		sim_count(sim, SIM_irq_tick, 1);
		trace_emit(&sim->trace, now, TRACE_TICK, c, sim->cpu[c].curr, 0);
		return costs->tick_ns + sim->ops->tick(e, now, c);
	case IRQ_RESCHED:
		sim_count(sim, SIM_irq_resched, 1);
		return sim->ops->ipi(e, now, c, ENGINE_IPI_RESCHED);
	case IRQ_CALL:
		sim_count(sim, SIM_irq_call, 1);
		return sim->ops->ipi(e, now, c, ENGINE_IPI_CALL);
	case IRQ_HOTPLUG: sim->cpu[c].plug = PLUG_LEAVES; return 0;
	case IRQ_ENGINE_TIMER: break;
	}
	sim_count(sim, SIM_irq_timer, 1);
	return costs->timer_ns + sim->ops->timer(e, now, c, irq - IRQ_ENGINE_TIMER);
}

static void take_irq(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	enum irq irq = (enum irq)__builtin_ctz(cpu->pending);
	uint64_t ns;

	cpu_account(sim, c);
	set_state(sim, c, CPU_KERNEL); /* the verb may take the task off the cpu */
	cpu->pending &= (uint8_t)(cpu->pending - 1);
	cpu->in_irq = true;
	if (cpu->idle_phase == IDLE_ENTERING) {
		sim_count(sim, SIM_idle_short, 1);
		cpu->idle_phase = IDLE_ENTERED;
	}
	if (irq != IRQ_TICK)
		trace_emit(&sim->trace, sim->now_ns, TRACE_IRQ, c, TASK_NONE, irq);
	ns = irq_verb(sim, c, irq);
	cpu_kernel(sim, c, ns + sim->costs.irq_entry_ns);
}

void cpu_continue(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	if (cpu->expiring && timer_expire(sim, c))
		return;
	if (cpu->pending && (cpu->curr == TASK_NONE || !sim->task[cpu->curr].holding)) {
		take_irq(sim, c);
		return;
	}
	if (cpu->in_irq) {
		cpu_account(sim, c);
		cpu->in_irq = false;
	}
	if (cpu->curr == TASK_NONE)
		idle_loop(sim, c);
	else
		task_run(sim, c, cpu->curr);
}

void cpu_work_done(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	cpu_account(sim, c);
	if (cpu->state == CPU_USER)
		sim->task[cpu->curr].user = false;
	cpu_continue(sim, c);
}

void cpu_interrupt(struct sim *sim, uint32_t c, enum irq irq)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	cpu->pending |= (uint8_t)(1 << irq);
	if (cpu->state == CPU_ASLEEP) {
		wake_up(sim, c);
	} else if (cpu->state == CPU_USER) {
		settle(sim, c);
		sim->task[cpu->curr].left_ns = cpu->left_ns;
		cpu_continue(sim, c);
	}
}

bool cpu_kicked(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	if (cpu->state != CPU_ASLEEP || !sim->machine->costs.idle_state[cpu->idle_state].polling)
		return false;
	sim_count(sim, SIM_poll_exits, 1);
	wake_up(sim, c);
	return true;
}
