/* SPDX-License-Identifier: GPL-2.0-only */
/* Mutexes, conditions, semaphores, futexes and barriers of programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../support/sim_fixture.h"

static void on_four_cpus(struct fixture *f)
{
	use(f, (struct sim_shape){ 1, 1, 4, 1 });
}

static void a_mutex_lets_one_in_at_a_time(void **state)
{
	struct fixture *f = *state;
	uint32_t mutex;

	on_four_cpus(f);
	mutex = program_resource(f->b, RESOURCE_MUTEX, 0, 1);
	begin(f, "locker");
	op(f, OP_SLEEP, 10000000, 0);
	op(f, OP_LOCK, 0, mutex);
	op(f, OP_COMPUTE, 5000000, 0);
	op(f, OP_UNLOCK, 0, mutex);
	end(f);
	for (uint32_t i = 0; i < 4; i++)
		start(f, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
	assert_true(f->result.end_ns > 10000000 + 4 * 5000000);
	assert_true(f->result.end_ns < 14000000 + 4 * 5100000);
}

static void a_free_mutex_costs_no_system_call(void **state)
{
	struct fixture *f = *state;
	uint32_t mutex = program_resource(f->b, RESOURCE_MUTEX, 0, 1);

	begin(f, "locker");
	op(f, OP_LOOP, 1000, 0);
	op(f, OP_LOCK, 0, mutex);
	op(f, OP_COMPUTE, 10, 0);
	op(f, OP_UNLOCK, 0, mutex);
	op(f, OP_END, 0, 0);
	end(f);
	start(f, 0);
	run(f);
	assert_int_equal(counted(f, "sim.futex_waits"), 0);
	assert_in_range(sim_task_times(f->sim, 0).user_ns, 10000, 25000);
}

static void a_pending_futex_wake_is_kept_once(void **state)
{
	struct fixture *f = *state;
	uint32_t futex = program_resource(f->b, RESOURCE_FUTEX, 0, 1);

	begin(f, "self");
	op(f, OP_FUTEX_WAKE, 1, futex);
	op(f, OP_FUTEX_WAKE, 1, futex);
	op(f, OP_FUTEX_WAIT, 0, futex);
	op(f, OP_MARK, 0, 0);
	op(f, OP_FUTEX_WAIT, 0, futex);
	op(f, OP_MARK, 1, 0);
	end(f);
	start(f, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_DEADLOCK);
	assert_true(f->result.mark_ns[0] > 0);
	assert_int_equal(f->result.mark_ns[1], 0);
}

static void a_semaphore_gives_as_often_as_it_got(void **state)
{
	struct fixture *f = *state;
	uint32_t sem = program_resource(f->b, RESOURCE_SEMAPHORE, 2, 1);

	begin(f, "taker");
	op(f, OP_SEM_POST, 3, sem);
	op(f, OP_LOOP, 6, 0);
	op(f, OP_MARK, 0, 0);
	op(f, OP_COMPUTE, 1000, 0);
	op(f, OP_SEM_WAIT, 0, sem);
	op(f, OP_END, 0, 0);
	end(f);
	start(f, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_DEADLOCK);
	assert_int_equal(sim_task_times(f->sim, 0).user_ns / 1000, 6);
}

static void a_barrier_opens_for_all_each_round(void **state)
{
	struct fixture *f = *state;
	uint32_t barrier;

	on_four_cpus(f);
	barrier = program_resource(f->b, RESOURCE_BARRIER, 7, 1);
	begin(f, "party");
	op(f, OP_LOOP, 200, 0);
	op(f, OP_COMPUTE_EXP, 3000, 0);
	op(f, OP_BARRIER, 0, barrier);
	op(f, OP_END, 0, 0);
	end(f);
	for (uint32_t i = 0; i < 7; i++)
		start(f, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
}

static void a_signal_after_the_unlock_is_not_lost(void **state)
{
	struct fixture *f = *state;
	uint32_t mutex, condition, turn;

	on_four_cpus(f);
	mutex = program_resource(f->b, RESOURCE_MUTEX, 0, 1);
	condition = program_resource(f->b, RESOURCE_CONDITION, 0, 1);
	turn = program_resource(f->b, RESOURCE_SEMAPHORE, 0, 1);
	begin(f, "waiter");
	op(f, OP_LOOP, 300, 0);
	op(f, OP_LOCK, 0, mutex);
	op(f, OP_SEM_POST, 1, turn);
	program_op(f->b, (struct op){ .kind = OP_WAIT, .resource = condition, .b = mutex });
	op(f, OP_UNLOCK, 0, mutex);
	op(f, OP_END, 0, 0);
	end(f);
	begin(f, "signaller");
	op(f, OP_LOOP, 300, 0);
	op(f, OP_SEM_WAIT, 0, turn);
	op(f, OP_LOCK, 0, mutex);
	op(f, OP_SIGNAL, 1, condition);
	op(f, OP_UNLOCK, 0, mutex);
	op(f, OP_END, 0, 0);
	end(f);
	start(f, 0);
	start(f, 1);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SIM_TEST(a_mutex_lets_one_in_at_a_time),
		SIM_TEST(a_free_mutex_costs_no_system_call),
		SIM_TEST(a_pending_futex_wake_is_kept_once),
		SIM_TEST(a_semaphore_gives_as_often_as_it_got),
		SIM_TEST(a_barrier_opens_for_all_each_round),
		SIM_TEST(a_signal_after_the_unlock_is_not_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
