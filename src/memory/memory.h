/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What touching shared state costs: 64-byte lines, who holds them, and when they are free.
 *
 * A line knows the cores that hold a valid copy, the core that wrote it last and the time until
 * which it is occupied. A read by a holder is a hit (0 ns: hits are part of the instruction
 * costs). A read by another core pays the transfer from the nearest holder and becomes a holder.
 * A write invalidates the other copies and pays the farthest of them. An atomic is a write that
 * also keeps the line until it is done, so that a line hammered by many cpus serves them one after
 * another; its cost includes that time. A lock is a line with a queue: who asks at t gets it when
 * the previous holder releases it; the lock's release is kept apart from the line's occupation.
 * The rules in full stand at the top of memory.c.
 *
 * All calls take the time of the access and return nanoseconds. Calls come in the order in which
 * the simulation processes them; their times may run a little ahead of each other (memory/busy.h
 * says what then holds). SMT siblings share copies. No access allocates. Lines are numbered in
 * ranges given out by memory_lines(). Cpus are present ones: nothing is checked on a hit.
 */
#ifndef MEMORY_MEMORY_H
#define MEMORY_MEMORY_H

#include "memory/counts.h"

struct memory;

/* A memory with room for max_lines. Machine and arena outlive it. */
struct memory *memory_new(struct arena *arena, const struct machine *machine, uint32_t max_lines);

/*
 * Names a class for the counts; the same name gives the same class. At most MEMORY_MAX_CLASSES.
 * The text stays the caller's and outlives the memory.
 */
uint32_t memory_class(struct memory *mem, const char *name);

/* `count` new lines of a class; returns the first. CHECKs that they fit. */
uint32_t memory_lines(struct memory *mem, uint32_t class, uint32_t count);

/* Moves lines that were given out to another class; what they have counted stays. */
void memory_set_class(struct memory *mem, uint32_t first, uint32_t count, uint32_t class);

/* The four accesses are inline, in memory/line.h. */
static inline uint64_t memory_read(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns);
/* One of several independent reads close together: the transfer is divided by the overlap. */
static inline uint64_t memory_read_scan(struct memory *mem, uint32_t cpu, uint32_t line,
					uint64_t t_ns);
static inline uint64_t memory_write(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns);
static inline uint64_t memory_atomic(struct memory *mem, uint32_t cpu, uint32_t line,
				     uint64_t t_ns);

/*
 * Takes the lock on `line` at t_ns: returns the wait for the holder plus the atomic's cost.
 * memory_unlock() says when it is free again (t_ns = time of the release, not before the lock was
 * got) and returns the cost of the releasing store. A lock is released before the next call takes
 * it, and pairs do not nest on one line: both are CHECKed.
 */
uint64_t memory_lock(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns);
uint64_t memory_unlock(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t_ns);
/* When the lock will be free as far as known; at most t_ns when it is free at t_ns. */
uint64_t memory_lock_free_at(const struct memory *mem, uint32_t line);

/* What moving a line from one cpu's cache to another's costs; 0 within a core. No line is meant. */
static inline uint64_t memory_transfer_ns(const struct memory *mem, uint32_t to, uint32_t from);

/* User code on `cpu` passed `kib` of other data through the core's private cache. */
void memory_pass(struct memory *mem, uint32_t cpu, uint64_t kib);

/* Where the line's newest copy is: the core that wrote it last, or CPU_NONE when never written. */
uint32_t memory_writer(const struct memory *mem, uint32_t line);
bool memory_holds(const struct memory *mem, uint32_t cpu, uint32_t line);

uint32_t memory_nr_classes(const struct memory *mem);
const char *memory_class_name(const struct memory *mem, uint32_t class);
const struct memory_counts *memory_class_counts(const struct memory *mem, uint32_t class);

#include "memory/line.h"

#endif
