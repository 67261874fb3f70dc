/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What pipes and sockets have in common: a kernel mutex to spin for, slots of unread bytes, waking
 * of readers and writers, and the data's way from core to core. Internal to sim/.
 */
#ifndef SIM_STREAM_H
#define SIM_STREAM_H

#include "base/fixed.h"
#include "sim/task.h"
#include "sim/wait.h"

enum stream_side { STREAM_READERS, STREAM_WRITERS };

/* Lines of memory of a stream. Records of slots move with their data. */
enum stream_line {
	LINE_MUTEX,
	LINE_INDEX,   /* head and tail; the byte count of a socket's buffer */
	LINE_READERS, /* lock of the wait queue */
	LINE_WRITERS,
	STREAM_LINES,
};

enum stream_limits {
	PIPE_PAGE_BYTES = 4096,
	SKB_LINES = 4,		 /* of its record */
	SOCKET_DATA_MAX = 36544, /* of one skb: its head and 8 pages of order 3 */
};

/* How many slots the resource has, a power of two, and how many lines of memory. */
uint32_t stream_nr_slots(const struct resource *resource);
uint32_t stream_nr_lines(const struct resource *resource);
/* What a skb of so many bytes is charged to its socket's buffer. */
uint32_t socket_truesize(uint32_t bytes);

/* Asks for the kernel mutex from arrived_ns on; STAGE_PIPE_READ and the like follow once held. */
bool stream_lock(struct sim *sim, uint32_t cpu, uint32_t task, uint64_t arrived_ns);
/* The holder releases it at the current time; who spins longest gets it. */
void stream_unlock(struct sim *sim, uint32_t cpu, uint32_t task);

/* Called when the mutex is got, `at_ns` from now: what the task does with it; returns how long. */
uint64_t pipe_write_plan(struct sim *sim, uint32_t cpu, uint32_t task, uint64_t at_ns);
uint64_t pipe_read_plan(struct sim *sim, uint32_t cpu, uint32_t task, uint64_t at_ns);
uint64_t socket_read_plan(struct sim *sim, uint32_t cpu, uint32_t task, uint64_t at_ns);

/* Takes waiters of one side onto the task's list, see waitq_take(); the lock's cost is a debt. */
void stream_take(struct sim *sim, uint32_t cpu, uint32_t task, enum stream_side side,
		 uint32_t exclusive);
/* The task sleeps on one side. */
void stream_sleep(struct sim *sim, uint32_t cpu, uint32_t task, enum stream_side side,
		  bool exclusive);

/* Getting so many lines that `writer` wrote last, the first in full and the others overlapped. */
uint64_t stream_lines_ns(struct sim *sim, uint32_t cpu, uint32_t writer, uint64_t lines);
/* Unread bytes in the first slots, at most `wanted`; *lines_ns grows by what their lines cost. */
uint32_t stream_peek(struct sim *sim, uint32_t cpu, const struct sim_resource *r, uint64_t wanted,
		     uint64_t *lines_ns);
/* Kernel time of copying bytes that are in the cache. */
static inline uint64_t stream_copy_ns(const struct sim *sim, uint64_t bytes)
{
	return bytes * sim->costs.copy_mib_ns >> 20;
}

/* The system call up to the mutex, with the jitter of the whole operation. */
static inline uint64_t stream_entry_ns(struct sim *sim, uint32_t task)
{
	uint64_t path_ns = task_resource(sim, task)->kind == RESOURCE_PIPE ? sim->costs.pipe_ns
									   : sim->costs.socket_ns;

	return max_u64(task_jitter(sim, task, sim->costs.syscall_ns + path_ns), path_ns) - path_ns;
}

static inline struct sim_slot *stream_slot(struct sim *sim, const struct sim_resource *r,
					   uint32_t i)
{
	return &sim->slot[r->ring + (i & r->ring_mask)];
}

static inline bool stream_empty(const struct sim_resource *r)
{
	return r->head == r->tail;
}

/* Takes task->amount unread bytes out; returns how many slots were read to their end. */
uint32_t stream_consume(struct sim *sim, struct sim_task *task, struct sim_resource *r);

#endif
