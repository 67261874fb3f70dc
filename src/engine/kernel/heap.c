/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects are whole lines, zeroed, taken from the end of the arena or from the freed ones of the
 * same size, last freed first. A line before each object says its size.
 */
#include "engine/kernel/internal.h"

#include "base/check.h"

#include <string.h>
#include <sys/mman.h>

/* Far from where programs, their libraries and sanitizers put anything. */
static const uint64_t HEAP_AT = 0x200000000000, STACKS_AT = 0x210000000000;

enum { LINE = 64, PAGE = 4096, HEADER = LINE, SPARE_CLASSES = 8 };

/*
 * Stacks and per-cpu areas do not lie a power of two apart: else what is used of each would share
 * the same few sets of the host's caches.
 */
enum { COLOUR = 5 * LINE, COLOURS = 13 };

/* A page that nobody may touch, and room for a stack of any colour. */
enum { STACK_STRIDE = PAGE + KS_STACK + PAGE };
_Static_assert((COLOURS - 1) * COLOUR <= PAGE, "the last colour fits");

enum object_state { OBJECT_USED = 0x6b73, OBJECT_FREE };

struct header { /* one line before each object */
	uint64_t bytes, state;
	void *next_free;
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

static uint64_t percpu_stride(const struct ks_image *ks)
{
	return round_up(ks->percpu_size + KS_PERCPU_DYN, PAGE) + COLOUR;
}

static uint64_t heap_bytes(const struct ks_image *ks, const struct engine_config *config)
{
	uint64_t cpus = config->machine->nr_cpus, tasks = config->max_tasks + 4 * cpus;
	/* Domains are built anew before the old ones go. */
	uint64_t objects = cpus * (config->hotplug ? 128 << 10 : 48 << 10) +
			   tasks * (ks->task_bytes + 4096) + (8 << 20);

	return round_up(cpus * percpu_stride(ks) + objects + config->nr_groups * cpus * 2048, PAGE);
}

uint32_t heap_lines(const struct ks_image *ks, const struct engine_config *config)
{
	uint64_t data = (uint64_t)(ks->data_end - ks->data_start);

	return (uint32_t)((round_up(data, LINE) + LINE + heap_bytes(ks, config)) / LINE);
}

/* The kernel's names are gone with the image: the classes have their own. */
static uint32_t class_of(struct engine *e, const char *what)
{
	uint32_t nr = memory_nr_classes(e->memory);

	for (uint32_t i = 0; i < nr; i++)
		if (!strcmp(memory_class_name(e->memory, i), what))
			return i;
	if (nr >= MEMORY_MAX_CLASSES - SPARE_CLASSES)
		what = "heap";
	return memory_class(e->memory, arena_strdup(e->arena, what));
}

static void name_lines(struct engine *e, uint64_t address, uint64_t bytes, const char *what)
{
	uint32_t first = heap_line(&e->heap, address);
	uint32_t count = (uint32_t)((bytes + LINE - 1) / LINE);

	memory_set_class(e->memory, first, count, class_of(e, what));
	if (e->profile)
		profile_name(e->profile, first - e->heap.first_line, count, what);
}

static void open_percpu(struct engine *e)
{
	uint32_t cpus = e->machine->nr_cpus;
	uint64_t stride = percpu_stride(e->ks);
	char *area = e->heap.next;

	e->heap.next += cpus * stride;
	e->ks_machine.percpu = area;
	e->ks_machine.percpu_stride = stride;
	name_lines(e, (uint64_t)(uintptr_t)area, cpus * stride, "percpu");
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		char *mine = area + cpu * stride;

		memcpy(mine, e->ks->percpu_start, e->ks->percpu_size);
		name_lines(e, (uint64_t)(uintptr_t)(mine + (e->ks->rq_start - e->ks->percpu_start)),
			   e->ks->rq_bytes, "rq");
	}
}

