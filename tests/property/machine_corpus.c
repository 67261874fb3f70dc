/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A folder of captured machines, when there is one: that named by SCHEDLAB_HWLOC_CORPUS, else the
 * one beside the checkout (hwloc-corpus in a folder there). Every file is read, or refused with a
 * clear error; so is each of them damaged. Damage is drawn from (seed, file): the file cut or bytes
 * of it changed, and inside an archive files emptied, cut, changed or missing. A failure names the
 * file and seed; SEED= replays that one.
 */
#include "../unit/machine_helpers.h"
#include "base/hash.h"
#include "base/random.h"
#include "machine/archive.h"
#include "machine/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <dirent.h>

enum { SEEDS = 12, BLOCK = 512, HANG_SECONDS = 120, MAX_FILES = 500, TEXT_BYTES = 700 };

struct corpus_file {
	char *name; /* without the folder */
	char *path;
};

struct corpus {
	struct arena arena;
	uint32_t nr_files;
	struct corpus_file file[MAX_FILES];
};

/* What the reader is given now, for messages also from the alarm. */
static char current[4200];
static struct random dice;
static uint32_t nr_read, nr_refused;

static void hangs(int signal)
{
	static const char words[] = " does not come to an end\n";

	if (write(STDERR_FILENO, current, strlen(current)) < 0 ||
	    write(STDERR_FILENO, words, sizeof(words) - 1) < 0)
		_exit(2);
	_exit(1);
}

static uint32_t upto(size_t max)
{
	return (uint32_t)random_below(&dice, (uint64_t)max + 1);
}

static int lowest_free_fd(void)
{
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	return fd;
}

/* Reads one machine; nothing of it may be left. The error's text when it was refused. */
static bool try_read(const char *path, char *text)
{
	int fd = lowest_free_fd();
	struct err err = { 0 };
	struct machine *m;

	alarm(HANG_SECONDS);
	m = machine_read(&arena, path, &err);
	alarm(0);
	if ((m != NULL) == err.set)
		fail_msg("%s: a machine and an error, or neither", current);
	if (m && !machine_check(m, &err))
		fail_msg("%s: %s", current, err.what);
	err_print(&err, text, TEXT_BYTES);
	if (!m && strlen(err.what) < 10)
		fail_msg("%s: no clear error: '%s'", current, text);
	if (m)
		survives_json(path, m);
	if (lowest_free_fd() != fd)
		fail_msg("%s: a file is left open", current);
	if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
		fail_msg("%s: a process is left", current);
	arena_release(&arena);
	nr_read += m != NULL;
	nr_refused += m == NULL;
	return m != NULL;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The first folder hwloc-corpus in a folder beside the checkout; NULL when there is none. */
static const char *beside_checkout(struct arena *held)
{
	const char *source = getenv("SCHEDLAB_SOURCE"), *found = NULL;
	glob_t paths;

	if (!glob(arena_printf(held, "%s/../*/hwloc-corpus", source ? source : "."), 0, NULL,
		  &paths))
		found = arena_strdup(held, paths.gl_pathv[0]);
	globfree(&paths);
	return found;
}

/* False, and said, when there is no corpus. */
static bool find_corpus(struct corpus *corpus)
{
	const char *folder = getenv("SCHEDLAB_HWLOC_CORPUS");
	struct dirent **entries;
	int nr;

	arena_init(&corpus->arena);
	corpus->nr_files = 0;
	if (!folder || !*folder)
		folder = beside_checkout(&corpus->arena);
	if (!folder) {
		print_message("skipped: no corpus of captured machines beside the checkout\n");
		return false;
	}
	nr = scandir(folder, &entries, is_visible, by_name);
	if (nr < 0)
		fail_msg("%s: %s", folder, strerror(errno));
	for (int i = 0; i < nr; i++) {
		struct corpus_file *file = &corpus->file[corpus->nr_files];

		if (corpus->nr_files == MAX_FILES)
			fail_msg("%s: more than %d files", folder, MAX_FILES);
		file->name = arena_strdup(&corpus->arena, entries[i]->d_name);
		file->path = arena_printf(&corpus->arena, "%s/%s", folder, file->name);
		corpus->nr_files++;
		free(entries[i]);
	}
	free(entries);
	signal(SIGALRM, hangs);
	return true;
}

static void count(const char *what)
{
	print_message("%s: %u read, %u refused\n", what, nr_read, nr_refused);
	nr_read = nr_refused = 0;
}

static void every_file_is_read_or_refused_clearly(void **state)
{
	struct corpus corpus;
	char text[TEXT_BYTES];

	if (!find_corpus(&corpus))
		return;
	nr_read = nr_refused = 0;
	for (uint32_t i = 0; i < corpus.nr_files; i++) {
		snprintf(current, sizeof(current), "%s", corpus.file[i].path);
		if (!try_read(corpus.file[i].path, text))
			print_message("refused: %s\n", text);
	}
	count("whole files");
	arena_release(&corpus.arena);
}

/* Where damaged files are written: the folder's name is gone, the ending stays. */
static const char *scratch_path(struct arena *held, const char *ending)
{
	return arena_printf(held, "/tmp/schedlab-corpus-%d%s", (int)getpid(), ending);
}

static void write_file(const char *path, const char *text, size_t size)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, size, out), size);
	fclose(out);
}

