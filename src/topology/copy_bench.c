/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each copy is timed alone: fence, counter, copy, counter, fence; the ticks contain the reading of
 * the counter, which is told apart. Cold copies have both tables flushed from the caches before.
 * The highest percent of the samples, where interrupts are, is left out.
 */
#include "topology/copy_bench.h"

#include "base/arena.h"
#include "base/check.h"
#include "stats/sample.h"
#include "text/table.h"
#include "topology/copy_host.h"

#include <stdbool.h>
#include <string.h>

enum { TRIM_PERCENT = 1 };

struct published {
	uint32_t entries;
	double element, block;
};

/* Two sockets of Xeon Platinum 8260 at 2.4 GHz, base 5.19-rc4. */
static const struct published published[] = { { 2, 65.71, 55.00 }, { 4, 516.57, 85.33 } };

struct bench {
	struct arena arena;
	struct copy_level *from, *to;
	double *value;
	uint32_t runs;
};

static void fill_table(struct bench *b, uint32_t entries)
{
	memset(b->from, 0, sizeof(*b->from) * COPY_MAX_ENTRIES);
	memset(b->to, 0, sizeof(*b->to) * COPY_MAX_ENTRIES);
	for (uint32_t i = 0; i + 1 < entries; i++) {
		b->from[i].mask = b->from;
		b->from[i].name = "MC";
		b->from[i].numa_level = (int32_t)i;
	}
}

static uint64_t time_once(struct bench *b, copy_table *copy, uint32_t entries, bool cold)
{
	uint64_t start, end;

	if (cold) {
		copy_flush(b->from, sizeof(*b->from) * entries);
		copy_flush(b->to, sizeof(*b->to) * entries);
	}
	start = copy_counter_start();
	copy(b->to, b->from, entries);
	end = copy_counter_end();
	return end > start ? end - start : 0;
}

static void sort(double *value, uint32_t nr)
{
	uint32_t gap = 1;

	while (gap < nr / 3)
		gap = gap * 3 + 1;
	for (; gap; gap /= 3) {
		for (uint32_t i = gap; i < nr; i++) {
			double moved = value[i];
			uint32_t at = i;

			for (; at >= gap && value[at - gap] > moved; at -= gap)
				value[at] = value[at - gap];
			value[at] = moved;
		}
	}
}

static struct moments time_many(struct bench *b, copy_table *copy, uint32_t entries, bool cold)
{
	uint32_t kept = b->runs - b->runs * TRIM_PERCENT / 100;

	fill_table(b, entries);
	for (uint32_t i = 0; i < 100; i++)
		time_once(b, copy, entries, false);
	for (uint32_t i = 0; i < b->runs; i++)
		b->value[i] = (double)time_once(b, copy, entries, cold);
	CHECK(copy == copy_nothing || !memcmp(b->to, b->from, sizeof(*b->to) * entries));
	sort(b->value, b->runs);
	return sample_moments((struct sample){ b->value, kept });
}

static const struct published *published_for(uint32_t entries)
{
	for (uint32_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		if (published[i].entries == entries)
			return &published[i];
	}
	return NULL;
}

static void moments_cells(struct table *table, struct moments m)
{
	table_cell(table, "%.2f", m.mean);
	table_cell(table, "%.2f", m.sd);
}

static void add_row(struct bench *b, struct table *table, uint32_t entries, bool cold)
{
	struct moments element = time_many(b, copy_elements, entries, cold);
	struct moments strings = time_many(b, copy_elements_by_string, entries, cold);
	struct moments block = time_many(b, copy_block(), entries, cold);
	struct moments words = time_many(b, copy_words, entries, cold);
	const struct published *p = published_for(entries);

	table_cell(table, "%u", entries * (uint32_t)sizeof(struct copy_level));
	table_cell(table, "%s", cold ? "cold" : "warm");
	moments_cells(table, element);
	moments_cells(table, strings);
	moments_cells(table, block);
	moments_cells(table, words);
	table_cell(table, "%.2f", block.mean > 0 ? element.mean / block.mean : 0);
	table_cell(table, "%.2f", block.mean > 0 ? strings.mean / block.mean : 0);
	if (p && !cold)
		table_cell(table, "%.2f -> %.2f (%.2f)", p->element, p->block,
			   p->element / p->block);
	else
		table_cell(table, "-");
}

