/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rules.
 *
 * Holding. A line is held by nobody, by one core alone, or by several cores that only read it.
 *   R1  The first touch of a line is free: memory just handed out lies in the toucher's cache.
 *   R2  A read or write by the core that holds the line alone, and a read by one of several
 *       holders, is a hit and costs nothing.
 *   R3  A read by a core that holds no copy costs the transfer from the nearest holder, in the
 *       order cluster, LLC, node, other nodes by the cost of their distance. It is a holder then.
 *   R4  A write while others hold the line costs the transfer from the farthest of them: their
 *       invalidations run at once and the last answer counts. The writer then holds it alone.
 *   R5  An atomic is a write that lasts atomic_hold longer, also when it hits.
 *   R6  A read of a scan pays its transfer divided by scan_overlap, rounded up. Waiting is not
 *       divided.
 *
 * Contention. A directory serves the changes of one line's state one at a time.
 *   R7  A line is occupied while it moves: from the start of a write that misses, of an atomic or
 *       of a read that takes it from a lone holder, until that is done. Reads of a line that
 *       several cores hold run at once.
 *   R8  Who misses while the line is occupied waits (memory/busy.h); who hits does not. Hence n
 *       cores that change one line at once wait 0, 1 … n - 1 transfers.
 *   R9  An atomic that hits occupies the line only in front of all other occupations.
 *
 * Private caches. Each core has a clock: KiB of other data that passed through.
 *   R10 A holder whose last use of the line is more than l2 KiB ago by its clock pays line_l2: the
 *       copy is in the LLC. A write that also invalidates others pays the larger of the two.
 *   R11 Uses are stamped by core and line number modulo a power of two: lines that share a stamp
 *       age together. A core has a stamp for every line unless the machine is
 *       too large for that (build.c).
 *
 * Locks.
 *   R12 Who asks at t is granted the lock when it is free (memory/busy.h) and then pays for an
 *       atomic on the line. The lock is busy from the grant until the releasing store is done.
 */
#include "memory/memory.h"

#include "base/check.h"
#include "base/fixed.h"

#include <string.h>

static inline bool rung_holds(const struct memory *mem, const struct memory_holders *h,
			      const struct memory_rung *rung)
{
	uint32_t w = rung->first;

	if (h->core[w] & rung->mask && h->summary >> (w >> mem->summary_shift) & 1)
		return true;
	for (const uint64_t *more = rung->more; w++ < rung->last; more++)
		if (h->core[w] & *more && h->summary >> (w >> mem->summary_shift) & 1)
			return true;
	return false;
}

/* From the nearest holder of a shared line that `to` does not hold: one of the rungs has it. */
static const struct memory_price *price_of_nearest(const struct memory *mem,
						   const struct memory_holders *h, uint32_t to)
{
	const struct memory_rung *rung = mem->ladder[to].rung;
	const struct memory_rung *last = rung + mem->ladder[to].nr_rungs - 1;

	while (rung < last && !rung_holds(mem, h, rung))
		rung++;
	return &rung->price;
}

/* From the farthest holder of a shared line that `to` does not hold; NULL when there is none. */
static const struct memory_price *price_of_farthest(const struct memory *mem,
						    const struct memory_holders *h, uint32_t to)
{
	const struct memory_rung *first = mem->ladder[to].rung;

	for (const struct memory_rung *rung = first + mem->ladder[to].nr_rungs; rung-- > first;)
		if (rung_holds(mem, h, rung))
			return &rung->price;
	return NULL;
}

/* The block of words of one bit of the summary becomes valid. */
static __attribute__((noinline, cold)) void clear_block(const struct memory *mem,
							struct memory_holders *h, uint32_t bit)
{
	memset(&h->core[bit << mem->summary_shift], 0, sizeof(*h->core) << mem->summary_shift);
}

static inline void share_with(const struct memory *mem, struct memory_holders *h, uint32_t core)
{
	uint32_t word = core / 64, bit = word >> mem->summary_shift;
	uint64_t valid = h->summary >> bit & 1;

	if (mem->summary_shift && !valid) {
		clear_block(mem, h, bit);
		valid = 1;
	}
	h->summary |= 1ull << bit;
	h->core[word] = (h->core[word] & -valid) | 1ull << (core % 64);
}

