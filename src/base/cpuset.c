/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/cpuset.h"

#include "base/check.h"
#include "base/hash.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cpuset cpuset_new(struct arena *arena, uint32_t bits)
{
	struct cpuset set = { .bits = bits, .words = (bits + 63) / 64 };

	set.word = ARENA_ARRAY(arena, uint64_t, set.words ? set.words : 1);
	return set;
}

struct cpuset cpuset_clone(struct arena *arena, const struct cpuset *from)
{
	struct cpuset set = cpuset_new(arena, from->bits);

	cpuset_copy(&set, from);
	return set;
}

void cpuset_copy(struct cpuset *to, const struct cpuset *from)
{
	CHECK(to->bits == from->bits);
	memcpy(to->word, from->word, from->words * sizeof(*from->word));
}

void cpuset_clear(struct cpuset *set)
{
	memset(set->word, 0, set->words * sizeof(*set->word));
}

void cpuset_fill(struct cpuset *set)
{
	memset(set->word, 0xff, set->words * sizeof(*set->word));
	if (set->bits % 64)
		set->word[set->words - 1] = (1ull << (set->bits % 64)) - 1;
}

void cpuset_and(struct cpuset *to, const struct cpuset *a, const struct cpuset *b)
{
	for (uint32_t w = 0; w < to->words; w++)
		to->word[w] = a->word[w] & b->word[w];
}

void cpuset_or(struct cpuset *to, const struct cpuset *a, const struct cpuset *b)
{
	for (uint32_t w = 0; w < to->words; w++)
		to->word[w] = a->word[w] | b->word[w];
}

void cpuset_andnot(struct cpuset *to, const struct cpuset *a, const struct cpuset *b)
{
	for (uint32_t w = 0; w < to->words; w++)
		to->word[w] = a->word[w] & ~b->word[w];
}

bool cpuset_equal(const struct cpuset *a, const struct cpuset *b)
{
	return memcmp(a->word, b->word, a->words * sizeof(*a->word)) == 0;
}

bool cpuset_subset(const struct cpuset *inner, const struct cpuset *outer)
{
	for (uint32_t w = 0; w < inner->words; w++)
		if (inner->word[w] & ~outer->word[w])
			return false;
	return true;
}

bool cpuset_intersects(const struct cpuset *a, const struct cpuset *b)
{
	for (uint32_t w = 0; w < a->words; w++)
		if (a->word[w] & b->word[w])
			return true;
	return false;
}

bool cpuset_empty(const struct cpuset *set)
{
	return cpuset_first(set) == CPU_NONE;
}

uint32_t cpuset_weight(const struct cpuset *set)
{
	uint32_t n = 0;

	for (uint32_t w = 0; w < set->words; w++)
		n += (uint32_t)__builtin_popcountll(set->word[w]);
	return n;
}

uint64_t cpuset_hash(const struct cpuset *set)
{
	uint64_t h = HASH_START;

	for (uint32_t w = 0; w < set->words; w++)
		h = hash_u64(h, set->word[w]);
	return h;
}

char *cpuset_print(const struct cpuset *set, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (uint32_t first = cpuset_first(set); first != CPU_NONE;) {
		uint32_t last = first;
		int n;

		while (last + 1 < set->bits && cpuset_has(set, last + 1))
			last++;
		n = snprintf(out + used, size - used, last > first ? "%s%u-%u" : "%s%u",
			     used ? "," : "", first, last);
		used += (size_t)n;
		if (used >= size)
			break;
		first = cpuset_next(set, last + 1);
	}
	return out;
}

static bool parse_number(const char **at, uint32_t *value)
{
	char *end;
	unsigned long n;

	if (!isdigit((unsigned char)**at))
		return false;
	n = strtoul(*at, &end, 10);
	if (n > UINT32_MAX - 1)
		return false;
	*value = (uint32_t)n;
	*at = end;
	return true;
}

/* first[-last[:used/group]] */
static bool parse_range(struct cpuset *set, const char **at, struct err *err)
{
	uint32_t first, last, used = 1, group = 1;

	if (!parse_number(at, &first))
		return err_set(err, "expected a number in the list at '%s'", *at);
	last = first;
	if (**at == '-') {
		(*at)++;
		if (!parse_number(at, &last) || last < first)
			return err_set(err, "the range that starts at %u has no end above it",
				       first);
	}
	if (**at == ':') {
		(*at)++;
		if (!parse_number(at, &used) || **at != '/')
			return err_set(err, "expected used/group after ':' in the list");
		(*at)++;
		if (!parse_number(at, &group) || !group || used > group)
			return err_set(err, "expected used/group with used <= group in the list");
	}
	if (last >= set->bits)
		return err_set(err, "%u is beyond the last id, %u", last, set->bits - 1);
	for (uint32_t id = first; id <= last; id++)
		if ((id - first) % group < used)
			cpuset_add(set, id);
	return true;
}

bool cpuset_parse(struct cpuset *set, const char *text, struct err *err)
{
	const char *at = text;

	cpuset_clear(set);
	while (isspace((unsigned char)*at))
		at++;
	while (*at && !isspace((unsigned char)*at)) {
		if (!parse_range(set, &at, err))
			return false;
		if (*at == ',')
			at++;
		else if (*at && !isspace((unsigned char)*at))
			return err_set(err, "unexpected '%c' in the list '%s'", *at, text);
	}
	while (isspace((unsigned char)*at))
		at++;
	return *at ? err_set(err, "unexpected '%s' after the list", at) : true;
}
