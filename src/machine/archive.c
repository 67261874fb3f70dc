/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An archive is blocks of 512 bytes: a header with a checksum, then the member's bytes filled up
 * to whole blocks; a block of zeros ends it. A longer name stands in a member of its own before
 * the one it names: kind 'L' has it as its bytes (GNU), kind 'x' as a record "LENGTH path=NAME\n".
 */
#include "machine/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	BLOCK = 512,
	BUFFER_BYTES = 65536,
	MAX_MIB = 512,
	NAME_BYTES = 4096,
	NO_PROGRAM = 127, /* exit status of a child that finds no program to run */
};

/* Fields of a header. */
enum {
	AT_NAME = 0,
	LENGTH_NAME = 100,
	AT_SIZE = 124,
	LENGTH_SIZE = 12,
	AT_SUM = 148,
	LENGTH_SUM = 8,
	AT_KIND = 156,
	AT_MAGIC = 257,
	AT_PREFIX = 345,
	LENGTH_PREFIX = 155,
};

static const struct packing {
	const char *ending;
	const char *program; /* NULL: not compressed */
} packings[] = {
	{ ".tar", NULL },	 { ".tar.gz", "gzip" },	 { ".tgz", "gzip" },
	{ ".tar.bz2", "bzip2" }, { ".tbz2", "bzip2" },	 { ".tar.xz", "xz" },
	{ ".txz", "xz" },	 { ".tar.zst", "zstd" }, { ".tzst", "zstd" },
};

struct archive {
	const char *path;
	struct err *err;
	int in;
	uint64_t total_bytes;
	unsigned char *buffer;
	size_t at, filled;
	char *name; /* NAME_BYTES; of the next member, empty: its header's */
	char *text; /* ARCHIVE_TEXT_BYTES + 1 */
};

static const struct packing *packing_of(const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
		size_t ending = strlen(packings[i].ending);

		if (length > ending && !strcmp(path + length - ending, packings[i].ending))
			return &packings[i];
	}
	return NULL;
}

bool archive_is(const char *path)
{
	return packing_of(path) != NULL;
}

static bool damaged(struct archive *a, const char *why)
{
	return err_set_at(a->err, a->path, 0, 0, "is a damaged archive: %s", why);
}

/* More bytes into the buffer; false at the end of the stream, with err when that is not its end. */
static bool refill(struct archive *a)
{
	ssize_t done;

	do {
		done = read(a->in, a->buffer, BUFFER_BYTES);
	} while (done < 0 && errno == EINTR);
	if (done < 0)
		return err_set_at(a->err, a->path, 0, 0, "cannot be read: %s", strerror(errno));
	a->at = 0;
	a->filled = (size_t)done;
	a->total_bytes += (uint64_t)done;
	if (a->total_bytes > (uint64_t)MAX_MIB << 20)
		return err_set_at(a->err, a->path, 0, 0, "unpacks to more than %d MiB", MAX_MIB);
	return done > 0;
}

/* `size` bytes of the stream, the first `room` of them into out. */
static bool take(struct archive *a, void *out, size_t room, uint64_t size)
{
	char *to = out;

	while (size) {
		size_t chunk = a->filled - a->at;

		if (!chunk) {
			if (!refill(a))
				return damaged(a, "it ends early");
			continue;
		}
		chunk = chunk < size ? chunk : (size_t)size;
		if (room) {
			size_t kept = chunk < room ? chunk : room;

			memcpy(to, a->buffer + a->at, kept);
			to += kept;
			room -= kept;
		}
		a->at += chunk;
		size -= chunk;
	}
	return true;
}

static uint64_t padding(uint64_t size)
{
	return (BLOCK - size % BLOCK) % BLOCK;
}

/* Octal digits, spaces before and a space or NUL after. */
static bool octal(const unsigned char *field, size_t length, uint64_t *value)
{
	size_t i = 0;

	*value = 0;
	while (i < length && field[i] == ' ')
		i++;
	if (i == length || field[i] < '0' || field[i] > '7')
		return false;
	for (; i < length && field[i] >= '0' && field[i] <= '7'; i++)
		*value = *value << 3 | (uint64_t)(field[i] - '0');
	return i == length || field[i] == ' ' || !field[i];
}

