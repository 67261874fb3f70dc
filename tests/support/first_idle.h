/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The smallest engine there can be: a wakee goes to the first idle cpu, else to its last one; each
 * cpu runs its queue round robin at the tick. It drives the simulation in tests, and shows that the
 * port asks for no more than this. Every verb takes 100 ns. Nothing is balanced.
 */
#ifndef TESTS_FIRST_IDLE_H
#define TESTS_FIRST_IDLE_H

#include "base/check.h"
#include "engine/engine.h"

enum { FIRST_IDLE_NS = 100 };

struct first_idle_cpu {
	uint32_t curr, first, last, nr_queued;
	bool resched, asleep, polling;
};

struct first_idle_task {
	uint32_t cpu, set, next;
};

struct engine {
	const struct engine_services *services;
	const struct engine_config *config;
	struct first_idle_cpu *cpu;
	struct first_idle_task *task;
	uint64_t nr_wakes;
	bool loses_kicks; /* for tests of what finds lost wake-ups */
};

static inline uint32_t first_idle_nr_lines(const struct engine_config *config, struct err *err)
{
	return 1;
}

static inline struct engine *first_idle_create(struct arena *arena, struct engine_config *config,
					       struct err *err)
{
	struct engine *e = ARENA_NEW(arena, struct engine);

	e->services = config->services;
	e->config = config;
	e->cpu = ARENA_ARRAY(arena, struct first_idle_cpu, config->machine->nr_cpus);
	e->task = ARENA_ARRAY(arena, struct first_idle_task, config->max_tasks);
	for (uint32_t c = 0; c < config->machine->nr_cpus; c++)
		e->cpu[c] = (struct first_idle_cpu){ TASK_NONE, TASK_NONE, TASK_NONE };
	e->loses_kicks = config->variant && config->variant[0] == '!';
	config->tick_ns = 4000000;
	return e;
}

static inline void first_idle_destroy(struct engine *e)
{
}

static inline void first_idle_enqueue(struct engine *e, uint32_t c, uint32_t t)
{
	struct first_idle_cpu *cpu = &e->cpu[c];

	e->task[t].next = TASK_NONE;
	e->task[t].cpu = c;
	if (cpu->nr_queued++)
		e->task[cpu->last].next = t;
	else
		cpu->first = t;
	cpu->last = t;
}

static inline void first_idle_next(struct engine *e, uint64_t now_ns, uint32_t c)
{
	struct first_idle_cpu *cpu = &e->cpu[c];
	uint32_t prev = cpu->curr, next = cpu->nr_queued ? cpu->first : TASK_NONE;

	if (next != TASK_NONE) {
		cpu->first = e->task[next].next;
		cpu->nr_queued--;
	}
	cpu->curr = next;
	cpu->resched = false;
	if (prev != next)
		e->services->switch_to(e->services->sim, now_ns, c, prev, next);
}

static inline void first_idle_kick(struct engine *e, uint64_t now_ns, uint32_t from, uint32_t to)
{
	struct first_idle_cpu *cpu = &e->cpu[to];

	if (cpu->curr != TASK_NONE || cpu->resched)
		return;
	cpu->resched = true;
	if (from == to || (e->loses_kicks && e->nr_wakes % 64 == 63))
		return;
	if (cpu->asleep && cpu->polling)
		e->services->kick_poller(e->services->sim, now_ns, from, to);
	else
		e->services->send_ipi(e->services->sim, now_ns, from, to, ENGINE_IPI_RESCHED);
}

static inline void first_idle_place(struct engine *e, uint64_t now_ns, uint32_t from, uint32_t t,
				    bool wakes)
{
	const struct cpuset *set = &e->config->set[e->task[t].set];
	const struct cpuset *online = &e->config->machine->online;
	uint32_t c, before = e->task[t].cpu;

	for (c = cpuset_next_and(set, online, 0); c != CPU_NONE;
	     c = cpuset_next_and(set, online, c + 1))
		if (e->cpu[c].curr == TASK_NONE && !e->cpu[c].nr_queued)
			break;
	if (c == CPU_NONE)
		c = cpuset_has(set, before) ? before : cpuset_next_and(set, online, 0);
	first_idle_enqueue(e, c, t);
	(wakes ? e->services->woken : e->services->migrated)(e->services->sim, now_ns, c, t,
							     before);
	first_idle_kick(e, now_ns, from, c);
}

static inline uint64_t first_idle_task_new(struct engine *e, uint64_t now_ns, uint32_t c,
					   const struct engine_task *task)
{
	e->task[task->task] = (struct first_idle_task){ c, task->set, TASK_NONE };
	first_idle_place(e, now_ns, c, task->task, true);
	return FIRST_IDLE_NS;
}

