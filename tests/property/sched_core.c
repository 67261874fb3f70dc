/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random verbs over random machines, profiles and variants. After each verb the whole state is
 * checked (sched_check); here also what only the effects can tell: no task on two cpus, affinity
 * kept, nothing lost, time conserved. SEED=n replays one scenario.
 */
#include "../unit/sched_world.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NR_TASKS = 40, STEPS = 400, SCENARIOS = 1500 };

static const char *const specs[] = { "1x1x1", "1x2x1", "1x4x2", "2x2x2",
				     "4x2x1", "2x5x2", "8x1x1", "kunpeng920" };
static const char *const variants[] = { "",
					"-WAKEUP_PREEMPTION",
					"+NEXT_BUDDY",
					"-TTWU_QUEUE",
					"hz=1000",
					"child_runs_first=1",
					"-RUN_TO_PARITY,-PLACE_LAG",
					"+SIS_IDLE_CPUMASK",
					"+LATEST_IDLE_CPU",
					"line.has_idle_cores=own,line.rq_curr=rq_lock",
					"-UTIL_EST,-MWAIT_POLLING",
					"+EEVDF,-LAST_BUDDY",
					"-EEVDF" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct scenario {
	struct world w;
	struct random random;
	uint64_t exited_ns; /* run by tasks whose number was used again */
};

static uint32_t draw(struct scenario *sc, uint32_t below)
{
	return (uint32_t)random_below(&sc->random, below);
}

static void no_task_runs_twice_or_where_it_must_not(const struct scenario *sc)
{
	const struct world *w = &sc->w;
	bool runs[WORLD_TASKS] = { false };

	cpuset_for_each (cpu, &w->machine->online) {
		uint32_t task = w->runs[cpu];

		CHECK(w->s->rq[cpu].curr == task);
		if (task == TASK_NONE)
			continue;
		CHECK(!runs[task]);
		runs[task] = true;
		CHECK(task_may_run_on(w->s, task, cpu));
	}
}

/* Settled: who was woken waits or runs, and no cpu idles over its own queue. */
static void nothing_is_lost(const struct scenario *sc)
{
	const struct sched *s = sc->w.s;

	for (uint32_t task = 0; task < NR_TASKS; task++)
		CHECK(s->task[task].state != TASK_WAKING);
	cpuset_for_each (cpu, &sc->w.machine->online) {
		CHECK(!(sc->w.runs[cpu] == TASK_NONE && s->rq[cpu].nr_running));
		CHECK(!sched_need_resched(s, cpu));
	}
}

static void change_sets(struct scenario *sc)
{
	for (uint32_t i = 1; i < WORLD_SETS; i++) {
		cpuset_clear(&sc->w.set[i]);
		for (uint32_t n = 0; n <= i / 2; n++)
			cpuset_add(&sc->w.set[i], draw(sc, sc->w.machine->nr_cpus));
	}
}

static void step_task(struct scenario *sc, uint32_t task, uint32_t cpu)
{
	struct world *w = &sc->w;
	struct sched *s = w->s;
	uint8_t state = s->task[task].state;
	struct sched_new_task new = { .task = task,
				      .parent = w->runs[cpu],
				      .set = draw(sc, 2) ? 0 : draw(sc, WORLD_SETS),
				      .address_space = draw(sc, 3),
				      .nice = (int8_t)(draw(sc, 3) ? 0 : (int)draw(sc, 40) - 20) };

	if (state == TASK_UNUSED || state == TASK_EXITED) {
		sc->exited_ns += s->task[task].sum_exec_ns;
		world_after(w, sched_task_new(s, w->now_ns, cpu, &new));
		return;
	}
	switch (draw(sc, 8)) {
	case 0:
		world_after(w, sched_set_nice(s, w->now_ns, cpu, task, (int)draw(sc, 40) - 20));
		break;
	case 1:
		world_after(w, sched_set_affinity(s, w->now_ns, cpu, task, draw(sc, WORLD_SETS)));
		break;
	default: world_after(w, sched_wake(s, w->now_ns, cpu, task, draw(sc, 2))); break;
	}
}

/* The running task of a cpu does something; a cpu that has to reschedule does that first. */
static void step_running(struct scenario *sc, uint32_t cpu)
{
	struct world *w = &sc->w;

	if (sched_need_resched(w->s, cpu)) {
		world_cpu(w, cpu);
		return;
	}
	if (w->runs[cpu] == TASK_NONE)
		return;
	switch (draw(sc, 6)) {
	case 0: world_after(w, sched_yield_task(w->s, w->now_ns, cpu)); break;
	case 1: world_after(w, sched_exit(w->s, w->now_ns, cpu)); break;
	default: world_after(w, sched_block(w->s, w->now_ns, cpu)); break;
	}
}

static void step(struct scenario *sc)
{
	struct world *w = &sc->w;
	uint32_t cpu = draw(sc, w->machine->nr_cpus);

	switch (draw(sc, 8)) {
	case 0: world_run(w, draw(sc, 8) ? draw(sc, 3000000) : draw(sc, 80000000)); break;
	case 1:
		world_settle(w);
		nothing_is_lost(sc);
		no_task_runs_twice_or_where_it_must_not(sc);
		break;
	case 2:
	case 3:
	case 4: step_task(sc, draw(sc, NR_TASKS), cpu); break;
	default:
		w->now_ns += draw(sc, 200000);
		step_running(sc, cpu);
		break;
	}
}

static uint64_t run(uint64_t seed)
{
	struct scenario sc = { .random = random_stream(seed, RANDOM_TEST, 0) };
	uint64_t hash, end_ns, all_ns;

	uint32_t spec = draw(&sc, COUNT(specs)), profile = draw(&sc, sched_nr_profiles());
	uint32_t variant = draw(&sc, COUNT(variants));

	world_init(&sc.w, specs[spec], sched_profile_name(profile), variants[variant]);
	change_sets(&sc);
	for (uint32_t n = 0; n < STEPS; n++)
		step(&sc);
	world_settle(&sc.w);
	nothing_is_lost(&sc);
	no_task_runs_twice_or_where_it_must_not(&sc);
	end_ns = sc.w.now_ns * sc.w.machine->nr_cpus;
	all_ns = sc.exited_ns;
	for (uint32_t task = 0; task < NR_TASKS; task++)
		all_ns += sc.w.s->task[task].sum_exec_ns;
	CHECK(all_ns <= end_ns);
	hash = sc.w.hash;
	world_release(&sc.w);
	return hash;
}

static void invariants_hold_under_random_verbs(void **state)
{
	uint64_t *seed = *state, hash = HASH_START;
	const char *given = getenv("SEED");
	uint64_t first = given ? strtoull(given, NULL, 10) : 1;
	uint64_t last = given ? first : SCENARIOS;

	for (*seed = first; *seed <= last; ++*seed)
		hash = hash_u64(hash, run(*seed));
	*seed = 0;
	/* Equal for every compiler and every option. */
	print_message("hash %016llx\n", (unsigned long long)hash);
}

static void the_same_seed_gives_the_same_run(void **state)
{
	uint64_t *seed = *state;

	for (*seed = 10000; *seed < 10020; ++*seed)
		assert_int_equal(run(*seed), run(*seed));
	*seed = 0;
}

/* *state is the seed of the scenario under way, 0 when all are through. */
static int setup(void **state)
{
	static uint64_t seed;

	*state = &seed;
	return 0;
}

static int teardown(void **state)
{
	const uint64_t *seed = *state;

	if (*seed)
		print_message("failed with SEED=%llu\n", (unsigned long long)*seed);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(invariants_hold_under_random_verbs, setup,
						teardown),
		cmocka_unit_test_setup_teardown(the_same_seed_gives_the_same_run, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