bool heap_open(struct engine *e, struct err *err)
{
	struct heap *h = &e->heap;
	uint64_t bytes = heap_bytes(e->ks, e->config);
	uint64_t stacks = (e->config->max_tasks + 4ull * e->machine->nr_cpus) * STACK_STRIDE;

	if (!image_reserve(HEAP_AT, bytes, err))
		return false;
	h->start = h->next = (char *)(uintptr_t)HEAP_AT;
	h->end = h->start + bytes;
	if (!image_reserve(STACKS_AT, stacks, err))
		return false;
	h->stack_start = h->stack_next = (char *)(uintptr_t)STACKS_AT;
	h->stack_end = h->stack_start + stacks;
	h->data_start = (uint64_t)(uintptr_t)e->ks->data_start / LINE * LINE;
	h->data_lines = ((uint64_t)(uintptr_t)e->ks->data_end - h->data_start + LINE - 1) / LINE;
	h->nr_lines = (uint32_t)(h->data_lines + bytes / LINE);
	h->first_line = memory_lines(e->memory, memory_class(e->memory, "kernel"), h->nr_lines);
	name_lines(e, h->data_start, h->data_lines * LINE, "static");
	open_percpu(e);
	return true;
}

void heap_close(struct engine *e)
{
	struct heap *h = &e->heap;

	image_release(HEAP_AT, (uint64_t)(h->end - h->start));
	image_release(STACKS_AT, (uint64_t)(h->stack_end - h->stack_start));
}

static struct free_list *list_of(struct heap *h, uint64_t bytes)
{
	for (uint32_t i = 0; i < h->nr_lists; i++)
		if (h->list[i].bytes == bytes)
			return &h->list[i];
	if (h->nr_lists == sizeof(h->list) / sizeof(h->list[0]))
		return NULL;
	h->list[h->nr_lists] = (struct free_list){ .bytes = bytes };
	return &h->list[h->nr_lists++];
}

void *heap_alloc(struct engine *e, uint64_t bytes, const char *what)
{
	uint64_t size = round_up(bytes ? bytes : 1, LINE);
	struct free_list *list = list_of(&e->heap, size);
	struct header *header;
	char *object;

	if (list && list->first) {
		header = list->first;
		list->first = header->next_free;
	} else {
		if (size + HEADER > (uint64_t)(e->heap.end - e->heap.next))
			failure_leave(e, "the kernel is out of memory (%llu bytes asked for)",
				      (unsigned long long)bytes);
		header = (struct header *)(void *)e->heap.next;
		e->heap.next += size + HEADER;
	}
	*header = (struct header){ .bytes = size, .state = OBJECT_USED };
	object = (char *)header + HEADER;
	memset(object, 0, size);
	name_lines(e, (uint64_t)(uintptr_t)object, size, what ? what : "heap");
	return object;
}

/* NULL when nothing that was allocated is there. */
static struct header *header_of(const struct heap *h, void *object)
{
	uint64_t offset = (uint64_t)((char *)object - h->start);

	if (offset < HEADER || offset >= (uint64_t)(h->next - h->start) || offset % LINE)
		return NULL;
	return (struct header *)(void *)((char *)object - HEADER);
}

void heap_free(struct engine *e, void *object)
{
	struct header *header = header_of(&e->heap, object);
	struct free_list *list;

	if (header && header->state == OBJECT_FREE)
		failure_leave(e, "the kernel frees %p twice", object);
	if (!header || header->state != OBJECT_USED)
		failure_leave(e, "the kernel frees %p, which was not allocated", object);
	header->state = OBJECT_FREE;
	list = list_of(&e->heap, header->bytes);
	if (!list)
		return; /* too many sizes: not used again */
	header->next_free = list->first;
	list->first = header;
}

static char *stack_new(struct heap *h)
{
	uint64_t number = (uint64_t)(h->stack_next - h->stack_start) / STACK_STRIDE;
	char *guard = h->stack_next;

	h->stack_next += STACK_STRIDE;
	/* The system has only so many mappings: the last of very many stacks go without. */
	mprotect(guard, PAGE, PROT_NONE);
	return guard + PAGE + number % COLOURS * COLOUR;
}

void *heap_stack_alloc(struct engine *e)
{
	struct heap *h = &e->heap;
	char *stack = h->free_stack;

	if (stack) {
		h->free_stack = *(void **)(void *)stack;
		return stack;
	}
	if (h->stack_next == h->stack_end)
		failure_leave(e, "the kernel is out of stacks");
	return stack_new(h);
}

void heap_stack_free(struct engine *e, void *stack)
{
	*(void **)stack = e->heap.free_stack;
	e->heap.free_stack = stack;
}
