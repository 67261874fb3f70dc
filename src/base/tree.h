/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A balanced tree of the elements of a flat array, linked by index: for timelines.
 *
 * The node of element i is node[i]; the caller sets its `key` and `value` and must not change them
 * while it is in a tree. Keys are virtual times: they wrap and compare by signed difference, so all
 * keys of one tree lie within 2^63. Equal keys keep the order of insertion. Every node carries the
 * least `value` of its subtree, which finds the first element whose value is within a limit.
 *
 * Balance comes from a fixed priority of each index, so the shape depends on content and order of
 * insertion alone. Expected depth is logarithmic for any order of keys. Nothing allocates.
 */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include "base/fixed.h"

#define TREE_NONE UINT32_MAX

struct tree_node {
	uint64_t key, value;
	uint64_t least; /* of `value` in this subtree */
	uint32_t parent, left, right;
};

struct tree {
	uint32_t root, first; /* TREE_NONE when empty */
};

static inline struct tree tree_empty(void)
{
	return (struct tree){ TREE_NONE, TREE_NONE };
}

static inline bool tree_is_empty(const struct tree *tree)
{
	return tree->root == TREE_NONE;
}

/* `at` must not be in any tree. */
void tree_insert(struct tree *tree, struct tree_node *node, uint32_t at);
/* `at` must be in this tree. */
void tree_remove(struct tree *tree, struct tree_node *node, uint32_t at);
/* The element after `at` in the order of keys, or TREE_NONE. */
uint32_t tree_next(const struct tree_node *node, uint32_t at);
/* The first in the order of keys whose value is not after `limit`, or TREE_NONE. */
uint32_t tree_first_within(const struct tree *tree, const struct tree_node *node, uint64_t limit);

/* Order, heap, links and least values hold; *count is the number of elements. */
bool tree_check(const struct tree *tree, const struct tree_node *node, uint32_t *count);

#endif
