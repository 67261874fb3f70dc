/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run written in a few lines: build programs, then run(). The machine is small and plain
 * (sim_machine.h), the engine the smallest (first_idle.h), until a test changes f->config.
 */
#ifndef TESTS_SIM_FIXTURE_H
#define TESTS_SIM_FIXTURE_H

#include "program/build.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "first_idle.h"
#include "sim_machine.h"

struct fixture {
	struct arena arena;
	struct err err;
	struct machine *machine;
	struct program_builder *b;
	struct sim_config config;
	struct sim *sim;
	struct sim_result result;
};

static inline int sim_set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	arena_init(&f->arena);
	f->machine = sim_machine(&f->arena, (struct sim_shape){ 1, 1, 2, 1 });
	f->b = program_builder_new(&f->arena, &f->machine->online);
	f->config = (struct sim_config){ .machine = f->machine,
					 .engine = &first_idle_ops,
					 .profile = "v5.12",
					 .seed = 1,
					 .max_ns = 10000000000 };
	*state = f;
	return 0;
}

static inline int sim_tear_down(void **state)
{
	struct fixture *f = *state;

	if (f->sim)
		sim_release(f->sim);
	arena_release(&f->arena);
	free(f);
	return 0;
}

/* Another machine; programs begun before are dropped. */
static inline void use(struct fixture *f, struct sim_shape shape)
{
	f->machine = sim_machine(&f->arena, shape);
	f->config.machine = f->machine;
	f->b = program_builder_new(&f->arena, &f->machine->online);
}

static inline void op(struct fixture *f, enum op_kind kind, uint64_t a, uint32_t resource)
{
	program_op(f->b, (struct op){ .kind = (uint8_t)kind, .a = a, .resource = resource });
}

static inline void begin(struct fixture *f, const char *name)
{
	program_begin(f->b, name);
}

static inline void end(struct fixture *f)
{
	op(f, OP_EXIT, 0, 0);
}

static inline void start(struct fixture *f, uint32_t program)
{
	program_task(f->b, (struct task_spec){ .program = program, .at_start = true });
}

/* A task of the start that may run on one cpu only. */
static inline void start_on(struct fixture *f, uint32_t program, uint32_t cpu)
{
	struct cpuset set = cpuset_new(&f->arena, f->machine->nr_cpus);

	cpuset_add(&set, cpu);
	program_task(f->b, (struct task_spec){ .program = program,
					       .at_start = true,
					       .set = program_cpus(f->b, &set) });
}

static inline void prepare(struct fixture *f)
{
	f->config.programs = program_finish(f->b, &f->err);
	if (!f->config.programs)
		fail_msg("%s", f->err.what);
	f->sim = sim_new(&f->arena, &f->config, &f->err);
	if (!f->sim)
		fail_msg("%s", f->err.what);
}

static inline void run(struct fixture *f)
{
	prepare(f);
	f->result = sim_run(f->sim);
}

static inline uint64_t counted(struct fixture *f, const char *name)
{
	struct sim_counter counter;

	for (uint32_t i = 0; sim_counter(f->sim, i, &counter); i++)
		if (!strcmp(counter.name, name))
			return counter.value;
	fail_msg("no counter %s", name);
	return 0;
}

static inline uint64_t marked(struct fixture *f)
{
	return f->result.mark_ns[1] - f->result.mark_ns[0];
}

#define SIM_TEST(fact) cmocka_unit_test_setup_teardown(fact, sim_set_up, sim_tear_down)

#endif
