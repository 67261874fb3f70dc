/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a workload provides: one struct of verbs, one file, one row in workloads.def.
 *
 * `values` is the struct that the option table fills, of values_size bytes. Verbs are pure: they
 * read values and write programs, metrics or text. words() takes what was no option; without it
 * words are an error. check() sees the complete values before anything is built.
 */
#ifndef WORKLOAD_KIND_H
#define WORKLOAD_KIND_H

#include "program/build.h"
#include "workload/options.h"
#include "workload/workload.h"

struct workload_kind {
	const char *phrase;	 /* for lists: one line */
	const char *words_usage; /* after the options, e.g. "[GROUPS]"; "" when none */
	struct option_table options;
	size_t values_size;
	bool (*words)(void *values, const struct option_result *result, struct err *err);
	bool (*check)(const void *values, struct err *err);
	void (*build)(const void *values, struct program_builder *b);
	uint32_t (*metrics)(const void *values, const struct workload_run *run,
			    struct workload_metric *metric, uint32_t max);
	void (*print_start)(const void *values, FILE *out);
	void (*print_summary)(const void *values, const struct workload_run *run, FILE *out);
};

#define WORKLOAD(name) extern const struct workload_kind workload_##name;
#include "workload/workloads.def"
#undef WORKLOAD

#define OPTION_COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* From mark 0 to mark 1 in ns; 0 when the run did not pass both. */
static inline uint64_t workload_span_ns(const struct workload_run *run)
{
	return run->mark_ns[1] > run->mark_ns[0] ? run->mark_ns[1] - run->mark_ns[0] : 0;
}

/* Appends a metric while there is room; nr counts. */
static inline void workload_put(struct workload_metric *metric, uint32_t max, uint32_t *nr,
				struct workload_metric m)
{
	if (*nr < max)
		metric[(*nr)++] = m;
}

#endif
