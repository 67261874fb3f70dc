/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/pool.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { JOBS = 40 };

struct tally {
	uint32_t times[JOBS], failures, progress_calls, bad_records;
	uint32_t deadly; /* the job that kills its worker */
	int signal_at;	 /* the job after which the parent gets SIGINT; -1: never */
	char failure[100];
};

static void run(void *context, uint32_t job, FILE *record)
{
	struct tally *t = context;

	if (job == t->deadly)
		abort();
	fprintf(record, "job %u", job);
}

static void done(void *context, uint32_t job, const char *record, size_t size, const char *failure)
{
	struct tally *t = context;
	char wanted[32];

	t->times[job]++;
	snprintf(wanted, sizeof(wanted), "job %u", job);
	if (failure) {
		t->failures++;
		snprintf(t->failure, sizeof(t->failure), "%s", failure);
	} else if (strcmp(record, wanted) != 0 || size != strlen(wanted)) {
		t->bad_records++;
	}
	if ((int)job == t->signal_at)
		raise(SIGINT);
}

static void progress(void *context, uint32_t n, uint32_t total)
{
	struct tally *t = context;

	t->progress_calls++;
	assert_int_equal(n, t->progress_calls);
	assert_int_equal(total, JOBS);
}

static enum pool_end run_jobs(struct tally *t, uint32_t workers)
{
	const struct pool_work work = { t, run, done, progress };
	uint32_t jobs[JOBS];
	struct err err = { 0 };

	for (uint32_t i = 0; i < JOBS; i++)
		jobs[i] = JOBS - 1 - i;
	return pool_run(&work, jobs, JOBS, workers, &err);
}

static void every_job_is_delivered_once(void **state)
{
	(void)state;
	for (uint32_t workers = 1; workers < 60; workers += 7) {
		struct tally t = { .deadly = JOBS, .signal_at = -1 };

		assert_int_equal(run_jobs(&t, workers), POOL_FINISHED);
		for (uint32_t i = 0; i < JOBS; i++)
			assert_int_equal(t.times[i], 1);
		assert_int_equal(t.failures, 0);
		assert_int_equal(t.bad_records, 0);
		assert_int_equal(t.progress_calls, JOBS);
	}
}

static void crash_of_a_worker_is_one_failed_job(void **state)
{
	struct tally t = { .deadly = 17, .signal_at = -1 };

	(void)state;
	assert_int_equal(run_jobs(&t, 2), POOL_FINISHED);
	for (uint32_t i = 0; i < JOBS; i++)
		assert_int_equal(t.times[i], 1);
	assert_int_equal(t.failures, 1);
	assert_non_null(strstr(t.failure, "signal 6"));
}

static void interrupt_ends_early_and_keeps_what_was_done(void **state)
{
	struct tally t = { .deadly = JOBS, .signal_at = JOBS - 4 };
	uint32_t delivered = 0;

	(void)state;
	assert_int_equal(run_jobs(&t, 1), POOL_INTERRUPTED);
	for (uint32_t i = 0; i < JOBS; i++)
		delivered += t.times[i];
	assert_int_equal(delivered, 4);
}

static void no_jobs_is_a_finished_run(void **state)
{
	struct tally t = { .deadly = JOBS, .signal_at = -1 };
	const struct pool_work work = { &t, run, done, progress };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(pool_run(&work, NULL, 0, 4, &err), POOL_FINISHED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_job_is_delivered_once),
		cmocka_unit_test(crash_of_a_worker_is_one_failed_job),
		cmocka_unit_test(interrupt_ends_early_and_keeps_what_was_done),
		cmocka_unit_test(no_jobs_is_a_finished_run),
	};

	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