static struct table *new_table(struct arena *arena)
{
	static const char *const heading[] = { "bytes", "caches", "element",  "sd",    "string",
					       "sd",	"block",  "sd",	      "words", "sd",
					       "el/bl", "st/bl",  "published" };
	struct table *table = table_new(arena);

	for (uint32_t i = 0; i < sizeof(heading) / sizeof(heading[0]); i++)
		table_column(table, heading[i], i == 1 ? TABLE_LEFT : TABLE_RIGHT);
	return table;
}

static void explain(FILE *out)
{
	fprintf(out,
		"\n"
		"element    a test and a 64-byte assignment an entry, as this compiler does it\n"
		"string     the same, each assignment one string move of eight words, as "
		"compilers\n"
		"           tuned otherwise do it\n"
		"block      one copy of the table, terminator included, by %s: memcpy() of 5.19\n"
		"words      one copy by words, four a round: memcpy() since 6.4 on cpus that are "
		"slow\n"
		"           at short string moves\n",
		copy_block_name());
	fputs("published  element -> block (ratio), 2 x Xeon Platinum 8260, base 5.19-rc4; what "
	      "the\n"
	      "           compiler made of it and whether the caches were warm is not told\n"
	      "\n"
	      "Why the ratio: a string move costs tens of cycles to start, whatever its length. "
	      "Where\n"
	      "entries are assigned by string moves, elements pay that once an entry and the "
	      "block\n"
	      "once a table, so st/bl grows with the table. Where they are assigned by plain "
	      "words\n"
	      "nothing is paid, and the block, which also copies the terminator, gains nothing:\n"
	      "el/bl is 1 or less. Cold, all wait for the same lines. Ticks in the hundreds, as\n"
	      "published for 256 bytes by elements, are of cold lines, not of instructions.\n",
	      out);
}

int topology_copy_bench(FILE *out, uint32_t runs)
{
	struct bench b = { .runs = runs };
	struct moments nothing;
	struct table *table;

	CHECK(runs && runs <= COPY_BENCH_MAX_RUNS);
	if (!copy_counter_name()) {
		fputs("topology-copy: this architecture's counter is not read here\n", out);
		return 1;
	}
	arena_init(&b.arena);
	b.from = ARENA_LINES(&b.arena, struct copy_level, COPY_MAX_ENTRIES);
	b.to = ARENA_LINES(&b.arena, struct copy_level, COPY_MAX_ENTRIES);
	b.value = ARENA_ARRAY(&b.arena, double, runs);
	nothing = time_many(&b, copy_nothing, 2, false);
	table = new_table(&b.arena);
	for (uint32_t entries = 2; entries <= COPY_MAX_ENTRIES; entries++)
		add_row(&b, table, entries, false);
	for (uint32_t entries = 2; entries <= COPY_MAX_ENTRIES; entries++)
		add_row(&b, table, entries, true);
	fprintf(out,
		"topology-copy: ticks of %s a copy, mean and sd of %u runs, top %d %% left out\n",
		copy_counter_name(), runs, TRIM_PERCENT);
	fprintf(out,
		"compiler %s, no vector registers; reading the counter alone: %.2f, sd %.2f\n\n",
		__VERSION__, nothing.mean, nothing.sd);
	table_print(table, out, 0);
#ifndef __OPTIMIZE__
	fputs("this program was built without optimisation, which no kernel is\n", out);
#endif
	explain(out);
	arena_release(&b.arena);
	return 0;
}
