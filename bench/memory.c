/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the memory model costs the host, in ns an access, and what it says of a hammered line.
 *
 * 96 cores as 4 nodes of 24, SMT 2; 40 lines a cpu, as the scheduler's state. Each row is the best
 * of five rounds.
 */
#include "memory/memory.h"
#include "machine/read.h"

#include "base/check.h"
#include "base/random.h"

#include <stdio.h>
#include <time.h>

enum { LINES_PER_CPU = 40, ACCESSES = 4000000, ROUNDS = 5 };

struct bench {
	struct memory *mem;
	uint32_t nr_cpus, lines, shared;
	uint64_t sum; /* keeps the accesses from being left out */
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Each function makes ACCESSES accesses. The first four go from cpu to cpu, line by line. */
#define EACH_OWN_LINE(b, access)                                                                   \
	do {                                                                                       \
		uint64_t sum = 0;                                                                  \
		uint32_t first = (b)->lines, cpu = 0;                                              \
                                                                                                   \
		for (uint32_t n = 0; n < ACCESSES; cpu = cpu + 1 < (b)->nr_cpus ? cpu + 1 : 0)     \
			for (uint32_t i = 0; i < LINES_PER_CPU; i++, n++)                          \
				sum += access((b)->mem, cpu, first + cpu * LINES_PER_CPU + i, n);  \
		(b)->sum += sum;                                                                   \
	} while (0)

static void read_own(struct bench *b)
{
	EACH_OWN_LINE(b, memory_read);
}

static void scan_own(struct bench *b)
{
	EACH_OWN_LINE(b, memory_read_scan);
}

static void write_own(struct bench *b)
{
	EACH_OWN_LINE(b, memory_write);
}

static void atomic_own(struct bench *b)
{
	EACH_OWN_LINE(b, memory_atomic);
}

/* The same eight lines again and again, as within one wake-up. */
static void read_few(struct bench *b)
{
	uint32_t first = b->lines + 3 * LINES_PER_CPU;
	struct memory *mem = b->mem;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < ACCESSES; i++)
		sum += memory_read(mem, 3, first + i % 8, i);
	b->sum += sum;
}

static void write_few(struct bench *b)
{
	uint32_t first = b->lines + 3 * LINES_PER_CPU;
	struct memory *mem = b->mem;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < ACCESSES; i++)
		sum += memory_write(mem, 3, first + i % 8, i);
	b->sum += sum;
}

static void read_shared(struct bench *b)
{
	for (uint32_t i = 0; i < ACCESSES; i++)
		b->sum += memory_read(b->mem, i & 127, b->shared + i / 64 % 16, i);
}

static void lock_own(struct bench *b)
{
	for (uint32_t i = 0; i < ACCESSES; i++) {
		uint32_t cpu = i % b->nr_cpus, line = b->lines + cpu * LINES_PER_CPU;
		uint64_t t_ns = i * 10ull;

		t_ns += memory_lock(b->mem, cpu, line, t_ns) + 200;
		b->sum += memory_unlock(b->mem, cpu, line, t_ns);
	}
}

static void ping_pong(struct bench *b)
{
	for (uint32_t i = 0; i < ACCESSES; i++)
		b->sum += memory_write(b->mem, i & 1 ? 2 : 50, b->lines + i / 2 % 4000, i * 100ull);
}

static void write_and_read_back(struct bench *b)
{
	for (uint32_t i = 0; i < ACCESSES; i++) {
		uint32_t cpu = i / 2 * 7 % b->nr_cpus, line = b->shared + i / 2 % 16;

		if (i & 1)
			b->sum += memory_write(b->mem, cpu, line, i * 50ull);
		else
			b->sum += memory_read(b->mem, cpu, line, i * 50ull);
	}
}

/* Times that are not in order: the calendar is asked. */
static void disordered_atomics(struct bench *b)
{
	struct random r = random_stream(1, RANDOM_TEST, 0);

	for (uint32_t i = 0; i < ACCESSES; i++)
		b->sum += memory_atomic(b->mem, i * 7 % b->nr_cpus, b->shared + i % 4,
					i * 50ull + random_below(&r, 2000));
}

