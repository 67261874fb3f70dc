/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one run has to say: `schedlab run --format text|json`.
 *
 * Plain data for the writers; nothing is copied, so the caller keeps it alive while writing. Write
 * errors stay in the FILE and are the caller's.
 */
#ifndef REPORT_RUN_H
#define REPORT_RUN_H

#include <stdint.h>
#include <stdio.h>

struct run_metric {
	const char *name, *unit; /* unit may be empty */
	double value;		 /* NaN: not known */
};

struct run_section { /* --explain */
	const char *title;
	const struct run_metric *metric;
	uint32_t metrics;
};

struct run_report {
	const char *machine, *variant, *workload;
	const char *summary; /* the benchmark's own lines, "Time: 1.815\n"; may be empty */
	uint64_t seed, trace_hash;
	const struct run_metric *metric;
	uint32_t metrics;
	const struct run_section *section;
	uint32_t sections;
	const char *const *note; /* what the workload does otherwise than asked */
	uint32_t notes;
};

/* The benchmark's own summary first, then metrics and sections as tables, then the hash. */
void run_write_text(const struct run_report *run, FILE *out);

/*
 * {"metrics":{"hackbench.time":1.815,…},"trace_hash":"…"} and machine, variant, workload, seed,
 * units, notes, explain. The hash has 16 hexadecimal digits.
 */
void run_write_json(const struct run_report *run, FILE *out);

#endif
