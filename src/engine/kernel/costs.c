/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counted images: every access of kernel code drives the memory model, every basic block pays for
 * its instructions.
 *
 * - Lines are those of the image's data, the per-cpu areas and the kernel's objects. Stacks are the
 *   cpu's own and cost nothing.
 * - A read that misses at the same place in the code as another did less than NEAR instructions
 *   ago is one of a loop over independent objects: their transfers overlap. Others are not
 *   discounted.
 * - Locks queue in the memory model. A second lock that is held on the same line at the same time
 *   only pays for the atomic.
 */
#include "engine/kernel/internal.h"

#include "base/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 512, LINE = 64 };

/* ---- instructions a block ---- */

/* Two blocks announce themselves by calls of five bytes each: no two share a place. */
_Static_assert(KS_BLOCK_GRAIN < 5, "no two blocks share a place");
enum { LONG_BLOCK = KS_BLOCK_ASK };

struct block_row {
	uint32_t offset, instructions;
};

static bool read_rows(FILE *file, struct arena *arena, struct block_row **row, uint64_t *count)
{
	if (fread(count, sizeof(*count), 1, file) != 1 || *count > UINT32_MAX)
		return false;
	*row = ARENA_ARRAY(arena, struct block_row, *count);
	return fread(*row, sizeof(**row), *count, file) == *count;
}

static bool read_blocks(FILE *file, struct costs *costs, struct arena *arena)
{
	uint8_t *block = ARENA_ARRAY(arena, uint8_t, costs->text_bytes / KS_BLOCK_GRAIN + 1);
	struct block_row *row;
	uint64_t count;

	if (!read_rows(file, arena, &row, &count))
		return false;
	memset(block, KS_BLOCK_ASK, costs->text_bytes / KS_BLOCK_GRAIN + 1);
	costs->block = block;
	costs->long_block = row;
	for (uint64_t i = 0; i < count; i++) {
		if (row[i].offset >= costs->text_bytes)
			return false;
		if (row[i].instructions < LONG_BLOCK) {
			block[row[i].offset / KS_BLOCK_GRAIN] = (uint8_t)row[i].instructions;
			continue;
		}
		block[row[i].offset / KS_BLOCK_GRAIN] = LONG_BLOCK;
		row[costs->nr_long_blocks++] = row[i];
	}
	return true;
}

/* A block without a row is none of the image's: nothing is said of what it costs. */
static uint32_t long_block(struct engine *e, uint64_t offset)
{
	const struct costs *costs = &e->costs;
	uint32_t i = 0;

	while (i < costs->nr_long_blocks && costs->long_block[i].offset != offset)
		i++;
	if (i == costs->nr_long_blocks)
		failure_leave(e, "the table of blocks has no row for the one at %#llx",
			      (unsigned long long)(costs->text_start + offset));
	return costs->long_block[i].instructions;
}

static uint64_t ps_per_instruction(const struct machine *m)
{
	uint64_t per_us = machine_cost(m, COST_cpu) * machine_cost(m, COST_kernel_ipc) / 100;

	return 1000000 / (per_us ? per_us : 1);
}

/* Profiles want to see each block and call. */
static void tell_image(struct engine *e)
{
	size_t places = e->costs.text_bytes / KS_BLOCK_GRAIN + 1;

	if (e->profile) {
		memset(e->ks->blocks, KS_BLOCK_ASK, places);
		return;
	}
	memcpy(e->ks->blocks, e->costs.block, places);
	e->host.enter = e->host.leave = NULL;
}

bool costs_open(struct engine *e, struct arena *arena, struct err *err)
{
	struct costs *costs = &e->costs;
	char path[4096];
	FILE *file;
	bool good;

	costs->meter = e->ks->meter;
	costs->ps_per_instruction = ps_per_instruction(e->machine);
	if (!e->ks->counted)
		return true;
	costs->text_start = (uint64_t)(uintptr_t)e->ks->text_start;
	costs->text_bytes = (uint64_t)(e->ks->text_end - e->ks->text_start);
	costs->percpu_start = (uint64_t)(uintptr_t)e->ks->percpu_start;
	costs->percpu_bytes = e->ks->percpu_size + KS_PERCPU_DYN;
	snprintf(path, sizeof(path), "%s.blocks", e->image.path);
	file = fopen(path, "rb");
	if (!file)
		return err_set(err, "cannot read %s: %s", path, strerror(errno));
	good = read_blocks(file, costs, arena);
	fclose(file);
	if (!good)
		return err_set(err, "%s is not the table of this image's blocks", path);
	tell_image(e);
	return true;
}

