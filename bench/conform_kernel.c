/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wake-ups a wall second on 192 cpus, by engine: 96 pairs that wake each other, 384 pairs that do
 * (four tasks a cpu), and 400 tasks that run and sleep. `bench_conform_kernel IMAGE…` measures
 * kernel images, without words the model.
 */
#include "base/check.h"
#include "engine/kernel/kernel.h"
#include "engine/model/model.h"
#include "machine/read.h"
#include "program/build.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void stop_on(const struct err *err)
{
	if (err->set)
		die("%s", err->what);
}

static void op(struct program_builder *b, enum op_kind kind, uint64_t a, uint32_t resource)
{
	program_op(b, (struct op){ .kind = (uint8_t)kind, .a = a, .resource = resource });
}

enum { SLEEPERS = 400 };

/* `pairs` pairs of tasks that wake each other `loops` times, which compute 10,000 cycles between.
 */
static const struct program_set *wake_in_pairs(struct program_builder *b, uint32_t pairs,
					       uint32_t loops, struct err *err)
{
	uint32_t futex = program_resource(b, RESOURCE_FUTEX, 0, 2 * pairs);

	for (uint32_t side = 0; side < 2; side++) {
		program_begin(b, side ? "pong" : "ping");
		op(b, OP_LOOP, loops, 0);
		op(b, OP_COMPUTE, 10000, 0);
		for (uint32_t step = 0; step < 2; step++)
			program_op(b, (struct op){ .kind = step == side ? OP_FUTEX_WAKE
									: OP_FUTEX_WAIT,
						   .a = step == side,
						   .resource = futex + step,
						   .by_base = 1 });
		op(b, OP_END, 0, 0);
		op(b, OP_EXIT, 0, 0);
	}
	for (uint32_t i = 0; i < 2 * pairs; i++)
		program_task(b, (struct task_spec){ .program = i % 2,
						    .at_start = true,
						    .address_space = i / 2,
						    .base = i / 2 * 2 });
	return program_finish(b, err);
}

static const struct program_set *pairs(struct program_builder *b, struct err *err)
{
	return wake_in_pairs(b, 96, 4000, err);
}

static const struct program_set *overload(struct program_builder *b, struct err *err)
{
	return wake_in_pairs(b, 384, 1000, err);
}

static const struct program_set *sleepers(struct program_builder *b, struct err *err)
{
	program_begin(b, "sleeper");
	op(b, OP_LOOP, 1000, 0);
	op(b, OP_COMPUTE_EXP, 50000, 0);
	op(b, OP_SLEEP_EXP, 200000, 0);
	op(b, OP_END, 0, 0);
	op(b, OP_EXIT, 0, 0);
	for (uint32_t i = 0; i < SLEEPERS; i++)
		program_task(b, (struct task_spec){ .at_start = true, .address_space = i });
	return program_finish(b, err);
}

static uint64_t count_wakes(const struct sim *sim)
{
	struct sim_counter counter;

	for (uint32_t i = 0; sim_counter(sim, i, &counter); i++)
		if (strcmp(counter.name, "sim.wakes") == 0 || strcmp(counter.name, "wakes") == 0)
			return counter.value;
	return 0;
}

static void measure(const char *title, const char *image,
		    const struct program_set *make(struct program_builder *, struct err *),
		    const char *what)
{
	struct sim_config config = { .engine = image ? engine_kernel() : engine_model(),
				     .profile = "v6.12",
				     .variant = "base",
				     .image = image,
				     .seed = 1 };
	struct err err = { 0 };
	struct arena arena;
	struct sim *sim;
	double start;

	arena_init(&arena);
	config.machine = machine_read(&arena, "cpx-4s", &err);
	stop_on(&err);
	config.programs = make(program_builder_new(&arena, &config.machine->online), &err);
	stop_on(&err);
	start = cpu_seconds();
	sim = sim_new(&arena, &config, &err);
	stop_on(&err);
	printf("%s, %s: ready in %.1f ms", title, what, (cpu_seconds() - start) * 1e3);
	start = cpu_seconds();
	if (sim_run(sim).status != SIM_DONE)
		die("the run ended otherwise: %s", sim_failure(sim));
	start = cpu_seconds() - start;
	printf(", %llu wake-ups in %.3f s: %.2f million/s\n", (unsigned long long)count_wakes(sim),
	       start, (double)count_wakes(sim) / start / 1e6);
	sim_release(sim);
	arena_release(&arena);
}

int main(int argc, char **argv)
{
	for (int i = argc > 1; i < argc || i == 0; i++) {
		const char *image = i ? argv[i] : NULL;
		const char *title = image ? image : "model";

		measure(title, image, pairs, "pairs");
		measure(title, image, overload, "overload");
		measure(title, image, sleepers, "sleepers");
	}
	return 0;
}
