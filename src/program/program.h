/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Task programs: what tasks do, as data that any executor runs.
 *
 * A program is an array of operations with loops; it ends with its only EXIT. Tasks name their
 * program and a base for its resources, so that tasks in the same role share one program. An
 * operation's resource is op.resource + (by_base ? task.base : 0) + (by_loop ? counter, from 0, of
 * the loop at that depth : 0). Everything is an index; the set lives in one arena and is read-only
 * while running.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "base/cpuset.h"

enum program_limits {
	PROGRAM_MAX_DEPTH = 8,
	PROGRAM_MAX_TASKS = 1 << 20,
	PROGRAM_MAX_RESOURCES = 1 << 22,
	PROGRAM_MAX_OPS = 1 << 22, /* of all programs together */
	PROGRAM_MAX_MARKS = 8,
	PROGRAM_MAX_HELD = 8, /* mutexes that one program holds at a time */
};

#define PROGRAM_MAX_NS	  1000000000000000ull /* one operation: 11 days */
#define PROGRAM_MAX_LOOPS (1ull << 40)
#define PROGRAM_ALL_TASKS UINT32_MAX

enum op_kind {
#define OP(name, class, pauses, a, a_min, a_max, b, b_max, phrase) OP_##name,
#include "program/ops.def"
#undef OP
	NR_OPS
};

struct op {
	uint8_t kind;	  /* enum op_kind */
	uint8_t by_base;  /* 1: add the task's base to the resource */
	uint8_t by_loop;  /* depth of the loop whose counter is added, 1 = outermost; 0: none */
	uint8_t jump_set; /* filled by the checker: `jump` is valid */
	uint32_t resource;
	uint64_t a, b;	/* ops.def says what they mean */
	uint32_t jump;	/* LOOP: its END; END: its LOOP; both as index into program_set.op */
	uint32_t depth; /* loops around it; a LOOP and its END have the same */
};

enum resource_kind {
#define RESOURCE(name, class, least, most, value, phrase) RESOURCE_##name,
#include "program/resources.def"
#undef RESOURCE
	NR_RESOURCE_KINDS
};

struct resource {
	uint32_t kind;	/* enum resource_kind */
	uint32_t value; /* resources.def says what it means */
};

struct task_program {
	uint32_t first_op, nr_ops; /* nr_ops counts the EXIT */
	const char *name;	   /* the role, e.g. "sender" */
};

struct task_spec {
	uint32_t program;
	uint32_t base;		/* added to resources of operations with by_base */
	uint32_t address_space; /* tasks with equal ids share an address space: threads */
	uint32_t set;		/* allowed cpus: index into program_set.set */
	uint32_t working_set_kib;
	int8_t nice;	/* -20 … 19 */
	bool is_thread; /* created with clone(CLONE_VM) rather than fork */
	bool at_start;	/* runs from time 0; else a SPAWN creates it */
};

struct program_set {
	uint32_t nr_ops, nr_programs, nr_tasks, nr_resources, nr_sets;
	uint32_t until_task; /* whose end ends the run; PROGRAM_ALL_TASKS: when all have ended */
	struct op *op;
	struct task_program *program;
	struct task_spec *task;
	struct resource *resource;
	struct cpuset *set; /* set 0: all online cpus the workload may use */
};

/*
 * Fills jump and depth and checks: loops close, depths and arguments fit, resources exist and are
 * of the kind the operation needs, mutexes are taken and released in pairs, every task is started
 * exactly once (SPAWN stands outside loops, in a program that one task runs), each cpu set has a
 * member, programs end with EXIT, and an endless loop pauses and ends with until_task. What passes
 * can still deadlock, never run wild. The error names program, operation and what was allowed.
 */
bool program_check(struct program_set *set, struct err *err);

/* Names as in ops.def and resources.def ("COMPUTE", "PIPE") and their phrases. */
const char *op_name(enum op_kind kind);
const char *op_phrase(enum op_kind kind);
const char *op_a_phrase(enum op_kind kind); /* what a means; "" when nothing */
const char *op_b_phrase(enum op_kind kind);
bool op_uses_resource(enum op_kind kind);
const char *resource_name(enum resource_kind kind);
const char *resource_value_phrase(enum resource_kind kind);

#endif
