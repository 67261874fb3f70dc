/* SPDX-License-Identifier: GPL-2.0-only */
/* Trace files. What reads to its end is written again and must have the same hash. */
#include "fuzz.h"

#include "trace/file.h"

static uint64_t write_again(struct arena *arena, const struct trace_header *header,
			    const struct trace_event *event, uint32_t nr)
{
	struct fuzz_file file = fuzz_file_open((const uint8_t *)"", 0);
	struct trace_header back;
	struct err err = { 0 };
	struct trace_event next;
	struct trace_writer *w = trace_writer_open(arena, file.path, header, &err);
	struct trace_reader *r;
	uint64_t hash;

	CHECK(w);
	for (uint32_t i = 0; i < nr; i++)
		trace_writer_sink(w, &event[i]);
	CHECK(trace_writer_close(w, &err));
	r = trace_reader_open(arena, file.path, &back, &err);
	CHECK(r && back.seed == header->seed && back.nr_cpus == header->nr_cpus);
	for (uint32_t i = 0; i < nr; i++)
		CHECK(trace_reader_next(r, &next, &err) && next.t_ns == event[i].t_ns &&
		      next.kind == event[i].kind && next.cpu == event[i].cpu &&
		      next.task == event[i].task && next.arg == event[i].arg);
	CHECK(!trace_reader_next(r, &next, &err) && !err.set);
	hash = trace_reader_hash(r);
	trace_reader_close(r);
	fuzz_file_close(&file);
	return hash;
}

static void read_all(struct arena *arena, const char *path, size_t size)
{
	/* An event takes at least five bytes. */
	struct trace_event *event = ARENA_ARRAY(arena, struct trace_event, size / 5 + 1);
	struct trace_header header;
	struct err err = { 0 };
	struct trace_reader *r = trace_reader_open(arena, path, &header, &err);
	uint32_t nr = 0;

	fuzz_answer(r != NULL, &err);
	if (!r)
		return;
	CHECK(header.machine && header.variant && header.workload && header.nr_cpus);
	while (trace_reader_next(r, &event[nr], &err)) {
		CHECK(event[nr].kind < NR_TRACE_KINDS && event[nr].cpu < header.nr_cpus);
		nr++;
	}
	CHECK(!err.set || err.what[0]);
	if (!err.set)
		CHECK(write_again(arena, &header, event, nr) == trace_reader_hash(r));
	trace_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_file file = fuzz_file_open(data, size);
	struct arena arena;

	arena_init(&arena);
	read_all(&arena, file.path, size);
	arena_release(&arena);
	fuzz_file_close(&file);
	return 0;
}
