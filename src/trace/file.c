/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hash of a file is that of the run: writer and reader pass each event through a struct trace
 * of their own. The reader counts the bytes it has taken, so that every complaint has a place.
 */
#include "trace/file.h"

#include "base/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { END_MARK = 0xff, BUFFER_BYTES = 1 << 16, EVENT_MAX_BYTES = 40, HASH_BYTES = 8 };

static const char magic[8] = "SLTRACE\n";

struct trace_writer {
	FILE *file;
	const char *path;
	struct trace trace;
	uint64_t last_ns;
	int error; /* errno of the first failed write */
	uint32_t used;
	unsigned char buffer[BUFFER_BYTES];
};

struct trace_reader {
	FILE *file;
	const char *path;
	struct trace trace;
	uint64_t last_ns, at; /* at: bytes taken */
	uint32_t nr_cpus;
	bool ended;
};

static void flush(struct trace_writer *w)
{
	if (fwrite(w->buffer, 1, w->used, w->file) != w->used && !w->error)
		w->error = errno ? errno : EIO;
	w->used = 0;
}

static void put_byte(struct trace_writer *w, unsigned int byte)
{
	w->buffer[w->used++] = (unsigned char)byte;
}

static void put_number(struct trace_writer *w, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(w, (value & 0x7f) | 0x80);
	put_byte(w, (unsigned int)value);
}

static void put_text(struct trace_writer *w, const char *text)
{
	size_t size = strnlen(text, TRACE_FILE_MAX_TEXT);

	put_number(w, size);
	memcpy(w->buffer + w->used, text, size);
	w->used += (uint32_t)size;
}

struct trace_writer *trace_writer_open(struct arena *arena, const char *path,
				       const struct trace_header *header, struct err *err)
{
	struct trace_writer *w = ARENA_NEW(arena, struct trace_writer);

	w->path = arena_strdup(arena, path);
	w->file = fopen(path, "wb");
	if (!w->file) {
		err_set_at(err, path, 0, 0, "cannot write the trace: %s", strerror(errno));
		return NULL;
	}
	trace_init(&w->trace);
	memcpy(w->buffer, magic, sizeof(magic));
	w->used = sizeof(magic);
	put_number(w, TRACE_FILE_VERSION);
	put_number(w, header->nr_cpus);
	put_number(w, header->seed);
	put_text(w, header->machine);
	put_text(w, header->variant);
	put_text(w, header->workload);
	return w;
}

static uint64_t zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static int64_t unzigzag(uint64_t value)
{
	return (int64_t)(value >> 1 ^ -(value & 1));
}

void trace_writer_sink(void *context, const struct trace_event *event)
{
	struct trace_writer *w = context;

	if (w->used > BUFFER_BYTES - EVENT_MAX_BYTES)
		flush(w);
	trace_emit(&w->trace, event->t_ns, event->kind, event->cpu, event->task, event->arg);
	put_byte(w, event->kind);
	put_number(w, zigzag((int64_t)(event->t_ns - w->last_ns)));
	put_number(w, event->cpu);
	put_number(w, event->task + 1u);
	put_number(w, event->arg + 1u);
	w->last_ns = event->t_ns;
}

bool trace_writer_close(struct trace_writer *w, struct err *err)
{
	if (w->used > BUFFER_BYTES - EVENT_MAX_BYTES)
		flush(w);
	put_byte(w, END_MARK);
	put_number(w, w->trace.nr_events);
	for (unsigned int i = 0; i < HASH_BYTES; i++)
		put_byte(w, w->trace.hash >> (8 * i) & 0xff);
	flush(w);
	if (fclose(w->file) != 0 && !w->error)
		w->error = errno;
	if (w->error)
		return err_set_at(err, w->path, 0, 0, "cannot write the trace: %s",
				  strerror(w->error));
	return true;
}

static bool complain(const struct trace_reader *r, struct err *err, const char *what)
{
	return err_set_at(err, r->path, 0, 0, "%s, at byte %" PRIu64, what, r->at);
}

static bool get_byte(struct trace_reader *r, unsigned int *byte, struct err *err)
{
	int c = getc_unlocked(r->file);

	if (c == EOF && ferror(r->file))
		return err_set_at(err, r->path, 0, 0, "cannot read: %s", strerror(errno));
	if (c == EOF)
		return complain(r, err, "the trace is cut off");
	r->at++;
	*byte = (unsigned int)c;
	return true;
}

static bool get_number(struct trace_reader *r, uint64_t max, uint64_t *value, struct err *err)
{
	unsigned int byte = 0x80;

	*value = 0;
	for (unsigned int shift = 0; byte & 0x80; shift += 7) {
		if (!get_byte(r, &byte, err))
			return false;
		if (shift > 63 || (shift == 63 && (byte & 0x7e)))
			return complain(r, err, "a number has more than 64 bits");
		*value |= (uint64_t)(byte & 0x7f) << shift;
	}
	return *value <= max ? true : complain(r, err, "a number is larger than allowed here");
}

