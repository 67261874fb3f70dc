/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random programs on random small machines, on the model engine of every profile and on the
 * smallest engine. The trace alone is asked whether the run was sound. SEED=n replays one
 * scenario, SCENARIOS=n changes how many there are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../support/sim_random.h"

enum { SCENARIOS = 2000, MAX_TASKS = SIM_RANDOM_TASKS };

/* What the trace says of the run so far. */
struct watch {
	const struct machine *machine;
	const struct program_set *programs;
	uint64_t seed, last_ns;
	uint32_t curr[SIM_RANDOM_CPUS];
	bool asleep[SIM_RANDOM_CPUS];
	uint32_t on[MAX_TASKS], set[MAX_TASKS];
	bool born[MAX_TASKS], blocked[MAX_TASKS], waking[MAX_TASKS], dead[MAX_TASKS];
	uint64_t switches, sent_ns[SIM_RANDOM_CPUS]; /* when an interrupt was sent; 0: all taken */
};

static void must_hold(const struct watch *w, bool holds, int line, const char *what)
{
	if (!holds)
		fail_msg("seed %llu, line %d, at %llu ns: %s", (unsigned long long)w->seed, line,
			 (unsigned long long)w->last_ns, what);
}

#define must(w, cond) must_hold(w, cond, __LINE__, #cond)

static void watch_switch(struct watch *w, const struct trace_event *e)
{
	uint32_t next = e->task, prev = e->arg;

	must(w, w->curr[e->cpu] == prev);
	must(w, next != prev);
	must(w, !w->asleep[e->cpu]);
	w->switches++;
	w->curr[e->cpu] = next;
	if (prev != TASK_NONE) {
		must(w, w->on[prev] == e->cpu);
		w->on[prev] = CPU_NONE;
	}
	if (next == TASK_NONE)
		return;
	must(w, w->born[next] && !w->dead[next]);
	must(w, !w->blocked[next]);
	must(w, w->on[next] == CPU_NONE);
	must(w, cpuset_has(&w->programs->set[w->set[next]], e->cpu));
	must(w, cpuset_has(&w->machine->online, e->cpu));
	w->on[next] = e->cpu;
}

static void watch_task(struct watch *w, const struct trace_event *e)
{
	uint32_t t = e->task;

	switch ((enum trace_kind)e->kind) {
	case TRACE_TASK_NEW:
		must(w, !w->born[t]);
		w->born[t] = true;
		w->set[t] = w->programs->task[t].set;
		return;
	case TRACE_TASK_EXIT:
		must(w, w->on[t] == e->cpu);
		w->dead[t] = w->blocked[t] = true;
		return;
	case TRACE_BLOCK:
		must(w, w->on[t] == e->cpu && !w->blocked[t]);
		w->blocked[t] = true;
		return;
	case TRACE_WAKING:
		must(w, w->blocked[t] && !w->waking[t] && !w->dead[t]);
		must(w, e->arg == TASK_NONE || w->on[e->arg] == e->cpu);
		w->waking[t] = true;
		return;
	case TRACE_WAKEUP:
		must(w, w->waking[t]);
		w->waking[t] = w->blocked[t] = false;
		return;
	case TRACE_AFFINITY:
		must(w, w->on[t] == e->cpu);
		w->set[t] = e->arg;
		return;
	default: return;
	}
}

/* Kernel work, the longest of which is a fork, keeps an interrupt waiting no longer. */
static uint64_t served_ns(const struct watch *w, uint32_t cpu)
{
	uint64_t share = w->machine->nr_cpus > w->machine->nr_cores ? 60 : 100;

	return 80000ull * CAPACITY_FULL * 100 / w->machine->cpu[cpu].capacity / share;
}

