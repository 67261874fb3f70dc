/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mutex of a pipe (of a socket's readers) is held by tasks that run, so those who ask for it
 * spin, in order of arrival, as the kernel's optimistic spinning does. Its cost is the memory
 * model's: memory_lock() is told of the arrival when the task's turn has come.
 */
#include "sim/stream.h"
#include "base/check.h"
#include "base/fixed.h"

static uint32_t power_of_two(uint32_t least)
{
	uint32_t n = 1;

	while (n < least)
		n *= 2;
	return n;
}

uint32_t stream_nr_slots(const struct resource *resource)
{
	if (resource->kind == RESOURCE_PIPE)
		return power_of_two((resource->value + PIPE_PAGE_BYTES - 1) / PIPE_PAGE_BYTES);
	return power_of_two(resource->value / socket_truesize(1) + 2);
}

static bool is_reader(const struct sim *sim, uint32_t t)
{
	return task_op(sim, t)->kind == OP_READ;
}

/* The task's turn: it arrived before or arrives soon; holds from then on. */
static void get_lock(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	struct sim_resource *r = task_resource(sim, t);
	uint64_t wait_ns = memory_lock(sim->memory, c, r->line + LINE_MUTEX, task->arrived_ns);
	uint64_t got_ns = max_u64(task->arrived_ns + wait_ns, sim->now_ns);
	uint64_t at_ns = got_ns - sim->now_ns, ns;

	r->held = true;
	task->holding = true;
	if (r->kind == RESOURCE_SOCKET) {
		task->stage = STAGE_SOCKET_READ;
		ns = socket_read_plan(sim, c, t, at_ns);
	} else if (is_reader(sim, t)) {
		task->stage = STAGE_PIPE_READ;
		ns = pipe_read_plan(sim, c, t, at_ns);
	} else {
		task->stage = STAGE_PIPE_WRITTEN;
		ns = pipe_write_plan(sim, c, t, at_ns);
	}
	cpu_kernel(sim, c, at_ns + ns);
}

bool stream_lock(struct sim *sim, uint32_t c, uint32_t t, uint64_t arrived_ns)
{
	struct sim_resource *r = task_resource(sim, t);

	sim->task[t].arrived_ns = arrived_ns;
	if (r->held) {
		sim_count(sim, SIM_spins, 1);
		waitq_add(sim, &r->spin, t, true);
		cpu_spin(sim, c);
	} else {
		get_lock(sim, c, t);
	}
	return false;
}

bool stage_stream_lock(struct sim *sim, uint32_t c, uint32_t t)
{
	return stream_lock(sim, c, t, sim->now_ns);
}

void stream_unlock(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);
	uint32_t next;

	CHECK(r->held && sim->task[t].holding);
	sim->task[t].holding = false;
	r->held = false;
	sim->cpu[c].debt_ns += memory_unlock(sim->memory, c, r->line + LINE_MUTEX, sim->now_ns);
	if (waitq_empty(&r->spin))
		return;
	next = waitq_pop(sim, &r->spin);
	if (sim->task[next].arrived_ns < sim->now_ns)
		sim_count(sim, SIM_spin_ns, sim->now_ns - sim->task[next].arrived_ns);
	get_lock(sim, sim->task[next].cpu, next);
}

static void touch_wait_queue(struct sim *sim, uint32_t c, uint32_t line)
{
	uint64_t ns = memory_lock(sim->memory, c, line, sim->now_ns);

	ns += memory_unlock(sim->memory, c, line, sim->now_ns + ns);
	sim->cpu[c].debt_ns += ns;
}

void stream_take(struct sim *sim, uint32_t c, uint32_t t, enum stream_side side, uint32_t exclusive)
{
	struct sim_resource *r = task_resource(sim, t);

	/* Sockets look for sleepers before they take the lock. */
	if (r->kind == RESOURCE_SOCKET && waitq_empty(&r->wait[side]))
		return;
	touch_wait_queue(sim, c, r->line + LINE_READERS + side);
	waitq_take(sim, &r->wait[side], t, exclusive);
}

void stream_sleep(struct sim *sim, uint32_t c, uint32_t t, enum stream_side side, bool exclusive)
{
	struct sim_resource *r = task_resource(sim, t);

	touch_wait_queue(sim, c, r->line + LINE_READERS + side);
	waitq_add(sim, &r->wait[side], t, exclusive);
	sim->task[t].waited = true;
	task_block(sim, c, t, TASK_WAITING);
}

uint64_t stream_lines_ns(struct sim *sim, uint32_t c, uint32_t writer, uint64_t lines)
{
	uint64_t line_ns, ns;

	if (sim->cpu[c].core == sim->cpu[writer].core)
		return 0;
	line_ns = memory_transfer_ns(sim->memory, c, writer);
	ns = line_ns + (lines - 1) * line_ns * 100 / sim->costs.overlap_pct;
	sim_count(sim, SIM_data_lines, lines);
	sim_count(sim, SIM_data_ns, ns);
	return ns;
}

uint32_t stream_peek(struct sim *sim, uint32_t c, const struct sim_resource *r, uint64_t wanted,
		     uint64_t *ns)
{
	uint64_t record_lines = r->kind == RESOURCE_SOCKET ? SKB_LINES : 1, bytes = 0;

	for (uint32_t i = r->tail; i != r->head && bytes < wanted; i++) {
		const struct sim_slot *slot = stream_slot(sim, r, i);
		uint64_t part = slot->end - slot->begin;

		if (part > wanted - bytes)
			part = wanted - bytes;
		bytes += part;
		*ns += stream_lines_ns(sim, c, slot->writer, record_lines + (part + 63) / 64);
	}
	return (uint32_t)bytes;
}

bool op_READ(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];

	task->bytes = task_op(sim, t)->a;
	task->waited = false;
	sim_count(sim, SIM_reads, 1);
	return stream_lock(sim, c, t, sim->now_ns + stream_entry_ns(sim, t));
}

/* Bytes are missing: the program reads again. */
bool stage_stream_again(struct sim *sim, uint32_t c, uint32_t t)
{
	sim->task[t].waited = false;
	return stream_lock(sim, c, t, sim->now_ns + stream_entry_ns(sim, t));
}

/* The mutex was released since the stream was seen empty. */
bool stage_stream_empty(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);

	if (!stream_empty(r))
		return stream_lock(sim, c, t, sim->now_ns);
	sim_count(sim, SIM_read_waits, 1);
	stream_sleep(sim, c, t, STREAM_READERS, r->kind == RESOURCE_PIPE);
	return false;
}

bool op_POLL(struct sim *sim, uint32_t c, uint32_t t)
{
	return task_kernel(sim, c, t, sim->costs.syscall_ns, STAGE_STREAM_POLL);
}

bool stage_stream_poll(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);

	if (stream_empty(r)) {
		stream_sleep(sim, c, t, STREAM_READERS, false);
		return false;
	}
	sim->task[t].stage = STAGE_NEXT;
	return true;
}

uint32_t stream_consume(struct sim *sim, struct sim_task *task, struct sim_resource *r)
{
	uint32_t left = task->amount, before = r->tail;

	while (left) {
		struct sim_slot *slot = stream_slot(sim, r, r->tail);
		uint32_t unread = (uint32_t)(slot->end - slot->begin);
		uint32_t part = left < unread ? left : unread;

		slot->begin = (uint16_t)(slot->begin + part);
		left -= part;
		if (part == unread)
			r->tail++;
	}
	task->bytes -= task->amount;
	return r->tail - before;
}
