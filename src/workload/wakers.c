/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * schedlab's own synthetic load: threads that compute, sleep on timers and wake each other.
 *
 * Of the tasks, 2 x pairs are callers and answerers, the rest loners. In each round a loner
 * computes and sleeps; a caller computes, sleeps, wakes its answerer and waits for it; an answerer
 * waits to be woken, computes and wakes its caller. All start together through a barrier.
 */
#include "workload/kind.h"

enum { MARK_START, MARK_STOP, PIPE_CAPACITY = 65536 };

struct wakers_options {
	uint64_t tasks, pairs, run_ns, sleep_ns, loops, exponential, pipe;
};

#define OPTION_TABLE wakers_options
static const struct option_row rows[] = {
#include "workload/wakers.def"
};
#undef OPTION_TABLE

static bool check(const void *values, struct err *err)
{
	const struct wakers_options *o = values;

	if (o->pairs * 2 > o->tasks)
		return err_set_at(err, "wakers", 0, 0,
				  "%llu pairs need %llu tasks (there are %llu)",
				  (unsigned long long)o->pairs, (unsigned long long)o->pairs * 2,
				  (unsigned long long)o->tasks);
	return o->run_ns || o->sleep_ns ||
	       err_set_at(err, "wakers", 0, 0,
			  "tasks neither run nor sleep (allowed: one of them 0)");
}

static void op(struct program_builder *b, enum op_kind kind, uint32_t resource, uint64_t a)
{
	program_op(b, (struct op){ .kind = kind, .resource = resource, .a = a });
}

static void compute(const struct wakers_options *o, struct program_builder *b)
{
	if (o->run_ns)
		op(b, o->exponential ? OP_COMPUTE_EXP : OP_COMPUTE, 0, o->run_ns);
}

static void rest(const struct wakers_options *o, struct program_builder *b)
{
	if (o->sleep_ns)
		op(b, o->exponential ? OP_SLEEP_EXP : OP_SLEEP, 0, o->sleep_ns);
}

/* Each pair has two channels, at its base: there and back. */
static void wake(const struct wakers_options *o, struct program_builder *b, uint32_t channel)
{
	program_op(b, (struct op){ .kind = o->pipe ? OP_WRITE : OP_FUTEX_WAKE,
				   .by_base = 1,
				   .resource = channel,
				   .a = 1 });
}

static void await(const struct wakers_options *o, struct program_builder *b, uint32_t channel)
{
	program_op(b, (struct op){ .kind = o->pipe ? OP_READ : OP_FUTEX_WAIT,
				   .by_base = 1,
				   .resource = channel,
				   .a = o->pipe });
}

enum role { MAIN, LONER, CALLER, ANSWERER, NR_ROLES }; /* also the ids of their programs */

static void add_round(const struct wakers_options *o, struct program_builder *b, enum role role,
		      uint32_t channel)
{
	if (role == ANSWERER)
		await(o, b, channel);
	compute(o, b);
	if (role != ANSWERER)
		rest(o, b);
	if (role == CALLER)
		wake(o, b, channel);
	if (role == CALLER)
		await(o, b, channel + 1);
	if (role == ANSWERER)
		wake(o, b, channel + 1);
}

static void add_role(const struct wakers_options *o, struct program_builder *b, enum role role,
		     uint32_t gate, uint32_t channel)
{
	static const char *const names[] = { "main", "loner", "caller", "answerer" };

	program_begin(b, names[role]);
	op(b, OP_BARRIER, gate, 0);
	op(b, OP_LOOP, 0, o->loops);
	add_round(o, b, role, channel);
	op(b, OP_END, 0, 0);
	op(b, OP_EXIT, 0, 0);
}

static void add_main(const struct wakers_options *o, struct program_builder *b, uint32_t gate)
{
	program_begin(b, "main");
	program_op(b, (struct op){ .kind = OP_SPAWN, .a = 1, .b = o->tasks });
	op(b, OP_BARRIER, gate, 0);
	op(b, OP_MARK, 0, MARK_START);
	op(b, OP_JOIN, 0, 0);
	op(b, OP_MARK, 0, MARK_STOP);
	op(b, OP_EXIT, 0, 0);
}

static void build(const void *values, struct program_builder *b)
{
	const struct wakers_options *o = values;
	uint32_t gate = program_resource(b, RESOURCE_BARRIER, (uint32_t)o->tasks + 1, 1);
	uint32_t channel = program_resource(b, o->pipe ? RESOURCE_PIPE : RESOURCE_FUTEX,
					    o->pipe ? PIPE_CAPACITY : 0, (uint32_t)o->pairs * 2);

	add_main(o, b, gate);
	add_role(o, b, LONER, gate, channel);
	for (enum role role = CALLER; o->pairs && role < NR_ROLES; role++)
		add_role(o, b, role, gate, channel);
	program_task(b, (struct task_spec){ .program = MAIN, .at_start = true });
	for (uint32_t i = 0; i < o->tasks; i++) {
		bool paired = i < o->pairs * 2;

		program_task(b, (struct task_spec){ .program = paired ? CALLER + i % 2 : LONER,
						    .base = paired ? i / 2 * 2 : 0,
						    .is_thread = true });
	}
}

static uint32_t metrics(const void *values, const struct workload_run *run,
			struct workload_metric *metric, uint32_t max)
{
	const struct wakers_options *o = values;
	double seconds = (double)workload_span_ns(run) / 1e9;
	uint32_t nr = 0;

	if (!workload_span_ns(run))
		return 0;
	workload_put(metric, max, &nr,
		     (struct workload_metric){ "wakers.time", "s", "lower", seconds });
	workload_put(metric, max, &nr,
		     (struct workload_metric){ "wakers.rounds_per_s", "1/s", "higher",
					       (double)(o->tasks * o->loops) / seconds });
	return nr;
}

static void print_start(const void *values, FILE *out)
{
	const struct wakers_options *o = values;

	fprintf(out,
		"%llu threads, %llu pairs among them, %llu rounds of %llu ns run and %llu ns "
		"sleep\n",
		(unsigned long long)o->tasks, (unsigned long long)o->pairs,
		(unsigned long long)o->loops, (unsigned long long)o->run_ns,
		(unsigned long long)o->sleep_ns);
}

static void print_summary(const void *values, const struct workload_run *run, FILE *out)
{
	fprintf(out, "Time: %.6f\n", (double)workload_span_ns(run) / 1e9);
}

const struct workload_kind workload_wakers = {
	.phrase = "schedlab's own: threads that compute, sleep and wake each other",
	.words_usage = "",
	.options = { "wakers", rows, OPTION_COUNT(rows), false },
	.values_size = sizeof(struct wakers_options),
	.check = check,
	.build = build,
	.metrics = metrics,
	.print_start = print_start,
	.print_summary = print_summary,
};
