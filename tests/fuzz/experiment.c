/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Experiment files and the published tables they name. The input holds both, apart by a line "==":
 * the table is found as "p.json".
 */
#include "fuzz.h"

#include "lab/experiment.h"
#include "lab/published.h"

#include <sys/stat.h>

static void write_file(const char *path, const uint8_t *data, size_t size)
{
	FILE *out = fopen(path, "wb");

	CHECK(out && fwrite(data, 1, size, out) == size && fclose(out) == 0);
}

static void check_experiment(const struct experiment *e)
{
	CHECK(e->machine && e->nr_words && e->nr_words <= EXPERIMENT_MAX_WORDS);
	CHECK(e->nr_seeds <= EXPERIMENT_MAX_SEEDS); /* 0: none given */
	CHECK(e->nr_variants && e->nr_variants <= EXPERIMENT_MAX_VARIANTS);
	for (uint32_t i = 0; i < e->nr_variants; i++)
		CHECK(e->variant[i]);
	for (uint32_t i = 0; i < e->nr_sets; i++)
		CHECK(e->set[i]);
	for (uint32_t i = 0; i < e->nr_words; i++)
		CHECK(e->word[i]);
	for (uint32_t i = 0; i < e->nr_metrics; i++)
		CHECK(e->metric[i]);
	CHECK(!e->published || (e->published->title && e->published->nr_rows));
	for (uint32_t i = 0; e->published && i < e->published->nr_rows; i++) {
		const struct published_row *row = &e->published->row[i];

		CHECK(!row->key == !row->value);
		CHECK(published_find(e->published, row->key, row->value, row->metric));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char folder[40], path[2][120], below[2][80];
	const uint8_t *cut = memmem(data, size, "\n==\n", 4);
	size_t first = cut ? (size_t)(cut - data) : size;
	struct experiment e;
	struct err err = { 0 };
	struct arena arena;
	bool good;

	fuzz_folder(folder, sizeof(folder));
	snprintf(below[0], sizeof(below[0]), "%s/experiments", folder);
	snprintf(below[1], sizeof(below[1]), "%s/published", folder);
	snprintf(path[0], sizeof(path[0]), "%s/e.json", below[0]);
	snprintf(path[1], sizeof(path[1]), "%s/p.json", below[1]);
	CHECK(!mkdir(below[0], 0700) && !mkdir(below[1], 0700));
	write_file(path[0], data, first);
	write_file(path[1], cut ? cut + 4 : data, cut ? size - first - 4 : 0);
	arena_init(&arena);
	good = experiment_read(&e, &arena, path[0], &err);
	fuzz_answer(good, &err);
	if (good)
		check_experiment(&e);
	arena_release(&arena);
	for (int i = 0; i < 2; i++)
		CHECK(!unlink(path[i]) && !rmdir(below[i]));
	CHECK(!rmdir(folder));
	return 0;
}
