/* SPDX-License-Identifier: GPL-2.0-only */
/* The rules R1 … R12 of memory.c, one by one. Costs are those of memory_machine.h. */
#include "memory/memory.h"
#include "memory_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CLUSTER_NS = 20, LLC_NS = 40, NODE_NS = 90, NEAR_NS = 130, FAR_NS = 200 };
enum { AGED_NS = 11, HOLD_NS = 5, L2_KIB = 512 };
enum { LATER = 1000000 }; /* long after all that was before */

struct fixture {
	struct arena arena;
	struct machine *machine;
	struct memory *mem;
	uint32_t line, class;
};

/* 3 nodes x 2 LLCs x 2 clusters x 2 cores x 2 threads = 48 cpus: cpu 0 and 1 a core, 0-3 a
 * cluster, 0-7 an LLC, 0-15 a node; nodes 20, 20 and 30 apart. */
static int setup(void **state)
{
	static struct fixture f;

	arena_init(&f.arena);
	f.machine = machine_by_hand(&f.arena, (struct shape){ 3, 2, 2, 2, 2 });
	f.mem = memory_new(&f.arena, f.machine, 1000);
	f.class = memory_class(f.mem, "test");
	f.line = memory_lines(f.mem, f.class, 10);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	arena_release(&f->arena);
	return 0;
}

static void first_touch_is_free(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(memory_writer(f->mem, f->line), CPU_NONE);
	assert_false(memory_holds(f->mem, 0, f->line));
	assert_int_equal(memory_read(f->mem, 5, f->line, 0), 0);
	assert_int_equal(memory_write(f->mem, 5, f->line + 1, 0), 0);
	assert_int_equal(memory_writer(f->mem, f->line), CPU_NONE);
	assert_int_equal(memory_writer(f->mem, f->line + 1), 2);
	assert_true(memory_holds(f->mem, 4, f->line));
}

static void a_holder_hits(void **state)
{
	struct fixture *f = *state;

	memory_write(f->mem, 0, f->line, 0);
	assert_int_equal(memory_read(f->mem, 0, f->line, 1), 0);
	assert_int_equal(memory_read(f->mem, 1, f->line, 2), 0);
	assert_int_equal(memory_write(f->mem, 1, f->line, 3), 0);
	memory_read(f->mem, 2, f->line, LATER);
	assert_int_equal(memory_read(f->mem, 0, f->line, LATER + 1000), 0);
	assert_int_equal(memory_read(f->mem, 3, f->line, LATER + 1000), 0);
}

static void a_read_costs_the_tie_to_the_writer(void **state)
{
	static const struct {
		uint32_t cpu;
		uint64_t ns;
	} row[] = { { 1, 0 },	    { 2, CLUSTER_NS }, { 4, LLC_NS },
		    { 8, NODE_NS }, { 16, NEAR_NS },   { 40, FAR_NS } };
	struct fixture *f = *state;

	for (uint32_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		memory_write(f->mem, 0, f->line + i, 0);
		assert_int_equal(memory_read(f->mem, row[i].cpu, f->line + i, LATER), row[i].ns);
		assert_int_equal(memory_read(f->mem, row[i].cpu, f->line + i, 2 * LATER), 0);
	}
}

static void a_read_comes_from_the_nearest_holder(void **state)
{
	struct fixture *f = *state;

	memory_write(f->mem, 0, f->line, 0);
	assert_int_equal(memory_read(f->mem, 40, f->line, LATER), FAR_NS);
	assert_int_equal(memory_read(f->mem, 20, f->line, 2 * LATER), NEAR_NS);
	assert_int_equal(memory_read(f->mem, 28, f->line, 3 * LATER), NODE_NS);
	assert_int_equal(memory_read(f->mem, 44, f->line, 4 * LATER), LLC_NS);
	assert_int_equal(memory_read(f->mem, 42, f->line, 5 * LATER), CLUSTER_NS);
}

