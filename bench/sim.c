/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How fast the simulation runs, on the model engine and one core:
 *   events   384 cpus in 2 packages, 24 LLCs, SMT2; 768 tasks that run, sleep and wake each other
 *   hackbench  messages through pipes on 24 cpus
 *   large    4096 cpus, 100,000 tasks, each bound to an LLC
 *   start    making a machine of 192 cpus ready to run
 * `bench_sim NAME` runs one of them.
 */
#include "sim/sim.h"
#include "base/check.h"
#include "engine/model/model.h"
#include "machine/read.h"
#include "program/build.h"
#include "workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Of this process, so that other load on the host does not count. */
static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double rss_mib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

/* BENCH_EVENTS=n makes the runs shorter, for profilers. */
static uint64_t max_events(void)
{
	const char *text = getenv("BENCH_EVENTS");

	return text ? strtoull(text, NULL, 10) : 10000000;
}

static void stop_on(const struct err *err)
{
	char text[1024];

	if (!err->set)
		return;
	err_print(err, text, sizeof(text));
	die("%s", text);
}

static struct sim *ready(struct arena *arena, const struct machine *machine,
			 const struct program_set *programs, uint64_t max_ns, uint64_t max_events)
{
	struct sim_config config = { .machine = machine,
				     .engine = engine_model(),
				     .profile = "v5.12",
				     .programs = programs,
				     .seed = 1,
				     .max_ns = max_ns,
				     .max_events = max_events };
	struct err err = { 0 };
	struct sim *sim = sim_new(arena, &config, &err);

	stop_on(&err);
	return sim;
}

static void show_counters(const struct sim *sim)
{
	struct sim_counter counter;
	struct engine_counter engine;

	if (!getenv("BENCH_COUNTERS"))
		return;
	for (uint32_t i = 0; sim_counter(sim, i, &counter); i++)
		printf("  %-24s %llu\n", counter.name, (unsigned long long)counter.value);
	for (uint32_t i = 0; sim_engine_counter(sim, i, &engine); i++)
		printf("  %-24s %llu\n", engine.name, (unsigned long long)engine.value);
}

static struct sim_result timed(const char *name, struct sim *sim, double *seconds)
{
	static const char *const status[] = { "done", "deadlock", "lost", "time limit",
					      "event limit" };
	double before = cpu_seconds();
	struct sim_result result = sim_run(sim);

	*seconds = cpu_seconds() - before;
	printf("%s: %s, %.3f ms simulated, %llu events in %.3f s: %.2f million events/s, "
	       "%.0f MiB, hash %016llx\n",
	       name, status[result.status], (double)result.end_ns / 1e6,
	       (unsigned long long)result.nr_events, *seconds,
	       (double)result.nr_events / *seconds / 1e6, rss_mib(),
	       (unsigned long long)result.trace_hash);
	show_counters(sim);
	return result;
}

static struct machine *read_machine(struct arena *arena, const char *spec)
{
	struct err err = { 0 };
	struct machine *machine = machine_read(arena, spec, &err);

	stop_on(&err);
	return machine;
}

static void add(struct program_builder *b, enum op_kind kind, uint64_t a, uint32_t resource)
{
	program_op(b, (struct op){ .kind = (uint8_t)kind, .a = a, .resource = resource });
}

static void add_based(struct program_builder *b, enum op_kind kind, uint64_t a, uint32_t resource)
{
	program_op(b, (struct op){
			      .kind = (uint8_t)kind, .a = a, .resource = resource, .by_base = 1 });
}

static void waker_program(struct program_builder *b, uint64_t run_ns, uint32_t futexes, bool wakee)
{
	program_begin(b, wakee ? "wakee" : "waker");
	add(b, OP_LOOP, 0, 0);
	if (!wakee)
		add(b, OP_SLEEP_EXP, run_ns, 0);
	add(b, OP_COMPUTE_EXP, run_ns, 0);
	if (!wakee)
		add_based(b, OP_FUTEX_WAKE, 1, futexes);
	add_based(b, OP_FUTEX_WAIT, 0, futexes + !wakee);
	if (wakee) {
		add(b, OP_COMPUTE_EXP, run_ns, 0);
		add_based(b, OP_FUTEX_WAKE, 1, futexes + 1);
	}
	add(b, OP_END, 0, 0);
	add(b, OP_EXIT, 0, 0);
}

static void ends_the_run(struct program_builder *b, uint32_t first, uint32_t count, uint64_t ns)
{
	program_begin(b, "main");
	if (count)
		program_op(b, (struct op){ .kind = OP_SPAWN, .a = first, .b = count });
	program_op(b, (struct op){ .kind = OP_SLEEP, .a = ns });
	add(b, OP_EXIT, 0, 0);
	program_task(b, (struct task_spec){ .program = 2, .at_start = true });
	program_until(b, 0);
}