static inline uint64_t first_idle_task_wake(struct engine *e, uint64_t now_ns, uint32_t c,
					    uint32_t t, uint32_t flags)
{
	e->nr_wakes++;
	first_idle_place(e, now_ns, c, t, true);
	return FIRST_IDLE_NS;
}

static inline uint64_t first_idle_block(struct engine *e, uint64_t now_ns, uint32_t c)
{
	first_idle_next(e, now_ns, c);
	return FIRST_IDLE_NS;
}

static inline uint64_t first_idle_schedule(struct engine *e, uint64_t now_ns, uint32_t c)
{
	struct first_idle_cpu *cpu = &e->cpu[c];

	if (cpu->curr != TASK_NONE && cpu->nr_queued)
		first_idle_enqueue(e, c, cpu->curr);
	if (cpu->curr == TASK_NONE || cpu->nr_queued)
		first_idle_next(e, now_ns, c);
	cpu->resched = false;
	return FIRST_IDLE_NS;
}

static inline uint64_t first_idle_affinity(struct engine *e, uint64_t now_ns, uint32_t c,
					   uint32_t t, uint32_t set)
{
	CHECK(e->cpu[c].curr == t);
	e->task[t].set = set;
	if (cpuset_has(&e->config->set[set], c))
		return FIRST_IDLE_NS;
	first_idle_next(e, now_ns, c);
	first_idle_place(e, now_ns, c, t, false);
	return FIRST_IDLE_NS;
}

static inline uint64_t first_idle_nice(struct engine *e, uint64_t now_ns, uint32_t c, uint32_t t,
				       int nice)
{
	return FIRST_IDLE_NS;
}

static inline bool first_idle_need_resched(const struct engine *e, uint32_t c)
{
	return e->cpu[c].resched;
}

static inline uint64_t first_idle_tick(struct engine *e, uint64_t now_ns, uint32_t c)
{
	if (e->cpu[c].nr_queued)
		e->cpu[c].resched = true;
	return FIRST_IDLE_NS;
}

static inline uint64_t first_idle_ipi(struct engine *e, uint64_t now_ns, uint32_t c,
				      enum engine_ipi ipi)
{
	return FIRST_IDLE_NS;
}

static inline uint64_t first_idle_timer(struct engine *e, uint64_t now_ns, uint32_t c, uint32_t id)
{
	return FIRST_IDLE_NS;
}

static inline uint64_t first_idle_enter(struct engine *e, uint64_t now_ns, uint32_t c,
					struct engine_idle *idle)
{
	const struct machine_costs *costs = &e->config->machine->costs;

	while (idle->state + 1 < costs->nr_idle_states &&
	       idle->next_timer_ns - now_ns >=
		       costs->idle_state[idle->state + 1].target_residency_ns)
		idle->state++;
	e->cpu[c].asleep = true;
	e->cpu[c].polling = costs->idle_state[idle->state].polling;
	e->services->tick_stop(e->services->sim, now_ns, c);
	return FIRST_IDLE_NS;
}

static inline uint64_t first_idle_exit(struct engine *e, uint64_t now_ns, uint32_t c)
{
	e->cpu[c].asleep = false;
	e->services->tick_start(e->services->sim, now_ns, c);
	return FIRST_IDLE_NS;
}

static inline bool first_idle_counter(const struct engine *e, uint32_t i,
				      struct engine_counter *counter)
{
	*counter = (struct engine_counter){ "wakes", "wake-ups", e->nr_wakes };
	return i == 0;
}

static inline uint64_t first_idle_yield(struct engine *e, uint64_t now_ns, uint32_t c)
{
	return first_idle_schedule(e, now_ns, c);
}

static const struct engine_ops first_idle_ops = {
	.name = "first idle",
	.nr_lines = first_idle_nr_lines,
	.create = first_idle_create,
	.destroy = first_idle_destroy,
	.task_new = first_idle_task_new,
	.task_wake = first_idle_task_wake,
	.task_block = first_idle_block,
	.task_yield = first_idle_yield,
	.task_exit = first_idle_block,
	.task_affinity = first_idle_affinity,
	.task_nice = first_idle_nice,
	.need_resched = first_idle_need_resched,
	.schedule = first_idle_schedule,
	.tick = first_idle_tick,
	.ipi = first_idle_ipi,
	.timer = first_idle_timer,
	.idle_enter = first_idle_enter,
	.idle_exit = first_idle_exit,
	.counter = first_idle_counter,
};

#endif