/* ---- the verb ---- */

enum { EPOCH_SHIFT = 42, EPOCH_BITS = 22 }; /* above the line of a 48-bit address */

void costs_begin(struct engine *e)
{
	struct costs *costs = &e->costs;
	struct ks_meter *meter = costs->meter;

	if (!e->ks->counted)
		return;
	if (++costs->last_epoch >> EPOCH_BITS) {
		memset(meter->seen, 0, sizeof(meter->seen));
		costs->last_epoch = 1;
	}
	meter->epoch = costs->last_epoch << EPOCH_SHIFT;
	meter->accesses = meter->instructions = meter->blocks = meter->calls = 0;
	costs->to_cpu = (uint64_t)(uintptr_t)e->ks_machine.percpu +
			e->at * e->ks_machine.percpu_stride - costs->percpu_start;
}

void costs_end(struct engine *e)
{
	struct costs *costs = &e->costs;
	struct ks_meter *meter = costs->meter;

	if (!e->ks->counted)
		return;
	e->spent_ps = kernel_spent_ps(e);
	costs->instructions += meter->instructions;
	costs->blocks += meter->blocks;
	costs->calls += meter->calls;
	costs->accesses += meter->accesses - costs->nobody[0] - costs->nobody[1];
	costs->nobody[0] = costs->nobody[1] = 0;
	meter->epoch = meter->instructions = 0;
}

/* ---- lines that the verb has touched ---- */

enum access { ACCESS_READ = 1, ACCESS_WRITE };

static inline struct ks_seen *seen_at(const struct costs *costs, uint64_t address)
{
	return &costs->meter->seen[address / LINE % KS_SEEN];
}

/* True when that was all there is to the access. Runs on kernel stacks: calls nothing. */
static inline bool was_seen(struct costs *costs, uint64_t address, uint64_t bytes,
			    enum access access)
{
	struct ks_seen *seen = seen_at(costs, address);
	bool writes = access == ACCESS_WRITE;

	if ((writes ? seen->write : seen->read) != address / LINE + costs->meter->epoch ||
	    address % LINE + bytes > LINE)
		return false;
	costs->meter->accesses++;
	seen->counts[writes]++;
	return true;
}

_Static_assert(offsetof(struct memory_counts, reads) == 0 &&
		       offsetof(struct memory_counts, writes) == sizeof(uint64_t),
	       "counts of an image's line begin with reads and writes");

/* Profiles want to see each access. */
static inline void remember(struct engine *e, uint64_t address, ks_u64 *counts, enum access access)
{
	uint64_t tag = address / LINE + e->costs.meter->epoch;

	if (!e->profile)
		*seen_at(&e->costs, address) = (struct ks_seen){
			.read = tag, .write = access == ACCESS_WRITE ? tag : 0, .counts = counts
		};
}

/* ---- accesses ---- */

/* %gs-relative accesses come with the address in the template. */
static inline uint64_t real_address(const struct costs *costs, uint64_t address)
{
	return address - costs->percpu_start < costs->percpu_bytes ? address + costs->to_cpu
								   : address;
}

static bool is_in_loop(struct costs *costs, uint64_t where)
{
	uint64_t now = costs->instructions + costs->meter->instructions;
	bool found = false;

	for (uint32_t i = 0; i < RECENT_MISSES; i++)
		if (costs->recent[i].where == where) {
			found = now - costs->recent[i].instructions < NEAR;
			costs->recent[i].instructions = now;
			return found;
		}
	costs->recent[costs->next_recent++ % RECENT_MISSES] = (struct miss){ where, now };
	return false;
}

