/* SPDX-License-Identifier: GPL-2.0-only */
/* What a profile is made of, recorded while kernel code runs. Private to engine/kernel. */
#ifndef ENGINE_KERNEL_RECORD_H
#define ENGINE_KERNEL_RECORD_H

#include "base/arena.h"

#include <stdint.h>

/* Eight bytes of the kernel's data. */
struct profile_word {
	uint64_t address; /* 0: free */
	uint64_t accesses, misses, ns;
};

struct profile_object {
	const char *what; /* as the allocation says; NULL: not an object */
	uint32_t start;	  /* its first line */
};

struct profile {
	uint32_t nr_words, word_mask, nr_lines;
	uint64_t lost; /* accesses for which there was no room */
	uint64_t text_start, text_bytes;
	struct profile_word *word;     /* by hash of the address */
	struct profile_object *object; /* by line of the engine's */
	uint64_t *instructions, *ns;   /* by place in the text */
	uint32_t *calls;
};

struct profile *profile_new(struct arena *arena, uint32_t nr_lines, uint64_t text_start,
			    uint64_t text_bytes);

/* Lines first … first + count - 1 of the engine are one object. */
void profile_name(struct profile *p, uint32_t first, uint32_t count, const char *what);

/* An access from `where` in the text that took `ns`. */
void profile_access(struct profile *p, uint64_t address, uint64_t where, uint64_t ns);

static inline void profile_block(struct profile *p, uint64_t where, uint32_t instructions)
{
	p->instructions[where - p->text_start] += instructions;
}

static inline void profile_call(struct profile *p, uint64_t where)
{
	if (where - p->text_start < p->text_bytes)
		p->calls[where - p->text_start]++;
}

#endif