/* A set of cpus for each LLC; returns the first. */
static uint32_t llc_sets(struct arena *arena, struct program_builder *b, const struct machine *m)
{
	uint32_t first = 0;

	for (uint32_t llc = 0; llc < m->nr_llcs; llc++) {
		struct cpuset set = cpuset_new(arena, m->nr_cpus);
		uint32_t id;

		cpuset_for_each (cpu, &m->online)
			if (m->cpu[cpu].llc == llc)
				cpuset_add(&set, cpu);
		id = program_cpus(b, &set);
		first = llc ? first : id;
	}
	return first;
}

/*
 * Pairs on two futexes: one wakes the other, then waits for it; between, both run, and the first
 * also sleeps. Task 0 starts them, or, when they are bound, each LLC its share; it ends the run.
 */
static const struct program_set *wakers(struct arena *arena, const struct machine *machine,
					uint32_t pairs, bool bound, uint64_t run_ns,
					uint64_t length_ns)
{
	struct program_builder *b = program_builder_new(arena, &machine->online);
	uint32_t futexes = program_resource(b, RESOURCE_FUTEX, 0, pairs * 2);
	uint32_t set = bound ? llc_sets(arena, b, machine) : 0;
	struct err err = { 0 };
	struct program_set *programs;

	waker_program(b, run_ns, futexes, false);
	waker_program(b, run_ns, futexes, true);
	ends_the_run(b, 1, bound ? 0 : pairs * 2, length_ns);
	for (uint32_t i = 0; i < pairs * 2; i++)
		program_task(b,
			     (struct task_spec){ .program = i % 2,
						 .base = i / 2 * 2,
						 .set = bound ? set + i / 2 % machine->nr_llcs : 0,
						 .at_start = bound,
						 .address_space = 1,
						 .is_thread = true });
	programs = program_finish(b, &err);
	stop_on(&err);
	return programs;
}

static void bench_events(struct arena *arena)
{
	struct machine *machine = read_machine(arena, "pack:2 l3:12 core:8 pu:2");
	const struct program_set *set = wakers(arena, machine, 384, false, 20000, 2000000000);
	double seconds;

	timed("events", ready(arena, machine, set, 0, max_events()), &seconds);
}

static void bench_hackbench(struct arena *arena)
{
	static const char *const argv[] = { "hackbench", "-p", "-T", "-l", "2000", "-g", "1" };
	struct workload_command command = { .argc = 7, .argv = argv };
	struct machine *machine = read_machine(arena, "1x24x1");
	struct err err = { 0 };
	struct workload *w = workload_build(arena, &command, machine, &err);
	struct sim_result result;
	double seconds;

	stop_on(&err);
	result = timed("hackbench", ready(arena, machine, workload_programs(w), 0, 0), &seconds);
	printf("hackbench: %.2f million messages/s, %.3f s simulated\n",
	       2000 * 20 * 20 / seconds / 1e6, (double)result.end_ns / 1e9);
}

static void bench_large(struct arena *arena)
{
	struct machine *machine = read_machine(arena, "pack:8 l3:16 core:16 pu:2");
	const struct program_set *set = wakers(arena, machine, 50000, true, 200000, 20000000);
	double before = cpu_seconds(), seconds;
	struct sim *sim = ready(arena, machine, set, 0, max_events() / 10);

	printf("large: ready in %.3f s\n", cpu_seconds() - before);
	timed("large", sim, &seconds);
}

static void bench_start(struct arena *arena)
{
	double before = cpu_seconds();
	struct machine *machine = read_machine(arena, "cpx-4s");
	const struct program_set *set = wakers(arena, machine, 96, false, 20000, 1000000);
	double read = cpu_seconds();
	struct sim *sim = ready(arena, machine, set, 0, 0);

	printf("start: %u cpus, machine read in %.2f ms, ready in %.2f ms\n", machine->nr_cpus,
	       (read - before) * 1e3, (cpu_seconds() - read) * 1e3);
	sim_release(sim);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(struct arena *arena);
	} benches[] = {
		{ "start", bench_start },
		{ "events", bench_events },
		{ "hackbench", bench_hackbench },
		{ "large", bench_large },
	};

	for (size_t i = 0; i < sizeof(benches) / sizeof(benches[0]); i++) {
		struct arena arena;

		if (argc > 1 && strcmp(argv[1], benches[i].name))
			continue;
		arena_init(&arena);
		benches[i].run(&arena);
		arena_release(&arena);
	}
	return 0;
}
