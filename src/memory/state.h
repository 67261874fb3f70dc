/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of memory.h: a memory, and what is to be known of a line without changing it.
 */
#ifndef MEMORY_STATE_H
#define MEMORY_STATE_H

#include "memory/counts.h"
#include "memory/record.h"

struct memory {
	uint32_t nr_lines, max_lines, nr_cores, nr_nodes, nr_classes;
	uint32_t holder_words;	/* u64 of one struct memory_holders */
	uint32_t summary_shift; /* 1 << summary_shift words of a bitmap are a bit of its summary */
	uint32_t stamp_mask, l2_kib, aged_ns, aged_scan_ns, hold_ns, overlap_pct;
	uint32_t has_passed; /* 0: memory_pass() never was called: clocks and stamps are all zero */
	uint16_t *core_of;   /* by cpu: core + 1, 0 for a cpu that is not there: an `id` below */
	struct memory_line *line;
	uint64_t *holders;		  /* by line: struct memory_holders of holder_words words */
	struct memory_cache *cache;	  /* by core */
	struct busy_calendar *calendar;	  /* by line */
	struct memory_lock *lock;	  /* by line */
	const struct memory_place *place; /* by core */
	const struct memory_ladder *ladder;
	const struct memory_price *price; /* by node: PRICE_CLUSTER, PRICE_LLC, then by node */
	uint32_t price_width;
	const char *class_name[MEMORY_MAX_CLASSES];
	struct memory_counts counts[MEMORY_MAX_CLASSES];
};

static inline struct memory_line *memory_line_at(const struct memory *mem, uint32_t line)
{
	return &mem->line[line];
}

static inline struct memory_holders *memory_holders_of(const struct memory *mem, uint32_t line)
{
	return (struct memory_holders *)(void *)(mem->holders + (size_t)line * mem->holder_words);
}

static inline struct memory_counts *memory_counts_of(struct memory *mem, uint32_t line)
{
	return &mem->counts[mem->line[line].class];
}

/* One test of a word that may be invalid instead of two branches. */
static inline bool memory_shared_by(const struct memory *mem, uint32_t line, uint32_t id)
{
	const struct memory_holders *h = memory_holders_of(mem, line);
	uint32_t core = id - 1;

	return h->core[core / 64] >> (core % 64) & h->summary >> (core / 64 >> mem->summary_shift) &
	       1;
}

static inline bool memory_line_held(const struct memory *mem, uint32_t line, uint32_t id)
{
	uint32_t owner = mem->line[line].owner;

	return owner == id || (owner == MEMORY_SHARED && memory_shared_by(mem, line, id));
}

static inline struct busy_front memory_front(const struct memory_line *l)
{
	return (struct busy_front){ l->front_until_ns - l->front_ns, l->front_until_ns };
}

static inline void memory_set_front(struct memory_line *l, struct busy_front front)
{
	uint64_t ns = front.until - front.from;

	l->front_ns = ns < MEMORY_FRONT_NS ? (uint32_t)ns : MEMORY_FRONT_NS;
	l->front_until_ns = front.until;
}

/*
 * The transfer to core `to` from core `from`. Which ties two cores have is hard to foresee for the
 * host's branch predictor, so the price is chosen without branches.
 */
static inline const struct memory_price *memory_price_of(const struct memory *mem, uint32_t to,
							 uint32_t from)
{
	struct memory_place a = mem->place[to], b = mem->place[from];
	uint32_t row = a.llc != b.llc ? PRICE_NODES + b.node : PRICE_LLC;

	row = a.cluster != b.cluster ? row : PRICE_CLUSTER;
	return &mem->price[a.node * mem->price_width + row];
}

#endif
