/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results on disk: one SQLite file, one row a job, found again by content.
 *
 * The key of a job is the hash of all that its result depends on (machine, variant, workload, seed,
 * the program's build). A result is a list of named figures and the trace hash. What
 * was stored is safe when store_put() returns; a run that is killed loses the job in progress only.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>
#include <stdio.h>

enum store_limits { STORE_MAX_METRICS = 4096 };

struct stored_metric {
	const char *name, *unit;
	const char *better; /* "lower", "higher" or "" */
	double value;
};

struct stored_result {
	uint64_t trace_hash;
	uint32_t nr_metrics;
	const struct stored_metric *metric;
};

/* For people who open the file: what the job was. */
struct stored_job {
	uint64_t key[2];
	const char *machine, *profile, *variant, *command;
	uint64_t seed;
};

struct store;

/*
 * Opens or creates the file with its folders. NULL and err set when it cannot be opened, is no
 * results file, or is from another version. path NULL: $XDG_STATE_HOME/schedlab/results.db, or
 * $HOME/.local/state/schedlab/results.db.
 */
struct store *store_open(const char *path, struct err *err);
void store_close(struct store *store);

/* A result as text, and back: the form in the file and between processes. */
void stored_result_print(const struct stored_result *result, FILE *out);
/* Cuts `text` up and points into it. False when it is no such text. */
bool stored_result_parse(struct arena *arena, char *text, struct stored_result *result);

/* False when there is none. Strings and metrics are allocated in `arena`. */
bool store_get(struct store *store, const uint64_t key[2], struct arena *arena,
	       struct stored_result *result);

/* False and err set when it could not be written (disk full, read-only); the file stays valid. */
bool store_put(struct store *store, const struct stored_job *job,
	       const struct stored_result *result, struct err *err);

#endif