/* Other digits: what remains is well-formed, and wrong. */
static void change_numbers(char *text, size_t size)
{
	for (uint32_t n = 1 + upto(7); size && n; n--) {
		size_t at = upto(size - 1);

		while (at < size && (text[at] < '0' || text[at] > '9'))
			at++;
		if (at < size)
			text[at] = (char)('0' + upto(9));
	}
}

static void change_bytes(char *text, size_t size)
{
	if (upto(1)) {
		change_numbers(text, size);
		return;
	}
	for (uint32_t n = 1 + upto(7); size && n; n--) {
		static const char bytes[] = "0123456789,-fF \n\"<>/";
		char *at = &text[upto(size - 1)];

		*at = upto(1) ? (char)(*at ^ 1 << upto(7)) : bytes[upto(sizeof(bytes) - 2)];
	}
}

static void begin(const struct corpus_file *file, uint64_t seed, const char *how)
{
	uint64_t entity = HASH_START;

	for (const char *at = file->name; *at; at++)
		entity = hash_u64(entity, (uint64_t)*at);
	dice = random_stream(seed, RANDOM_TEST, entity & 0xffffffff);
	snprintf(current, sizeof(current), "%s, %s, SEED=%llu", file->name, how,
		 (unsigned long long)seed);
}

/* Calls damage() for each file and seed, or for the SEED that is to be replayed. */
static void each_seed(void (*damage)(const struct corpus_file *file, uint64_t seed))
{
	const char *replay = getenv("SEED");
	struct corpus corpus;

	if (!find_corpus(&corpus))
		return;
	nr_read = nr_refused = 0;
	for (uint32_t i = 0; i < corpus.nr_files; i++) {
		if (replay)
			damage(&corpus.file[i], strtoull(replay, NULL, 10));
		for (uint64_t seed = 1; !replay && seed <= SEEDS; seed++)
			damage(&corpus.file[i], seed);
	}
	count("damaged");
	arena_release(&corpus.arena);
}

/* The first dot after which a form's name follows: "a.v2.xml" has ".xml", "b.tar.gz" that. */
static const char *ending_of(const char *name)
{
	const char *tar = strstr(name, ".tar"), *dot = strrchr(name, '.');

	return tar ? tar : dot ? dot : "";
}

static void damage_whole(const struct corpus_file *file, uint64_t seed)
{
	struct err err = { 0 };
	char why[TEXT_BYTES];
	struct arena held;
	size_t size;
	char *text;

	arena_init(&held);
	begin(file, seed, "cut or changed");
	text = file_read(&held, file->path, &size, &err);
	assert_non_null(text);
	/* Large exports take long to read: fewer of them. */
	if (size < 100000 || seed % 4 == 1) {
		const char *path = scratch_path(&held, ending_of(file->name));

		if (upto(2))
			change_bytes(text, size);
		else
			size = upto(size);
		write_file(path, text, size);
		try_read(path, why);
		remove(path);
	}
	arena_release(&held);
}

static void damaged_files_never_crash(void **state)
{
	each_seed(damage_whole);
}

/* An archive being made of another's members. */
struct repack {
	FILE *out;
	uint32_t percent; /* of the members are damaged */
};

static void put_member(FILE *out, const char *name, bool is_dir, const char *text, size_t size)
{
	char block[BLOCK] = "";
	unsigned sum = 0;

	snprintf(block, 100, "%s", name);
	snprintf(block + 124, 12, "%011zo", size);
	block[156] = is_dir ? '5' : '0';
	memset(block + 148, ' ', 8);
	for (int i = 0; i < BLOCK; i++)
		sum += (unsigned char)block[i];
	snprintf(block + 148, 8, "%06o", sum);
	fwrite(block, 1, BLOCK, out);
	fwrite(text, 1, size, out);
	memset(block, 0, BLOCK);
	fwrite(block, 1, (BLOCK - size % BLOCK) % BLOCK, out);
}

static bool repack_member(void *context, const struct archive_member *member, struct err *err)
{
	struct repack *r = context;
	char text[ARCHIVE_TEXT_BYTES];
	size_t size = member->size;

	if (!strstr(member->name, "devices/system/cpu/") &&
	    !strstr(member->name, "devices/system/node/"))
		return true;
	memcpy(text, member->text, size);
	if (upto(99) < r->percent) {
		switch (upto(3)) {
		case 0: return true;
		case 1: size = size ? upto(size - 1) : 0; break;
		default: change_bytes(text, size); break;
		}
	}
	put_member(r->out, member->name, member->is_dir, text, size);
	return true;
}

static void damage_inside(const struct corpus_file *file, uint64_t seed)
{
	static const char end[BLOCK];
	struct err err = { 0 };
	char why[TEXT_BYTES];
	struct repack repack;
	struct arena held;
	const char *path;

	if (!archive_is(file->name))
		return;
	arena_init(&held);
	begin(file, seed, "files within changed or missing");
	path = scratch_path(&held, ".tar");
	/* From one file in a hundred to most of them; rarely none, which must be read. */
	repack = (struct repack){ fopen(path, "wb"), upto(2) ? upto(2) : upto(60) };
	assert_non_null(repack.out);
	if (!archive_read(&held, file->path, repack_member, &repack, &err))
		fail_msg("%s: %s", current, err.what);
	fwrite(end, 1, BLOCK, repack.out);
	fclose(repack.out);
	try_read(path, why);
	remove(path);
	arena_release(&held);
}

static void archives_of_damaged_files_never_crash(void **state)
{
	each_seed(damage_inside);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(every_file_is_read_or_refused_clearly),
		FACT(damaged_files_never_crash),
		FACT(archives_of_damaged_files_never_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
