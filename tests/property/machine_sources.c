/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whatever a machine was read from (dumps of real kernels, presets, this host, synthetic strings,
 * exports, grids), written as JSON it is read as the same record; and where it has a synthetic
 * form, that is read as the same units.
 */
#include "../support/oracle_sysfs.h"
#include "../unit/machine_helpers.h"
#include "machine/file.h"

#include <dirent.h>

/* hwloc's time grows with the cube of a level's width. */
enum { SYNTHETIC_CPUS = 256 };

static uint32_t nr_synthetic;

static void survives(const char *name, const struct machine *m)
{
	struct err err = { 0 };
	const char *text;

	survives_json(name, m);
	if (m->nr_cpus > SYNTHETIC_CPUS)
		return;
	text = machine_to_synthetic(&arena, m, &err);
	if (!text && strncmp(err.what, "no synthetic form: ", 19))
		fail_msg("%s: %s", name, err.what);
	if (!text)
		return;
	struct machine *again = must_read(text);

	assert_int_equal(m->nr_cpus, again->nr_cpus);
	cpuset_for_each (cpu, &m->present)
		assert_memory_equal(&m->cpu[cpu], &again->cpu[cpu], sizeof(m->cpu[cpu]));
	nr_synthetic++;
}

static void survives_block(const char *name, char *block)
{
	const char *path = arena_printf(&arena, "/tmp/schedlab-sources-%d.txt", (int)getpid());
	FILE *out = fopen(path, "w");
	struct machine *m;

	assert_non_null(out);
	oracle_unfold(out, &arena, block);
	fclose(out);
	m = must_read(path);
	remove(path);
	survives(name, m);
}

static void kernel_dumps(const char *kernel, uint32_t at_least)
{
	struct err err = { 0 };
	struct arena held;
	uint32_t nr = 0;
	size_t size;
	char *text;

	arena_init(&held);
	text = file_read(&held, data(arena_printf(&arena, "../oracle/%s.txt", kernel)), &size,
			 &err);

	assert_non_null(text);
	for (char *at = text, *end; (at = strstr(at, "\nsysfs\n")); at = end + 3) {
		at += strlen("\nsysfs\n");
		end = strstr(at, "\n.\n");
		assert_non_null(end);
		*end = '\0';
		survives_block(arena_printf(&arena, "%s, dump %u", kernel, nr), at);
		arena_release(&arena);
		nr++;
	}
	arena_release(&held);
	print_message("%u dumps of %s\n", nr, kernel);
	assert_true(nr >= at_least);
}

static void dumps_of_real_kernels_survive(void **state)
{
	kernel_dumps("6.1", 20);
	kernel_dumps("6.12", 60);
	kernel_dumps("7.2", 40);
}

/* Every file of a folder that ends so; returns how many. */
static uint32_t folder(const char *path, const char *ending)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	uint32_t nr = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		const char *file = arena_printf(&arena, "%s/%s", path, entry->d_name);
		size_t length = strlen(file);
		struct err err = { 0 };
		struct machine *m;

		if (length < strlen(ending) || strcmp(file + length - strlen(ending), ending))
			continue;
		m = machine_read(&arena, file, &err);
		if (m)
			survives(file, m);
		nr += m != NULL;
	}
	closedir(dir);
	return nr;
}

static void files_survive(void **state)
{
	assert_true(folder(data(""), ".txt") >= 6);
	assert_true(folder(data("../../fuzz/corpus/machine_hwloc"), ".xml") >= 2);
	assert_true(folder(data("../../fuzz/corpus/machine_json"), ".json") >= 5);
}

static void presets_and_this_host_survive(void **state)
{
	for (uint32_t i = 0; i < machine_nr_presets(); i++)
		survives(machine_preset_name(i), must_read(machine_preset_name(i)));
	survives("host", must_read("host"));
}

static void strings_survive(void **state)
{
	static const char *const specs[] = {
		"4x24x2",
		"8x16x2/ring",
		"6x1x1/line",
		"1x1x1",
		"pack:2 numa:2 l3:2 core:4 pu:2",
		"pack:2 die:2 numa:1 l3:1 l2:2 core:4 pu:1",
		"numa:2 core:24 pu:2",
		"pack:1 l3:1 numa:2 core:2 pu:2",
		"pack:1 core:3 pu:2(indexes=0,3,1,4,2,5)",
		"pack:2 [numa] core:2 pu:2",
	};
	uint32_t before = nr_synthetic;

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		survives(specs[i], must_read(specs[i]));
	assert_int_equal(nr_synthetic - before, 8); /* all but ring and line */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(dumps_of_real_kernels_survive),
		FACT(files_survive),
		FACT(presets_and_this_host_survive),
		FACT(strings_survive),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	print_message("%u machines had a synthetic form\n", nr_synthetic);
	return failed;
}
