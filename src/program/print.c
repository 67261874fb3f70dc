/* SPDX-License-Identifier: GPL-2.0-only */
#include "program/print.h"

enum { SET_TEXT = 4096 };

static void print_resource(const struct op *op, FILE *out)
{
	fprintf(out, " %u", op->resource);
	if (op->by_base)
		fputs(" + base", out);
	if (op->by_loop)
		fprintf(out, " + counter %u", op->by_loop);
}

static void print_argument(const char *phrase, uint64_t value, FILE *out)
{
	if (phrase[0])
		fprintf(out, ", %s: %llu", phrase, (unsigned long long)value);
}

static void print_op(const struct op *op, FILE *out)
{
	fprintf(out, "%*s%s", 4 + 2 * (int)op->depth, "", op_name(op->kind));
	if (op_uses_resource(op->kind))
		print_resource(op, out);
	print_argument(op_a_phrase(op->kind), op->a, out);
	print_argument(op_b_phrase(op->kind), op->b, out);
	fputc('\n', out);
}

static void print_programs(const struct program_set *set, FILE *out)
{
	for (uint32_t program = 0; program < set->nr_programs; program++) {
		const struct task_program *p = &set->program[program];

		fprintf(out, "program %u: %s\n", program, p->name);
		for (uint32_t i = p->first_op; i < p->first_op + p->nr_ops; i++)
			print_op(&set->op[i], out);
	}
}

static void print_span(const char *what, uint32_t first, uint32_t end, FILE *out)
{
	if (end - first == 1)
		fprintf(out, "%s %u:", what, first);
	else
		fprintf(out, "%ss %u to %u:", what, first, end - 1);
}

static void print_resources(const struct program_set *set, FILE *out)
{
	for (uint32_t i = 0, end; i < set->nr_resources; i = end) {
		const struct resource *r = &set->resource[i];

		for (end = i + 1; end < set->nr_resources; end++)
			if (set->resource[end].kind != r->kind ||
			    set->resource[end].value != r->value)
				break;
		print_span("resource", i, end, out);
		fprintf(out, " %s", resource_name(r->kind));
		print_argument(resource_value_phrase(r->kind), r->value, out);
		fputc('\n', out);
	}
}

static bool alike(const struct task_spec *a, const struct task_spec *b)
{
	return a->program == b->program && a->set == b->set && a->nice == b->nice &&
	       a->working_set_kib == b->working_set_kib && a->is_thread == b->is_thread &&
	       a->at_start == b->at_start;
}

/* The end of the run of tasks from `first` whose bases and address spaces grow steadily. */
static uint32_t task_run(const struct program_set *set, uint32_t first)
{
	const struct task_spec *t = set->task;
	uint32_t end = first + 1;

	while (end < set->nr_tasks && alike(&t[first], &t[end]) &&
	       t[end].base - t[end - 1].base == t[first + 1].base - t[first].base &&
	       t[end].address_space - t[end - 1].address_space ==
		       t[first + 1].address_space - t[first].address_space)
		end++;
	return end;
}

static void print_steps(const char *what, uint32_t first, uint32_t last, FILE *out)
{
	fprintf(out, ", %s %u", what, first);
	if (first != last)
		fprintf(out, " to %u", last);
}

static void print_tasks(const struct program_set *set, FILE *out)
{
	for (uint32_t i = 0, end; i < set->nr_tasks; i = end) {
		const struct task_spec *t = &set->task[i], *last;

		end = task_run(set, i);
		last = &set->task[end - 1];
		print_span("task", i, end, out);
		fprintf(out, " %s", set->program[t->program].name);
		print_steps("base", t->base, last->base, out);
		print_steps("address space", t->address_space, last->address_space, out);
		fprintf(out, ", set %u", t->set);
		if (t->working_set_kib)
			fprintf(out, ", %u KiB", t->working_set_kib);
		if (t->nice)
			fprintf(out, ", nice %d", t->nice);
		fprintf(out, "%s%s\n", t->is_thread ? ", thread" : "",
			t->at_start ? ", at start" : "");
	}
}

void program_print(const struct program_set *set, FILE *out)
{
	char text[SET_TEXT];

	print_programs(set, out);
	print_resources(set, out);
	print_tasks(set, out);
	for (uint32_t i = 0; i < set->nr_sets; i++)
		fprintf(out, "set %u: %s\n", i, cpuset_print(&set->set[i], text, sizeof(text)));
	if (set->until_task != PROGRAM_ALL_TASKS)
		fprintf(out, "ends with task %u\n", set->until_task);
}
