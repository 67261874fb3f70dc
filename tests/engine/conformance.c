/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every engine has to do, whatever it is made of. Each fact is asked of each engine and
 * profile in the table at the end, through the simulation alone.
 */
#include "engine/model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../support/sim_fixture.h"

struct subject {
	const struct engine_ops *engine;
	const char *profile;
};

enum { MS = 1000000 };

/* The fixture of the subject under test: cmocka hands the subject as the initial state. */
static void given(struct fixture *f, const struct subject *subject, struct sim_shape shape)
{
	memset(f, 0, sizeof(*f));
	arena_init(&f->arena);
	f->config.engine = subject->engine;
	f->config.profile = subject->profile;
	f->config.seed = 1;
	f->config.max_ns = 20000ull * MS;
	use(f, shape);
}

static void done(struct fixture *f)
{
	sim_release(f->sim);
	arena_release(&f->arena);
}

static uint64_t user_ns(struct fixture *f, uint32_t task)
{
	return sim_task_times(f->sim, task).user_ns;
}

/* Program 0 begins `count` endless computations, program 1, and ends the run. */
static void forks_burners(struct fixture *f, uint32_t count, uint64_t length_ns)
{
	begin(f, "main");
	program_op(f->b, (struct op){ .kind = OP_SPAWN, .a = 1, .b = count });
	op(f, OP_SLEEP, length_ns, 0);
	end(f);
	begin(f, "burner");
	op(f, OP_LOOP, 0, 0);
	op(f, OP_COMPUTE, 100000, 0);
	op(f, OP_END, 0, 0);
	end(f);
	start(f, 0);
	for (uint32_t i = 0; i < count; i++)
		program_task(f->b, (struct task_spec){ .program = 1, .address_space = i + 1 });
	program_until(f->b, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
}

static void forks_spread_over_all_cores(void **state)
{
	struct fixture f;

	given(&f, *state, (struct sim_shape){ 2, 2, 3, 2 });
	forks_burners(&f, 12, 300ull * MS);
	for (uint32_t i = 1; i <= 12; i++)
		assert_true(user_ns(&f, i) > 280ull * MS);
	done(&f);
}

static void more_tasks_than_cpus_share_them(void **state)
{
	struct fixture f;
	uint64_t sum = 0;

	given(&f, *state, (struct sim_shape){ 2, 1, 4, 1 });
	forks_burners(&f, 24, 3000ull * MS);
	for (uint32_t i = 1; i <= 24; i++) {
		assert_in_range(user_ns(&f, i), 600ull * MS, 1400ull * MS);
		sum += user_ns(&f, i);
	}
	assert_true(sum > 8 * 2950ull * MS);
	done(&f);
}

/* Weights are 1024 and 335. */
static void nice_five_gets_a_third(void **state)
{
	struct fixture f;
	struct cpuset one;
	uint32_t set;

	given(&f, *state, (struct sim_shape){ 1, 1, 2, 1 });
	f.config.max_ns = 4000ull * MS;
	one = cpuset_new(&f.arena, 2);
	cpuset_add(&one, 1);
	set = program_cpus(f.b, &one);
	begin(&f, "burner");
	op(&f, OP_LOOP, 1000, 0);
	op(&f, OP_COMPUTE, 10 * MS, 0);
	op(&f, OP_END, 0, 0);
	end(&f);
	program_task(f.b, (struct task_spec){ .at_start = true, .set = set });
	program_task(f.b, (struct task_spec){ .at_start = true, .set = set, .nice = 5 });
	run(&f);
	assert_in_range(user_ns(&f, 0) * 1000 / user_ns(&f, 1), 2900, 3200);
	done(&f);
}

static void a_task_runs_only_where_it_may(void **state)
{
	struct fixture f;
	struct cpuset set;

	given(&f, *state, (struct sim_shape){ 2, 1, 2, 1 });
	set = cpuset_new(&f.arena, 4);
	cpuset_add(&set, 3);
	begin(&f, "hops");
	op(&f, OP_LOOP, 50, 0);
	op(&f, OP_COMPUTE, 200000, 0);
	op(&f, OP_SLEEP, 100000, 0);
	op(&f, OP_END, 0, 0);
	end(&f);
	for (uint32_t i = 0; i < 5; i++)
		program_task(f.b, (struct task_spec){ .at_start = true,
						      .set = program_cpus(f.b, &set) });
	run(&f);
	assert_int_equal(f.result.status, SIM_DONE);
	for (uint32_t c = 0; c < 3; c++)
		assert_int_equal(sim_cpu_times(f.sim, c).user_ns, 0);
	done(&f);
}

static void unpinned_tasks_spread(void **state)
{
	struct fixture f;
	uint64_t busy[2] = { 0 };
	struct cpuset one;
	uint32_t set;

	given(&f, *state, (struct sim_shape){ 2, 1, 4, 1 });
	f.config.max_ns = 2000ull * MS;
	one = cpuset_new(&f.arena, 8);
	cpuset_add(&one, 0);
	set = program_cpus(f.b, &one);
	begin(&f, "unpins");
	op(&f, OP_COMPUTE, 10 * MS, 0);
	op(&f, OP_AFFINITY, 0, 0);
	op(&f, OP_COMPUTE, 10000ull * MS, 0);
	end(&f);
	for (uint32_t i = 0; i < 16; i++)
		program_task(f.b, (struct task_spec){ .at_start = true, .set = set });
	run(&f);
	for (uint32_t c = 0; c < 8; c++)
		busy[c / 4] += sim_cpu_times(f.sim, c).user_ns;
	/* The first 160 ms are all on cpu 0. */
	assert_true(busy[0] > 4 * 1600ull * MS);
	assert_true(busy[1] > 4 * 1600ull * MS);
	done(&f);
}

static void partners_never_miss_a_wake_up(void **state)
{
	struct fixture f;
	uint32_t futex;

	given(&f, *state, (struct sim_shape){ 2, 2, 2, 2 });
	futex = program_resource(f.b, RESOURCE_FUTEX, 0, 40);
	for (uint32_t side = 0; side < 2; side++) {
		begin(&f, side ? "pong" : "ping");
		op(&f, OP_LOOP, 300, 0);
		op(&f, OP_COMPUTE_EXP, 2000, 0);
		for (uint32_t step = 0; step < 2; step++)
			program_op(f.b, (struct op){ .kind = step == side ? OP_FUTEX_WAKE
									  : OP_FUTEX_WAIT,
						     .a = step == side,
						     .resource = futex + step,
						     .by_base = 1 });
		op(&f, OP_END, 0, 0);
		end(&f);
	}
	for (uint32_t i = 0; i < 40; i++)
		program_task(f.b, (struct task_spec){
					  .program = i % 2, .at_start = true, .base = i / 2 * 2 });
	run(&f);
	assert_int_equal(f.result.status, SIM_DONE);
	done(&f);
}

static void an_idle_machine_answers_at_once(void **state)
{
	struct fixture f;

	given(&f, *state, (struct sim_shape){ 1, 2, 4, 1 });
	begin(&f, "sleeper");
	op(&f, OP_MARK, 0, 0);
	op(&f, OP_LOOP, 100, 0);
	op(&f, OP_SLEEP, 10 * MS, 0);
	op(&f, OP_END, 0, 0);
	op(&f, OP_MARK, 1, 0);
	end(&f);
	start(&f, 0);
	run(&f);
	assert_in_range(marked(&f), 1000ull * MS, 1001ull * MS);
	done(&f);
}

static void equal_runs_are_equal(void **state)
{
	uint64_t hash[2];

	for (uint32_t i = 0; i < 2; i++) {
		struct fixture f;

		given(&f, *state, (struct sim_shape){ 2, 1, 2, 2 });
		forks_burners(&f, 20, 200ull * MS);
		hash[i] = f.result.trace_hash;
		done(&f);
	}
	assert_int_equal(hash[0], hash[1]);
}

static const struct {
	const char *name;
	CMUnitTestFunction function;
} facts[] = {
#define FACT(fact)                                                                                 \
	{                                                                                          \
#fact, fact                                                                        \
	}
	FACT(forks_spread_over_all_cores),     FACT(more_tasks_than_cpus_share_them),
	FACT(nice_five_gets_a_third),	       FACT(a_task_runs_only_where_it_may),
	FACT(unpinned_tasks_spread),	       FACT(partners_never_miss_a_wake_up),
	FACT(an_idle_machine_answers_at_once), FACT(equal_runs_are_equal),
};

enum { NR_FACTS = sizeof(facts) / sizeof(facts[0]) };

int main(void)
{
	static const char *const profiles[] = { "v3.13", "v5.9", "v5.12", "v5.19",
						"v6.1",	 "v6.6", "v6.12", "v6.18" };
	int failed = 0;

	for (size_t p = 0; p < sizeof(profiles) / sizeof(profiles[0]); p++) {
		struct subject subject = { engine_model(), profiles[p] };
		struct CMUnitTest tests[NR_FACTS];

		for (uint32_t i = 0; i < NR_FACTS; i++)
			tests[i] = (struct CMUnitTest){ .name = facts[i].name,
							.test_func = facts[i].function,
							.initial_state = &subject };
		print_message("model engine, %s\n", profiles[p]);
		failed += cmocka_run_group_tests(tests, NULL, NULL);
	}
	return failed;
}