static inline void spend(struct engine *e, uint64_t address, uint64_t where, uint64_t ns)
{
	e->spent_ps += ns * 1000;
	if (e->profile)
		profile_access(e->profile, address, where, ns);
}

/* A line with what an access of it needs to know. */
struct touched {
	uint64_t address, where;
	struct memory_counts *counts;
	uint32_t line, core; /* of the memory model */
};

/* What the own core does not hold. Hits stay short without it. */
static __attribute__((noinline)) uint64_t miss(struct engine *e, const struct touched *t,
					       enum access access)
{
	uint64_t t_ns = kernel_time_ns(e);

	if (access == ACCESS_WRITE)
		return memory_write_slow(e->memory, t->counts, t->core, t->line, t_ns, 0);
	if (is_in_loop(&e->costs, t->where))
		return memory_scan_slow(e->memory, t->counts, t->core, t->line, t_ns);
	return memory_read_slow(e->memory, t->counts, t->core, t->line, t_ns);
}

static inline uint64_t touch(struct engine *e, const struct touched *t, enum access access)
{
	struct memory_line *record = memory_line_at(e->memory, t->line);

	if (access == ACCESS_READ) {
		t->counts->reads++;
		if (!memory_line_held(e->memory, t->line, t->core))
			return miss(e, t, access);
	} else {
		t->counts->writes++;
		if (record->owner != t->core)
			return miss(e, t, access);
		record->writer = (uint16_t)t->core;
	}
	return memory_hit(e->memory, t->counts, t->core, t->line);
}

static inline void access_line(struct engine *e, uint64_t named, uint64_t where, enum access access)
{
	struct touched t = { .address = real_address(&e->costs, named), .where = where };

	t.line = heap_line(&e->heap, t.address);
	if (t.line == UINT32_MAX) {
		remember(e, named, e->costs.nobody, ACCESS_WRITE);
		return;
	}
	t.counts = memory_counts_of(e->memory, t.line);
	t.core = e->memory->core_of[e->at];
	e->costs.accesses++;
	spend(e, t.address, where, touch(e, &t, access));
	remember(e, named, &t.counts->reads, access);
}

static inline void access_lines(uint64_t address, uint64_t bytes, uint64_t where,
				enum access access)
{
	struct engine *e = kernel_engine();
	uint64_t end = address + (bytes ? bytes : 1);

	if (!e->costs.meter->epoch)
		return;
	for (; address < end; address = (address | (LINE - 1)) + 1)
		access_line(e, address, where, access);
}

static FROM_KERNEL void read_lines(uint64_t address, uint64_t bytes, uint64_t where)
{
	access_lines(address, bytes, where, ACCESS_READ);
}

static FROM_KERNEL void write_lines(uint64_t address, uint64_t bytes, uint64_t where)
{
	access_lines(address, bytes, where, ACCESS_WRITE);
}

#define WHERE ((uint64_t)(uintptr_t)__builtin_return_address(0))

/* The hooks themselves neither call nor spill: they may run on a stack of any alignment. */
static void hook_read(const void *p, ks_u64 bytes)
{
	if (!was_seen(&kernel_engine()->costs, (uint64_t)(uintptr_t)p, bytes, ACCESS_READ))
		read_lines((uint64_t)(uintptr_t)p, bytes, WHERE);
}

static void hook_write(const void *p, ks_u64 bytes)
{
	if (!was_seen(&kernel_engine()->costs, (uint64_t)(uintptr_t)p, bytes, ACCESS_WRITE))
		write_lines((uint64_t)(uintptr_t)p, bytes, WHERE);
}

static void hook_percpu(const void *p, ks_u64 bytes, int write)
{
	enum access access = write ? ACCESS_WRITE : ACCESS_READ;

	if (was_seen(&kernel_engine()->costs, (uint64_t)(uintptr_t)p, bytes, access))
		return;
	if (write)
		write_lines((uint64_t)(uintptr_t)p, bytes, WHERE);
	else
		read_lines((uint64_t)(uintptr_t)p, bytes, WHERE);
}

