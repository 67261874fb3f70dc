/* SPDX-License-Identifier: GPL-2.0-only */
/* Pipes and sockets: what fits, who is woken, by which kernel version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../support/sim_fixture.h"

static void repeat(struct fixture *f, const char *name, enum op_kind kind, uint32_t bytes,
		   uint64_t count, uint32_t stream)
{
	begin(f, name);
	op(f, OP_LOOP, count, 0);
	op(f, kind, bytes, stream);
	op(f, OP_END, 0, 0);
	end(f);
}

static uint32_t pipe_of(struct fixture *f, uint32_t bytes)
{
	return program_resource(f->b, RESOURCE_PIPE, bytes, 1);
}

static void transfer(struct fixture *f, enum resource_kind kind, uint32_t value, uint32_t bytes,
		     uint64_t count)
{
	uint32_t stream = program_resource(f->b, kind, value, 1);

	repeat(f, "writer", OP_WRITE, bytes, count, stream);
	repeat(f, "reader", OP_READ, bytes, count, stream);
	start(f, 0);
	start(f, 1);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
	assert_int_equal(counted(f, "sim.stream_bytes"), bytes * count);
}

static void every_byte_of_a_pipe_arrives(void **state)
{
	transfer(*state, RESOURCE_PIPE, 65536, 100, 3000);
}

static void every_byte_of_an_old_pipe_arrives(void **state)
{
	((struct fixture *)*state)->config.profile = "v3.13";
	transfer(*state, RESOURCE_PIPE, 4096, 100, 3000);
}

static void writes_larger_than_the_pipe_arrive_in_parts(void **state)
{
	transfer(*state, RESOURCE_PIPE, 65536, 1000001, 3);
}

static void writes_larger_than_an_old_pipe_arrive_in_parts(void **state)
{
	((struct fixture *)*state)->config.profile = "v5.4";
	transfer(*state, RESOURCE_PIPE, 8192, 100001, 3);
}

static void every_byte_of_a_socket_arrives(void **state)
{
	transfer(*state, RESOURCE_SOCKET, 212992, 100, 3000);
}

static void writes_larger_than_a_socket_buffer_arrive_in_parts(void **state)
{
	transfer(*state, RESOURCE_SOCKET, 4096, 100001, 3);
}

/* Writes until the stream is full and nobody reads. */
static uint64_t writes_that_fit(struct fixture *f, enum resource_kind kind, uint32_t value,
				uint32_t bytes)
{
	repeat(f, "writer", OP_WRITE, bytes, 100000, program_resource(f->b, kind, value, 1));
	start(f, 0);
	run(f);
	assert_int_equal(f->result.status, SIM_DEADLOCK);
	return counted(f, "sim.stream_writes") - 1;
}

/* 40 messages of 100 bytes fit a page, and a pipe has 16 pages. */
static void a_pipe_holds_640_small_messages(void **state)
{
	assert_int_equal(writes_that_fit(*state, RESOURCE_PIPE, 65536, 100), 640);
}

static void a_message_that_does_not_fit_the_last_page_takes_another(void **state)
{
	assert_int_equal(writes_that_fit(*state, RESOURCE_PIPE, 65536, 2049), 16);
}

/* Each is charged 768 bytes, and begins while the charge is below 212992. */
static void a_socket_holds_278_small_messages(void **state)
{
	assert_int_equal(writes_that_fit(*state, RESOURCE_SOCKET, 212992, 100), 278);
}

/* Two readers sleep; one message comes, and later another. The writer sleeps before each. */
enum { SLEEPS = 2 };

static void wake_two_readers(struct fixture *f, const char *profile)
{
	uint32_t pipe = pipe_of(f, 65536);

	use(f, (struct sim_shape){ 1, 1, 4, 1 });
	pipe = pipe_of(f, 65536);
	f->config.profile = profile;
	repeat(f, "reader", OP_READ, 100, 1, pipe);
	begin(f, "writer");
	op(f, OP_SLEEP, 10000000, 0);
	op(f, OP_WRITE, 100, pipe);
	op(f, OP_SLEEP, 10000000, 0);
	op(f, OP_WRITE, 100, pipe);
	end(f);
	start(f, 0);
	start(f, 0);
	start(f, 1);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
}

static void a_write_wakes_one_reader_since_5_6(void **state)
{
	struct fixture *f = *state;

	wake_two_readers(f, "v5.9");
	assert_int_equal(counted(f, "sim.wakes"), 2 + SLEEPS);
	assert_int_equal(counted(f, "sim.stream_read_waits"), 2);
}

static void a_write_woke_all_readers_before(void **state)
{
	struct fixture *f = *state;

	wake_two_readers(f, "v3.13");
	assert_int_equal(counted(f, "sim.wakes"), 3 + SLEEPS);
	assert_int_equal(counted(f, "sim.stream_read_waits"), 3);
}

/* One wake-up for one write; the reader that it woke leaves bytes, and wakes the next. */
static void a_reader_that_leaves_bytes_wakes_the_next(void **state)
{
	struct fixture *f = *state;
	uint32_t pipe;

	use(f, (struct sim_shape){ 1, 1, 4, 1 });
	pipe = pipe_of(f, 65536);
	repeat(f, "reader", OP_READ, 100, 1, pipe);
	begin(f, "writer");
	op(f, OP_SLEEP, 10000000, 0);
	op(f, OP_WRITE, 300, pipe);
	end(f);
	start(f, 0);
	start(f, 0);
	start(f, 0);
	start(f, 1);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
	assert_int_equal(counted(f, "sim.wakes"), 3 + 1);
}

