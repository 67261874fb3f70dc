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

struct price {
	enum tie tie;
	uint32_t ns;
};

static uint64_t group_word(const struct memory_group *g, uint32_t word)
{
	return word >= g->first && word <= g->last ? g->word[word - g->first] : 0;
}

static bool word_is_valid(const struct memory *mem, const struct memory_line *l, uint32_t word)
{
	return l->summary >> (word >> mem->summary_shift) & 1;
}

static bool group_holds(const struct memory *mem, const struct memory_line *l,
			const struct memory_group *g)
{
	for (uint32_t w = g->first; w <= g->last; w++)
		if (word_is_valid(mem, l, w) && (l->holder[w] & g->word[w - g->first]))
			return true;
	return false;
}

/*
 * The transfer to core `to` from core `from`. Which ties two cores have is hard to foresee for the
 * host's branch predictor, so the nearest is looked up: bit 0 same node, 1 same LLC, 2 same
 * cluster.
 */
static struct price price_of_pair(const struct memory *mem, uint32_t to, uint32_t from)
{
	static const uint8_t nearest[8] = { TIE_REMOTE,	 TIE_NODE,    TIE_LLC,	   TIE_LLC,
					    TIE_CLUSTER, TIE_CLUSTER, TIE_CLUSTER, TIE_CLUSTER };
	const struct memory_core *a = &mem->core[to], *b = &mem->core[from];
	uint32_t ties = (uint32_t)(a->node == b->node) | (uint32_t)(a->llc == b->llc) << 1 |
			(uint32_t)(a->cluster == b->cluster) << 2;
	uint32_t remote_ns = mem->node_ns[a->node * mem->nr_nodes + b->node];
	uint32_t near_ns = mem->tie_ns[nearest[ties]];

	return (struct price){ nearest[ties], ties ? near_ns : remote_ns };
}

/* From the nearest holder of a shared line that `to` does not hold. */
static struct price price_of_nearest(const struct memory *mem, const struct memory_line *l,
				     uint32_t to)
{
	const struct memory_core *c = &mem->core[to];
	uint32_t best = UINT32_MAX;

	if (group_holds(mem, l, &mem->cluster[c->cluster]))
		return (struct price){ TIE_CLUSTER, mem->tie_ns[TIE_CLUSTER] };
	if (group_holds(mem, l, &mem->llc[c->llc]))
		return (struct price){ TIE_LLC, mem->tie_ns[TIE_LLC] };
	if (group_holds(mem, l, &mem->node[c->node]))
		return (struct price){ TIE_NODE, mem->tie_ns[TIE_NODE] };
	for (uint32_t n = 0; n < mem->nr_nodes; n++) {
		uint32_t ns = mem->node_ns[c->node * mem->nr_nodes + n];

		if (n != c->node && ns < best && group_holds(mem, l, &mem->node[n]))
			best = ns;
	}
	return (struct price){ TIE_REMOTE, best };
}

/* The dearest of the nodes whose cores are in `bits` of a holder word, or what it was before. */
static uint32_t dearest_node(const struct memory *mem, uint32_t node, uint32_t word, uint64_t bits,
			     uint32_t worst)
{
	while (bits) {
		uint32_t core = word * 64 + (uint32_t)__builtin_ctzll(bits);
		uint32_t other = mem->core[core].node;
		uint32_t ns = mem->node_ns[node * mem->nr_nodes + other];

		worst = ns > worst ? ns : worst;
		bits &= bits - 1;
		bits &= ~group_word(&mem->node[other], word);
	}
	return worst;
}

/* From the farthest holder of a shared line other than `to`; TIE_SELF when there is none. */
static __attribute__((noinline)) struct price price_of_farthest(const struct memory *mem,
								const struct memory_line *l,
								uint32_t to)
{
	const struct memory_core *c = &mem->core[to];
	uint64_t cluster = 0, llc = 0, node = 0;
	uint32_t remote = 0;

	for (uint64_t left = l->summary; left; left &= left - 1) {
		uint32_t first = (uint32_t)__builtin_ctzll(left) << mem->summary_shift;

		for (uint32_t w = first; w < first + (1u << mem->summary_shift); w++) {
			uint64_t bits = l->holder[w],
				 near = group_word(&mem->cluster[c->cluster], w);

			if (w == to / 64)
				bits &= ~(1ull << (to % 64));
			cluster |= bits & near;
			bits &= ~near;
			near = group_word(&mem->llc[c->llc], w);
			llc |= bits & near;
			bits &= ~near;
			near = group_word(&mem->node[c->node], w);
			node |= bits & near;
			remote = dearest_node(mem, c->node, w, bits & ~near, remote);
		}
	}
	if (remote)
		return (struct price){ TIE_REMOTE, remote };
	if (node)
		return (struct price){ TIE_NODE, mem->tie_ns[TIE_NODE] };
	if (llc)
		return (struct price){ TIE_LLC, mem->tie_ns[TIE_LLC] };
	if (cluster)
		return (struct price){ TIE_CLUSTER, mem->tie_ns[TIE_CLUSTER] };
	return (struct price){ TIE_SELF, 0 };
}

