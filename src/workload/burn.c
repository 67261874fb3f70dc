/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * schedlab's own: threads that only compute, each the same time. Main starts them all and waits;
 * the clock runs from the first start to the last end.
 */
#include "workload/kind.h"

enum { MARK_START, MARK_STOP };

struct burn_options {
	uint64_t tasks, run_ns;
};

#define OPTION_TABLE burn_options
static const struct option_row rows[] = {
#include "workload/burn.def"
};
#undef OPTION_TABLE

static void build(const void *values, struct program_builder *b)
{
	const struct burn_options *o = values;

	program_begin(b, "main");
	program_op(b, (struct op){ .kind = OP_MARK, .a = MARK_START });
	program_op(b, (struct op){ .kind = OP_SPAWN, .a = 1, .b = o->tasks });
	program_op(b, (struct op){ .kind = OP_JOIN });
	program_op(b, (struct op){ .kind = OP_MARK, .a = MARK_STOP });
	program_op(b, (struct op){ .kind = OP_EXIT });
	program_begin(b, "burner");
	program_op(b, (struct op){ .kind = OP_COMPUTE, .a = o->run_ns });
	program_op(b, (struct op){ .kind = OP_EXIT });
	program_task(b, (struct task_spec){ .program = 0, .at_start = true });
	for (uint64_t i = 0; i < o->tasks; i++)
		program_task(b, (struct task_spec){ .program = 1, .is_thread = true });
}

static uint32_t metrics(const void *values, const struct workload_run *run,
			struct workload_metric *metric, uint32_t max)
{
	double seconds = (double)workload_span_ns(run) / 1e9;
	uint32_t nr = 0;

	if (workload_span_ns(run))
		workload_put(metric, max, &nr,
			     (struct workload_metric){ "burn.time", "s", "lower", seconds });
	return nr;
}

static void print_start(const void *values, FILE *out)
{
	const struct burn_options *o = values;

	fprintf(out, "%llu threads that compute %llu ns each\n", (unsigned long long)o->tasks,
		(unsigned long long)o->run_ns);
}

static void print_summary(const void *values, const struct workload_run *run, FILE *out)
{
	fprintf(out, "Time: %.6f\n", (double)workload_span_ns(run) / 1e9);
}

const struct workload_kind workload_burn = {
	.phrase = "schedlab's own: threads that only compute",
	.words_usage = "",
	.options = { "burn", rows, OPTION_COUNT(rows), false },
	.values_size = sizeof(struct burn_options),
	.build = build,
	.metrics = metrics,
	.print_start = print_start,
	.print_summary = print_summary,
};
