/* SPDX-License-Identifier: GPL-2.0-only */
#include "program/random.h"

#include "base/hash.h"
#include "base/random.h"
#include "program/build.h"
#include "program/untimed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct program_set *make(struct arena *arena, uint64_t seed, uint32_t max_tasks, bool plain)
{
	struct program_random limits = { .seed = seed,
					 .max_tasks = max_tasks,
					 .max_loops = 12,
					 .max_ns = 1000000,
					 .plain = plain };
	struct cpuset cpus = cpuset_new(arena, 8);

	cpuset_add(&cpus, 1);
	cpuset_add(&cpus, 4);
	cpuset_add(&cpus, 7);
	return program_random(arena, &cpus, &limits);
}

static uint64_t first_seed(void)
{
	const char *text = getenv("SEED");

	return text ? strtoull(text, NULL, 10) : 0;
}

static void every_set_ends_in_any_order(void **state)
{
	for (uint64_t seed = first_seed(), end = seed + 3000; seed < end; seed++) {
		struct arena arena;
		struct untimed u;

		arena_init(&arena);
		if (!untimed_run(&u, &arena, make(&arena, seed, 40, false), seed))
			fail_msg("deadlock: SEED=%llu", (unsigned long long)seed);
		assert_int_equal(u.bytes_written, u.bytes_read);
		arena_release(&arena);
	}
}

/* Writes a small or a wild number over one field of an operation, a task or a resource. */
static void damage(struct program_set *set, struct random *r)
{
	uint64_t value = random_below(r, 3) ? random_below(r, 12) : random_next(r);
	struct task_spec *task = &set->task[random_below(r, set->nr_tasks)];
	struct op *op = &set->op[random_below(r, set->nr_ops)];

	switch (random_below(r, 10)) {
	case 0: op->kind = (uint8_t)random_below(r, NR_OPS + 2); break;
	case 1: op->resource = (uint32_t)value; break;
	case 2: op->a = value; break;
	case 3: op->b = value; break;
	case 4: op->by_loop = (uint8_t)value; break;
	case 5: op->by_base ^= 1; break;
	case 6: task->base = (uint32_t)value; break;
	case 7: task->program = (uint32_t)value; break;
	case 8: task->at_start ^= 1; break;
	default:
		if (set->nr_resources)
			set->resource[random_below(r, set->nr_resources)].kind = (uint32_t)value;
		break;
	}
}

static void damaged_sets_are_refused_or_run_within_bounds(void **state)
{
	uint32_t refused = 0;

	for (uint64_t seed = first_seed(), end = seed + 4000; seed < end; seed++) {
		struct random r = random_stream(seed, RANDOM_TEST, 2);
		struct program_set *set;
		struct arena arena;
		struct untimed u;

		arena_init(&arena);
		set = make(&arena, seed, 20, false);
		damage(set, &r);
		damage(set, &r);
		if (program_check(set, NULL))
			untimed_run(&u, &arena, set, seed);
		else
			refused++;
		arena_release(&arena);
	}
	assert_in_range(refused, 1000, 3900);
}

static void sets_stay_within_their_limits(void **state)
{
	for (uint64_t seed = 0; seed < 500; seed++) {
		uint32_t most = 2 + (uint32_t)seed % 100;
		struct program_set *set;
		struct arena arena;

		arena_init(&arena);
		set = make(&arena, seed, most, false);
		assert_in_range(set->nr_tasks, 1, most);
		if (most > 50)
			assert_in_range(set->nr_tasks, most - 9, most);
		arena_release(&arena);
	}
}

static uint64_t hash_of(uint64_t seed)
{
	struct program_set *set;
	uint64_t hash = HASH_START;
	struct arena arena;

	arena_init(&arena);
	set = make(&arena, seed, 60, false);
	for (uint32_t i = 0; i < set->nr_ops; i++) {
		hash = hash_u64(hash, set->op[i].kind);
		hash = hash_u64(hash, set->op[i].a);
	}
	hash = hash_u64(hash, set->nr_tasks);
	arena_release(&arena);
	return hash;
}

static void a_seed_gives_one_set_and_another_seed_another(void **state)
{
	for (uint64_t seed = 0; seed < 50; seed++) {
		assert_int_equal(hash_of(seed), hash_of(seed));
		assert_int_not_equal(hash_of(seed), hash_of(seed + 1));
	}
}

static void all_operations_occur(void **state)
{
	bool seen[NR_OPS] = { false };

	for (uint64_t seed = 0; seed < 200; seed++) {
		struct program_set *set;
		struct arena arena;

		arena_init(&arena);
		set = make(&arena, seed, 60, false);
		for (uint32_t i = 0; i < set->nr_ops; i++)
			seen[set->op[i].kind] = true;
		arena_release(&arena);
	}
	for (uint32_t kind = 0; kind < NR_OPS; kind++)
		if (kind != OP_MARK && !seen[kind])
			fail_msg("%s never occurs", op_name(kind));
}

static void plain_sets_leave_affinity_and_nice_alone(void **state)
{
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct program_set *set;
		struct arena arena;

		arena_init(&arena);
		set = make(&arena, seed, 60, true);
		for (uint32_t i = 0; i < set->nr_ops; i++) {
			assert_int_not_equal(set->op[i].kind, OP_AFFINITY);
			assert_int_not_equal(set->op[i].kind, OP_NICE);
		}
		for (uint32_t i = 0; i < set->nr_tasks; i++) {
			assert_int_equal(set->task[i].nice, 0);
			assert_int_equal(set->task[i].set, 0);
		}
		arena_release(&arena);
	}
}

/* The executor above must be able to find a deadlock, or the first test says nothing. */
static void the_untimed_executor_sees_a_deadlock(void **state)
{
	struct program_builder *b;
	struct program_set *set;
	struct arena arena;
	struct cpuset cpus;
	struct untimed u;

	arena_init(&arena);
	cpus = cpuset_new(&arena, 1);
	cpuset_add(&cpus, 0);
	b = program_builder_new(&arena, &cpus);
	program_resource(b, RESOURCE_PIPE, 65536, 1);
	program_begin(b, "starved");
	program_op(b, (struct op){ .kind = OP_READ, .a = 1 });
	program_op(b, (struct op){ .kind = OP_EXIT });
	program_task(b, (struct task_spec){ .at_start = true });
	set = program_finish(b, NULL);
	assert_non_null(set);
	assert_false(untimed_run(&u, &arena, set, 1));
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_set_ends_in_any_order),
		cmocka_unit_test(damaged_sets_are_refused_or_run_within_bounds),
		cmocka_unit_test(sets_stay_within_their_limits),
		cmocka_unit_test(a_seed_gives_one_set_and_another_seed_another),
		cmocka_unit_test(all_operations_occur),
		cmocka_unit_test(plain_sets_leave_affinity_and_nice_alone),
		cmocka_unit_test(the_untimed_executor_sees_a_deadlock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
