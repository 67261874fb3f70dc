/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of machines share: reading that must succeed or must fail. */
#ifndef TESTS_MACHINE_HELPERS_H
#define TESTS_MACHINE_HELPERS_H

#include "machine/json_read.h"
#include "machine/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct arena arena;

static inline int setup(void **state)
{
	arena_init(&arena);
	return 0;
}

static inline int teardown(void **state)
{
	arena_release(&arena);
	return 0;
}

#define FACT(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static inline struct machine *must_read(const char *spec)
{
	struct err err = { 0 };
	struct machine *m = machine_read(&arena, spec, &err);
	char text[700];

	err_print(&err, text, sizeof(text));
	if (!m)
		fail_msg("%s: %s", spec, text);
	return m;
}

/* The printed error of a spec that must be refused; it contains `words`. */
static inline const char *must_refuse(const char *spec, const char *words)
{
	struct err err = { 0 };
	char *text = arena_alloc(&arena, 700, 1, 1);

	if (machine_read(&arena, spec, &err))
		fail_msg("%s was read", spec);
	assert_true(err.set);
	err_print(&err, text, 700);
	if (!strstr(text, words))
		fail_msg("%s: '%s' lacks '%s'", spec, text, words);
	return text;
}

static inline bool assumes(const struct machine *m, const char *words)
{
	for (uint32_t i = 0; i < m->nr_assumed; i++)
		if (strstr(m->assumed[i], words))
			return true;
	return false;
}

/* Written as JSON and read back it is the same record, to the last word. */
static inline void survives_json(const char *name, const struct machine *m)
{
	struct err err = { 0 };
	const char *text = machine_to_json(&arena, m);
	struct machine *again = json_read_machine(&arena, name, name, text, strlen(text), &err);

	if (!again)
		fail_msg("%s: %d:%d: %s", name, err.line, err.column, err.what);
	if (strcmp(text, machine_to_json(&arena, again)))
		fail_msg("%s: not the same text", name);
	assert_int_equal(m->nr_cpus, again->nr_cpus);
	assert_int_equal(m->nr_nodes, again->nr_nodes);
	assert_true(m->has_clusters == again->has_clusters);
	assert_true(cpuset_equal(&m->present, &again->present));
	assert_true(cpuset_equal(&m->online, &again->online));
	assert_true(cpuset_equal(&m->nodes, &again->nodes));
	assert_memory_equal(m->cpu, again->cpu, m->nr_cpus * sizeof(*m->cpu));
	cpuset_for_each (from, &m->nodes)
		cpuset_for_each (to, &m->nodes)
			assert_int_equal(machine_distance(m, from, to),
					 machine_distance(again, from, to));
	for (int i = 0; i < NR_COSTS; i++) {
		assert_int_equal(m->costs.of[i].value, again->costs.of[i].value);
		assert_string_equal(m->costs.of[i].source, again->costs.of[i].source);
		assert_true(m->costs.of[i].inherited == again->costs.of[i].inherited);
	}
	assert_int_equal(m->nr_assumed, again->nr_assumed);
}

/* A file of the test's own data. */
static inline const char *data(const char *name)
{
	const char *source = getenv("SCHEDLAB_SOURCE");

	return arena_printf(&arena, "%s/tests/data/machines/%s", source ? source : ".", name);
}

/* Writes a file that the test removes; its name has the given ending. */
static inline const char *scratch_file(const char *ending, const char *text, size_t size)
{
	const char *path = arena_printf(&arena, "/tmp/schedlab-test-%d%s", (int)getpid(), ending);
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, size, out), size);
	fclose(out);
	return path;
}

#endif
