/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words are told by address. Equal words of equal objects (the runqueues of all cpus, all tasks)
 * are added up, and those of one line make a row.
 */
#include "engine/kernel/profile.h"

#include "engine/kernel/internal.h"
#include "engine/kernel/record.h"
#include "engine/kernel/tables.h"

#include <string.h>

enum { LINE = 64, ROWS = 1 << 14, FIELDS = 8, SHOWN = 3 };

/* Which word of what. */
struct place {
	const char *owner;
	uint64_t offset;
};

struct field_cost {
	uint64_t offset, ns, accesses;
};

struct row {
	const char *owner; /* NULL: free */
	uint32_t line;
	uint64_t accesses, misses, ns;
	struct field_cost field[FIELDS];
};

struct reading {
	const struct engine *e;
	struct arena *arena;
	struct image_tables tables;
	struct row *row;
};

/* ---- who owns an address ---- */

static struct place of_symbol(struct reading *r, uint64_t address)
{
	const struct image_symbol *symbol = image_symbol_at(&r->tables, address);

	if (!symbol)
		return (struct place){ "static", 0 };
	return (struct place){ symbol->name, address - symbol->start };
}

static struct place of_percpu(struct reading *r, uint64_t offset)
{
	const struct ks_image *ks = r->e->ks;
	uint64_t rq = (uint64_t)(ks->rq_start - ks->percpu_start);

	if (offset - rq < ks->rq_bytes)
		return (struct place){ "rq", offset - rq };
	if (offset >= ks->percpu_size)
		return (struct place){ "percpu", offset - ks->percpu_size };
	return of_symbol(r, (uint64_t)(uintptr_t)ks->percpu_start + offset);
}

static struct place of_object(struct reading *r, uint64_t address)
{
	const struct heap *heap = &r->e->heap;
	uint32_t line = heap_line(heap, address);
	const struct profile_object *object;

	if (line == UINT32_MAX || line - heap->first_line >= r->e->profile->nr_lines)
		return (struct place){ "heap", 0 };
	object = &r->e->profile->object[line - heap->first_line];
	if (!object->what)
		return (struct place){ "heap", 0 };
	return (struct place){ object->what,
			       (uint64_t)(line - heap->first_line - object->start) * LINE +
				       address % LINE };
}

static struct place place_of(struct reading *r, uint64_t address)
{
	const struct ks_machine *m = &r->e->ks_machine;
	uint64_t in_areas = address - (uint64_t)(uintptr_t)m->percpu;

	if (address - r->e->heap.data_start < r->e->heap.data_lines * LINE)
		return of_symbol(r, address);
	if (in_areas < m->percpu_stride * r->e->machine->nr_cpus)
		return of_percpu(r, in_areas % m->percpu_stride);
	return of_object(r, address);
}

/* ---- rows ---- */

static uint32_t hash_of(const char *owner, uint32_t line)
{
	uint32_t h = 2166136261u ^ line;

	for (; *owner; owner++)
		h = (h ^ (uint8_t)*owner) * 16777619u;
	return h;
}

/* NULL when the table is full, which takes more kinds of lines than a kernel has. */
static struct row *row_at(struct reading *r, const char *owner, uint32_t line)
{
	uint32_t h = hash_of(owner, line);

	for (uint32_t i = 0; i < ROWS; i++) {
		struct row *row = &r->row[(h + i) % ROWS];

		if (!row->owner) {
			row->owner = owner;
			row->line = line;
			return row;
		}
		if (row->line == line && strcmp(row->owner, owner) == 0)
			return row;
	}
	return NULL;
}

static void add_word(struct reading *r, const struct profile_word *word)
{
	struct place place = place_of(r, word->address);
	struct row *row = row_at(r, place.owner, (uint32_t)(place.offset / LINE));
	struct field_cost *field;

	if (!row)
		return;
	row->accesses += word->accesses;
	row->misses += word->misses;
	row->ns += word->ns;
	field = &row->field[place.offset % LINE / sizeof(uint64_t)];
	field->offset = place.offset;
	field->ns += word->ns;
	field->accesses += word->accesses;
}

