/* SPDX-License-Identifier: GPL-2.0-only */
/* One job in this process: what the workload prints, its metrics, and why. */
#include "base/check.h"
#include "cli/commands.h"
#include "cli/formats.h"
#include "lab/explain.h"
#include "lab/job.h"
#include "report/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run {
	struct arena arena;
	struct variant variant;
	struct job job;
	struct hotplug hotplug;
	struct job_outcome outcome;
	enum format_id format;
	bool explain;
};

/* What is for the model would have no effect on a kernel: it is refused. */
static bool parse_variant(struct run *run, const struct options *options, struct err *err)
{
	const char *features = option_value(options, OPTION_features, "base");
	const char *engine = option_value(options, OPTION_engine, NULL);
	struct variant_request request = { .engine = engine, .text = features };
	bool feedback;

	request.profile = option_value(options, OPTION_profile, NULL);
	if (variant_kernel_name(engine) && option_given(options, OPTION_features))
		return err_set(err,
			       "-F changes the model; %s is changed by a patch ('schedlab kernel "
			       "build --patch')",
			       engine);
	if (variant_kernel_name(features))
		return err_set(err, "a kernel is an engine: -e %s", features);
	if (variant_kernel_name(engine) && request.profile)
		return err_set(err, "-k is the version of the model; %s has its own", engine);
	if (!variant_resolve(&run->variant, &run->arena, &request, err) ||
	    !option_switch(options, OPTION_feedback, true, &feedback, err))
		return false;
	if (option_given(options, OPTION_feedback) && !run->variant.counted)
		return err_set(err, "--feedback is for counted kernels, and %s",
			       run->variant.image ? "this one is bare" : "this is the model");
	run->job.variant = &run->variant;
	run->job.no_feedback = !feedback;
	run->job.profile = run->explain && run->variant.counted;
	return true;
}

static bool parse_job(struct run *run, const struct options *options, struct err *err)
{
	const char *machine = option_value(options, OPTION_machine, NULL);
	const struct workload_commands *commands;

	run->explain = option_given(options, OPTION_explain);
	if (!format_find(COMMAND_run, option_value(options, OPTION_format, NULL), &run->format,
			 err) ||
	    !parse_variant(run, options, err) ||
	    !option_number(options, OPTION_seed, 0, UINT64_MAX / 2, 1, &run->job.seed, err))
		return false;
	if (!machine)
		return err_set(err, "which machine? Give -m MACHINE ('schedlab list machines')");
	if (!options->nr_words)
		return err_set(err, "what is to be run? Give a workload after '--'");
	run->job.machine = command_machine_named(&run->arena, options, machine, err);
	if (!run->job.machine ||
	    !hotplug_parse(&run->hotplug, &run->arena, option_value(options, OPTION_hotplug, NULL),
			   run->job.machine, err))
		return false;
	run->job.hotplug = &run->hotplug;
	commands = workload_expand(&run->arena, options->nr_words, options->word, err);
	if (!commands)
		return false;
	if (commands->nr_commands != 1)
		return err_set(err,
			       "run takes one command; the sweep has %u ('compare' runs them all)",
			       commands->nr_commands);
	run->job.command = &commands->command[0];
	return true;
}

static bool open_trace(struct run *run, const struct options *options, struct err *err)
{
	const char *path = option_value(options, OPTION_trace, NULL);

	if (!path)
		return true;
	run->job.trace_out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
	return run->job.trace_out
		       ? true
		       : err_set_at(err, path, 0, 0, "cannot write the trace: %s", strerror(errno));
}

static void close_trace(struct run *run)
{
	FILE *out = run->job.trace_out;

	if (!out || out == stdout)
		return;
	if (ferror(out) || fclose(out) != 0)
		die("cannot write the trace: %s", strerror(errno));
}

/* What is counted rather than measured. */
static bool is_counter(const char *name)
{
	static const char *const families[] = { "memory.", "cost.", "sim.",  "lb.",
						"sis.",	   "ipi.",  "nohz.", "kernel." };

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (strncmp(name, families[i], strlen(families[i])) == 0)
			return true;
	return false;
}

/* Programs get every figure; people get counters in a section of their own, without zeros. */
static const struct run_metric *pick_figures(struct run *run, bool counters, uint32_t *count)
{
	const struct stored_result *result = &run->outcome.result;
	struct run_metric *metric = ARENA_ARRAY(&run->arena, struct run_metric, result->nr_metrics);
	bool all = run->format == FORMAT_run_json;

	*count = 0;
	for (uint32_t i = 0; i < result->nr_metrics; i++) {
		const struct stored_metric *figure = &result->metric[i];

		if (all || (counters ? is_counter(figure->name) && figure->value != 0
				     : !is_counter(figure->name)))
			metric[(*count)++] =
				(struct run_metric){ figure->name, figure->unit, figure->value };
	}
	return metric;
}

