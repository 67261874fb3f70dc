/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pipes, after the behaviour of fs/pipe.c (sim/paths.def has what differs by version).
 *
 * A pipe is a ring of pages. The part of a write beyond whole pages goes into the last page if it
 * fits; else each 4096 bytes take a page. A page is free again when all of it was read. All of a
 * read or write happens under the pipe's mutex: what is done is planned when the mutex is got,
 * which takes the time, and becomes true when it is released.
 *
 * Edges: a writer wakes a reader when the pipe was empty as it got the mutex, a reader wakes a
 * writer when it was full; who slept exclusively passes the wake-up on while there is more.
 */
#include "sim/stream.h"

static uint32_t pipe_size(const struct sim_resource *r)
{
	return r->ring_mask + 1;
}

static bool pipe_full(const struct sim_resource *r)
{
	return r->head - r->tail == pipe_size(r);
}

/* The part of a write that goes into the last page. */
static uint32_t merged_bytes(struct sim *sim, const struct sim_resource *r, uint64_t bytes)
{
	uint32_t part = (uint32_t)(bytes % PIPE_PAGE_BYTES);

	if (stream_empty(r) || stream_slot(sim, r, r->head - 1)->end + part > PIPE_PAGE_BYTES)
		return 0;
	return part;
}

uint64_t pipe_write_plan(struct sim *sim, uint32_t c, uint32_t t, uint64_t at_ns)
{
	struct sim_task *task = &sim->task[t];
	struct sim_resource *r = task_resource(sim, t);
	uint64_t room = (uint64_t)(pipe_size(r) - (r->head - r->tail)) * PIPE_PAGE_BYTES;
	uint64_t now_ns = sim->now_ns + at_ns, ns = sim->costs.pipe_ns;
	uint32_t merged = merged_bytes(sim, r, task->bytes);

	if (room > task->bytes - merged)
		room = task->bytes - merged;
	task->amount = (uint32_t)(merged + room);
	task->was_edge = stream_empty(r);
	if (room)
		ns += memory_write(sim->memory, c, r->line + LINE_INDEX, now_ns);
	else
		ns += memory_read(sim->memory, c, r->line + LINE_INDEX, now_ns);
	if (merged) /* the slot's record and the line where the last message ends */
		ns += stream_lines_ns(sim, c, stream_slot(sim, r, r->head - 1)->writer, 2);
	return ns + stream_copy_ns(sim, task->amount);
}

static void pipe_append(struct sim *sim, uint32_t c, struct sim_task *task, struct sim_resource *r)
{
	uint32_t left = task->amount, merged = merged_bytes(sim, r, task->bytes);

	if (merged) {
		struct sim_slot *slot = stream_slot(sim, r, r->head - 1);

		slot->end = (uint16_t)(slot->end + merged);
		slot->writer = (uint16_t)c;
		left -= merged;
	}
	while (left) {
		uint32_t part = left < PIPE_PAGE_BYTES ? left : PIPE_PAGE_BYTES;

		*stream_slot(sim, r, r->head++) =
			(struct sim_slot){ .end = (uint16_t)part, .writer = (uint16_t)c };
		left -= part;
	}
	sim_count(sim, SIM_bytes, task->amount);
	task->bytes -= task->amount;
}

/* Without exclusive waits everybody waits on the readers' side and all are woken. */
static void wake_side(struct sim *sim, uint32_t c, uint32_t t, enum stream_side side)
{
	if (sim->paths->pipe_exclusive)
		stream_take(sim, c, t, side, 1);
	else
		stream_take(sim, c, t, STREAM_READERS, 0);
}

bool op_WRITE(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];

	task->bytes = task_op(sim, t)->a;
	task->waited = false;
	sim_count(sim, SIM_writes, 1);
	if (task_resource(sim, t)->kind == RESOURCE_SOCKET)
		return task_kernel(sim, c, t, sim->costs.syscall_ns, STAGE_SOCKET_SEND);
	return stream_lock(sim, c, t, sim->now_ns + stream_entry_ns(sim, t));
}

bool stage_pipe_written(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	struct sim_resource *r = task_resource(sim, t);
	bool wake = sim->paths->pipe_only_edges ? task->was_edge : task->amount > 0;

	pipe_append(sim, c, task, r);
	/* Older kernels wake under the mutex when they are going to sleep. */
	if (task->bytes == 0 || sim->paths->pipe_exclusive)
		stream_unlock(sim, c, t);
	if (wake)
		wake_side(sim, c, t, STREAM_READERS);
	if (task->bytes)
		return task_wake_list(sim, t, ENGINE_WAKE_SYNC,
				      task->holding ? STAGE_PIPE_SLEEP : STAGE_PIPE_FULL);
	if (sim->paths->pipe_exclusive && task->waited && !pipe_full(r))
		wake_side(sim, c, t, STREAM_WRITERS);
	return task_wake_list(sim, t, ENGINE_WAKE_SYNC, STAGE_NEXT);
}

bool stage_pipe_full(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_resource *r = task_resource(sim, t);

	if (!pipe_full(r))
		return stream_lock(sim, c, t, sim->now_ns);
	sim_count(sim, SIM_write_waits, 1);
	stream_sleep(sim, c, t, STREAM_WRITERS, true);
	return false;
}

/* The wait of older kernels: on the queue before the mutex is released, the mutex again after. */
bool stage_pipe_sleep(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];

	sim_count(sim, task_op(sim, t)->kind == OP_READ ? SIM_read_waits : SIM_write_waits, 1);
	task->stage = STAGE_STREAM_LOCK;
	stream_unlock(sim, c, t);
	stream_sleep(sim, c, t, STREAM_READERS, false);
	return false;
}

static bool frees_slot(struct sim *sim, const struct sim_resource *r, uint32_t bytes)
{
	const struct sim_slot *slot = stream_slot(sim, r, r->tail);

	return bytes && bytes >= (uint32_t)(slot->end - slot->begin);
}

uint64_t pipe_read_plan(struct sim *sim, uint32_t c, uint32_t t, uint64_t at_ns)
{
	struct sim_task *task = &sim->task[t];
	struct sim_resource *r = task_resource(sim, t);
	uint64_t now_ns = sim->now_ns + at_ns, ns = 0;

	task->was_edge = pipe_full(r);
	task->amount = stream_peek(sim, c, r, task->bytes, &ns);
	if (frees_slot(sim, r, task->amount))
		ns += memory_write(sim->memory, c, r->line + LINE_INDEX, now_ns + ns);
	else
		ns += memory_read(sim->memory, c, r->line + LINE_INDEX, now_ns + ns);
	if (!task->amount)
		return ns + sim->costs.pipe_ns / 2;
	return ns + sim->costs.pipe_ns + stream_copy_ns(sim, task->amount);
}

bool stage_pipe_read(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	struct sim_resource *r = task_resource(sim, t);
	uint32_t freed = stream_consume(sim, task, r);

	if (!task->amount && !sim->paths->pipe_exclusive)
		return stage_pipe_sleep(sim, c, t);
	stream_unlock(sim, c, t);
	if (!task->amount) {
		task->stage = STAGE_STREAM_EMPTY;
		return true;
	}
	if (freed && (task->was_edge || !sim->paths->pipe_only_edges))
		wake_side(sim, c, t, STREAM_WRITERS);
	if (sim->paths->pipe_exclusive && task->waited && !stream_empty(r))
		wake_side(sim, c, t, STREAM_READERS);
	return task_wake_list(sim, t, ENGINE_WAKE_SYNC,
			      task->bytes ? STAGE_STREAM_AGAIN : STAGE_NEXT);
}
