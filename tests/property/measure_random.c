/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scheduler that does anything possible at random: the checker must agree with all of it, and the
 * metrics must be those of a plain recount after every event. SEED=n replays one scenario.
 */
#include "../unit/memory_machine.h"
#include "base/random.h"
#include "measure/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SCENARIOS = 200, STEPS = 2000, TASKS = 24, SETS = 5, MAX_CPUS = 64 };
enum state { UNBORN, QUEUED, RUNNING, ASLEEP, DEAD, NR_STATES };

struct world {
	struct random r;
	struct machine *m;
	struct trace trace;
	struct cpuset set[SETS];
	uint64_t t_ns;
	enum state state[TASKS];
	uint32_t cpu[TASKS], in_set[TASKS], running[MAX_CPUS];
	/* the recount */
	uint64_t wasted_ns, spent_ns[TASKS][NR_STATES], moves[NR_TIES];
	uint64_t voluntary, involuntary, wakeups, local;
};

static uint32_t roll(struct world *w, uint32_t below)
{
	return (uint32_t)random_below(&w->r, below);
}

static void emit(struct world *w, enum trace_kind kind, uint32_t cpu, uint32_t task, uint32_t arg)
{
	trace_emit(&w->trace, w->t_ns, kind, cpu, task, arg);
}

/* Everything counted anew for the time that passes. */
static void pass_time(struct world *w, uint64_t ns)
{
	uint32_t wasted = 0, idle_all = 0;

	for (uint32_t s = 0; s < SETS; s++) {
		uint32_t idle = 0, waiting = 0;

		cpuset_for_each (cpu, &w->set[s])
			idle += w->running[cpu] == TASK_NONE;
		for (uint32_t i = 0; i < TASKS; i++)
			waiting += w->state[i] == QUEUED && w->in_set[i] == s;
		wasted += idle < waiting ? idle : waiting;
	}
	for (uint32_t cpu = 0; cpu < w->m->nr_cpus; cpu++)
		idle_all += w->running[cpu] == TASK_NONE;
	w->wasted_ns += ns * (wasted < idle_all ? wasted : idle_all);
	for (uint32_t i = 0; i < TASKS; i++)
		w->spent_ns[i][w->state[i]] += ns;
	w->t_ns += ns;
}

static uint32_t allowed_cpu(struct world *w, uint32_t task)
{
	const struct cpuset *set = &w->set[w->in_set[task]];
	uint32_t cpu = cpuset_next(set, roll(w, set->bits));

	return cpu == CPU_NONE ? cpuset_first(set) : cpu;
}

static void count_move(struct world *w, uint32_t from, uint32_t to)
{
	if (from != to)
		w->moves[machine_tie(w->m, from, to)]++;
}

static void do_new(struct world *w, uint32_t task)
{
	if (w->state[task] != UNBORN)
		return;
	w->cpu[task] = allowed_cpu(w, task);
	w->state[task] = QUEUED;
	emit(w, TRACE_TASK_NEW, w->cpu[task], task, TASK_NONE);
}

static void do_wake(struct world *w, uint32_t task)
{
	uint32_t from = w->cpu[task], waker = roll(w, w->m->nr_cpus);

	if (w->state[task] != ASLEEP)
		return;
	emit(w, TRACE_WAKING, waker, task, TASK_NONE);
	w->cpu[task] = allowed_cpu(w, task);
	w->state[task] = QUEUED;
	w->wakeups++;
	w->local += w->cpu[task] == waker;
	count_move(w, from, w->cpu[task]);
	emit(w, TRACE_WAKEUP, w->cpu[task], task, from);
}

static void do_migrate(struct world *w, uint32_t task)
{
	uint32_t from = w->cpu[task];

	if (w->state[task] != QUEUED)
		return;
	w->cpu[task] = allowed_cpu(w, task);
	count_move(w, from, w->cpu[task]);
	emit(w, TRACE_MIGRATE, w->cpu[task], task, from);
}

static void do_affinity(struct world *w, uint32_t task)
{
	if (w->state[task] != ASLEEP && w->state[task] != QUEUED)
		return;
	w->in_set[task] = roll(w, SETS);
	emit(w, TRACE_AFFINITY, 0, task, w->in_set[task]);
	if (!cpuset_has(&w->set[w->in_set[task]], w->cpu[task]))
		do_migrate(w, task);
}

/* Who is queued on cpu, any of them; TASK_NONE when nobody is. */
static uint32_t any_queued(struct world *w, uint32_t cpu)
{
	uint32_t first = roll(w, TASKS);

	for (uint32_t i = 0; i < TASKS; i++) {
		uint32_t task = (first + i) % TASKS;

		if (w->state[task] == QUEUED && w->cpu[task] == cpu)
			return task;
	}
	return TASK_NONE;
}

