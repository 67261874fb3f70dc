/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A builder of program sets. Order of calls is the order of ids. Everything lives in the arena;
 * nothing is to be freed. Going over a limit of program.h is remembered and reported by
 * program_finish(), which also runs program_check(); ids returned meanwhile are of no use.
 */
#ifndef PROGRAM_BUILD_H
#define PROGRAM_BUILD_H

#include "program/program.h"

struct program_builder;

/* cpus: those that the workload may use, copied; they become set 0. */
struct program_builder *program_builder_new(struct arena *arena, const struct cpuset *cpus);

/* Begins a program and returns its id. The name is copied. */
uint32_t program_begin(struct program_builder *b, const char *name);
/* Appended to the program begun last, of which there must be one. */
void program_op(struct program_builder *b, struct op op);
/* Returns the first of `count` equal resources with ids in a row. */
uint32_t program_resource(struct program_builder *b, enum resource_kind kind, uint32_t value,
			  uint32_t count);
uint32_t program_cpus(struct program_builder *b, const struct cpuset *set);
uint32_t program_task(struct program_builder *b, struct task_spec spec);
uint32_t program_nr_tasks(const struct program_builder *b); /* so far */
/* The run ends when this task ends, rather than when all have. */
void program_until(struct program_builder *b, uint32_t task);

/* NULL and err set when the set is not valid. The builder must not be used afterwards. */
struct program_set *program_finish(struct program_builder *b, struct err *err);

#endif
