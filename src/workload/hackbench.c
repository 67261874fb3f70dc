/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hackbench of rt-tests 2.4, as strace shows it.
 *
 * Main makes a channel `ready` and a channel `wake`, then per group one channel a receiver, its
 * receivers and its senders. Each worker writes a byte to `ready` and polls `wake`. When main has
 * read a byte from each it takes the start time, writes a byte to `wake`, which nobody reads, so
 * that all who poll go on, and waits for the workers to end. A sender writes in each loop one
 * message to each receiver of its group. A receiver reads as many. Channels, also `ready` and
 * `wake`, are pipes with -p and UNIX socket pairs without.
 *
 * The messages are the same few bytes over and over: no computation stands between system calls,
 * and the working set is the message buffer. Opening and closing descriptors is left out: it is
 * over before the start time.
 */
#include "workload/kind.h"
#include "workload/words.h"

#include <string.h>

enum {
	MARK_START,
	MARK_STOP,
	PIPE_CAPACITY = 65536,	/* pipe(7): 16 pages of 4096 bytes */
	SOCKET_BUFFER = 212992, /* net.core.wmem_default of 64-bit kernels, socket(7) */
};

struct hackbench_options {
	uint64_t fds, groups, loops, datasize, pipe, threads;
};

#define OPTION_TABLE hackbench_options
static const struct option_row rows[] = {
#include "workload/hackbench.def"
};
#undef OPTION_TABLE

static const struct option_table table = { "hackbench", rows, OPTION_COUNT(rows), false };

static uint64_t nr_workers(const struct hackbench_options *o)
{
	return o->groups * o->fds * 2;
}

static bool read_word(const char *word, uint64_t most, const char *name, uint64_t *value,
		      struct err *err)
{
	char shown[WORD_SHOWN];

	if (word_number(word, value) && *value >= 1 && *value <= most)
		return true;
	return err_set_at(err, "hackbench", 0, 0, "%s is '%s' (allowed: a number from 1 to %llu)",
			  name, word_show(word, shown), (unsigned long long)most);
}

static bool read_mode(struct hackbench_options *o, const char *word, struct err *err)
{
	char shown[WORD_SHOWN];

	o->threads = !strcmp(word, "thread") || !strcmp(word, "threads");
	return o->threads || !strcmp(word, "process") ||
	       err_set_at(err, "hackbench", 0, 0, "mode is '%s' (allowed: process, thread)",
			  word_show(word, shown));
}

/* The form of the original hackbench: GROUPS [process|thread [LOOPS]]. */
static bool words(void *values, const struct option_result *result, struct err *err)
{
	struct hackbench_options *o = values;
	char shown[WORD_SHOWN];

	if (options_given(&table, result, 'g') || options_given(&table, result, 'l') ||
	    options_given(&table, result, 'T') || options_given(&table, result, 'P'))
		return err_set_at(err, "hackbench", 0, 0,
				  "'%s' beside -g, -l, -T or -P (allowed: either these options or "
				  "GROUPS [process|thread [LOOPS]]; values to sweep need quotes: "
				  "'{2,4,8}')",
				  word_show(result->word[0], shown));
	if (result->nr_words > 3)
		return err_set_at(err, "hackbench", 0, 0,
				  "'%s' is one word too many (allowed: GROUPS [process|thread "
				  "[LOOPS]])",
				  word_show(result->word[3], shown));
	return read_word(result->word[0], 524288, "GROUPS", &o->groups, err) &&
	       (result->nr_words < 2 || read_mode(o, result->word[1], err)) &&
	       (result->nr_words < 3 ||
		read_word(result->word[2], INT32_MAX, "LOOPS", &o->loops, err));
}

static bool check(const void *values, struct err *err)
{
	const struct hackbench_options *o = values;

	return nr_workers(o) < PROGRAM_MAX_TASKS ||
	       err_set_at(err, "hackbench", 0, 0,
			  "%llu groups of %llu tasks are %llu tasks (allowed: at most %d)",
			  (unsigned long long)o->groups, (unsigned long long)o->fds * 2,
			  (unsigned long long)nr_workers(o), PROGRAM_MAX_TASKS - 1);
}

struct channels {
	uint32_t ready, wake, data; /* data: the first receiver's of the first group */
};

static struct channels add_channels(const struct hackbench_options *o, struct program_builder *b)
{
	enum resource_kind kind = o->pipe ? RESOURCE_PIPE : RESOURCE_SOCKET;
	uint32_t value = o->pipe ? PIPE_CAPACITY : SOCKET_BUFFER;
	struct channels c;

	c.ready = program_resource(b, kind, value, 1);
	c.wake = program_resource(b, kind, value, 1);
	c.data = program_resource(b, kind, value, (uint32_t)(o->groups * o->fds));
	return c;
}

static void op(struct program_builder *b, enum op_kind kind, uint32_t resource, uint64_t a)
{
	program_op(b, (struct op){ .kind = kind, .resource = resource, .a = a });
}

static uint32_t add_main(const struct hackbench_options *o, struct program_builder *b,
			 struct channels c)
{
	uint32_t program = program_begin(b, "main");