static const struct run_section *why(struct run *run, uint32_t *count)
{
	struct run_section *section = ARENA_ARRAY(&run->arena, struct run_section, 2);
	struct run_metric *metric = ARENA_ARRAY(&run->arena, struct run_metric, explain_nr_rows());

	for (uint32_t i = 0; i < explain_nr_rows(); i++) {
		double value = explain_value(i, &run->outcome.result);

		if (isfinite(value))
			metric[section->metrics++] =
				(struct run_metric){ explain_name(i), explain_unit(i), value };
	}
	section[0].title = "why";
	section[0].metric = metric;
	section[1].title = "counters";
	section[1].metric = pick_figures(run, true, &section[1].metrics);
	*count = run->format == FORMAT_run_json ? 1 : 2;
	return section;
}

static const struct run_profile_row *line_rows(struct run *run)
{
	const struct job_profile *p = &run->outcome.profile;
	struct run_profile_row *row =
		ARENA_ARRAY(&run->arena, struct run_profile_row, p->nr_lines + 1);

	for (uint32_t i = 0; i < p->nr_lines; i++)
		row[i] = (struct run_profile_row){
			.name = arena_printf(&run->arena, "%s+%u", p->line[i].owner,
					     64 * p->line[i].line),
			.detail = p->line[i].fields,
			.value = { p->line[i].ns, p->line[i].misses, p->line[i].accesses },
		};
	return row;
}

static const struct run_profile_row *function_rows(struct run *run)
{
	const struct job_profile *p = &run->outcome.profile;
	struct run_profile_row *row =
		ARENA_ARRAY(&run->arena, struct run_profile_row, p->nr_functions + 1);

	for (uint32_t i = 0; i < p->nr_functions; i++)
		row[i] = (struct run_profile_row){
			.name = p->function[i].name,
			.detail = "",
			.value = { p->function[i].ns, p->function[i].memory_ns,
				   p->function[i].instructions, p->function[i].calls },
		};
	return row;
}

/* Of a counted kernel. */
static const struct run_profile *profiles(struct run *run, uint32_t *count)
{
	struct run_profile *profile = ARENA_ARRAY(&run->arena, struct run_profile, 2);

	*count = run->job.profile ? 2 : 0;
	if (!*count)
		return profile;
	profile[0] = (struct run_profile){
		.title = "hottest lines of the kernel, of all objects of a kind",
		.key = "lines",
		.column = { "ns", "misses", "accesses" },
		.row = line_rows(run),
		.rows = run->outcome.profile.nr_lines,
	};
	profile[1] = (struct run_profile){
		.title = "dearest functions of the kernel, without what they call",
		.key = "functions",
		.column = { "ns", "memory_ns", "instructions", "calls" },
		.row = function_rows(run),
		.rows = run->outcome.profile.nr_functions,
	};
	return profile;
}

/* The workload's own lines, as the real tool prints them. */
static const char *native_summary(struct run *run)
{
	char *text = NULL, *copy;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		die("out of memory");
	workload_print_start(run->outcome.workload, out);
	workload_print_summary(run->outcome.workload, &run->outcome.run, out);
	if (fclose(out) != 0)
		die("out of memory");
	copy = arena_strdup(&run->arena, text);
	free(text);
	return copy;
}

static const char *const *notes(struct run *run, uint32_t *count)
{
	uint32_t n = workload_nr_notes(run->outcome.workload);
	const char **note = ARENA_ARRAY(&run->arena, const char *, n + 2);
	const char *own = variant_note(&run->variant, &run->arena);
	uint32_t left = hotplug_left(&run->hotplug, &run->outcome.result);

	for (uint32_t i = 0; i < n; i++)
		note[i] = workload_note(run->outcome.workload, i);
	if (own)
		note[n++] = own;
	if (left)
		note[n++] = arena_printf(&run->arena,
					 "the run ended before %u of %u events of --hotplug", left,
					 run->hotplug.nr);
	*count = n;
	return note;
}

/* "v5.12 +SIS_CORE", or what the kernel is. */
static const char *variant_name(struct run *run)
{
	const struct variant *v = &run->variant;

	return v->image ? v->title : arena_printf(&run->arena, "%s %s", v->profile, v->features);
}

static void print(struct run *run)
{
	struct run_report report = {
		.machine = run->job.machine->name,
		.variant = variant_name(run),
		.workload = job_command_text(&run->arena, run->job.command),
		.summary = native_summary(run),
		.seed = run->job.seed,
		.trace_hash = run->outcome.result.trace_hash,
	};

	report.metric = pick_figures(run, false, &report.metrics);
	report.note = notes(run, &report.notes);
	if (run->explain) {
		report.section = why(run, &report.sections);
		report.profile = profiles(run, &report.profiles);
	}
	if (run->format == FORMAT_run_json)
		run_write_json(&report, stdout);
	else
		run_write_text(&report, stdout);
}

enum exit_code command_run(const struct options *options, struct err *err)
{
	struct run run = { 0 };
	bool good;

	arena_init(&run.arena);
	good = parse_job(&run, options, err) && open_trace(&run, options, err) &&
	       job_run(&run.arena, &run.job, &run.outcome, err);
	close_trace(&run);
	if (good)
		print(&run);
	arena_release(&run.arena);
	return good ? EXIT_FINE : EXIT_INPUT;
}
