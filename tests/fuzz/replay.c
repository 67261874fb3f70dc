/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hands a target its corpus, then mutations of it, and speaks TAP. Each pass runs in a process of
 * its own with limits on time and memory; when that dies, the input is kept and named.
 *
 * usage: property_fuzz_TARGET [FILE]...   FILE: only these, in this process
 * FUZZ_MUTATIONS: how many of each input; SEED: of the mutations.
 */
#include "fuzz.h"
#include "mutate.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifndef HAS_ASAN
#define HAS_ASAN 0
#endif

enum { MAX_INPUTS = 256, INPUT_BYTES = 64 * 1024, INPUT_SECONDS = 120 };

static const rlim_t MEMORY_BYTES = 1280ull << 20; /* 1 GiB and the program itself */

struct inputs {
	uint32_t nr;
	char *name[MAX_INPUTS];
	struct bytes bytes[MAX_INPUTS];
};

/* What the running process is at; shared with its parent. */
struct progress {
	uint64_t done;
	size_t size;
	char name[256];
	uint8_t data[INPUT_BYTES];
};

static struct bytes read_input(const char *path)
{
	struct bytes b = { .room = INPUT_BYTES };
	FILE *in = fopen(path, "rb");

	if (!in)
		die("%s cannot be opened", path);
	b.data = malloc(INPUT_BYTES);
	CHECK(b.data);
	b.size = fread(b.data, 1, INPUT_BYTES, in);
	fclose(in);
	return b;
}

static int is_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* In the order of names. */
static void read_corpus(struct inputs *inputs, const char *folder)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, is_file, alphasort);

	if (n < 1 || n > MAX_INPUTS)
		die("%s holds %d inputs (allowed: 1 to %d)", folder, n, MAX_INPUTS);
	for (int i = 0; i < n; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
		inputs->name[i] = strdup(entry[i]->d_name);
		inputs->bytes[i] = read_input(path);
		free(entry[i]);
	}
	inputs->nr = (uint32_t)n;
	free(entry);
}

static void free_inputs(struct inputs *inputs)
{
	for (uint32_t i = 0; i < inputs->nr; i++) {
		free(inputs->name[i]);
		free(inputs->bytes[i].data);
	}
}

static int nr_open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static void run_input(struct progress *at, const char *name)
{
	uint8_t *exact = malloc(at->size ? at->size : 1);

	CHECK(exact);
	snprintf(at->name, sizeof(at->name), "%s", name);
	memcpy(exact, at->data, at->size);
	alarm(INPUT_SECONDS);
	LLVMFuzzerTestOneInput(exact, at->size);
	at->done++;
	free(exact);
}

/* mutations 0: the inputs as they are. */
static void run_inputs(const struct inputs *inputs, struct progress *at, uint64_t seed,
		       uint32_t mutations)
{
	for (uint32_t i = 0; i < inputs->nr; i++) {
		for (uint32_t n = 0; n < mutations + !mutations; n++) {
			struct random r = random_stream(seed, RANDOM_TEST, (uint64_t)i << 32 | n);
			struct bytes b = { at->data, inputs->bytes[i].size, INPUT_BYTES };

			memcpy(b.data, inputs->bytes[i].data, b.size);
			if (mutations)
				mutate(&b, &inputs->bytes[random_below(&r, inputs->nr)], &r);
			at->size = b.size;
			run_input(at, inputs->name[i]);
		}
	}
}

static _Noreturn void child(struct inputs *inputs, struct progress *at, uint64_t seed,
			    uint32_t mutations)
{
	const struct rlimit memory = { MEMORY_BYTES, MEMORY_BYTES }, core = { 0, 0 };
	int before = nr_open_files();

	setrlimit(RLIMIT_CORE, &core);
	if (!HAS_ASAN)
		setrlimit(RLIMIT_AS, &memory);
	run_inputs(inputs, at, seed, mutations);
	alarm(0);
	CHECK(nr_open_files() == before);
	free_inputs(inputs);
	exit(0);
}

static void keep_input(const struct progress *at)
{
	char path[] = "/tmp/fuzz-" FUZZ_TARGET "-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, at->data, at->size) != (ssize_t)at->size)
		printf("# the input could not be kept\n");
	else
		printf("# made of %s, kept as %s\n", at->name, path);
	if (fd >= 0)
		close(fd);
}

static bool pass(struct inputs *inputs, struct progress *at, uint64_t seed, uint32_t mutations,
		 int number, const char *name)
{
	int status;
	pid_t pid;

	at->done = 0;
	fflush(NULL);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid)
		child(inputs, at, seed, mutations);
	CHECK(waitpid(pid, &status, 0) == pid);
	if (!status && at->done) {
		printf("ok %d - %s\n# %" PRIu64 " inputs\n", number, name, at->done);
		return true;
	}
	printf("not ok %d - %s\n# seed %" PRIu64 ", input %" PRIu64 ": %s %d\n", number, name, seed,
	       at->done, WIFSIGNALED(status) ? "signal" : "exit",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	keep_input(at);
	return false;
}

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	const char *source = getenv("SCHEDLAB_SOURCE");
	uint64_t seed = from_environment("SEED", 1);
	uint32_t mutations = (uint32_t)from_environment("FUZZ_MUTATIONS", FUZZ_MUTATIONS);
	struct inputs inputs = { 0 };
	struct progress *at =
		mmap(NULL, sizeof(*at), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char folder[4096];
	bool good;

	CHECK(at != MAP_FAILED);
	for (int i = 1; i < argc; i++) {
		struct bytes b = read_input(argv[i]);

		LLVMFuzzerTestOneInput(b.data, b.size);
		free(b.data);
	}
	if (argc > 1)
		return 0;
	snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/%s", source ? source : ".",
		 FUZZ_TARGET);
	read_corpus(&inputs, folder);
	printf("1..2\n");
	good = pass(&inputs, at, seed, 0, 1, "corpus_is_read_or_refused");
	good &= pass(&inputs, at, seed, mutations, 2, "damaged_corpus_is_read_or_refused");
	free_inputs(&inputs);
	return good ? 0 : 1;
}
