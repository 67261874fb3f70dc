/* SPDX-License-Identifier: GPL-2.0-only */
/* Archives of copied /sys trees: how they are packed, what they hold, how they break. */
#include "machine/archive.h"

#include "machine_helpers.h"

enum { BLOCK = 512, ROOM = 1 << 20 };

/* An archive being written. */
static char *tar;
static size_t tar_size;

static void put_header(const char *name, char kind, unsigned size)
{
	char *block = tar + tar_size;
	unsigned sum = 0;

	snprintf(block, 100, "%s", name);
	snprintf(block + 124, 12, "%011o", size);
	block[156] = kind;
	memcpy(block + 257, "ustar\00000", 8);
	memset(block + 148, ' ', 8);
	for (int i = 0; i < BLOCK; i++)
		sum += (unsigned char)block[i];
	snprintf(block + 148, 8, "%06o", sum);
	tar_size += BLOCK;
}

static void put(const char *name, char kind, const char *text)
{
	put_header(name, kind, (unsigned)strlen(text));
	memcpy(tar + tar_size, text, strlen(text));
	tar_size += (strlen(text) + BLOCK - 1) / BLOCK * BLOCK;
}

#define SYSTEM "m/sys/devices/system/"

/* Four cpus in two cores and two nodes. */
static void put_machine_with(const char *cpuinfo)
{
	tar = arena_alloc(&arena, ROOM, 1, 1);
	tar_size = 0;
	put("m/proc/cpuinfo", '0', cpuinfo);
	put(SYSTEM "cpu/online", '0', "0-3\n");
	put(SYSTEM "cpu/cpu0/topology/core_cpus_list", '0', "0-1\n");
	put(SYSTEM "cpu/cpu1/topology/core_cpus_list", '0', "0-1\n");
	put(SYSTEM "cpu/cpu2/topology/core_cpus_list", '0', "2-3\n");
	put(SYSTEM "cpu/cpu3/topology/core_cpus_list", '0', "2-3\n");
	put(SYSTEM "cpu/cpufreq/policy0/base_frequency", '0', "2300000\n");
	put(SYSTEM "node/node0", '5', "");
	put(SYSTEM "node/node0/cpulist", '0', "0-1\n");
	put(SYSTEM "node/node1/cpulist", '0', "2-3\n");
	put(SYSTEM "node/node2", '5', "");
}

static void put_machine(void)
{
	put_machine_with("processor\t: 0\nvendor_id\t: GenuineIntel\n");
}

static const char *written(size_t size)
{
	return scratch_file(".tar", tar, size);
}

static void refuse_tar(size_t size, const char *words)
{
	const char *path = written(size);

	must_refuse(path, words);
	remove(path);
}

static void an_archive_is_read_without_unpacking_it(void **state)
{
	put_machine();
	const char *path = written(tar_size + 2 * BLOCK);
	struct machine *m = must_read(path);

	remove(path);
	assert_int_equal(m->nr_cpus, 4);
	assert_int_equal(m->nr_cores, 2);
	assert_int_equal(cpuset_weight(&m->nodes), 3);
	assert_int_equal(m->cpu[2].node, 1);
	assert_true(cpuset_empty(&m->node_cpus[2]));
	assert_int_equal(machine_cost(m, COST_cpu), 2300);
	assert_string_equal(m->arch, "x86_64");
	assert_false(assumes(m, "architecture"));
}

