/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine with a scheduler and the smallest simulation around it: verbs follow each other in
 * time, interrupts arrive at once, every cpu ticks at the same times. For facts, not for figures.
 */
#ifndef TESTS_SCHED_WORLD_H
#define TESTS_SCHED_WORLD_H

#include "base/check.h"
#include "base/hash.h"
#include "machine/read.h"
#include "sched/fair.h"

#include <stdio.h>

enum { WORLD_TASKS = 512, WORLD_SETS = 8 };

struct world {
	struct arena arena;
	struct machine *machine;
	struct topology *topology;
	struct memory *memory;
	struct sched_config config;
	struct sched *s;
	struct cpuset set[WORLD_SETS]; /* 0: all cpus; i: cpus below i, at least one */
	uint64_t now_ns, next_tick_ns;
	bool *has_call, *has_resched, *is_asleep, *has_tick;
	uint32_t *runs; /* by cpu, from SCHED_SWITCH alone */
	uint64_t hash;
	bool is_unchecked;   /* for benchmarks: neither sched_check() nor the hash */
	uint32_t nr_at_once; /* cpus that work at the same time: verbs overlap so much */
};

static inline void world_fail(const struct err *err)
{
	char text[700];

	err_print(err, text, sizeof(text));
	fprintf(stderr, "%s\n", text);
	CHECK(!"world");
}

static inline void world_init(struct world *w, const char *spec, const char *profile,
			      const char *variant)
{
	struct err err = { 0 };
	struct topology_options options = { 0 };
	struct topology_rules rules;
	struct sched_arguments args;

	*w = (struct world){ .now_ns = 1000000, .hash = HASH_START, .nr_at_once = 1 };
	arena_init(&w->arena);
	w->machine = machine_read(&w->arena, spec, &err);
	if (!w->machine || !sched_config_parse(&w->config, &w->arena, profile, variant, &err) ||
	    !topology_rules_for(w->config.profile, w->machine->arch, &rules, &err))
		world_fail(&err);
	/* Idle cpus are woken by interrupts here: all ticks of this world come at the same times,
	 * and what a polling balancer does instead depends on them. */
	for (uint32_t i = 1; i < w->machine->costs.nr_idle_states; i++)
		w->machine->costs.idle_state[i].polling = false;
	w->topology = topology_build(&w->arena, w->machine, &rules, &options, &err);
	if (!w->topology)
		world_fail(&err);
	for (uint32_t i = 0; i < WORLD_SETS; i++) {
		w->set[i] = cpuset_clone(&w->arena, &w->machine->online);
		for (uint32_t cpu = i; i && cpu < w->machine->nr_cpus; cpu++)
			if (cpu > cpuset_first(&w->machine->online))
				cpuset_del(&w->set[i], cpu);
	}
	args = (struct sched_arguments){ .topology = w->topology,
					 .config = &w->config,
					 .max_tasks = WORLD_TASKS,
					 .set = w->set,
					 .nr_sets = WORLD_SETS,
					 .seed = 1 };
	w->memory = memory_new(&w->arena, w->machine, sched_nr_lines(&args));
	args.memory = w->memory;
	w->s = sched_new(&w->arena, &args);
	w->has_call = ARENA_ARRAY(&w->arena, bool, w->machine->nr_cpus);
	w->has_resched = ARENA_ARRAY(&w->arena, bool, w->machine->nr_cpus);
	w->is_asleep = ARENA_ARRAY(&w->arena, bool, w->machine->nr_cpus);
	w->has_tick = ARENA_ARRAY(&w->arena, bool, w->machine->nr_cpus);
	w->runs = ARENA_ARRAY(&w->arena, uint32_t, w->machine->nr_cpus);
	for (uint32_t cpu = 0; cpu < w->machine->nr_cpus; cpu++) {
		w->runs[cpu] = TASK_NONE;
		w->has_tick[cpu] = true;
	}
	w->next_tick_ns = w->now_ns + w->s->tick_ns;
}

static inline void world_release(struct world *w)
{
	arena_release(&w->arena);
}

static inline void world_effect(struct world *w, const struct sched_effect *e)
{
	switch ((enum sched_effect_kind)e->kind) {
	case SCHED_SWITCH:
		CHECK(w->runs[e->cpu] == e->arg);
		w->runs[e->cpu] = e->task;
		break;
	case SCHED_WOKEN:
	case SCHED_MIGRATED: break;
	case SCHED_IPI_RESCHED: w->has_resched[e->cpu] = true; break;
	case SCHED_IPI_CALL: w->has_call[e->cpu] = true; break;
	case SCHED_KICK_POLLER: CHECK(w->s->rq[e->cpu].need_resched); break;
	case SCHED_TICK_START: w->has_tick[e->cpu] = true; break;
	case SCHED_TICK_STOP: w->has_tick[e->cpu] = false; break;
	}
}

