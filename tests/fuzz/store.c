/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results files. Bytes that begin as SQLite files do are opened as one; others are the text of a
 * result.
 */
#include "fuzz.h"

#include "store/store.h"

static const struct stored_metric one_metric = { "hackbench.time", "s", "lower", 1.5 };
static const struct stored_job job = { { 1, 2 }, "m", "v5.12", "base", "hackbench", 3 };

static void check_result(const struct stored_result *result)
{
	CHECK(result->nr_metrics <= STORE_MAX_METRICS);
	for (uint32_t i = 0; i < result->nr_metrics; i++)
		CHECK(result->metric[i].name && result->metric[i].unit && result->metric[i].better);
}

static void open_file(struct arena *arena, const uint8_t *data, size_t size)
{
	char folder[40], path[80], beside[100];
	static const char *const endings[] = { "", "-wal", "-shm", "-journal" };
	struct stored_result result = { 7, 1, &one_metric };
	struct err err = { 0 };
	struct store *store;
	FILE *out;

	fuzz_folder(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/r.db", folder);
	out = fopen(path, "wb");
	CHECK(out && fwrite(data, 1, size, out) == size && fclose(out) == 0);
	store = store_open(path, &err);
	fuzz_answer(store != NULL, &err);
	if (store) {
		struct stored_result found;
		bool put = store_put(store, &job, &result, &err);

		fuzz_answer(put, &err);
		if (store_get(store, job.key, arena, &found))
			check_result(&found);
	}
	store_close(store);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		snprintf(beside, sizeof(beside), "%s%s", path, endings[i]);
		unlink(beside);
	}
	CHECK(!rmdir(folder));
}

static void read_text(struct arena *arena, const uint8_t *data, size_t size)
{
	struct stored_result result;
	size_t length;
	char *text;
	FILE *out;

	if (!stored_result_parse(arena, fuzz_text(arena, data, size), &result))
		return;
	check_result(&result);
	out = open_memstream(&text, &length);
	CHECK(out);
	stored_result_print(&result, out);
	fclose(out);
	CHECK(stored_result_parse(arena, text, &result));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;

	arena_init(&arena);
	if (size >= 6 && !memcmp(data, "SQLite", 6))
		open_file(&arena, data, size);
	else
		read_text(&arena, data, size);
	arena_release(&arena);
	return 0;
}
