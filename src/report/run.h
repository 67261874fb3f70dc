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

/* A table of counts with one line a row: hottest lines, dearest functions. */
enum { RUN_PROFILE_COLUMNS = 4 };

struct run_profile_row {
	const char *name, *detail; /* detail may be empty */
	uint64_t value[RUN_PROFILE_COLUMNS];
};

struct run_profile {
	const char *title, *key;		 /* for people; in JSON */
	const char *column[RUN_PROFILE_COLUMNS]; /* NULL from the first that is not used */
	const struct run_profile_row *row;
	uint32_t rows;
};

struct run_report {
	const char *machine, *variant, *workload;
	const char *summary; /* the benchmark's own lines, "Time: 1.815\n"; may be empty */
	uint64_t seed, trace_hash;
	const struct run_metric *metric;
	uint32_t metrics;
	const struct run_section *section;
	uint32_t sections;
	const struct run_profile *profile;
	uint32_t profiles;
	const char *const *note; /* what the workload does otherwise than asked */
	uint32_t notes;
};

/* The benchmark's own summary first, then metrics and sections as tables, then the hash. */
void run_write_text(const struct run_report *run, FILE *out);

/*
 * {"metrics":{"hackbench.time":1.815,…},"trace_hash":"…"} and machine, variant, workload, seed,
 * units, notes, explain, profile: {"lines": [{"name": "rq", "accesses": 12, …}, …]}. The hash has
 * 16 hexadecimal digits.
 */
void run_write_json(const struct run_report *run, FILE *out);

#endif
