/* SPDX-License-Identifier: GPL-2.0-only */
/* Time, cpus and the ends of runs, on the smallest engine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../support/sim_fixture.h"

/* A program that computes between marks 0 and 1. */
static void marked_computation(struct fixture *f, uint64_t ns)
{
	begin(f, "marked");
	op(f, OP_MARK, 0, 0);
	op(f, OP_COMPUTE, ns, 0);
	op(f, OP_MARK, 1, 0);
	end(f);
}

static void computes_for_ever(struct fixture *f)
{
	begin(f, "busy");
	op(f, OP_LOOP, 1000, 0);
	op(f, OP_COMPUTE, 1000000, 0);
	op(f, OP_END, 0, 0);
	end(f);
}

static void a_lone_computation_takes_its_time(void **state)
{
	struct fixture *f = *state;

	marked_computation(f, 123456);
	start(f, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
	assert_int_equal(sim_task_times(f->sim, 0).user_ns, 123456);
	assert_in_range(marked(f), 123456, 123456 + 1300); /* at most one tick */
}

static void a_cpu_of_half_capacity_takes_twice_as_long(void **state)
{
	struct fixture *f = *state;

	f->machine->cpu[1].capacity = 512;
	marked_computation(f, 123456);
	start_on(f, 0, 1);
	run(f);
	assert_int_equal(sim_task_times(f->sim, 0).user_ns, 2 * 123456);
}

static void a_busy_sibling_slows_a_thread_to_its_share(void **state)
{
	struct fixture *f = *state;

	use(f, (struct sim_shape){ 1, 1, 2, 2 });
	f->config.max_ns = 100000000;
	marked_computation(f, 600000);
	computes_for_ever(f);
	start_on(f, 1, 1);
	start_on(f, 0, 0);
	program_until(f->b, 1);
	run(f);
	/* 60 % of full speed, once both have started. */
	assert_in_range(sim_task_times(f->sim, 1).user_ns, 600000, 1000001);
	if (f->result.mark_ns[0] > 4000000)
		assert_in_range(sim_task_times(f->sim, 1).user_ns, 999999, 1000001);
}

static void work_in_progress_slows_down_when_the_sibling_wakes(void **state)
{
	struct fixture *f = *state;
	uint64_t alone, user;
	uint32_t go;

	use(f, (struct sim_shape){ 1, 1, 1, 2 });
	go = program_resource(f->b, RESOURCE_SEMAPHORE, 0, 1);
	begin(f, "early");
	op(f, OP_SEM_POST, 1, go);
	op(f, OP_MARK, 0, 0);
	op(f, OP_COMPUTE, 1000000, 0);
	op(f, OP_MARK, 1, 0);
	end(f);
	begin(f, "late");
	op(f, OP_SEM_WAIT, 0, go);
	op(f, OP_SLEEP, 300000, 0);
	op(f, OP_MARK, 2, 0);
	op(f, OP_COMPUTE, 60000000, 0);
	end(f);
	start_on(f, 0, 0);
	start_on(f, 1, 1);
	run(f);
	alone = f->result.mark_ns[2] - f->result.mark_ns[0];
	assert_in_range(alone, 300000, 310000);
	/* What is left when the other comes goes on at 60 %; the other worked a little before. */
	user = alone + (1000000 - alone) * 10 / 6;
	assert_in_range(sim_task_times(f->sim, 0).user_ns, user - 100, user + 10000);
}

struct wakings {
	uint64_t first_ns[8];
};

static void note_waking(void *context, const struct trace_event *e)
{
	struct wakings *w = context;

	if (e->kind == TRACE_WAKING && !w->first_ns[e->task])
		w->first_ns[e->task] = e->t_ns;
}

static void sleepers_of_one_cpu_wake_in_the_order_of_their_timers(void **state)
{
	static const uint64_t ms[8] = { 50, 20, 80, 30, 70, 10, 60, 40 };
	struct wakings wakings = { 0 };
	struct fixture *f = *state;

	for (uint32_t i = 0; i < 8; i++) {
		begin(f, "sleeper");
		op(f, OP_SLEEP, ms[i] * 1000000, 0);
		end(f);
		start_on(f, i, 1);
	}
	prepare(f);
	trace_add_sink(sim_trace(f->sim), note_waking, &wakings);
	f->result = sim_run(f->sim);
	for (uint32_t i = 0; i < 8; i++)
		assert_in_range(wakings.first_ns[i], ms[i] * 1000000, (ms[i] + 5) * 1000000);
}

static void a_sleep_lasts_its_time_and_the_way_back(void **state)
{
	struct fixture *f = *state;

	begin(f, "sleeper");
	op(f, OP_MARK, 0, 0);
	op(f, OP_SLEEP, 500000, 0);
	op(f, OP_MARK, 1, 0);
	end(f);
	start(f, 0);
	run(f);
	/* syscall; exit from C1; interrupt, timer, wake-up; idle exit, schedule */
	assert_int_equal(marked(f), 100 + 500000 + 2000 + 200 + 300 + 100 + 200 + 100);
}

static void a_short_sleep_leaves_the_polling_state_faster(void **state)
{
	struct fixture *f = *state;

	begin(f, "sleeper");
	op(f, OP_MARK, 0, 0);
	op(f, OP_SLEEP, 2000, 0);
	op(f, OP_MARK, 1, 0);
	end(f);
	start(f, 0);
	run(f);
	assert_int_equal(marked(f), 100 + 2000 + 200 + 300 + 100 + 200 + 100);
	assert_true(sim_cpu_times(f->sim, 0).state_entries[0] > 0);
}

static void a_period_wakes_at_multiples_since_the_task_began(void **state)
{
	struct fixture *f = *state;

	begin(f, "periodic");
	op(f, OP_MARK, 0, 0);
	op(f, OP_LOOP, 10, 0);
	op(f, OP_COMPUTE, 30000, 0);
	op(f, OP_PERIOD, 1000000, 0);
	op(f, OP_END, 0, 0);
	op(f, OP_MARK, 1, 0);
	end(f);
	start(f, 0);
	run(f);
	/* It began some microseconds before the first mark, and has to wake up. */
	assert_in_range(marked(f), 10000000 - 5000, 10000000 + 5000);
}

static void loops_nest_and_count(void **state)
{
	struct fixture *f = *state;

	begin(f, "loops");
	op(f, OP_LOOP, 7, 0);
	op(f, OP_COMPUTE, 1000, 0);
	op(f, OP_LOOP, 5, 0);
	op(f, OP_COMPUTE, 10, 0);
	op(f, OP_END, 0, 0);
	op(f, OP_END, 0, 0);
	end(f);
	start(f, 0);
	run(f);
	assert_int_equal(sim_task_times(f->sim, 0).user_ns, 7 * (1000 + 5 * 10));
}

static void loops_without_time_do_not_stop_the_clock(void **state)
{
	struct fixture *f = *state;

	begin(f, "empty");
	op(f, OP_LOOP, 100000, 0);
	op(f, OP_END, 0, 0);
	end(f);
	start(f, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
	assert_in_range(sim_task_times(f->sim, 0).user_ns, 99000, 101000);
}

static void a_working_set_is_paid_for_on_another_core_only(void **state)
{
	struct fixture *f = *state;
	struct cpuset other = cpuset_new(&f->arena, 2);

	cpuset_add(&other, 1);
	begin(f, "mover");
	op(f, OP_COMPUTE, 1000, 0);
	op(f, OP_AFFINITY, program_cpus(f->b, &other), 0);
	op(f, OP_COMPUTE, 1000, 0);
	end(f);
	program_task(f->b, (struct task_spec){ .at_start = true, .working_set_kib = 100 });
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
	assert_int_equal(sim_task_times(f->sim, 0).user_ns, 2000 + 100 * 20);
	assert_int_equal(counted(f, "sim.refill_kib"), 100);
}

static void children_run_and_are_joined(void **state)
{
	struct fixture *f = *state;

	begin(f, "parent");
	program_op(f->b, (struct op){ .kind = OP_SPAWN, .a = 1, .b = 3 });
	op(f, OP_JOIN, 0, 0);
	op(f, OP_MARK, 0, 0);
	end(f);
	begin(f, "child");
	op(f, OP_COMPUTE, 5000000, 0);
	end(f);
	start(f, 0);
	for (uint32_t i = 0; i < 3; i++)
		program_task(f->b, (struct task_spec){ .program = 1 });
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
	assert_true(f->result.mark_ns[0] > 3 * 5000000 / 2);
	assert_int_equal(counted(f, "sim.spawns"), 3);
}

static void a_deadlock_ends_the_run_and_is_explained(void **state)
{
	struct fixture *f = *state;
	char text[600];

	begin(f, "reader");
	op(f, OP_READ, 1, program_resource(f->b, RESOURCE_PIPE, 65536, 1));
	end(f);
	start(f, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_DEADLOCK);
	assert_string_equal(
		sim_explain_deadlock(f->sim, text, sizeof(text)),
		"1 of 1 living tasks wait for each other; task 0 (reader) waits in READ "
		"on resource 0");
}

static void the_run_ends_with_the_chosen_task(void **state)
{
	struct fixture *f = *state;

	marked_computation(f, 5000);
	begin(f, "endless");
	op(f, OP_LOOP, 0, 0);
	op(f, OP_SLEEP, 1000, 0);
	op(f, OP_END, 0, 0);
	end(f);
	start(f, 1);
	start(f, 0);
	program_until(f->b, 1);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
	assert_in_range(f->result.end_ns - f->result.mark_ns[1], 100, 1500);
}

static void limits_end_a_run(void **state)
{
	struct fixture *f = *state;

	f->config.max_ns = 7000000;
	computes_for_ever(f);
	start(f, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_TIME_LIMIT);
	assert_int_equal(f->result.end_ns, 7000000);
	sim_release(f->sim);
	f->config.max_events = 10;
	f->sim = sim_new(&f->arena, &f->config, &f->err);
	f->result = sim_run(f->sim);
	assert_int_equal(f->result.status, SIM_EVENT_LIMIT);
	assert_int_equal(f->result.nr_events, 10);
}

static void a_lost_wake_up_of_the_engine_does_not_pass_for_a_result(void **state)
{
	struct fixture *f = *state;
	uint32_t futex = program_resource(f->b, RESOURCE_FUTEX, 0, 2);
	char text[600];

	f->config.variant = "!";
	for (uint32_t side = 0; side < 2; side++) {
		begin(f, side ? "pong" : "ping");
		op(f, OP_LOOP, 1000, 0);
		op(f, OP_FUTEX_WAKE, 1, futex + side);
		op(f, OP_FUTEX_WAIT, 0, futex + !side);
		op(f, OP_END, 0, 0);
		end(f);
		start_on(f, side, side);
	}
	run(f);
	assert_int_equal(f->result.status, SIM_LOST);
	sim_explain_deadlock(f->sim, text, sizeof(text));
	assert_non_null(strstr(text, "could run"));
}

static uint64_t failing_tick(struct engine *e, uint64_t now_ns, uint32_t c)
{
	(e->services->fail)(e->services->sim, "kernel BUG at kernel/sched/fair.c:1");
	return 0;
}

static void an_engine_that_cannot_go_on_ends_the_run_with_its_reason(void **state)
{
	struct engine_ops failing = first_idle_ops;
	struct fixture *f = *state;

	failing.tick = failing_tick;
	f->config.engine = &failing;
	computes_for_ever(f);
	start(f, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_FAILED);
	assert_string_equal(sim_failure(f->sim), "kernel BUG at kernel/sched/fair.c:1");
	assert_int_not_equal(f->result.end_ns, 0);
	sim_release(f->sim);
	f->sim = NULL;
}

static uint64_t hash_of_seed(struct fixture *f, uint64_t seed)
{
	struct sim *sim;
	uint64_t hash;

	f->config.seed = seed;
	sim = sim_new(&f->arena, &f->config, &f->err);
	hash = sim_run(sim).trace_hash;
	sim_release(sim);
	return hash;
}

static void a_seed_gives_one_trace_and_another_seed_another(void **state)
{
	struct fixture *f = *state;

	f->machine->costs.of[COST_op_jitter].value = 20000;
	marked_computation(f, 123456);
	start(f, 0);
	prepare(f);
	assert_int_equal(hash_of_seed(f, 5), hash_of_seed(f, 5));
	assert_int_not_equal(hash_of_seed(f, 5), hash_of_seed(f, 6));
}

static void a_set_without_online_cpus_is_refused(void **state)
{
	struct fixture *f = *state;

	marked_computation(f, 1);
	start_on(f, 0, 1);
	f->config.programs = program_finish(f->b, &f->err);
	cpuset_del(&f->machine->online, 1);
	assert_null(sim_new(&f->arena, &f->config, &f->err));
	assert_string_equal(f->err.what, "cpu set 1 of the workload has no online cpu");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SIM_TEST(a_lone_computation_takes_its_time),
		SIM_TEST(a_cpu_of_half_capacity_takes_twice_as_long),
		SIM_TEST(a_busy_sibling_slows_a_thread_to_its_share),
		SIM_TEST(work_in_progress_slows_down_when_the_sibling_wakes),
		SIM_TEST(sleepers_of_one_cpu_wake_in_the_order_of_their_timers),
		SIM_TEST(a_sleep_lasts_its_time_and_the_way_back),
		SIM_TEST(a_short_sleep_leaves_the_polling_state_faster),
		SIM_TEST(a_period_wakes_at_multiples_since_the_task_began),
		SIM_TEST(loops_nest_and_count),
		SIM_TEST(loops_without_time_do_not_stop_the_clock),
		SIM_TEST(a_working_set_is_paid_for_on_another_core_only),
		SIM_TEST(children_run_and_are_joined),
		SIM_TEST(a_deadlock_ends_the_run_and_is_explained),
		SIM_TEST(the_run_ends_with_the_chosen_task),
		SIM_TEST(limits_end_a_run),
		SIM_TEST(a_lost_wake_up_of_the_engine_does_not_pass_for_a_result),
		SIM_TEST(an_engine_that_cannot_go_on_ends_the_run_with_its_reason),
		SIM_TEST(a_seed_gives_one_trace_and_another_seed_another),
		SIM_TEST(a_set_without_online_cpus_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