static void a_zen_has_its_own_reclaim_distance(void **state)
{
	static const struct {
		const char *maker, *family;
		uint32_t distance;
	} rows[] = { { "AuthenticAMD", "23", 32 }, { "AuthenticAMD", "26", 32 },
		     { "HygonGenuine", "24", 32 }, { "AuthenticAMD", "21", 0 },
		     { "GenuineIntel", "25", 0 },  { "AuthenticAMDx", "23", 0 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put_machine_with(arena_printf(&arena,
					      "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %s\n",
					      rows[i].maker, rows[i].family));
		const char *path = written(tar_size + BLOCK);

		assert_int_equal(must_read(path)->reclaim_distance, rows[i].distance);
		remove(path);
	}
}

static void links_and_strange_names_do_nothing(void **state)
{
	put_machine();
	put(SYSTEM "cpu/cpu7", '2', "");
	put_header(SYSTEM "cpu/cpu0/cache", '1', 999999);
	put("../../etc/passwd", '0', "x");
	put("/etc/passwd", '0', "x");
	put("", '0', "x");
	put("dev", '3', "");
	const char *path = written(tar_size + BLOCK);

	assert_int_equal(must_read(path)->nr_cpus, 4);
	remove(path);
}

static void long_names_are_read_in_both_forms(void **state)
{
	char deep[300], record[400];
	const char *path;

	memset(deep, 'd', sizeof(deep));
	snprintf(deep + 150, sizeof(deep) - 150, "/sys/devices/system/cpu/online");
	for (int pax = 0; pax < 2; pax++) {
		tar = arena_alloc(&arena, ROOM, 1, 1);
		tar_size = 0;
		snprintf(record, sizeof(record), "%zu path=%s\n", strlen(deep) + 10, deep);
		if (pax)
			put("header", 'x', record);
		else
			put("././@LongLink", 'L', deep);
		put("short", '0', "0-6\n");
		path = written(tar_size + BLOCK);
		assert_int_equal(must_read(path)->nr_cpus, 7);
		remove(path);
	}
}

static bool has_program(const char *name)
{
	return !system(arena_printf(&arena, "command -v %s >/dev/null", name));
}

static void every_packing_gives_the_same_machine(void **state)
{
	static const struct {
		const char *program, *ending;
	} packings[] = { { "gzip", "gz" }, { "bzip2", "bz2" }, { "xz", "xz" }, { "zstd", "zst" } };
	const char *plain, *packed;
	struct machine *m;

	put_machine();
	plain = written(tar_size + 2 * BLOCK);
	for (size_t i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
		if (!has_program(packings[i].program))
			continue;
		packed = arena_printf(&arena, "%s.%s", plain, packings[i].ending);
		assert_int_equal(system(arena_printf(&arena, "%s -c <%s >%s", packings[i].program,
						     plain, packed)),
				 0);
		m = must_read(packed);
		assert_int_equal(m->nr_cpus, 4);
		assert_int_equal(m->cpu[2].node, 1);
		assert_int_equal(truncate(packed, 150), 0);
		must_refuse(packed, "is a damaged archive");
		remove(packed);
	}
	remove(plain);
}

static void a_missing_program_is_named(void **state)
{
	const char *before = arena_strdup(&arena, getenv("PATH"));

	put_machine();
	const char *path = scratch_file(".tar.gz", tar, tar_size);

	setenv("PATH", "/nonexistent", 1);
	must_refuse(path, "needs the program gzip");
	setenv("PATH", before, 1);
	must_refuse(path, "is a damaged archive");
	remove(path);
}

static void shortened_archives_are_damaged(void **state)
{
	put_machine();
	for (size_t size = 1; size < tar_size; size += 97)
		refuse_tar(size, "is a damaged archive: it ends early");
}

static void damaged_headers_are_refused(void **state)
{
	put_machine();
	tar[3] ^= 1;
	refuse_tar(tar_size + BLOCK, "a member's checksum is wrong");
	put_machine();
	put("sparse", 'S', "");
	refuse_tar(tar_size + BLOCK, "a kind that is not read, 0x53");
	tar = arena_alloc(&arena, ROOM, 1, 1);
	refuse_tar(BLOCK, "holds no devices/system/cpu/");
	refuse_tar(0, "it ends early");
}

static void two_machines_in_one_archive_are_refused(void **state)
{
	put_machine();
	put("n/sys/devices/system/cpu/online", '0', "0-3\n");
	refuse_tar(tar_size + BLOCK, "more than one /sys: m/sys/devices and n/sys/devices");
}

static void a_stream_without_measure_is_refused(void **state)
{
	tar = arena_alloc(&arena, ROOM, 1, 1);
	tar_size = 0;
	put_header("big", '0', 1u << 30);
	const char *path = written(BLOCK);

	assert_int_equal(truncate(path, BLOCK + (1l << 30)), 0);
	must_refuse(path, "unpacks to more than 512 MiB");
	remove(path);
}

static void what_is_no_file_is_refused(void **state)
{
	const char *path = arena_printf(&arena, "/tmp/schedlab-test-%d.tar", (int)getpid());

	must_refuse(path, "cannot be opened");
	assert_int_equal(system(arena_printf(&arena, "mkfifo %s", path)), 0);
	must_refuse(path, "is no regular file");
	remove(path);
	assert_true(archive_is("x.tgz"));
	assert_false(archive_is(".tar"));
	assert_false(archive_is("x.gz"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(an_archive_is_read_without_unpacking_it),
		FACT(a_zen_has_its_own_reclaim_distance),
		FACT(links_and_strange_names_do_nothing),
		FACT(long_names_are_read_in_both_forms),
		FACT(every_packing_gives_the_same_machine),
		FACT(a_missing_program_is_named),
		FACT(shortened_archives_are_damaged),
		FACT(damaged_headers_are_refused),
		FACT(two_machines_in_one_archive_are_refused),
		FACT(a_stream_without_measure_is_refused),
		FACT(what_is_no_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