static bool is_zero(const unsigned char *block)
{
	for (int i = 0; i < BLOCK; i++)
		if (block[i])
			return false;
	return true;
}

/* The sum counts its own field as spaces. */
static bool sum_holds(const unsigned char *block)
{
	uint64_t sum = 0, said;

	for (int i = 0; i < BLOCK; i++)
		sum += i >= AT_SUM && i < AT_SUM + LENGTH_SUM ? ' ' : block[i];
	return octal(block + AT_SUM, LENGTH_SUM, &said) && said == sum;
}

/* The member's name into a->name, unless one stood before it. */
static void settle_name(struct archive *a, const unsigned char *block)
{
	const char *header = (const char *)block;
	size_t length;

	if (!*a->name && !memcmp(header + AT_MAGIC, "ustar\0", 6) && header[AT_PREFIX])
		snprintf(a->name, NAME_BYTES, "%.*s/%.*s", LENGTH_PREFIX, header + AT_PREFIX,
			 LENGTH_NAME, header + AT_NAME);
	else if (!*a->name)
		snprintf(a->name, NAME_BYTES, "%.*s", LENGTH_NAME, header + AT_NAME);
	for (length = strlen(a->name); length && a->name[length - 1] == '/';)
		a->name[--length] = '\0';
}

/* The path among a pax header's records. */
static void take_pax(struct archive *a, size_t size)
{
	char *at = a->text, *end = a->text + size;

	while (at < end) {
		char *key;
		unsigned long length = strtoul(at, &key, 10);

		if (!length || length > (size_t)(end - at) || *key != ' ')
			return;
		at[length - 1] = '\0';
		if (!strncmp(key, " path=", 6))
			snprintf(a->name, NAME_BYTES, "%s", key + 6);
		at += length;
	}
}

/* The bytes of a member into a->text as far as they fit; the rest and the filling are passed. */
static bool take_text(struct archive *a, uint64_t size, size_t *kept)
{
	*kept = size < ARCHIVE_TEXT_BYTES ? (size_t)size : ARCHIVE_TEXT_BYTES;
	if (!take(a, a->text, *kept, size) || !take(a, NULL, 0, padding(size)))
		return false;
	a->text[*kept] = '\0';
	return true;
}

enum kind { KIND_FILE, KIND_DIR, KIND_LONG_NAME, KIND_PAX, KIND_PASSED, KIND_UNKNOWN };

static enum kind kind_of(char flag)
{
	static const struct {
		char flag;
		enum kind kind;
	} kinds[] = {
		{ '0', KIND_FILE },   { '\0', KIND_FILE },     { '7', KIND_FILE },
		{ '5', KIND_DIR },    { 'L', KIND_LONG_NAME }, { 'x', KIND_PAX },
		{ '1', KIND_PASSED }, { '2', KIND_PASSED },    { '3', KIND_PASSED },
		{ '4', KIND_PASSED }, { '6', KIND_PASSED },    { 'g', KIND_PASSED },
		{ 'K', KIND_PASSED }, { 'V', KIND_PASSED },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].flag == flag)
			return kinds[i].kind;
	return KIND_UNKNOWN;
}

/* One member after its header; *give: it is for the user. */
static bool take_member(struct archive *a, const unsigned char *block,
			struct archive_member *member, bool *give)
{
	enum kind kind = kind_of((char)block[AT_KIND]);
	uint64_t size;
	size_t kept;

	*give = false;
	if (kind == KIND_UNKNOWN)
		return err_set_at(a->err, a->path, 0, 0,
				  "has a member of a kind that is not read, 0x%02x (allowed: what "
				  "tar writes without --sparse)",
				  block[AT_KIND]);
	if (!octal(block + AT_SIZE, LENGTH_SIZE, &size))
		return damaged(a, "the size of a member is no number");
	/* Links state the size of what they point to, and bring none of it. */
	if (kind == KIND_PASSED && block[AT_KIND] < 'A')
		size = 0;
	if (!take_text(a, size, &kept))
		return false;
	if (kind == KIND_LONG_NAME)
		snprintf(a->name, NAME_BYTES, "%s", a->text);
	else if (kind == KIND_PAX)
		take_pax(a, kept);
	else if (kind == KIND_FILE || kind == KIND_DIR) {
		settle_name(a, block);
		*member = (struct archive_member){
			.name = a->name, .is_dir = kind == KIND_DIR, .text = a->text, .size = kept
		};
		*give = true;
	}
	return true;
}