static inline void stamp_use(struct memory *mem, uint32_t core, uint32_t line)
{
	const struct memory_cache *cache = &mem->cache[core];

	if (mem->has_passed)
		cache->stamp[line & mem->stamp_mask] = cache->clock_kib;
}

static inline uint64_t line_start(const struct memory *mem, const struct memory_line *l,
				  uint32_t line, uint64_t t_ns)
{
	struct busy_front front = memory_front(l);

	return busy_start(&front, &mem->calendar[line], BUSY_LINE_SHIFT, t_ns);
}

static inline void line_take(struct memory *mem, struct memory_line *l, uint32_t line,
			     uint64_t start_ns, uint64_t end_ns)
{
	struct busy_front front = memory_front(l);

	busy_take(&front, &mem->calendar[line], BUSY_LINE_SHIFT, start_ns, end_ns);
	memory_set_front(l, front);
}

/* The start of a read by a core that holds no copy; *price is what it pays after. */
static inline __attribute__((always_inline)) uint64_t read_starts(struct memory *mem,
								  struct memory_counts *counts,
								  uint32_t id, uint32_t line,
								  uint64_t t_ns,
								  const struct memory_price **price)
{
	struct memory_line *l = memory_line_at(mem, line);
	struct memory_holders *h = memory_holders_of(mem, line);
	uint32_t core = id - 1, owner = l->owner;
	uint64_t start;

	CHECK(core < mem->nr_cores);
	stamp_use(mem, core, line);
	if (!owner) {
		static const struct memory_price first_touch = { 0 };

		CHECK(line < mem->nr_lines);
		l->owner = (uint16_t)id;
		*price = &first_touch;
		return t_ns;
	}
	start = line_start(mem, l, line, t_ns);
	if (owner == MEMORY_SHARED) {
		*price = price_of_nearest(mem, h, core);
	} else {
		*price = memory_price_of(mem, core, owner - 1);
		line_take(mem, l, line, start, start + (*price)->ns);
		l->owner = MEMORY_SHARED;
		h->summary = 0;
		share_with(mem, h, owner - 1);
	}
	share_with(mem, h, core);
	counts->misses[(*price)->tie]++;
	counts->busy_wait_ns += start - t_ns;
	return start;
}

uint64_t memory_read_slow(struct memory *mem, struct memory_counts *counts, uint32_t id,
			  uint32_t line, uint64_t t_ns)
{
	const struct memory_price *price;
	uint64_t start = read_starts(mem, counts, id, line, t_ns, &price);

	counts->transfer_ns += price->ns;
	return start - t_ns + price->ns;
}

uint64_t memory_scan_slow(struct memory *mem, struct memory_counts *counts, uint32_t id,
			  uint32_t line, uint64_t t_ns)
{
	const struct memory_price *price;
	uint64_t start = read_starts(mem, counts, id, line, t_ns, &price);

	counts->transfer_ns += price->scan_ns;
	return start - t_ns + price->scan_ns;
}

/* Occupies the line from when it is free; returns what the writer waits and pays. */
static inline uint64_t write_takes(struct memory *mem, struct memory_counts *counts, uint32_t id,
				   uint32_t line, uint64_t t_ns, uint32_t ns, uint32_t hold_ns)
{
	struct memory_line *l = memory_line_at(mem, line);
	uint64_t start = line_start(mem, l, line, t_ns), end = start + ns + hold_ns;

	stamp_use(mem, id - 1, line);
	l->owner = l->writer = (uint16_t)id;
	counts->transfer_ns += ns;
	counts->busy_wait_ns += start - t_ns;
	line_take(mem, l, line, start, end);
	return end - t_ns;
}

/*
 * Finds other copies, or none; also that the own one aged. The own bit of the bitmap is in the way
 * of the ladder, and the bitmap ends with the write.
 */
