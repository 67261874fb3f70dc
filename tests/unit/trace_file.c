/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/random.h"
#include "trace/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { EVENTS = 200, CPUS = 300 };

struct fixture {
	struct arena arena;
	char path[64];
};

static int setup(void **state)
{
	static struct fixture f;
	int fd;

	arena_init(&f.arena);
	snprintf(f.path, sizeof(f.path), "/tmp/schedlab-trace-XXXXXX");
	fd = mkstemp(f.path);
	if (fd < 0)
		return -1;
	close(fd);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	arena_release(&f->arena);
	return 0;
}

static void random_event(struct random *r, struct trace_event *event)
{
	event->t_ns +=
		random_below(r, 5) ? random_below(r, 3000) : -random_below(r, event->t_ns + 1);
	event->kind = (uint32_t)random_below(r, NR_TRACE_KINDS);
	event->cpu = (uint32_t)random_below(r, CPUS);
	event->task = random_below(r, 4) ? (uint32_t)random_below(r, 1 << 20) : TASK_NONE;
	event->arg = (uint32_t)random_next(r);
}

/* EVENTS random events; returns the hash of the run. */
static uint64_t write_trace(struct fixture *f)
{
	const struct trace_header header = { "kunpeng920", "+A,-B", "hackbench -g 2", CPUS, 77 };
	struct random r = random_stream(3, RANDOM_TEST, 0);
	struct trace_event event = { 0 };
	struct err err = { 0 };
	struct trace_writer *w = trace_writer_open(&f->arena, f->path, &header, &err);
	struct trace trace;

	assert_non_null(w);
	trace_init(&trace);
	trace_add_sink(&trace, trace_writer_sink, w);
	for (uint32_t i = 0; i < EVENTS; i++) {
		random_event(&r, &event);
		trace_emit(&trace, event.t_ns, event.kind, event.cpu, event.task, event.arg);
	}
	assert_true(trace_writer_close(w, &err));
	return trace.hash;
}

/* Reads to the end; true when all was well. */
static bool read_all(struct fixture *f, struct err *err)
{
	struct trace_event event;
	struct trace_header header;
	struct trace_reader *r = trace_reader_open(&f->arena, f->path, &header, err);

	if (!r)
		return false;
	while (trace_reader_next(r, &event, err))
		;
	trace_reader_close(r);
	return !err->set;
}

static size_t slurp(const char *path, unsigned char *out, size_t max)
{
	FILE *file = fopen(path, "rb");
	size_t size;

	assert_non_null(file);
	size = fread(out, 1, max, file);
	fclose(file);
	return size;
}

static void spit(const char *path, const unsigned char *data, size_t size)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void what_was_written_is_read(void **state)
{
	struct fixture *f = *state;
	uint64_t hash = write_trace(f);
	struct random r = random_stream(3, RANDOM_TEST, 0);
	struct trace_event wanted = { 0 }, found;
	struct trace_header header;
	struct err err = { 0 };
	struct trace_reader *reader = trace_reader_open(&f->arena, f->path, &header, &err);

	assert_non_null(reader);
	assert_string_equal(header.machine, "kunpeng920");
	assert_string_equal(header.variant, "+A,-B");
	assert_string_equal(header.workload, "hackbench -g 2");
	assert_int_equal(header.nr_cpus, CPUS);
	assert_int_equal(header.seed, 77);
	for (uint32_t i = 0; i < EVENTS; i++) {
		random_event(&r, &wanted);
		assert_true(trace_reader_next(reader, &found, &err));
		assert_memory_equal(&wanted, &found, sizeof(found));
	}
	assert_false(trace_reader_next(reader, &found, &err));
	assert_false(err.set);
	assert_int_equal(trace_reader_hash(reader), hash);
	assert_false(trace_reader_next(reader, &found, &err));
	trace_reader_close(reader);
}

static void a_trace_cut_anywhere_is_an_error(void **state)
{
	static unsigned char data[EVENTS * 40];
	struct fixture *f = *state;
	size_t size;

	write_trace(f);
	size = slurp(f->path, data, sizeof(data));
	for (size_t cut = 0; cut < size; cut++) {
		struct err err = { 0 };

		spit(f->path, data, cut);
		assert_false(read_all(f, &err));
		assert_non_null(strstr(err.what, "cut off"));
		assert_string_equal(err.where, f->path);
	}
}

static void a_changed_event_is_an_error(void **state)
{
	static unsigned char data[EVENTS * 40];
	struct fixture *f = *state;
	struct random r = random_stream(4, RANDOM_TEST, 0);
	size_t size, head = 64;

	write_trace(f);
	size = slurp(f->path, data, sizeof(data));
	for (size_t at = head; at < size; at++) {
		struct err err = { 0 };
		unsigned char was = data[at];

		data[at] ^= (unsigned char)(1 + random_below(&r, 255));
		spit(f->path, data, size);
		assert_false(read_all(f, &err));
		data[at] = was;
	}
	spit(f->path, data, size);
	data[size] = 0;
	spit(f->path, data, size + 1);
	assert_false(read_all(f, &(struct err){ 0 }));
}

static void other_files_and_versions_are_refused(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	spit(f->path, (const unsigned char *)"{ \"machine\": 1 }", 16);
	assert_false(read_all(f, &err));
	assert_string_equal(err.what, "this is not a schedlab trace");
	err = (struct err){ 0 };
	spit(f->path, (const unsigned char *)"SLTRACE\n\x07\x01", 10);
	assert_false(read_all(f, &err));
	assert_string_equal(err.what, "trace version 7 found, 1 can be read");
	err = (struct err){ 0 };
	spit(f->path, (const unsigned char *)"SLTRACE\n\x01\x00\x00", 11);
	assert_false(read_all(f, &err));
	assert_non_null(strstr(err.what, "no cpus"));
	err = (struct err){ 0 };
	spit(f->path,
	     (const unsigned char *)"SLTRACE\n\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 19);
	assert_false(read_all(f, &err));
	assert_non_null(strstr(err.what, "64 bits"));
}

static void a_missing_file_and_a_full_disk_are_errors(void **state)
{
	const struct trace_header header = { "m", "v", "w", 1, 0 };
	struct fixture *f = *state;
	struct trace_header read;
	struct err err = { 0 };
	struct trace_writer *w;

	assert_null(trace_reader_open(&f->arena, "/nonexistent/trace", &read, &err));
	assert_non_null(strstr(err.what, "No such file"));
	err = (struct err){ 0 };
	assert_null(trace_writer_open(&f->arena, "/nonexistent/trace", &header, &err));
	assert_true(err.set);
	err = (struct err){ 0 };
	w = trace_writer_open(&f->arena, "/dev/full", &header, &err);
	if (!w)
		skip();
	assert_false(trace_writer_close(w, &err));
	assert_non_null(strstr(err.what, "No space"));
}

int main(void)
{
#define FACT(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		FACT(what_was_written_is_read),
		FACT(a_trace_cut_anywhere_is_an_error),
		FACT(a_changed_event_is_an_error),
		FACT(other_files_and_versions_are_refused),
		FACT(a_missing_file_and_a_full_disk_are_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
