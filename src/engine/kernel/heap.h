/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's memory: the image's data, per-cpu areas and objects, whose lines the memory model
 * knows, and stacks, which it does not. Private to engine/kernel.
 *
 * Both lie at fixed addresses and are sized once, by cpus, tasks and groups. What does not fit, and
 * what is freed twice or was never allocated, ends the verb by failure_leave().
 */
#ifndef ENGINE_KERNEL_HEAP_H
#define ENGINE_KERNEL_HEAP_H

#include "engine/engine.h"

#include "../kernel/abi.h"

/* Freed objects of one size, linked through their first word. */
struct free_list {
	uint64_t bytes;
	void *first;
};

struct heap {
	char *start, *next, *end; /* per-cpu areas, then objects; used up to `next` */
	char *stack_start, *stack_next, *stack_end;
	void *free_stack; /* linked through their first word */
	struct free_list list[64];
	uint32_t nr_lists;
	uint64_t data_start, data_lines; /* the image's data; its lines come first */
	uint32_t first_line, nr_lines;
};

/* Of the memory model, upper bound: image data, per-cpu areas and objects. */
uint32_t heap_lines(const struct ks_image *ks, const struct engine_config *config);
/* Maps both, fills the per-cpu areas and takes lines. False and err set: an address is taken. */
bool heap_open(struct engine *e, struct err *err);
void heap_close(struct engine *e);

/* Zeroed whole lines. `what` names the class of their lines and is not kept; NULL: "heap". */
void *heap_alloc(struct engine *e, uint64_t bytes, const char *what);
void heap_free(struct engine *e, void *object);
/* KS_STACK bytes below which an access faults; lowest address. */
void *heap_stack_alloc(struct engine *e);
void heap_stack_free(struct engine *e, void *stack);

static inline bool heap_is_stack(const struct heap *heap, uint64_t address)
{
	return address - (uint64_t)(uintptr_t)heap->stack_start <
	       (uint64_t)(heap->stack_end - heap->stack_start);
}

/* The memory model's line of an address, UINT32_MAX when it has none. */
static inline uint32_t heap_line(const struct heap *heap, uint64_t address)
{
	uint64_t offset = address - heap->data_start;

	if (offset < heap->data_lines * 64)
		return heap->first_line + (uint32_t)(offset / 64);
	offset = address - (uint64_t)(uintptr_t)heap->start;
	if (offset < (uint64_t)(heap->end - heap->start))
		return heap->first_line + (uint32_t)(heap->data_lines + offset / 64);
	return UINT32_MAX;
}

#endif