static void do_switch(struct world *w, uint32_t task)
{
	uint32_t cpu = roll(w, w->m->nr_cpus), prev = w->running[cpu], next = any_queued(w, cpu);
	uint32_t how = roll(w, 10);

	(void)task;
	if (prev == next || (next == TASK_NONE && how < 3))
		return;
	if (prev != TASK_NONE && how >= 3)
		emit(w, how == 9 ? TRACE_TASK_EXIT : TRACE_BLOCK, cpu, prev, 0);
	emit(w, TRACE_SWITCH, cpu, next, prev);
	if (prev != TASK_NONE) {
		w->voluntary += how >= 3;
		w->involuntary += how < 3;
		w->state[prev] = how < 3 ? QUEUED : how == 9 ? DEAD : ASLEEP;
	}
	if (next != TASK_NONE)
		w->state[next] = RUNNING;
	w->running[cpu] = next;
}

static void make_world(struct world *w, struct arena *arena, uint64_t seed)
{
	struct shape shape;

	*w = (struct world){ .r = random_stream(seed, RANDOM_TEST, 1) };
	shape = (struct shape){ 1 + roll(w, 2), 1 + roll(w, 2), 1 + roll(w, 2), 1 + roll(w, 4),
				1 + roll(w, 2) };
	w->m = machine_by_hand(arena, shape);
	w->m->costs.nr_idle_states = 1;
	for (uint32_t s = 0; s < SETS; s++) {
		w->set[s] = cpuset_new(arena, w->m->nr_cpus);
		if (!s)
			cpuset_fill(&w->set[s]);
		for (uint32_t n = roll(w, 4) + 1; n && s; n--)
			cpuset_add(&w->set[s], roll(w, w->m->nr_cpus));
	}
	for (uint32_t cpu = 0; cpu < MAX_CPUS; cpu++)
		w->running[cpu] = TASK_NONE;
	trace_init(&w->trace);
}

static void metric_is(const struct metrics *metrics, const char *name, double wanted)
{
	double off = metrics_find(metrics, name)->value - wanted;

	if (off > 1e-12 * (1 + wanted) || off < -1e-12 * (1 + wanted))
		fail_msg("%s is %.15g, not %.15g", name, wanted + off, wanted);
}

static void compare(struct world *w, struct arena *arena, struct measure *measure,
		    struct trace_check *check)
{
	static const char *const move[NR_TIES] = { [TIE_SMT] = "migrations.smt",
						   [TIE_CLUSTER] = "migrations.cluster",
						   [TIE_LLC] = "migrations.llc",
						   [TIE_NODE] = "migrations.node",
						   [TIE_REMOTE] = "migrations.remote" };
	struct metrics metrics = measure_metrics(measure, arena, NULL, 0);
	uint64_t run_ns = 0;

	if (trace_check_violation(check))
		fail_msg("%s", trace_check_violation(check));
	for (uint32_t i = 0; i < TASKS; i++) {
		struct trace_check_times times = trace_check_times(check, i);

		run_ns += w->spent_ns[i][RUNNING];
		if (w->state[i] != RUNNING)
			assert_int_equal(times.run_ns, w->spent_ns[i][RUNNING]);
		if (w->state[i] != ASLEEP)
			assert_int_equal(times.sleep_ns, w->spent_ns[i][ASLEEP]);
	}
	for (uint32_t tie = TIE_SMT; tie < NR_TIES; tie++)
		metric_is(&metrics, move[tie], (double)w->moves[tie]);
	metric_is(&metrics, "time.voluntary_context_switches", (double)w->voluntary);
	metric_is(&metrics, "time.involuntary_context_switches", (double)w->involuntary);
	metric_is(&metrics, "sched.ttwu_count", (double)w->wakeups);
	metric_is(&metrics, "sched.ttwu_local", (double)w->local);
	metric_is(&metrics, "wasted_core_time", (double)w->wasted_ns / 1e9);
	metric_is(&metrics, "cpu.utilization",
		  100 * (double)run_ns / ((double)w->t_ns * w->m->nr_cpus));
}

static void scenario(uint64_t seed)
{
	static void (*const act[])(struct world *, uint32_t) = { do_new,     do_wake,	  do_wake,
								 do_migrate, do_affinity, do_switch,
								 do_switch,  do_switch };
	static struct world w;
	struct arena arena;
	struct measure_config config = { .max_tasks = TASKS, .nr_sets = SETS };
	struct measure *measure;
	struct trace_check *check;

	arena_init(&arena);
	make_world(&w, &arena, seed);
	config.machine = w.m;
	config.set = w.set;
	measure = measure_new(&arena, &config);
	check = trace_check_new(&arena, &config, UINT64_MAX);
	trace_add_sink(&w.trace, measure_sink, measure);
	trace_add_sink(&w.trace, trace_check_sink, check);
	for (uint32_t i = 0; i < STEPS; i++) {
		pass_time(&w, random_below(&w.r, 500));
		act[roll(&w, sizeof(act) / sizeof(*act))](&w, roll(&w, TASKS));
	}
	pass_time(&w, 1000);
	emit(&w, TRACE_END, 0, TASK_NONE, 0);
	compare(&w, &arena, measure, check);
	arena_release(&arena);
}

static void any_possible_run_is_measured_as_recounted(void **state)
{
	const char *only = getenv("SEED");
	uint64_t first = only ? strtoull(only, NULL, 10) : 1, last = only ? first : SCENARIOS;

	(void)state;
	for (uint64_t seed = first; seed <= last; seed++) {
		print_message("SEED=%llu\r", (unsigned long long)seed);
		scenario(seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_possible_run_is_measured_as_recounted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