static void share_with(const struct memory *mem, struct memory_line *l, uint32_t core)
{
	uint32_t word = core / 64, bit = word >> mem->summary_shift;

	if (!(l->summary >> bit & 1)) {
		memset(&l->holder[bit << mem->summary_shift], 0,
		       sizeof(*l->holder) << mem->summary_shift);
		l->summary |= 1ull << bit;
	}
	l->holder[word] |= 1ull << (core % 64);
}

static void stamp_use(struct memory *mem, uint32_t core, uint32_t line)
{
	const struct memory_cache *cache = &mem->cache[core];

	cache->stamp[line & mem->stamp_mask] = cache->clock_kib;
}

static void count_miss(struct memory_counts *counts, struct price price, uint64_t ns,
		       uint64_t wait_ns)
{
	counts->misses[price.tie] += price.tie != TIE_SELF;
	counts->transfer_ns += ns;
	counts->busy_wait_ns += wait_ns;
}

uint64_t memory_read_slow(struct memory *mem, uint32_t id, uint32_t line, uint64_t t_ns,
			  uint32_t overlap_pct)
{
	struct memory_line *l = memory_line_at(mem, line);
	uint32_t core = id - 1, owner = l->owner;
	struct price price;
	uint64_t start, ns;

	CHECK(line < mem->nr_lines && core < mem->nr_cores);
	stamp_use(mem, core, line);
	if (!owner) {
		l->owner = id;
		return 0;
	}
	start = busy_start(&l->busy, &mem->calendar[line], BUSY_LINE_SHIFT, t_ns);
	if (owner == MEMORY_SHARED) {
		price = price_of_nearest(mem, l, core);
	} else {
		price = price_of_pair(mem, core, owner - 1);
		busy_take(&l->busy, &mem->calendar[line], BUSY_LINE_SHIFT, start, start + price.ns);
		l->owner = MEMORY_SHARED;
		l->summary = 0;
		share_with(mem, l, owner - 1);
	}
	share_with(mem, l, core);
	ns = price.ns;
	if (overlap_pct > 100)
		ns = (price.ns * 100ull + overlap_pct - 1) / overlap_pct;
	count_miss(&mem->counts[mem->class_of[line]], price, ns, start - t_ns);
	return start - t_ns + ns;
}

/* A write or atomic by a core that does not hold the line alone. */
uint64_t memory_write_slow(struct memory *mem, uint32_t id, uint32_t line, uint64_t t_ns,
			   uint32_t hold_ns)
{
	struct memory_line *l = memory_line_at(mem, line);
	struct price price = { TIE_SELF, 0 };
	uint32_t core = id - 1;
	uint64_t start, end;

	CHECK(line < mem->nr_lines && core < mem->nr_cores);
	if (l->owner == MEMORY_SHARED) {
		price = price_of_farthest(mem, l, core);
		if (memory_line_held(mem, l, id))
			price.ns = (uint32_t)max_u64(price.ns, memory_hit(mem, id, line));
	} else if (l->owner) {
		price = price_of_pair(mem, core, l->owner - 1);
	}
	stamp_use(mem, core, line);
	start = busy_start(&l->busy, &mem->calendar[line], BUSY_LINE_SHIFT, t_ns);
	end = start + price.ns + hold_ns;
	busy_take(&l->busy, &mem->calendar[line], BUSY_LINE_SHIFT, start, end);
	l->owner = l->writer = id;
	count_miss(&mem->counts[mem->class_of[line]], price, price.ns, start - t_ns);
	return end - t_ns;
}

uint64_t memory_lock(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns)
{
	struct memory_counts *counts = &mem->counts[mem->class_of[line]];
	struct memory_lock *lock = &mem->lock[line];
	uint64_t start = busy_start(&lock->busy, &lock->calendar, BUSY_LOCK_SHIFT, t_ns);

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
	/* More than l2 at once ages everything, like l2 + 1. */
	mem->cache[mem->core_of[cpu] - 1].clock_kib += (uint32_t)min_u64(kib, mem->l2_kib + 1ull);
}

uint32_t memory_writer(const struct memory *mem, uint32_t line)
{
	return memory_line_at(mem, line)->writer - 1; /* 0 - 1 is CPU_NONE */
}

bool memory_holds(const struct memory *mem, uint32_t cpu, uint32_t line)
{
	return memory_line_held(mem, memory_line_at(mem, line), mem->core_of[cpu]);
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