static __attribute__((noinline)) uint64_t write_shared(struct memory *mem,
						       struct memory_counts *counts, uint32_t id,
						       uint32_t line, uint64_t t_ns,
						       uint32_t hold_ns)
{
	struct memory_holders *h = memory_holders_of(mem, line);
	bool held = memory_shared_by(mem, line, id);
	const struct memory_price *price;
	uint32_t core = id - 1, ns;

	h->core[core / 64] &= ~(1ull << (core % 64));
	price = price_of_farthest(mem, h, core);
	ns = price ? price->ns : 0;
	if (held)
		ns = (uint32_t)max_u64(ns, memory_hit(mem, counts, id, line));
	if (price)
		counts->misses[price->tie]++;
	return write_takes(mem, counts, id, line, t_ns, ns, hold_ns);
}

static __attribute__((noinline)) uint64_t write_first(struct memory *mem,
						      struct memory_counts *counts, uint32_t id,
						      uint32_t line, uint64_t t_ns,
						      uint32_t hold_ns)
{
	CHECK(line < mem->nr_lines);
	return write_takes(mem, counts, id, line, t_ns, 0, hold_ns);
}

/* A write or atomic by a core that does not hold the line alone. */
uint64_t memory_write_slow(struct memory *mem, struct memory_counts *counts, uint32_t id,
			   uint32_t line, uint64_t t_ns, uint32_t hold_ns)
{
	uint32_t owner = memory_line_at(mem, line)->owner;
	const struct memory_price *price;

	CHECK(id - 1 < mem->nr_cores);
	if (owner == MEMORY_SHARED)
		return write_shared(mem, counts, id, line, t_ns, hold_ns);
	if (!owner)
		return write_first(mem, counts, id, line, t_ns, hold_ns);
	price = memory_price_of(mem, id - 1, owner - 1);
	counts->misses[price->tie]++;
	return write_takes(mem, counts, id, line, t_ns, price->ns, hold_ns);
}

uint64_t memory_lock(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns)
{
	struct memory_lock *lock = &mem->lock[line];
	uint64_t start = busy_start(&lock->busy, &lock->calendar, BUSY_LOCK_SHIFT, t_ns);
	struct memory_counts *counts = memory_counts_of(mem, line);

	CHECK(line < mem->nr_lines && !lock->granted);
	lock->granted = start + 1;
	counts->locks++;
	if (start > t_ns) {
		counts->lock_waits++;
		counts->lock_wait_ns += start - t_ns;
	}
	return start - t_ns + memory_atomic(mem, cpu, line, start);
}

uint64_t memory_unlock(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns)
{
	struct memory_lock *lock = &mem->lock[line];
	uint64_t ns = memory_write(mem, cpu, line, t_ns);

	CHECK(lock->granted && t_ns >= lock->granted - 1);
	busy_take(&lock->busy, &lock->calendar, BUSY_LOCK_SHIFT, lock->granted - 1, t_ns + ns);
	lock->granted = 0;
	return ns;
}

uint64_t memory_lock_free_at(const struct memory *mem, uint32_t line)
{
	return mem->lock[line].busy.until;
}

void memory_pass(struct memory *mem, uint32_t cpu, uint64_t kib)
{
	mem->has_passed = 1;
	/* More than l2 at once ages everything, like l2 + 1. */
	mem->cache[mem->core_of[cpu] - 1].clock_kib += (uint32_t)min_u64(kib, mem->l2_kib + 1ull);
}

uint32_t memory_writer(const struct memory *mem, uint32_t line)
{
	return memory_line_at(mem, line)->writer - 1u; /* 0 - 1 is CPU_NONE */
}

bool memory_holds(const struct memory *mem, uint32_t cpu, uint32_t line)
{
	return memory_line_held(mem, line, mem->core_of[cpu]);
}

uint32_t memory_nr_classes(const struct memory *mem)
{
	return mem->nr_classes;
}

const char *memory_class_name(const struct memory *mem, uint32_t class)
{
	CHECK(class < mem->nr_classes);
	return mem->class_name[class];
}

const struct memory_counts *memory_class_counts(const struct memory *mem, uint32_t class)
{
	CHECK(class < mem->nr_classes);
	return &mem->counts[class];
}
