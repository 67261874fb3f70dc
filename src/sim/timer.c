/* SPDX-License-Identifier: GPL-2.0-only */
/* A pairing heap: a node's children are a list through timer_next, newest first. */
#include "sim/timer.h"
#include "base/check.h"
#include "base/fixed.h"
#include "sim/cpu.h"
#include "sim/task.h"

static bool earlier(const struct sim_task *a, const struct sim_task *b)
{
	if (a->timer_ns != b->timer_ns)
		return a->timer_ns < b->timer_ns;
	return a->timer_order < b->timer_order;
}

static uint32_t meld(struct sim *sim, uint32_t a, uint32_t b)
{
	uint32_t root, child;

	if (a == TASK_NONE || b == TASK_NONE)
		return a == TASK_NONE ? b : a;
	root = earlier(&sim->task[a], &sim->task[b]) ? a : b;
	child = root == a ? b : a;
	sim->task[child].timer_next = sim->task[root].timer_child;
	sim->task[root].timer_child = child;
	return root;
}

/* Melds the siblings in pairs from the front, then the pairs from the back. */
static uint32_t meld_list(struct sim *sim, uint32_t first)
{
	uint32_t pairs = TASK_NONE, root = TASK_NONE;

	while (first != TASK_NONE) {
		uint32_t a = first, b = sim->task[a].timer_next, pair;

		first = b == TASK_NONE ? TASK_NONE : sim->task[b].timer_next;
		pair = meld(sim, a, b);
		sim->task[pair].timer_next = pairs;
		pairs = pair;
	}
	while (pairs != TASK_NONE) {
		uint32_t next = sim->task[pairs].timer_next;

		root = meld(sim, root, pairs);
		pairs = next;
	}
	return root;
}

static void set_clock_event(struct sim *sim, uint32_t c)
{
	uint32_t first = sim->cpu[c].timer_root;

	if (first == TASK_NONE)
		calendar_remove(&sim->queue, slot_of(c, SLOT_TIMER));
	else
		calendar_set(&sim->queue, slot_of(c, SLOT_TIMER),
			     max_u64(sim->now_ns, sim->task[first].timer_ns));
}

void timer_arm(struct sim *sim, uint32_t c, uint32_t t, uint64_t when_ns)
{
	struct sim_task *task = &sim->task[t];
	struct sim_cpu *cpu = &sim->cpu[c];

	CHECK(when_ns >= sim->now_ns);
	task->timer_ns = when_ns;
	task->timer_order = sim->timer_order++;
	task->timer_child = TASK_NONE;
	task->timer_next = TASK_NONE;
	cpu->timer_root = meld(sim, cpu->timer_root, t);
	if (cpu->timer_root == t)
		set_clock_event(sim, c);
}

void timer_move_all(struct sim *sim, uint32_t from, uint32_t to)
{
	sim->cpu[to].timer_root = meld(sim, sim->cpu[to].timer_root, sim->cpu[from].timer_root);
	sim->cpu[from].timer_root = TASK_NONE;
	set_clock_event(sim, from);
	set_clock_event(sim, to);
}

bool timer_expire(struct sim *sim, uint32_t c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	uint32_t t = cpu->timer_root;
	uint64_t ns = sim->costs.timer_ns;

	if (t == TASK_NONE || sim->task[t].timer_ns > sim->now_ns) {
		cpu->expiring = false;
		set_clock_event(sim, c);
		return false;
	}
	cpu->timer_root = meld_list(sim, sim->task[t].timer_child);
	sim_count(sim, SIM_timers, 1);
	if (sim->task[t].state == TASK_UNBORN)
		ns += task_create(sim, c, t);
	else
		ns += task_wake(sim, c, TASK_NONE, t, 0);
	cpu_kernel(sim, c, ns);
	return true;
}