static const char *get_text(struct trace_reader *r, struct arena *arena, struct err *err)
{
	uint64_t size;
	char *text;

	if (!get_number(r, TRACE_FILE_MAX_TEXT, &size, err))
		return NULL;
	text = ARENA_ARRAY(arena, char, size + 1);
	for (uint64_t i = 0; i < size; i++) {
		unsigned int byte = 0;

		if (!get_byte(r, &byte, err))
			return NULL;
		text[i] = (char)byte;
	}
	return text;
}

static bool get_magic(struct trace_reader *r, struct err *err)
{
	uint64_t version;

	for (size_t i = 0; i < sizeof(magic); i++) {
		unsigned int byte = 0;

		if (!get_byte(r, &byte, err))
			return false;
		if (byte != (unsigned char)magic[i])
			return err_set_at(err, r->path, 0, 0, "this is not a schedlab trace");
	}
	if (!get_number(r, UINT64_MAX, &version, err))
		return false;
	if (version == TRACE_FILE_VERSION)
		return true;
	return err_set_at(err, r->path, 0, 0, "trace version %" PRIu64 " found, %d can be read",
			  version, TRACE_FILE_VERSION);
}

static bool get_header(struct trace_reader *r, struct arena *arena, struct trace_header *header,
		       struct err *err)
{
	uint64_t nr_cpus;

	if (!get_magic(r, err) || !get_number(r, TRACE_FILE_MAX_CPUS, &nr_cpus, err))
		return false;
	if (!nr_cpus)
		return complain(r, err, "the trace has no cpus");
	r->nr_cpus = header->nr_cpus = (uint32_t)nr_cpus;
	return get_number(r, UINT64_MAX, &header->seed, err) &&
	       (header->machine = get_text(r, arena, err)) &&
	       (header->variant = get_text(r, arena, err)) &&
	       (header->workload = get_text(r, arena, err));
}

struct trace_reader *trace_reader_open(struct arena *arena, const char *path,
				       struct trace_header *header, struct err *err)
{
	struct trace_reader *r = ARENA_NEW(arena, struct trace_reader);

	r->path = arena_strdup(arena, path);
	r->file = fopen(path, "rb");
	if (!r->file) {
		err_set_at(err, path, 0, 0, "cannot read the trace: %s", strerror(errno));
		return NULL;
	}
	trace_init(&r->trace);
	if (get_header(r, arena, header, err))
		return r;
	fclose(r->file);
	return NULL;
}

static bool get_end(struct trace_reader *r, struct err *err)
{
	uint64_t nr_events, hash = 0;

	if (!get_number(r, UINT64_MAX, &nr_events, err))
		return false;
	for (unsigned int i = 0; i < HASH_BYTES; i++) {
		unsigned int byte = 0;

		if (!get_byte(r, &byte, err))
			return false;
		hash |= (uint64_t)byte << (8 * i);
	}
	if (nr_events != r->trace.nr_events)
		return complain(r, err, "the number of events differs from the one stated");
	if (hash != r->trace.hash)
		return complain(r, err, "the hash of the events differs from the one stated");
	if (getc(r->file) != EOF)
		return complain(r, err, "there is more behind the end of the trace");
	r->ended = true;
	return true;
}

bool trace_reader_next(struct trace_reader *r, struct trace_event *event, struct err *err)
{
	uint64_t dt, cpu, task, arg;
	unsigned int kind = 0;

	if (r->ended || !get_byte(r, &kind, err))
		return false;
	if (kind == END_MARK) {
		get_end(r, err);
		return false;
	}
	if (kind >= NR_TRACE_KINDS)
		return complain(r, err, "unknown kind of event");
	if (!get_number(r, UINT64_MAX, &dt, err) || !get_number(r, r->nr_cpus - 1, &cpu, err) ||
	    !get_number(r, UINT32_MAX, &task, err) || !get_number(r, UINT32_MAX, &arg, err))
		return false;
	r->last_ns += (uint64_t)unzigzag(dt);
	*event = (struct trace_event){ r->last_ns, kind, (uint32_t)cpu, (uint32_t)task - 1u,
				       (uint32_t)arg - 1u };
	trace_emit(&r->trace, event->t_ns, event->kind, event->cpu, event->task, event->arg);
	return true;
}

uint64_t trace_reader_hash(const struct trace_reader *r)
{
	CHECK(r->ended);
	return r->trace.hash;
}

void trace_reader_close(struct trace_reader *r)
{
	fclose(r->file);
}
