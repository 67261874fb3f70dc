/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace in a file: what ran, then every event, then a count and the hash.
 *
 * The form is the same on every machine, byte for byte:
 *   magic "SLTRACE\n", then version, number of cpus, seed, and the texts machine, variant, workload
 *   (length, bytes); numbers here and below are LEB128 varints
 *   an event: 1 byte kind, then time since the event before (zigzag), cpu, task + 1, arg + 1 (mod
 *   2^32, so that "none" is one byte)
 *   the end: 1 byte 0xff, number of events, hash (8 bytes, little endian)
 * A file without its end was cut off; one whose hash differs was changed. Both are errors that
 * name the byte. About 7 bytes an event.
 */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include "base/arena.h"
#include "base/err.h"
#include "trace/trace.h"

enum trace_file_limits {
	TRACE_FILE_VERSION = 1,
	TRACE_FILE_MAX_TEXT = 4096, /* bytes of a text */
	TRACE_FILE_MAX_CPUS = 65536,
};

struct trace_header {
	const char *machine, *variant, *workload; /* not NULL */
	uint32_t nr_cpus;
	uint64_t seed;
};

struct trace_writer;
struct trace_reader;

/* Creates or replaces the file. NULL and err set when that fails. The arena outlives it. */
struct trace_writer *trace_writer_open(struct arena *arena, const char *path,
				       const struct trace_header *header, struct err *err);
/* A trace_sink; the context is the writer. A failed write is remembered for the close. */
void trace_writer_sink(void *writer, const struct trace_event *event);
/* Writes the end. False and err set when any write failed; the file is closed in any case. */
bool trace_writer_close(struct trace_writer *writer, struct err *err);

/* Opens and fills the header, whose texts live in the arena. */
struct trace_reader *trace_reader_open(struct arena *arena, const char *path,
				       struct trace_header *header, struct err *err);
/*
 * The next event; false at the end and on errors, which set err. An event is well formed when it
 * comes: kind known, cpu below nr_cpus. Only after the end is it sure that all were right.
 */
bool trace_reader_next(struct trace_reader *reader, struct trace_event *event, struct err *err);
/* After the end: the hash of the run. */
uint64_t trace_reader_hash(const struct trace_reader *reader);
void trace_reader_close(struct trace_reader *reader);

#endif
