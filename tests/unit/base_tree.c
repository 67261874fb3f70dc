/* SPDX-License-Identifier: GPL-2.0-only */
/* The tree against a sorted array, over random insertions and removals; depth; wrapping keys. */
#include "base/random.h"
#include "base/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MANY = 300, STEPS = 20000 };

/* Slow and plainly right: indexes in order of key, equal ones in order of insertion. */
struct model {
	uint32_t at[MANY], count;
};

static void model_insert(struct model *m, const struct tree_node *node, uint32_t at)
{
	uint32_t i = m->count++;

	for (; i > 0 && vns_before(node[at].key, node[m->at[i - 1]].key); i--)
		m->at[i] = m->at[i - 1];
	m->at[i] = at;
}

static void model_remove(struct model *m, uint32_t at)
{
	uint32_t i = 0;

	while (m->at[i] != at)
		i++;
	for (m->count--; i < m->count; i++)
		m->at[i] = m->at[i + 1];
}

static uint32_t model_first_within(const struct model *m, const struct tree_node *node,
				   uint64_t limit)
{
	for (uint32_t i = 0; i < m->count; i++)
		if (!vns_before(limit, node[m->at[i]].value))
			return m->at[i];
	return TREE_NONE;
}

static void compare(const struct tree *tree, const struct tree_node *node, const struct model *m,
		    uint64_t limit)
{
	uint32_t count, i = 0;

	assert_true(tree_check(tree, node, &count));
	assert_int_equal(count, m->count);
	for (uint32_t at = tree->first; at != TREE_NONE; at = tree_next(node, at))
		assert_int_equal(at, m->at[i++]);
	assert_int_equal(tree_first_within(tree, node, limit), model_first_within(m, node, limit));
}

static void random_steps(uint64_t base, uint64_t spread)
{
	struct random r = random_stream(base, RANDOM_TEST, spread);
	struct tree_node node[MANY];
	bool is_in[MANY] = { false };
	struct tree tree = tree_empty();
	struct model model = { .count = 0 };

	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t at = (uint32_t)random_below(&r, MANY);

		if (is_in[at]) {
			tree_remove(&tree, node, at);
			model_remove(&model, at);
		} else {
			node[at].key = base + random_below(&r, spread);
			node[at].value = base + random_below(&r, spread);
			tree_insert(&tree, node, at);
			model_insert(&model, node, at);
		}
		is_in[at] = !is_in[at];
		if (step % 16 == 0)
			compare(&tree, node, &model, base + random_below(&r, spread));
	}
}

static void holds_what_a_sorted_list_holds(void **state)
{
	random_steps(0, 1000000);
}

static void keeps_equal_keys_in_order_of_insertion(void **state)
{
	random_steps(1000, 5);
}

static void keys_may_wrap(void **state)
{
	random_steps((uint64_t)-5000, 10000);
}

static void an_empty_tree_has_nothing(void **state)
{
	struct tree tree = tree_empty();
	struct tree_node node[1] = { { .key = 1, .value = 1 } };
	uint32_t count;

	assert_true(tree_is_empty(&tree));
	assert_int_equal(tree_first_within(&tree, node, 5), TREE_NONE);
	tree_insert(&tree, node, 0);
	assert_false(tree_is_empty(&tree));
	tree_remove(&tree, node, 0);
	assert_true(tree_is_empty(&tree));
	assert_int_equal(tree.first, TREE_NONE);
	assert_true(tree_check(&tree, node, &count));
	assert_int_equal(count, 0);
}

static void ascending_keys_do_not_make_a_list(void **state)
{
	enum { COUNT = 4096 };
	static struct tree_node node[COUNT];
	struct tree tree = tree_empty();
	uint32_t deepest = 0;

	for (uint32_t at = 0; at < COUNT; at++) {
		node[at].key = node[at].value = at;
		tree_insert(&tree, node, at);
	}
	for (uint32_t at = 0; at < COUNT; at++) {
		uint32_t depth = 0;

		for (uint32_t up = at; up != TREE_NONE; up = node[up].parent)
			depth++;
		deepest = depth > deepest ? depth : deepest;
	}
	assert_in_range(deepest, 12, 48);
}

static void the_checker_sees_a_wrong_least_value(void **state)
{
	struct tree_node node[3] = { { .key = 1, .value = 1 },
				     { .key = 2, .value = 2 },
				     { .key = 3, .value = 3 } };
	struct tree tree = tree_empty();
	uint32_t count;

	for (uint32_t at = 0; at < 3; at++)
		tree_insert(&tree, node, at);
	assert_true(tree_check(&tree, node, &count));
	node[tree.root].least++;
	assert_false(tree_check(&tree, node, &count));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_what_a_sorted_list_holds),
		cmocka_unit_test(keeps_equal_keys_in_order_of_insertion),
		cmocka_unit_test(keys_may_wrap),
		cmocka_unit_test(an_empty_tree_has_nothing),
		cmocka_unit_test(ascending_keys_do_not_make_a_list),
		cmocka_unit_test(the_checker_sees_a_wrong_least_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
