/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A worker is a fork of the parent, so that it needs no start-up: it reads job numbers from its
 * socket and writes (size, bytes) back. The parent waits on all sockets and on the signals at once.
 * Workers ignore SIGINT, which a terminal sends to everybody, and die with their parent.
 */
#include "lab/pool.h"

#include "base/check.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_JOB UINT32_MAX

struct worker {
	pid_t pid;
	int socket;   /* -1: not running */
	uint32_t job; /* in progress, NO_JOB when idle */
};

struct pool {
	const struct pool_work *work;
	const uint32_t *jobs;
	uint32_t nr_jobs, next, nr_done;
	uint32_t nr_workers;
	struct worker *worker;
	struct pollfd *poll; /* workers, then the signals */
	int signals;
	sigset_t old_mask;
};

static bool read_all(int fd, void *data, size_t size)
{
	char *at = data;

	while (size) {
		ssize_t n = read(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static bool write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t n = send(fd, at, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static _Noreturn void worker_main(const struct pool *pool, int socket)
{
	uint32_t job;

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_SETMASK, &pool->old_mask, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read_all(socket, &job, sizeof(job))) {
		char *text = NULL;
		size_t size = 0;
		FILE *record = open_memstream(&text, &size);
		uint32_t length;

		if (!record)
			die("out of memory");
		pool->work->run(pool->work->context, job, record);
		if (fclose(record) != 0)
			die("out of memory");
		CHECK(size <= POOL_MAX_RECORD_BYTES);
		length = (uint32_t)size;
		if (!write_all(socket, &length, sizeof(length)) || !write_all(socket, text, size))
			break;
		free(text);
	}
	_exit(0);
}

static bool worker_start(struct pool *pool, struct worker *worker)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return false;
	worker->pid = fork();
	if (worker->pid < 0) {
		close(pair[0]);
		close(pair[1]);
		return false;
	}
	if (worker->pid == 0) {
		for (uint32_t i = 0; i < pool->nr_workers; i++)
			if (pool->worker[i].socket >= 0)
				close(pool->worker[i].socket);
		close(pair[0]);
		worker_main(pool, pair[1]);
	}
	close(pair[1]);
	worker->socket = pair[0];
	worker->job = NO_JOB;
	return true;
}

static void worker_stop(struct worker *worker, int *status)
{
	close(worker->socket);
	worker->socket = -1;
	while (waitpid(worker->pid, status, 0) < 0 && errno == EINTR)
		;
}

static void finished(struct pool *pool, uint32_t job, const char *record, size_t size,
		     const char *failure)
{
	pool->nr_done++;
	pool->work->done(pool->work->context, job, record, size, failure);
	if (pool->work->progress)
		pool->work->progress(pool->work->context, pool->nr_done, pool->nr_jobs);
}

static void worker_died(struct pool *pool, struct worker *worker)
{
	char failure[80];
	int status = 0;

	worker_stop(worker, &status);
	if (WIFSIGNALED(status))
		snprintf(failure, sizeof(failure), "the worker died of signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(failure, sizeof(failure), "the worker ended with status %d",
			 WEXITSTATUS(status));
	if (worker->job != NO_JOB)
		finished(pool, worker->job, NULL, 0, failure);
}

static void receive(struct pool *pool, struct worker *worker)
{
	uint32_t length, job = worker->job;
	char *record;

	if (!read_all(worker->socket, &length, sizeof(length)) || length > POOL_MAX_RECORD_BYTES) {
		worker_died(pool, worker);
		return;
	}
	record = malloc((size_t)length + 1);
	if (!record)
		die("out of memory");
	if (read_all(worker->socket, record, length)) {
		record[length] = '\0';
		worker->job = NO_JOB;
		finished(pool, job, record, length, NULL);
	} else {
		worker_died(pool, worker);
	}
	free(record);
}

/* Gives every idle worker a job; starts those that are missing. False when none can run. */
static bool feed(struct pool *pool)
{
	bool running = false;

	for (uint32_t i = 0; i < pool->nr_workers; i++) {
		struct worker *worker = &pool->worker[i];

		if (pool->next < pool->nr_jobs && worker->socket < 0 && !worker_start(pool, worker))
			continue;
		if (worker->socket >= 0 && worker->job == NO_JOB && pool->next < pool->nr_jobs) {
			worker->job = pool->jobs[pool->next++];
			/* A failed write shows as the death of the worker at the next read. */
			(void)!write_all(worker->socket, &worker->job, sizeof(worker->job));
		}
		running |= worker->socket >= 0;
	}
	return running;
}

static enum pool_end run(struct pool *pool, struct err *err)
{
	while (pool->nr_done < pool->nr_jobs) {
		if (!feed(pool)) {
			err_set(err, "cannot start a worker process: %s", strerror(errno));
			return POOL_BROKEN;
		}
		for (uint32_t i = 0; i < pool->nr_workers; i++)
			pool->poll[i] =
				(struct pollfd){ .fd = pool->worker[i].socket, .events = POLLIN };
		pool->poll[pool->nr_workers] =
			(struct pollfd){ .fd = pool->signals, .events = POLLIN };
		if (poll(pool->poll, pool->nr_workers + 1, -1) < 0)
			continue;
		if (pool->poll[pool->nr_workers].revents)
			return POOL_INTERRUPTED;
		for (uint32_t i = 0; i < pool->nr_workers; i++)
			if (pool->poll[i].revents)
				receive(pool, &pool->worker[i]);
	}
	return POOL_FINISHED;
}

enum pool_end pool_run(const struct pool_work *work, const uint32_t *jobs, uint32_t nr_jobs,
		       uint32_t nr_workers, struct err *err)
{
	struct pool pool = { .work = work, .jobs = jobs, .nr_jobs = nr_jobs };
	enum pool_end end;
	sigset_t mask;
	int status;

	if (nr_workers > POOL_MAX_WORKERS)
		nr_workers = POOL_MAX_WORKERS;
	pool.nr_workers = nr_workers < nr_jobs ? nr_workers : nr_jobs;
	pool.worker = calloc(pool.nr_workers + 1, sizeof(*pool.worker));
	pool.poll = calloc(pool.nr_workers + 1, sizeof(*pool.poll));
	if (!pool.worker || !pool.poll)
		die("out of memory");
	for (uint32_t i = 0; i < pool.nr_workers; i++)
		pool.worker[i].socket = -1;
	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigprocmask(SIG_BLOCK, &mask, &pool.old_mask);
	pool.signals = signalfd(-1, &mask, SFD_CLOEXEC);
	if (pool.signals < 0)
		die("no signal descriptor: %s", strerror(errno));
	end = run(&pool, err);
	for (uint32_t i = 0; i < pool.nr_workers; i++) {
		if (pool.worker[i].socket < 0)
			continue;
		if (end != POOL_FINISHED)
			kill(pool.worker[i].pid, SIGKILL);
		worker_stop(&pool.worker[i], &status);
	}
	if (end == POOL_INTERRUPTED) {
		struct signalfd_siginfo taken;

		(void)!read(pool.signals, &taken, sizeof(taken));
	}
	close(pool.signals);
	sigprocmask(SIG_SETMASK, &pool.old_mask, NULL);
	free(pool.worker);
	free(pool.poll);
	return end;
}

uint32_t pool_default_workers(void)
{
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
		return (uint32_t)CPU_COUNT(&cpus);
	return (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
}