static const struct {
	const char *what;
	void (*run)(struct bench *b);
} row[] = {
	{ "read hit, 40 lines of each cpu", read_own },
	{ "scan hit, 40 lines of each cpu", scan_own },
	{ "write hit, 40 lines of each cpu", write_own },
	{ "atomic hit, 40 lines of each cpu", atomic_own },
	{ "read hit, 8 lines of one cpu", read_few },
	{ "write hit, 8 lines of one cpu", write_few },
	{ "read hit, line shared by all", read_shared },
	{ "lock and unlock, own line", lock_own },
	{ "write miss, two cores in turn", ping_pong },
	{ "read and write misses, many cores", write_and_read_back },
	{ "atomic miss, times out of order", disordered_atomics },
};

/*
 * `nr` cpus in turn set a bit of one line and go on for think_ns: the mean cost of the atomic. The
 * cpu whose time is least goes next.
 */
static uint64_t hammered_ns(struct memory *mem, uint32_t line, uint32_t nr, uint64_t think_ns)
{
	uint64_t at[1024] = { 0 }, sum = 0, rounds = 200ull * nr;

	CHECK(nr <= 1024);
	for (uint32_t i = 0; i < nr; i++)
		at[i] = i * think_ns / nr;
	for (uint64_t n = 0; n < rounds; n++) {
		uint32_t next = 0;
		uint64_t ns;

		for (uint32_t i = 1; i < nr; i++)
			next = at[i] < at[next] ? i : next;
		ns = memory_atomic(mem, next, line, at[next]);
		sum += ns;
		at[next] += ns + think_ns;
	}
	return sum / rounds;
}

static void print_hammered(struct arena *arena, const char *spec)
{
	static const uint64_t think_us[] = { 0, 10, 20, 40, 80, 160 };
	struct err err = { 0 };
	struct machine *m = machine_read(arena, spec, &err);

	CHECK(m);
	printf("\none line, an atomic by each of %u cpus every T us (%s): mean cost\n", m->nr_cpus,
	       spec);
	for (uint32_t i = 0; i < sizeof(think_us) / sizeof(*think_us); i++) {
		struct memory *mem = memory_new(arena, m, 1);
		uint32_t line = memory_lines(mem, memory_class(mem, "hot"), 1);
		uint64_t ns = hammered_ns(mem, line, m->nr_cpus, think_us[i] * 1000);

		printf("  T %3u us  %6u ns  %6u cycles\n", (unsigned int)think_us[i],
		       (unsigned int)ns, (unsigned int)(ns * machine_cost(m, COST_cpu) / 1000));
	}
}

int main(void)
{
	struct arena arena;
	struct err err = { 0 };
	struct bench b = { 0 };
	struct machine *m;

	arena_init(&arena);
	m = machine_read(&arena, "4x24x2", &err);
	CHECK(m);
	b.nr_cpus = m->nr_cpus;
	b.mem = memory_new(&arena, m, m->nr_cpus * LINES_PER_CPU + 16);
	b.lines = memory_lines(b.mem, memory_class(b.mem, "own"), m->nr_cpus * LINES_PER_CPU);
	b.shared = memory_lines(b.mem, memory_class(b.mem, "shared"), 16);
	for (uint32_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		uint64_t best = UINT64_MAX;

		for (uint32_t round = 0; round < ROUNDS; round++) {
			uint64_t start = now_ns(), took;

			row[i].run(&b);
			took = now_ns() - start;
			best = took < best ? took : best;
		}
		printf("%-36s %6.2f ns\n", row[i].what, (double)best / ACCESSES);
	}
	print_hammered(&arena, "2x120x2");
	printf("(sum %llu)\n", (unsigned long long)b.sum);
	arena_release(&arena);
	return 0;
}