	program_op(b, (struct op){ .kind = OP_SPAWN, .a = 1, .b = nr_workers(o) });
	op(b, OP_LOOP, 0, nr_workers(o));
	op(b, OP_READ, c.ready, 1);
	op(b, OP_END, 0, 0);
	op(b, OP_MARK, 0, MARK_START);
	op(b, OP_WRITE, c.wake, 1);
	op(b, OP_JOIN, 0, 0);
	op(b, OP_MARK, 0, MARK_STOP);
	op(b, OP_EXIT, 0, 0);
	return program;
}

static uint32_t begin_worker(struct program_builder *b, const char *name, struct channels c)
{
	uint32_t program = program_begin(b, name);

	op(b, OP_WRITE, c.ready, 1);
	op(b, OP_POLL, c.wake, 0);
	return program;
}

static uint32_t add_receiver(const struct hackbench_options *o, struct program_builder *b,
			     struct channels c)
{
	uint32_t program = begin_worker(b, "receiver", c);

	op(b, OP_LOOP, 0, o->fds * o->loops);
	program_op(
		b,
		(struct op){ .kind = OP_READ, .by_base = 1, .resource = c.data, .a = o->datasize });
	op(b, OP_END, 0, 0);
	op(b, OP_EXIT, 0, 0);
	return program;
}

static uint32_t add_sender(const struct hackbench_options *o, struct program_builder *b,
			   struct channels c)
{
	uint32_t program = begin_worker(b, "sender", c);

	op(b, OP_LOOP, 0, o->loops);
	op(b, OP_LOOP, 0, o->fds);
	program_op(b, (struct op){ .kind = OP_WRITE,
				   .by_base = 1,
				   .by_loop = 2,
				   .resource = c.data,
				   .a = o->datasize });
	op(b, OP_END, 0, 0);
	op(b, OP_END, 0, 0);
	op(b, OP_EXIT, 0, 0);
	return program;
}

/* Ids in the order in which main creates them: main, then per group receivers and senders. */
static void add_tasks(const struct hackbench_options *o, struct program_builder *b,
		      uint32_t receiver, uint32_t sender)
{
	struct task_spec spec = { .is_thread = o->threads,
				  .working_set_kib = (uint32_t)(o->datasize + 1023) / 1024 };

	for (uint64_t worker = 0; worker < nr_workers(o); worker++) {
		uint64_t group = worker / (2 * o->fds), i = worker % (2 * o->fds);
		bool sends = i >= o->fds;

		spec.program = sends ? sender : receiver;
		spec.base = (uint32_t)(group * o->fds + (sends ? 0 : i));
		spec.address_space = o->threads ? 0 : (uint32_t)worker + 1;
		program_task(b, spec);
	}
}

static void build(const void *values, struct program_builder *b)
{
	const struct hackbench_options *o = values;
	struct channels c = add_channels(o, b);
	uint32_t program = add_main(o, b, c), receiver = add_receiver(o, b, c);

	program_task(b, (struct task_spec){ .program = program, .at_start = true });
	add_tasks(o, b, receiver, add_sender(o, b, c));
}

/* LKP counts one message a task and loop, not each of those that a sender writes to its group. */
static uint32_t metrics(const void *values, const struct workload_run *run,
			struct workload_metric *metric, uint32_t max)
{
	const struct hackbench_options *o = values;
	double seconds = (double)workload_span_ns(run) / 1e9;
	double kib = (double)nr_workers(o) * (double)o->loops * (double)o->datasize / 1024;
	uint32_t nr = 0;

	if (!workload_span_ns(run))
		return 0;
	workload_put(metric, max, &nr,
		     (struct workload_metric){ "hackbench.time", "s", "lower", seconds });
	workload_put(metric, max, &nr,
		     (struct workload_metric){ "hackbench.throughput", "KB/s", "higher",
					       kib / seconds });
	return nr;
}

static void print_start(const void *values, FILE *out)
{
	const struct hackbench_options *o = values;

	fprintf(out,
		"Running in %s mode with %llu groups using %llu file descriptors each (== %llu "
		"tasks)\nEach sender will pass %llu messages of %llu bytes\n",
		o->threads ? "threaded" : "process", (unsigned long long)o->groups,
		(unsigned long long)o->fds * 2, (unsigned long long)nr_workers(o),
		(unsigned long long)o->loops, (unsigned long long)o->datasize);
}

static void print_summary(const void *values, const struct workload_run *run, FILE *out)
{
	uint64_t ms = workload_span_ns(run) / 1000000;

	fprintf(out, "Time: %llu.%03llu\n", (unsigned long long)ms / 1000,
		(unsigned long long)ms % 1000);
}

const struct workload_kind workload_hackbench = {
	.phrase = "groups of senders and receivers over pipes or UNIX sockets, as in rt-tests 2.4",
	.words_usage = "[GROUPS [process|thread [LOOPS]]]",
	.options = { "hackbench", rows, OPTION_COUNT(rows), false },
	.values_size = sizeof(struct hackbench_options),
	.words = words,
	.check = check,
	.build = build,
	.metrics = metrics,
	.print_start = print_start,
	.print_summary = print_summary,
};
