/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workloads: the command lines people already type, as program sets.
 *
 * A command may begin with `numactl -N LIST`, `numactl -C LIST`, `taskset -c LIST` or `taskset
 * MASK` (prefix.h). Arguments may be swept: `2..14:2` or `{2,4,8}` (sweep.h); several sweeps give
 * their product, the last one fastest. Workloads are rows of workloads.def.
 */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "machine/machine.h"
#include "program/program.h"

#include <stdio.h>

enum workload_limits {
	WORKLOAD_MAX_ARGS = 64,
	WORKLOAD_MAX_ARG_BYTES = 4096,
	WORKLOAD_MAX_CELLS = 1024,
	WORKLOAD_MAX_METRICS = 16, /* room for what any workload returns */
};

#define WORKLOAD_NONE UINT32_MAX

/* One command of a sweep, all numbers plain. */
struct workload_command {
	uint32_t argc;
	const char *const *argv;
	uint32_t nr_swept;	  /* which arguments were swept: */
	const char *const *key;	  /* the option before the value, "-g", or "argument 2" */
	const char *const *value; /* the value in this cell, e.g. "4" */
};

struct workload_commands {
	uint32_t nr_commands;
	const struct workload_command *command;
};

/* What a run measured, for the workload's own metrics; times of marks in ns, 0 = not passed. */
struct workload_run {
	uint64_t mark_ns[PROGRAM_MAX_MARKS];
	uint64_t end_ns;
};

struct workload_metric {
	const char *name, *unit; /* "hackbench.time", "s" */
	const char *better;	 /* "lower", "higher" or "" */
	double value;
};

struct workload;

/* Expands sweeps. NULL and err set when malformed or larger than the limits. */
const struct workload_commands *workload_expand(struct arena *arena, uint32_t argc,
						const char *const *argv, struct err *err);

/* Parses and builds one command for a machine. NULL and err set when it is wrong. */
struct workload *workload_build(struct arena *arena, const struct workload_command *command,
				const struct machine *machine, struct err *err);

/* The kind whose help is asked for, as in "hackbench --help"; WORKLOAD_NONE when none is. */
uint32_t workload_help_kind(const struct workload_command *command);

const struct program_set *workload_programs(const struct workload *w);
/* Sentences: what was accepted and is not simulated. */
uint32_t workload_nr_notes(const struct workload *w);
const char *workload_note(const struct workload *w, uint32_t i);
/* The headline metric first; returns how many of at most `max`; none when the run was cut off. */
uint32_t workload_metrics(const struct workload *w, const struct workload_run *run,
			  struct workload_metric *metric, uint32_t max);
/* What the real tool prints: before the run ("Running in …") and after ("Time: 1.815"). */
void workload_print_start(const struct workload *w, FILE *out);
void workload_print_summary(const struct workload *w, const struct workload_run *run, FILE *out);

/* The table of workloads, for list and help. */
uint32_t workload_nr_kinds(void);
const char *workload_kind_name(uint32_t i);
const char *workload_kind_phrase(uint32_t i);
void workload_kind_help(uint32_t i, FILE *out);

#endif