/* The sender fills the buffer and sleeps; so many messages are read; how many writes began? */
static uint64_t writes_after_reads(struct fixture *f, uint64_t reads)
{
	uint32_t socket = program_resource(f->b, RESOURCE_SOCKET, 212992, 1);

	repeat(f, "sender", OP_WRITE, 100, 300, socket);
	begin(f, "receiver");
	op(f, OP_SLEEP, 50000000, 0);
	op(f, OP_LOOP, reads, 0);
	op(f, OP_READ, 100, socket);
	op(f, OP_END, 0, 0);
	end(f);
	start(f, 0);
	start(f, 1);
	run(f);
	return counted(f, "sim.stream_writes");
}

/* 70 messages of 768 bytes are more than a quarter of 212992, 69 are less. */
static void a_sender_sleeps_while_more_than_a_quarter_is_in_use(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(writes_after_reads(f, 278 - 70), 279);
	assert_int_equal(f->result.status, SIM_DEADLOCK);
}

static void a_sender_wakes_at_a_quarter(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(writes_after_reads(f, 278 - 69), 300);
	assert_int_equal(f->result.status, SIM_DONE);
}

static void all_who_poll_are_woken_by_one_write(void **state)
{
	struct fixture *f = *state;
	uint32_t pipe;

	use(f, (struct sim_shape){ 1, 1, 4, 1 });
	pipe = pipe_of(f, 65536);
	repeat(f, "poller", OP_POLL, 0, 1, pipe);
	begin(f, "writer");
	op(f, OP_SLEEP, 10000000, 0);
	op(f, OP_WRITE, 1, pipe);
	end(f);
	start(f, 0);
	start(f, 0);
	start(f, 0);
	start(f, 1);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
	assert_int_equal(counted(f, "sim.wakes"), 3 + 1);
}

static void a_message_costs_lines_when_the_reader_is_on_another_core(void **state)
{
	struct fixture *f = *state;
	uint32_t pipe = pipe_of(f, 65536);

	repeat(f, "writer", OP_WRITE, 640, 1, pipe);
	repeat(f, "reader", OP_READ, 640, 1, pipe);
	start_on(f, 0, 0);
	start_on(f, 1, 1);
	run(f);
	/* Ten of data and the slot's record: the first at 40 ns, ten at 20. */
	assert_int_equal(counted(f, "sim.data_lines"), 11);
	assert_int_equal(counted(f, "sim.data_ns"), 40 + 10 * 20);
}

static void on_one_core_the_lines_are_there(void **state)
{
	struct fixture *f = *state;
	uint32_t pipe = pipe_of(f, 65536);

	repeat(f, "writer", OP_WRITE, 640, 1, pipe);
	repeat(f, "reader", OP_READ, 640, 1, pipe);
	start_on(f, 0, 0);
	start_on(f, 1, 0);
	run(f);
	assert_int_equal(counted(f, "sim.data_lines"), 0);
}

static void writers_of_one_pipe_spin_for_its_mutex(void **state)
{
	struct fixture *f = *state;
	uint32_t pipe;

	use(f, (struct sim_shape){ 1, 1, 8, 1 });
	pipe = pipe_of(f, 65536);
	repeat(f, "writer", OP_WRITE, 100, 500, pipe);
	repeat(f, "reader", OP_READ, 100, 3500, pipe);
	for (uint32_t i = 0; i < 7; i++)
		start(f, 0);
	start(f, 1);
	run(f);
	assert_int_equal(f->result.status, SIM_DONE);
	assert_true(counted(f, "sim.lock_spins") > 1000);
}

static void versions_have_their_paths(void **state)
{
	(void)state;
	assert_false(sim_paths_of("v3.13")->pipe_only_edges);
	assert_true(sim_paths_of("v5.5")->pipe_only_edges);
	assert_false(sim_paths_of("5.5")->pipe_exclusive);
	assert_true(sim_paths_of("6.12.117")->pipe_exclusive);
	assert_true(sim_paths_of("anything")->pipe_exclusive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SIM_TEST(every_byte_of_a_pipe_arrives),
		SIM_TEST(every_byte_of_an_old_pipe_arrives),
		SIM_TEST(writes_larger_than_the_pipe_arrive_in_parts),
		SIM_TEST(writes_larger_than_an_old_pipe_arrive_in_parts),
		SIM_TEST(every_byte_of_a_socket_arrives),
		SIM_TEST(writes_larger_than_a_socket_buffer_arrive_in_parts),
		SIM_TEST(a_pipe_holds_640_small_messages),
		SIM_TEST(a_message_that_does_not_fit_the_last_page_takes_another),
		SIM_TEST(a_socket_holds_278_small_messages),
		SIM_TEST(a_write_wakes_one_reader_since_5_6),
		SIM_TEST(a_write_woke_all_readers_before),
		SIM_TEST(a_reader_that_leaves_bytes_wakes_the_next),
		SIM_TEST(a_sender_sleeps_while_more_than_a_quarter_is_in_use),
		SIM_TEST(a_sender_wakes_at_a_quarter),
		SIM_TEST(all_who_poll_are_woken_by_one_write),
		SIM_TEST(a_message_costs_lines_when_the_reader_is_on_another_core),
		SIM_TEST(on_one_core_the_lines_are_there),
		SIM_TEST(writers_of_one_pipe_spin_for_its_mutex),
		cmocka_unit_test(versions_have_their_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