static FROM_KERNEL void hook_atomic(const void *p, ks_u64 bytes)
{
	struct engine *e = kernel_engine();
	uint64_t address;
	uint32_t line;

	if (!e->costs.meter->epoch)
		return;
	address = real_address(&e->costs, (uint64_t)(uintptr_t)p);
	line = heap_line(&e->heap, address);
	if (line == UINT32_MAX)
		return;
	e->costs.accesses++;
	spend(e, address, WHERE, memory_atomic(e->memory, e->at, line, kernel_time_ns(e)));
	remember(e, (uint64_t)(uintptr_t)p, &memory_counts_of(e->memory, line)->reads,
		 ACCESS_WRITE);
}

/* ---- locks ---- */

static bool line_is_held(const struct costs *costs, uint32_t line)
{
	for (uint32_t i = 0; i < costs->nr_held; i++)
		if (costs->held[i].queued && costs->held[i].line == line)
			return true;
	return false;
}

static FROM_KERNEL void hook_lock(const void *p)
{
	struct engine *e = kernel_engine();
	struct costs *costs = &e->costs;
	struct held_lock lock = { .address = (uint64_t)(uintptr_t)p };
	uint64_t ns;

	if (!costs->meter->epoch)
		return;
	lock.line = heap_line(&e->heap, real_address(&e->costs, lock.address));
	if (lock.line == UINT32_MAX)
		return;
	if (costs->nr_held == MAX_HELD_LOCKS)
		failure_leave(e, "a call of the kernel holds more than %d locks", MAX_HELD_LOCKS);
	costs->accesses++;
	costs->locks++;
	lock.queued = !line_is_held(costs, lock.line);
	if (lock.queued)
		ns = memory_lock(e->memory, e->at, lock.line, kernel_time_ns(e));
	else
		ns = memory_atomic(e->memory, e->at, lock.line, kernel_time_ns(e));
	spend(e, real_address(&e->costs, lock.address), WHERE, ns);
	costs->held[costs->nr_held++] = lock;
}

static FROM_KERNEL void hook_unlock(const void *p)
{
	struct engine *e = kernel_engine();
	struct costs *costs = &e->costs;
	uint32_t i = costs->nr_held;
	uint64_t ns;

	if (!costs->meter->epoch)
		return;
	while (i && costs->held[i - 1].address != (uint64_t)(uintptr_t)p)
		i--;
	if (!i)
		return;
	costs->accesses++;
	if (costs->held[i - 1].queued)
		ns = memory_unlock(e->memory, e->at, costs->held[i - 1].line, kernel_time_ns(e));
	else
		ns = memory_write(e->memory, e->at, costs->held[i - 1].line, kernel_time_ns(e));
	spend(e, real_address(&e->costs, (uint64_t)(uintptr_t)p), WHERE, ns);
	costs->held[i - 1] = costs->held[--costs->nr_held];
}

/* What the image's table does not say. */
static FROM_KERNEL void count_block(uint64_t where)
{
	struct engine *e = kernel_engine();
	struct costs *costs = &e->costs;
	uint64_t offset = where - costs->text_start;
	uint32_t instructions = LONG_BLOCK;

	if (!costs->meter->epoch)
		return;
	if (offset < costs->text_bytes)
		instructions = costs->block[offset / KS_BLOCK_GRAIN];
	if (instructions == LONG_BLOCK)
		instructions = long_block(e, offset);
	costs->meter->blocks++;
	costs->meter->instructions += instructions;
	if (e->profile)
		profile_block(e->profile, where, instructions);
}

static void hook_block(void)
{
	count_block(WHERE);
}

static FROM_KERNEL void profile_enter(uint64_t where)
{
	profile_call(kernel_engine()->profile, where);
}

static void hook_enter(void)
{
	if (kernel_engine()->costs.meter->epoch)
		profile_enter(WHERE);
}

static void hook_leave(void)
{
}

void costs_hooks(struct ks_host *host)
{
	host->read = hook_read;
	host->write = hook_write;
	host->atomic = hook_atomic;
	host->percpu = hook_percpu;
	host->block = hook_block;
	host->enter = hook_enter;
	host->leave = hook_leave;
	host->lock = hook_lock;
	host->unlock = hook_unlock;
}