static void a_write_pays_the_farthest_copy(void **state)
{
	struct fixture *f = *state;

	memory_write(f->mem, 0, f->line, 0);
	memory_read(f->mem, 2, f->line, LATER);
	assert_int_equal(memory_write(f->mem, 0, f->line, 2 * LATER), CLUSTER_NS);
	assert_false(memory_holds(f->mem, 2, f->line));
	assert_int_equal(memory_write(f->mem, 0, f->line, 3 * LATER), 0);
	memory_read(f->mem, 2, f->line, 4 * LATER);
	memory_read(f->mem, 8, f->line, 5 * LATER);
	assert_int_equal(memory_write(f->mem, 2, f->line, 6 * LATER), NODE_NS);
	memory_read(f->mem, 16, f->line, 7 * LATER);
	memory_read(f->mem, 40, f->line, 8 * LATER);
	assert_int_equal(memory_write(f->mem, 2, f->line, 9 * LATER), FAR_NS);
	assert_int_equal(memory_writer(f->mem, f->line), 1);
}

static void an_atomic_lasts_the_hold_longer(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(memory_atomic(f->mem, 0, f->line, 0), HOLD_NS);
	assert_int_equal(memory_atomic(f->mem, 0, f->line, LATER), HOLD_NS);
	assert_int_equal(memory_atomic(f->mem, 4, f->line, 2 * LATER), LLC_NS + HOLD_NS);
}

static void a_scan_overlaps_its_transfers(void **state)
{
	struct fixture *f = *state;

	memory_write(f->mem, 0, f->line, 0);
	assert_int_equal(memory_read_scan(f->mem, 4, f->line, LATER), 14); /* 40 / 3 rounded up */
	memory_pass(f->mem, 4, L2_KIB + 1);
	assert_int_equal(memory_read_scan(f->mem, 4, f->line, 2 * LATER), 4); /* 11 / 3 */
	assert_int_equal(memory_read_scan(f->mem, 4, f->line, 2 * LATER), 0);
}

static void a_hammered_line_serves_one_after_another(void **state)
{
	struct fixture *f = *state;
	uint64_t service = LLC_NS + HOLD_NS;

	memory_atomic(f->mem, 0, f->line, 0);
	for (uint32_t i = 1; i < 40; i++)
		assert_int_equal(memory_atomic(f->mem, i % 2 ? 4 : 0, f->line, LATER), i * service);
	assert_int_equal(memory_class_counts(f->mem, f->class)->busy_wait_ns,
			 service * (38 * 39 / 2));
}

static void a_request_within_an_occupation_waits_for_its_end(void **state)
{
	struct fixture *f = *state;

	memory_write(f->mem, 0, f->line, 0);
	memory_write(f->mem, 4, f->line, LATER);
	assert_int_equal(memory_read(f->mem, 0, f->line, LATER + 10), 30 + LLC_NS);
	assert_int_equal(memory_read(f->mem, 2, f->line, LATER + 30), 50 + CLUSTER_NS);
	assert_int_equal(memory_read(f->mem, 6, f->line, LATER + 80), CLUSTER_NS);
}

static void readers_of_a_shared_line_run_at_once(void **state)
{
	struct fixture *f = *state;

	memory_write(f->mem, 0, f->line, 0);
	assert_int_equal(memory_read(f->mem, 16, f->line, LATER), NEAR_NS);
	assert_int_equal(memory_read(f->mem, 20, f->line, LATER + NEAR_NS), LLC_NS);
	assert_int_equal(memory_read(f->mem, 24, f->line, LATER + NEAR_NS), NODE_NS);
	assert_int_equal(memory_read(f->mem, 28, f->line, LATER + NEAR_NS), LLC_NS);
}

static void a_holder_does_not_wait_for_an_occupation(void **state)
{
	struct fixture *f = *state;

	memory_write(f->mem, 0, f->line, 0);
	memory_atomic(f->mem, 16, f->line, LATER);
	assert_int_equal(memory_read(f->mem, 17, f->line, LATER + 1), 0);
}

