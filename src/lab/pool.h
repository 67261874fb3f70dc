/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Jobs in worker processes.
 *
 * As many workers as asked for take the next job each, run it and send back one record of bytes. A
 * worker that dies takes its job with it: that job is reported as failed and another worker takes
 * its place. SIGINT and SIGTERM end the pool early: what was finished before has been delivered.
 */
#ifndef LAB_POOL_H
#define LAB_POOL_H

#include "base/err.h"

#include <stdint.h>
#include <stdio.h>

enum pool_limits { POOL_MAX_WORKERS = 1024, POOL_MAX_RECORD_BYTES = 16 << 20 };

struct pool_work {
	void *context;
	/* In a worker: runs a job and prints its record. */
	void (*run)(void *context, uint32_t job, FILE *record);
	/* In the parent, in the order of finishing. `record` is NULL when the job failed. */
	void (*done)(void *context, uint32_t job, const char *record, size_t size,
		     const char *failure);
	/* In the parent, after each job; may be NULL. */
	void (*progress)(void *context, uint32_t done, uint32_t total);
};

enum pool_end { POOL_FINISHED, POOL_INTERRUPTED, POOL_BROKEN };

/*
 * Runs jobs[0 … nr_jobs - 1], handed out in that order. POOL_BROKEN with err set when no worker
 * can be started. Standard output must be flushed before.
 */
enum pool_end pool_run(const struct pool_work *work, const uint32_t *jobs, uint32_t nr_jobs,
		       uint32_t nr_workers, struct err *err);

/* The cpus this process may use. */
uint32_t pool_default_workers(void);

#endif