static void watch_event(void *context, const struct trace_event *e)
{
	struct watch *w = context;

	must(w, e->t_ns >= w->last_ns);
	w->last_ns = e->t_ns;
	if (e->kind == TRACE_SWITCH) {
		watch_switch(w, e);
	} else if (e->kind == TRACE_IPI && !w->sent_ns[e->arg]) {
		w->sent_ns[e->arg] = e->t_ns;
	} else if (e->kind == TRACE_IRQ && (e->arg == IRQ_RESCHED || e->arg == IRQ_CALL)) {
		must(w,
		     !w->sent_ns[e->cpu] || e->t_ns <= w->sent_ns[e->cpu] + served_ns(w, e->cpu));
		w->sent_ns[e->cpu] = 0;
	} else if (e->kind == TRACE_IDLE_ENTER) {
		must(w, !w->asleep[e->cpu] && w->curr[e->cpu] == TASK_NONE);
		w->asleep[e->cpu] = true;
	} else if (e->kind == TRACE_IDLE_EXIT) {
		must(w, w->asleep[e->cpu]);
		w->asleep[e->cpu] = false;
	} else {
		watch_task(w, e);
	}
}

static void watch_init(struct watch *w, uint64_t seed, const struct sim_config *config)
{
	*w = (struct watch){ .machine = config->machine,
			     .programs = config->programs,
			     .seed = seed };
	for (uint32_t c = 0; c < SIM_RANDOM_CPUS; c++)
		w->curr[c] = TASK_NONE;
	for (uint32_t t = 0; t < MAX_TASKS; t++)
		w->on[t] = CPU_NONE;
}

static void check_times(const struct watch *w, const struct sim *sim,
			const struct sim_result *result)
{
	uint64_t cpu_user = 0, task_user = 0, cpu_kernel = 0, task_system = 0, switches = 0;

	cpuset_for_each (c, &w->machine->online) {
		struct sim_cpu_times times = sim_cpu_times(sim, c);
		uint64_t states = 0;

		must(w, times.user_ns + times.kernel_ns + times.idle_ns == result->end_ns);
		for (uint32_t i = 0; i < MACHINE_MAX_IDLE_STATES; i++)
			states += times.state_ns[i];
		must(w, states <= times.idle_ns);
		cpu_user += times.user_ns;
		cpu_kernel += times.kernel_ns;
	}
	for (uint32_t t = 0; t < w->programs->nr_tasks; t++) {
		struct sim_task_times times = sim_task_times(sim, t);

		task_user += times.user_ns;
		task_system += times.system_ns;
		switches += times.voluntary + times.involuntary;
		must(w, w->dead[t]);
	}
	must(w, cpu_user == task_user);
	must(w, task_system <= cpu_kernel);
	must(w, switches <= w->switches);
}

static struct sim_result run_once(uint64_t seed)
{
	struct arena arena;
	struct sim_config config;
	struct sim_result result;
	struct err err = { 0 };
	struct watch watch;
	struct sim *sim;

	arena_init(&arena);
	config = sim_random_config(&arena, seed);
	watch_init(&watch, seed, &config);
	sim = sim_new(&arena, &config, &err);
	must(&watch, sim != NULL);
	trace_add_sink(sim_trace(sim), watch_event, &watch);
	result = sim_run(sim);
	if (result.status == SIM_DEADLOCK) {
		char text[600];

		fail_msg("seed %llu: %s", (unsigned long long)seed,
			 sim_explain_deadlock(sim, text, sizeof(text)));
	}
	must(&watch, result.status == SIM_DONE);
	check_times(&watch, sim, &result);
	sim_release(sim);
	arena_release(&arena);
	return result;
}

static void every_run_is_sound_and_repeats(void **state)
{
	const char *one = getenv("SEED"), *count = getenv("SCENARIOS");
	uint64_t first = one ? strtoull(one, NULL, 10) : 1;
	uint64_t n = one ? 1 : count ? strtoull(count, NULL, 10) : SCENARIOS;

	(void)state;
	for (uint64_t seed = first; seed < first + n; seed++) {
		struct sim_result a = run_once(seed);

		if (seed % 8 == 0 || one)
			assert_int_equal(a.trace_hash, run_once(seed).trace_hash);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_run_is_sound_and_repeats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