static inline void world_check(struct world *w)
{
	struct err err = { 0 };

	if (!sched_check(w->s, &err))
		world_fail(&err);
}

/* After each verb: its effects happen and its time passes. */
static inline void world_after(struct world *w, uint64_t spent_ns)
{
	uint32_t count;
	const struct sched_effect *e = sched_effects(w->s, &count);

	w->now_ns += spent_ns / w->nr_at_once;
	for (uint32_t i = 0; i < count; i++) {
		world_effect(w, &e[i]);
		if (w->is_unchecked)
			continue;
		w->hash = hash_u64(hash_u64(hash_u64(w->hash, e[i].t_ns), e[i].kind),
				   (uint64_t)e[i].cpu << 32 | e[i].task);
	}
	if (!w->is_unchecked)
		world_check(w);
}

/* Interrupts, rescheduling and idling of one cpu; true when anything was done. */
static inline bool world_cpu(struct world *w, uint32_t cpu)
{
	bool flagged = w->has_call[cpu] || w->has_resched[cpu] || sched_need_resched(w->s, cpu);
	uint32_t state;

	if (flagged && w->is_asleep[cpu]) {
		w->is_asleep[cpu] = false;
		world_after(w, sched_idle_exit(w->s, w->now_ns, cpu));
	}
	if (w->has_call[cpu]) {
		w->has_call[cpu] = false;
		world_after(w, sched_ipi_call(w->s, w->now_ns, cpu));
	}
	if (w->has_resched[cpu]) {
		w->has_resched[cpu] = false;
		world_after(w, sched_ipi_resched(w->s, w->now_ns, cpu));
	}
	if (sched_need_resched(w->s, cpu))
		world_after(w, sched_schedule(w->s, w->now_ns, cpu));
	if (w->runs[cpu] == TASK_NONE && !w->is_asleep[cpu] && !sched_need_resched(w->s, cpu)) {
		w->is_asleep[cpu] = true;
		world_after(w, sched_idle_enter(w->s, w->now_ns, cpu, UINT64_MAX, &state));
		CHECK(state < w->machine->costs.nr_idle_states);
		return true;
	}
	return flagged;
}

/* Until no cpu has anything left to do at once. */
static inline void world_settle(struct world *w)
{
	bool again = true;

	for (uint32_t round = 0; again; round++) {
		CHECK(round < 1000);
		again = false;
		cpuset_for_each (cpu, &w->machine->online)
			again |= world_cpu(w, cpu);
	}
}

/* Lets `ns` pass with ticks on time; tasks run. */
static inline void world_run(struct world *w, uint64_t ns)
{
	uint64_t end_ns = w->now_ns + ns;

	world_settle(w);
	while (w->next_tick_ns <= end_ns) {
		if (w->now_ns < w->next_tick_ns)
			w->now_ns = w->next_tick_ns;
		cpuset_for_each (cpu, &w->machine->online) {
			if (!w->has_tick[cpu])
				continue;
			if (w->is_asleep[cpu]) {
				w->is_asleep[cpu] = false;
				world_after(w, sched_idle_exit(w->s, w->now_ns, cpu));
			}
			world_after(w, sched_tick(w->s, w->now_ns, cpu));
		}
		world_settle(w);
		w->next_tick_ns += w->s->tick_ns;
	}
	if (w->now_ns < end_ns)
		w->now_ns = end_ns;
}

static inline void world_fork(struct world *w, uint32_t cpu, uint32_t task, uint32_t set, int nice)
{
	struct sched_new_task new = {
		.task = task, .parent = TASK_NONE, .set = set, .nice = (int8_t)nice
	};

	world_after(w, sched_task_new(w->s, w->now_ns, cpu, &new));
	world_settle(w);
}

static inline void world_wake(struct world *w, uint32_t cpu, uint32_t task)
{
	world_after(w, sched_wake(w->s, w->now_ns, cpu, task, 0));
	world_settle(w);
}

static inline void world_block(struct world *w, uint32_t cpu)
{
	world_after(w, sched_block(w->s, w->now_ns, cpu));
	world_settle(w);
}

static inline uint64_t world_ran_ns(const struct world *w, uint32_t task)
{
	return w->s->task[task].sum_exec_ns;
}

#endif
