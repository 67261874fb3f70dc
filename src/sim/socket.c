/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * UNIX stream sockets, one direction. A write makes skbs, each charged with its true size to the
 * sender's buffer; a sender may begin a skb while the charge is below the limit, and sleeps
 * otherwise. Each skb wakes the readers. A skb that was read is uncharged, and wakes the senders
 * when a quarter of the limit or less is in use. Readers take turns under a mutex.
 */
#include "base/fixed.h"
#include "sim/stream.h"

enum socket_sizes {
	SKB_BYTES = 256,       /* sk_buff in its slab */
	SKB_SHARED_INFO = 320, /* behind the data */
	SKB_HEAD_MAX = 3776,   /* data in the first page */
	SKB_LEAST = 512,       /* smallest piece used for data and shared info */
};

uint32_t socket_truesize(uint32_t bytes)
{
	uint32_t head = SKB_LEAST, pages;

	if (bytes > SKB_HEAD_MAX) {
		pages = (bytes - SKB_HEAD_MAX + PIPE_PAGE_BYTES - 1) / PIPE_PAGE_BYTES;
		return SKB_BYTES + PIPE_PAGE_BYTES + pages * PIPE_PAGE_BYTES;
	}
	while (head < bytes + SKB_SHARED_INFO)
		head *= 2;
	return SKB_BYTES + head;
}

bool stage_socket_send(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	struct sim_resource *r = task_resource(sim, t);
	uint32_t most = (uint32_t)min_u64(SOCKET_DATA_MAX, r->limit / 2);
	uint64_t ns;

	if (r->used >= r->limit) {
		sim_count(sim, SIM_write_waits, 1);
		stream_sleep(sim, c, t, STREAM_WRITERS, false);
		return false;
	}
	task->amount = (uint32_t)min_u64(task->bytes, most);
	r->used += socket_truesize(task->amount);
	ns = memory_atomic(sim->memory, c, r->line + LINE_INDEX, sim->now_ns);
	ns += sim->costs.socket_ns + stream_copy_ns(sim, task->amount);
	return task_kernel(sim, c, t, ns, STAGE_SOCKET_SENT);
}

bool stage_socket_sent(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	struct sim_resource *r = task_resource(sim, t);

	*stream_slot(sim, r, r->head++) =
		(struct sim_slot){ .end = (uint16_t)task->amount, .writer = (uint16_t)c };
	task->bytes -= task->amount;
	sim_count(sim, SIM_bytes, task->amount);
	stream_take(sim, c, t, STREAM_READERS, 0);
	return task_wake_list(sim, t, ENGINE_WAKE_SYNC,
			      task->bytes ? STAGE_SOCKET_SEND : STAGE_NEXT);
}

uint64_t socket_read_plan(struct sim *sim, uint32_t c, uint32_t t, uint64_t at_ns)
{
	struct sim_task *task = &sim->task[t];
	struct sim_resource *r = task_resource(sim, t);
	uint64_t now_ns = sim->now_ns + at_ns, ns = 0;

	task->amount = stream_peek(sim, c, r, task->bytes, &ns);
	if (!task->amount)
		return sim->costs.socket_ns / 2;
	ns += memory_atomic(sim->memory, c, r->line + LINE_INDEX, now_ns + ns);
	return ns + sim->costs.socket_ns + stream_copy_ns(sim, task->amount);
}

/* Takes the bytes out and uncharges the messages read to their end; true when there were any. */
static bool socket_consume(struct sim *sim, struct sim_task *task, struct sim_resource *r)
{
	uint32_t first = r->tail, freed = stream_consume(sim, task, r);

	for (uint32_t i = 0; i < freed; i++)
		r->used -= socket_truesize(stream_slot(sim, r, first + i)->end);
	return freed != 0;
}

bool stage_socket_read(struct sim *sim, uint32_t c, uint32_t t)
{
	struct sim_task *task = &sim->task[t];
	struct sim_resource *r = task_resource(sim, t);
	bool freed = socket_consume(sim, task, r);

	stream_unlock(sim, c, t);
	if (!task->amount) {
		task->stage = STAGE_STREAM_EMPTY;
		return true;
	}
	if (freed && r->used <= r->limit / 4)
		stream_take(sim, c, t, STREAM_WRITERS, 0);
	return task_wake_list(sim, t, ENGINE_WAKE_SYNC,
			      task->bytes ? STAGE_STREAM_AGAIN : STAGE_NEXT);
}