static void an_access_does_not_wait_for_the_future(void **state)
{
	struct fixture *f = *state;

	memory_write(f->mem, 0, f->line, 0);
	memory_write(f->mem, 4, f->line, LATER);
	assert_int_equal(memory_write(f->mem, 0, f->line, LATER - 3000), LLC_NS);
	assert_int_equal(memory_write(f->mem, 4, f->line, LATER + 1000), LLC_NS);
}

static void an_atomic_that_hits_keeps_others_waiting(void **state)
{
	struct fixture *f = *state;

	memory_write(f->mem, 0, f->line, 0);
	memory_atomic(f->mem, 0, f->line, LATER);
	assert_int_equal(memory_read(f->mem, 4, f->line, LATER + 1), HOLD_NS - 1 + LLC_NS);
}

static void a_copy_ages_out_of_the_private_cache(void **state)
{
	struct fixture *f = *state;

	memory_write(f->mem, 0, f->line, 0);
	memory_pass(f->mem, 0, L2_KIB);
	assert_int_equal(memory_read(f->mem, 0, f->line, 1), 0);
	memory_pass(f->mem, 1, L2_KIB);
	memory_pass(f->mem, 0, 1);
	assert_int_equal(memory_read(f->mem, 0, f->line, 2), AGED_NS);
	assert_int_equal(memory_read(f->mem, 0, f->line, 3), 0);
	memory_pass(f->mem, 0, UINT64_MAX);
	assert_int_equal(memory_write(f->mem, 0, f->line, 4), AGED_NS);
	memory_pass(f->mem, 2, 10000);
	assert_int_equal(memory_write(f->mem, 0, f->line, 5), 0);
	assert_int_equal(memory_class_counts(f->mem, f->class)->aged, 2);
}

static void an_aged_copy_is_fetched_while_others_are_invalidated(void **state)
{
	struct fixture *f = *state;

	f->machine->costs.of[COST_line_l2].value = 30;
	f->mem = memory_new(&f->arena, f->machine, 10);
	f->line = memory_lines(f->mem, memory_class(f->mem, "test"), 1);
	memory_write(f->mem, 0, f->line, 0);
	memory_read(f->mem, 2, f->line, LATER);
	memory_pass(f->mem, 0, L2_KIB + 1);
	assert_int_equal(memory_write(f->mem, 0, f->line, 2 * LATER), 30);
}

static void a_lock_is_granted_at_the_release(void **state)
{
	struct fixture *f = *state;
	const struct memory_counts *counts = memory_class_counts(f->mem, f->class);

	assert_int_equal(memory_lock(f->mem, 0, f->line, LATER), HOLD_NS);
	assert_int_equal(memory_unlock(f->mem, 0, f->line, LATER + 500), 0);
	assert_int_equal(memory_lock_free_at(f->mem, f->line), LATER + 500);
	assert_int_equal(memory_lock(f->mem, 4, f->line, LATER + 100), 400 + LLC_NS + HOLD_NS);
	memory_unlock(f->mem, 4, f->line, LATER + 900);
	assert_int_equal(memory_lock(f->mem, 1, f->line, LATER + 850), 50 + LLC_NS + HOLD_NS);
	memory_unlock(f->mem, 1, f->line, LATER + 1000);
	assert_int_equal(memory_lock(f->mem, 0, f->line, LATER + 1000), HOLD_NS);
	memory_unlock(f->mem, 0, f->line, LATER + 1005);
	assert_int_equal(counts->locks, 4);
	assert_int_equal(counts->lock_waits, 2);
	assert_int_equal(counts->lock_wait_ns, 450);
	assert_int_equal(counts->atomics, 4);
}

static void a_lock_does_not_wait_for_the_future(void **state)
{
	struct fixture *f = *state;

	memory_lock(f->mem, 0, f->line, LATER);
	memory_unlock(f->mem, 0, f->line, LATER + 1000);
	assert_int_equal(memory_lock(f->mem, 0, f->line, LATER - 3000), HOLD_NS);
	memory_unlock(f->mem, 0, f->line, LATER - 2000);
	assert_int_equal(memory_lock_free_at(f->mem, f->line), LATER + 1000);
}

