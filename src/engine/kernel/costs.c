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

struct block_row {
	uint32_t offset, instructions;
};

static bool read_blocks(FILE *file, struct costs *costs, uint16_t *table)
{
	struct block_row row;
	uint64_t count;

	if (fread(&count, sizeof(count), 1, file) != 1)
		return false;
	while (count--) {
		if (fread(&row, sizeof(row), 1, file) != 1 || row.offset >= costs->text_bytes)
			return false;
		table[row.offset] =
			(uint16_t)(row.instructions < UINT16_MAX ? row.instructions : UINT16_MAX);
	}
	return true;
}

static uint64_t ps_per_instruction(const struct machine *m)
{
	uint64_t per_us = machine_cost(m, COST_cpu) * machine_cost(m, COST_kernel_ipc) / 100;

	return 1000000 / (per_us ? per_us : 1);
}

bool costs_open(struct engine *e, struct arena *arena, struct err *err)
{
	struct costs *costs = &e->costs;
	char path[4096];
	uint16_t *table;
	FILE *file;
	bool good;

	costs->ps_per_instruction = ps_per_instruction(e->machine);
	if (!e->ks->counted)
		return true;
	costs->text_start = (uint64_t)(uintptr_t)e->ks->text_start;
	costs->text_bytes = (uint64_t)(e->ks->text_end - e->ks->text_start);
	costs->block = table = ARENA_ARRAY(arena, uint16_t, costs->text_bytes);
	snprintf(path, sizeof(path), "%s.blocks", e->image.path);
	file = fopen(path, "rb");
	if (!file)
		return err_set(err, "cannot read %s: %s", path, strerror(errno));
	good = read_blocks(file, costs, table);
	fclose(file);
	return good || err_set(err, "%s is not the table of this image's blocks", path);
}

/* ---- accesses ---- */

/* %gs-relative accesses come with the address in the template. */
static inline uint64_t real_address(const struct engine *e, uint64_t address)
{
	uint64_t offset = address - (uint64_t)(uintptr_t)e->ks->percpu_start;

	if (offset < e->ks->percpu_size + KS_PERCPU_DYN)
		return (uint64_t)(uintptr_t)e->ks_machine.percpu +
		       e->at * e->ks_machine.percpu_stride + offset;
	return address;
}

static bool is_in_loop(struct costs *costs, uint64_t where)
{
	bool found = false;

	for (uint32_t i = 0; i < RECENT_MISSES; i++)
		if (costs->recent[i].where == where) {
			found = costs->instructions - costs->recent[i].instructions < NEAR;
			costs->recent[i].instructions = costs->instructions;
			return found;
		}
	costs->recent[costs->next_recent++ % RECENT_MISSES] =
		(struct miss){ where, costs->instructions };
	return false;
}

static uint64_t read_line(struct engine *e, uint32_t line, uint64_t where)
{
	uint64_t t_ns = kernel_time_ns(e);

	if (memory_line_held(e->memory, memory_line_at(e->memory, line),
			     e->memory->core_of[e->at]) ||
	    !is_in_loop(&e->costs, where))
		return memory_read(e->memory, e->at, line, t_ns);
	return memory_read_scan(e->memory, e->at, line, t_ns);
}

static inline void spend(struct engine *e, uint64_t address, uint64_t where, uint64_t ns)
{
	e->spent_ps += ns * 1000;
	if (e->profile)
		profile_access(e->profile, address, where, ns);
}

static inline void access_lines(struct engine *e, const void *p, uint64_t bytes, uint64_t where,
				int write)
{
	uint64_t address = real_address(e, (uint64_t)(uintptr_t)p);
	uint64_t end = address + (bytes ? bytes : 1), next;

	for (; address < end; address = next) {
		uint32_t line = heap_line(&e->heap, address);
		uint64_t ns;

		next = (address | (LINE - 1)) + 1;

		if (line == UINT32_MAX)
			continue;
		e->costs.accesses++;
		ns = write ? memory_write(e->memory, e->at, line, kernel_time_ns(e))
			   : read_line(e, line, where);
		spend(e, address, where, ns);
	}
}

#define WHERE ((uint64_t)(uintptr_t)__builtin_return_address(0))

static FROM_KERNEL void hook_read(const void *p, ks_u64 bytes)
{
	struct engine *e = kernel_engine();

	if (e->costs.on)
		access_lines(e, p, bytes, WHERE, 0);
}

static FROM_KERNEL void hook_write(const void *p, ks_u64 bytes)
{
	struct engine *e = kernel_engine();

	if (e->costs.on)
		access_lines(e, p, bytes, WHERE, 1);
}

static FROM_KERNEL void hook_percpu(const void *p, ks_u64 bytes, int write)
{
	struct engine *e = kernel_engine();

	if (e->costs.on)
		access_lines(e, p, bytes, WHERE, write);
}

static FROM_KERNEL void hook_atomic(const void *p, ks_u64 bytes)
{
	struct engine *e = kernel_engine();
	uint64_t address;
	uint32_t line;

	if (!e->costs.on)
		return;
	address = real_address(e, (uint64_t)(uintptr_t)p);
	line = heap_line(&e->heap, address);
	if (line == UINT32_MAX)
		return;
	e->costs.accesses++;
	spend(e, address, WHERE, memory_atomic(e->memory, e->at, line, kernel_time_ns(e)));
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

	if (!costs->on)
		return;
	lock.line = heap_line(&e->heap, real_address(e, lock.address));
	if (lock.line == UINT32_MAX || costs->nr_held == MAX_HELD_LOCKS)
		return;
	costs->accesses++;
	costs->locks++;
	lock.queued = !line_is_held(costs, lock.line);
	if (lock.queued)
		ns = memory_lock(e->memory, e->at, lock.line, kernel_time_ns(e));
	else
		ns = memory_atomic(e->memory, e->at, lock.line, kernel_time_ns(e));
	spend(e, real_address(e, lock.address), WHERE, ns);
	costs->held[costs->nr_held++] = lock;
}

static FROM_KERNEL void hook_unlock(const void *p)
{
	struct engine *e = kernel_engine();
	struct costs *costs = &e->costs;
	uint32_t i = costs->nr_held;
	uint64_t ns;

	if (!costs->on)
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
	spend(e, real_address(e, (uint64_t)(uintptr_t)p), WHERE, ns);
	costs->held[i - 1] = costs->held[--costs->nr_held];
}

static FROM_KERNEL void hook_block(void)
{
	struct engine *e = kernel_engine();
	uint64_t offset = WHERE - e->costs.text_start;
	uint32_t instructions;

	if (!e->costs.on || offset >= e->costs.text_bytes)
		return;
	instructions = e->costs.block[offset];
	e->costs.blocks++;
	e->costs.instructions += instructions;
	e->spent_ps += instructions * e->costs.ps_per_instruction;
	if (e->profile)
		profile_block(e->profile, WHERE, instructions);
}

static FROM_KERNEL void hook_enter(void)
{
	struct engine *e = kernel_engine();

	e->costs.calls++;
	if (e->profile && e->costs.on)
		profile_call(e->profile, WHERE);
}

static FROM_KERNEL void hook_leave(void)
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
