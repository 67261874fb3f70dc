/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workloads: the command lines people already type, as program sets.
 *
 * A command may begin with `numactl -N LIST`, `numactl -C LIST` or `taskset -c LIST`. Numbers may
 * be swept: `2..14:2` or `{2,4,8}`; several sweeps give their product, the last one fastest.
 */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "machine/machine.h"
#include "program/program.h"

#include <stdio.h>

enum workload_limits { WORKLOAD_MAX_ARGS = 64, WORKLOAD_MAX_CELLS = 1024 };

/* One command of a sweep, all numbers plain. */
struct workload_command {
	uint32_t argc;
	const char *const *argv;
	uint32_t nr_swept;	  /* which arguments were swept: */
	const char *const *key;	  /* the option before the value, e.g. "-g" */
	const char *const *value; /* the value in this cell, e.g. "4" */
};

struct workload_commands {
	uint32_t nr_commands;
	const struct workload_command *command;
};

/* What a run measured, for the workload's own metrics; times of marks in ns, 0 = not passed. */
struct workload_run {
	uint64_t mark_ns[8];
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

const char *workload_name(const struct workload *w);
const struct program_set *workload_programs(const struct workload *w);
/* The headline metric first; returns how many of at most `max`. */
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