static void a_release_pays_for_readers_of_the_lock(void **state)
{
	struct fixture *f = *state;

	memory_lock(f->mem, 0, f->line, LATER);
	memory_read(f->mem, 16, f->line, LATER + 200);
	assert_int_equal(memory_unlock(f->mem, 0, f->line, LATER + 500), NEAR_NS);
	assert_int_equal(memory_lock_free_at(f->mem, f->line), LATER + 500 + NEAR_NS);
}

static void classes_count_apart(void **state)
{
	struct fixture *f = *state;
	uint32_t other = memory_class(f->mem, "other"), line = memory_lines(f->mem, other, 1);
	const struct memory_counts *counts = memory_class_counts(f->mem, other);

	assert_int_equal(memory_class(f->mem, "test"), f->class);
	assert_int_equal(memory_nr_classes(f->mem), 2);
	assert_string_equal(memory_class_name(f->mem, other), "other");
	memory_read(f->mem, 0, f->line, 0);
	assert_int_equal(counts->reads, 0);
	memory_read(f->mem, 0, line, 0);
	memory_write(f->mem, 4, line, LATER);
	memory_atomic(f->mem, 40, line, 2 * LATER);
	memory_read_scan(f->mem, 44, line, 3 * LATER);
	assert_int_equal(counts->reads, 2);
	assert_int_equal(counts->writes, 1);
	assert_int_equal(counts->atomics, 1);
	assert_int_equal(counts->misses[TIE_LLC], 2);
	assert_int_equal(counts->misses[TIE_REMOTE], 1);
	assert_int_equal(counts->transfer_ns, LLC_NS + FAR_NS + 14);
}

static void four_thousand_cores_share_a_line(void **state)
{
	struct fixture *f = *state;
	struct machine *m = machine_by_hand(&f->arena, (struct shape){ 3, 32, 1, 80, 1 });
	struct memory *mem = memory_new(&f->arena, m, 4);
	uint32_t line = memory_lines(mem, memory_class(mem, "test"), 4);

	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		memory_read(mem, cpu, line, cpu * 1000);
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		assert_true(memory_holds(mem, cpu, line));
	assert_int_equal(memory_write(mem, 0, line, 1ull << 40), FAR_NS);
	for (uint32_t cpu = 1; cpu < m->nr_cpus; cpu++)
		assert_false(memory_holds(mem, cpu, line));
	assert_int_equal(memory_read(mem, m->nr_cpus - 1, line, 1ull << 41), FAR_NS);
	assert_int_equal(memory_read(mem, m->nr_cpus / 2, line, 1ull << 42), NEAR_NS);
}

int main(void)
{
#define FACT(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		FACT(first_touch_is_free),
		FACT(a_holder_hits),
		FACT(a_read_costs_the_tie_to_the_writer),
		FACT(a_read_comes_from_the_nearest_holder),
		FACT(a_write_pays_the_farthest_copy),
		FACT(an_atomic_lasts_the_hold_longer),
		FACT(a_scan_overlaps_its_transfers),
		FACT(a_hammered_line_serves_one_after_another),
		FACT(a_request_within_an_occupation_waits_for_its_end),
		FACT(readers_of_a_shared_line_run_at_once),
		FACT(a_holder_does_not_wait_for_an_occupation),
		FACT(an_access_does_not_wait_for_the_future),
		FACT(an_atomic_that_hits_keeps_others_waiting),
		FACT(a_copy_ages_out_of_the_private_cache),
		FACT(an_aged_copy_is_fetched_while_others_are_invalidated),
		FACT(a_lock_is_granted_at_the_release),
		FACT(a_lock_does_not_wait_for_the_future),
		FACT(a_release_pays_for_readers_of_the_lock),
		FACT(classes_count_apart),
		FACT(four_thousand_cores_share_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