static bool dearer(const struct row *a, const struct row *b)
{
	if (a->ns != b->ns)
		return a->ns > b->ns;
	if (a->accesses != b->accesses)
		return a->accesses > b->accesses;
	if (strcmp(a->owner, b->owner))
		return strcmp(a->owner, b->owner) < 0;
	return a->line < b->line;
}

/* Takes it out of the table. */
static bool take_dearest(struct reading *r, struct row *row)
{
	struct row *best = NULL;

	for (uint32_t i = 0; i < ROWS; i++)
		if (r->row[i].owner && r->row[i].accesses && (!best || dearer(&r->row[i], best)))
			best = &r->row[i];
	if (!best)
		return false;
	*row = *best;
	best->accesses = 0;
	return true;
}

static const char *field_names(struct reading *r, struct row *row)
{
	const char *names = "";

	for (uint32_t n = 0; n < SHOWN; n++) {
		struct field_cost *best = NULL;
		const char *name;

		for (uint32_t i = 0; i < FIELDS; i++) {
			struct field_cost *f = &row->field[i];

			if (f->accesses && (!best || f->ns > best->ns ||
					    (f->ns == best->ns && f->accesses > best->accesses)))
				best = f;
		}
		if (!best)
			break;
		name = image_field_at(&r->tables, r->arena, row->owner, best->offset);
		best->accesses = 0;
		if (*name && !strstr(names, name))
			names = arena_printf(r->arena, "%s%s%s", names, *names ? ", " : "", name);
	}
	return names;
}

static bool open_reading(struct reading *r, const struct engine *e, struct arena *arena)
{
	*r = (struct reading){ .e = e, .arena = arena };
	if (!e->profile)
		return false;
	image_tables_read(&r->tables, arena, e->image.path);
	return true;
}

uint32_t kernel_profile_lines(const struct engine *e, struct arena *arena,
			      struct kernel_profile_line *row, uint32_t max)
{
	struct reading r;
	struct row found;
	uint32_t n = 0;

	if (!open_reading(&r, e, arena))
		return 0;
	r.row = ARENA_ARRAY(arena, struct row, ROWS);
	for (uint32_t i = 0; i <= e->profile->word_mask; i++)
		if (e->profile->word[i].address)
			add_word(&r, &e->profile->word[i]);
	for (; n < max && take_dearest(&r, &found); n++)
		row[n] = (struct kernel_profile_line){
			.owner = arena_strdup(arena, found.owner),
			.line = found.line,
			.fields = field_names(&r, &found),
			.accesses = found.accesses,
			.misses = found.misses,
			.ns = found.ns,
		};
	return n;
}

/* ---- functions ---- */

static struct kernel_profile_function add_up(const struct engine *e,
					     const struct image_symbol *symbol)
{
	const struct profile *p = e->profile;
	struct kernel_profile_function f = { .name = symbol->name };

	for (uint64_t at = symbol->start; at < symbol->end; at++) {
		uint64_t offset = at - p->text_start;

		if (offset >= p->text_bytes)
			break;
		f.calls += p->calls[offset];
		f.instructions += p->instructions[offset];
		f.memory_ns += p->ns[offset];
	}
	f.ns = f.memory_ns + f.instructions * e->costs.ps_per_instruction / 1000;
	return f;
}

/* Keeps row[0 … n - 1] in order, the dearest first; of equal ones the one that was there. */
static uint32_t insert(struct kernel_profile_function *row, uint32_t n, uint32_t max,
		       const struct kernel_profile_function *f)
{
	uint32_t at = n;

	while (at && row[at - 1].ns < f->ns)
		at--;
	if (at == max)
		return n;
	n = n < max ? n + 1 : max;
	memmove(&row[at + 1], &row[at], (n - 1 - at) * sizeof(*row));
	row[at] = *f;
	return n;
}

uint32_t kernel_profile_functions(const struct engine *e, struct arena *arena,
				  struct kernel_profile_function *row, uint32_t max)
{
	struct reading r;
	uint32_t n = 0;

	if (!max || !open_reading(&r, e, arena))
		return 0;
	for (uint32_t i = 0; i < r.tables.nr_symbols; i++) {
		struct kernel_profile_function f = add_up(e, &r.tables.symbol[i]);

		if (f.ns)
			n = insert(row, n, max, &f);
	}
	return n;
}