static bool walk(struct archive *a,
		 bool (*use)(void *context, const struct archive_member *member, struct err *err),
		 void *context)
{
	unsigned char block[BLOCK];
	struct archive_member member;
	bool give;

	for (;;) {
		if (!take(a, block, BLOCK, BLOCK))
			return false;
		if (is_zero(block))
			return true;
		if (!sum_holds(block))
			return damaged(a, "a member's checksum is wrong");
		if (!take_member(a, block, &member, &give))
			return false;
		if (give && !use(context, &member, a->err))
			return false;
		/* A name from before holds for one member; links use theirs up unseen. */
		if (give || kind_of((char)block[AT_KIND]) == KIND_PASSED)
			*a->name = '\0';
	}
}

/* In the child: `file` unpacked to `out`; what the program has to say is dropped. */
static _Noreturn void unpack(const char *program, int file, int out)
{
	int null = open("/dev/null", O_WRONLY);

	signal(SIGPIPE, SIG_DFL);
	if (null < 0 || dup2(file, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(1);
	execlp(program, program, "-d", "-c", (char *)NULL);
	_exit(NO_PROGRAM);
}

/* a->in becomes the unpacked stream of `file`; returns the child, -1 and err when there is none. */
static pid_t start(struct archive *a, const char *program, int file)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC)) {
		err_set_at(a->err, a->path, 0, 0, "no pipe to %s: %s", program, strerror(errno));
		return -1;
	}
	fflush(NULL);
	pid = fork();
	if (!pid)
		unpack(program, file, ends[1]);
	if (pid < 0)
		err_set_at(a->err, a->path, 0, 0, "no process for %s: %s", program,
			   strerror(errno));
	close(ends[1]);
	if (pid < 0)
		close(ends[0]);
	else
		a->in = ends[0];
	return pid;
}

/* What follows the archive's end is read to see whether the program is content with it. */
static bool finish(struct archive *a, const char *program, pid_t pid, bool ok)
{
	struct err first = { 0 };
	int status = 0;

	while (ok && refill(a))
		;
	ok &= !a->err->set;
	if (!ok)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_PROGRAM)
		err_set_at(&first, a->path, 0, 0,
			   "needs the program %s to be unpacked, which is not installed", program);
	else if (ok && (!WIFEXITED(status) || WEXITSTATUS(status)))
		err_set_at(&first, a->path, 0, 0, "is a damaged archive: %s cannot unpack it",
			   program);
	if (first.set)
		*a->err = first;
	return ok && !first.set;
}

bool archive_read(struct arena *arena, const char *path,
		  bool (*use)(void *context, const struct archive_member *member, struct err *err),
		  void *context, struct err *err)
{
	const struct packing *packing = packing_of(path);
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct err own = { 0 };
	struct archive a = { .path = path, .err = &own, .in = file };
	struct stat st;
	bool ok = false;
	pid_t pid;

	if (file < 0)
		return err_set_at(err, path, 0, 0, "cannot be opened: %s", strerror(errno));
	a.buffer = arena_alloc(arena, BUFFER_BYTES, 1, 1);
	a.name = arena_alloc(arena, NAME_BYTES, 1, 1);
	a.text = arena_alloc(arena, ARCHIVE_TEXT_BYTES + 1, 1, 1);
	if (fstat(file, &st) || !S_ISREG(st.st_mode)) {
		err_set_at(&own, path, 0, 0, "is no regular file");
	} else if (!packing || !packing->program) {
		ok = walk(&a, use, context);
	} else {
		pid = start(&a, packing->program, file);
		ok = pid > 0 && finish(&a, packing->program, pid, walk(&a, use, context));
		if (pid > 0)
			close(a.in);
	}
	close(file);
	if (own.set && err && !err->set)
		*err = own;
	return ok;
}
