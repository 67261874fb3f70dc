/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A treap (Aragon, Seidel 1989): a search tree by key that is a heap by priority. The priority of
 * an index is a bijective mix of its bits, so no two are equal and no random source is needed.
 */
#include "base/tree.h"

#include "base/check.h"

static uint32_t priority(uint32_t at)
{
	at = (at ^ at >> 16) * 0x85ebca6bu;
	at = (at ^ at >> 13) * 0xc2b2ae35u;
	return at ^ at >> 16;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return vns_before(b, a) ? b : a;
}

/* The least value of a node from its own and its children's. */
static uint64_t least_of(const struct tree_node *node, uint32_t at)
{
	uint64_t least = node[at].value;

	if (node[at].left != TREE_NONE)
		least = lesser(least, node[node[at].left].least);
	if (node[at].right != TREE_NONE)
		least = lesser(least, node[node[at].right].least);
	return least;
}

/* Ancestors whose least value is already right end the walk. */
static void refresh_up(struct tree_node *node, uint32_t at)
{
	for (; at != TREE_NONE; at = node[at].parent) {
		uint64_t least = least_of(node, at);

		if (node[at].least == least)
			return;
		node[at].least = least;
	}
}

/* Puts `to` (perhaps TREE_NONE) where `from` hangs. */
static void replace_child(struct tree *tree, struct tree_node *node, uint32_t from, uint32_t to)
{
	uint32_t parent = node[from].parent;

	if (parent == TREE_NONE)
		tree->root = to;
	else if (node[parent].left == from)
		node[parent].left = to;
	else
		node[parent].right = to;
	if (to != TREE_NONE)
		node[to].parent = parent;
}

/* Lifts a child above its parent. */
static void rotate_up(struct tree *tree, struct tree_node *node, uint32_t child)
{
	uint32_t parent = node[child].parent;
	bool was_left = node[parent].left == child;
	uint32_t inner = was_left ? node[child].right : node[child].left;

	replace_child(tree, node, parent, child);
	if (was_left) {
		node[parent].left = inner;
		node[child].right = parent;
	} else {
		node[parent].right = inner;
		node[child].left = parent;
	}
	if (inner != TREE_NONE)
		node[inner].parent = parent;
	node[parent].parent = child;
	node[child].least = node[parent].least;
	node[parent].least = least_of(node, parent);
}

void tree_insert(struct tree *tree, struct tree_node *node, uint32_t at)
{
	uint32_t parent = TREE_NONE, *link = &tree->root;
	uint32_t rank = priority(at);
	bool leftmost = true;

	while (*link != TREE_NONE) {
		parent = *link;
		if (vns_before(node[at].key, node[parent].key)) {
			link = &node[parent].left;
		} else {
			link = &node[parent].right;
			leftmost = false;
		}
		node[parent].least = lesser(node[parent].least, node[at].value);
	}
	*link = at;
	node[at].parent = parent;
	node[at].left = node[at].right = TREE_NONE;
	node[at].least = node[at].value;
	if (leftmost)
		tree->first = at;
	while (node[at].parent != TREE_NONE && priority(node[at].parent) < rank)
		rotate_up(tree, node, at);
}

void tree_remove(struct tree *tree, struct tree_node *node, uint32_t at)
{
	uint32_t left, right, only, parent;

	if (tree->first == at)
		tree->first = tree_next(node, at);
	for (;;) {
		left = node[at].left;
		right = node[at].right;
		if (left == TREE_NONE || right == TREE_NONE)
			break;
		rotate_up(tree, node, priority(left) > priority(right) ? left : right);
	}
	only = left != TREE_NONE ? left : right;
	parent = node[at].parent;
	replace_child(tree, node, at, only);
	refresh_up(node, parent);
}

uint32_t tree_next(const struct tree_node *node, uint32_t at)
{
	uint32_t up;

	if (node[at].right != TREE_NONE) {
		at = node[at].right;
		while (node[at].left != TREE_NONE)
			at = node[at].left;
		return at;
	}
	while ((up = node[at].parent) != TREE_NONE && node[up].right == at)
		at = up;
	return up;
}

uint32_t tree_first_within(const struct tree *tree, const struct tree_node *node, uint64_t limit)
{
	uint32_t at = tree->root;

	if (at == TREE_NONE || vns_before(limit, node[at].least))
		return TREE_NONE;
	for (;;) {
		uint32_t left = node[at].left;

		if (left != TREE_NONE && !vns_before(limit, node[left].least)) {
			at = left;
			continue;
		}
		if (!vns_before(limit, node[at].value))
			return at;
		at = node[at].right;
		CHECK(at != TREE_NONE);
	}
}

static bool links_hold(const struct tree_node *node, uint32_t at, uint32_t child)
{
	return child == TREE_NONE || (node[child].parent == at && priority(child) < priority(at));
}

bool tree_check(const struct tree *tree, const struct tree_node *node, uint32_t *count)
{
	uint32_t last = TREE_NONE;

	*count = 0;
	if (tree->root == TREE_NONE)
		return tree->first == TREE_NONE;
	if (node[tree->root].parent != TREE_NONE || tree->first == TREE_NONE ||
	    node[tree->first].left != TREE_NONE)
		return false;
	for (uint32_t at = tree->first; at != TREE_NONE; at = tree_next(node, at)) {
		if (last != TREE_NONE && vns_before(node[at].key, node[last].key))
			return false;
		if (!links_hold(node, at, node[at].left) || !links_hold(node, at, node[at].right) ||
		    node[at].least != least_of(node, at))
			return false;
		last = at;
		++*count;
	}
	return true;
}
