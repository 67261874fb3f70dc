/* SPDX-License-Identifier: GPL-2.0-only */
#include "engine/kernel/record.h"

enum { WORDS = 1 << 20, WORD_SHIFT = 3 };

struct profile *profile_new(struct arena *arena, uint32_t nr_lines, uint64_t text_start,
			    uint64_t text_bytes)
{
	struct profile *p = ARENA_NEW(arena, struct profile);

	*p = (struct profile){
		.word_mask = WORDS - 1,
		.nr_lines = nr_lines,
		.text_start = text_start,
		.text_bytes = text_bytes,
		.word = ARENA_ARRAY(arena, struct profile_word, WORDS),
		.object = ARENA_ARRAY(arena, struct profile_object, nr_lines),
		.instructions = ARENA_ARRAY(arena, uint64_t, text_bytes),
		.ns = ARENA_ARRAY(arena, uint64_t, text_bytes),
		.calls = ARENA_ARRAY(arena, uint32_t, text_bytes),
	};
	return p;
}

void profile_name(struct profile *p, uint32_t first, uint32_t count, const char *what)
{
	for (uint32_t i = 0; i < count && first + i < p->nr_lines; i++)
		p->object[first + i] = (struct profile_object){ what, first };
}

/* The place of an address; NULL when all but a few are taken: probes stay short. */
static struct profile_word *word_at(struct profile *p, uint64_t address)
{
	uint64_t h = address * 0x9e3779b97f4a7c15ull >> 32;

	for (;; h++) {
		struct profile_word *word = &p->word[h & p->word_mask];

		if (word->address == address)
			return word;
		if (word->address)
			continue;
		if (p->nr_words > p->word_mask / 8 * 7)
			return NULL;
		p->nr_words++;
		word->address = address;
		return word;
	}
}

void profile_access(struct profile *p, uint64_t address, uint64_t where, uint64_t ns)
{
	struct profile_word *word = word_at(p, address >> WORD_SHIFT << WORD_SHIFT);

	if (where - p->text_start < p->text_bytes)
		p->ns[where - p->text_start] += ns;
	if (!word) {
		p->lost++;
		return;
	}
	word->accesses++;
	word->misses += ns != 0;
	word->ns += ns;
}
