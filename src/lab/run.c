/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Jobs are numbered cell by cell, then variant, then seed, and run in the order seed, cell,
 * variant, so that an early look (or an interrupt) has something of every cell.
 */
#include "lab/job.h"
#include "lab/lab.h"
#include "lab/pool.h"
#include "machine/read.h"

#include <string.h>

enum { LAB_MAX_JOBS = 1000000, DEFAULT_SEEDS = 10 };

struct position {
	uint32_t cell, variant, seed;
};

static struct position position_of(const struct lab *lab, uint32_t job)
{
	uint32_t n = lab->nr_seeds;

	return (struct position){ job / n / lab->nr_variants, job / n % lab->nr_variants, job % n };
}

static struct job job_of(const struct lab *lab, uint32_t index)
{
	const struct experiment *e = lab->experiment;
	struct position at = position_of(lab, index);
	bool again = at.variant >= e->nr_variants; /* A/A: the base with later seeds */

	return (struct job){ .machine = lab->machine,
			     .variant = &lab->variant[again ? 0 : at.variant],
			     .command = &lab->commands->command[at.cell],
			     .hotplug = &lab->hotplug,
			     .seed = e->first_seed + at.seed + (again ? lab->nr_seeds : 0),
			     .no_feedback = e->no_feedback };
}

static void run_one(void *context, uint32_t index, FILE *record)
{
	struct lab *lab = context;
	struct job job = job_of(lab, index);
	struct job_outcome outcome;
	struct err err = { 0 };
	struct arena arena;
	char text[800];

	arena_init(&arena);
	if (job_run(&arena, &job, &outcome, &err)) {
		fputc('+', record);
		stored_result_print(&outcome.result, record);
	} else {
		err_print(&err, text, sizeof(text));
		fprintf(record, "-%s", text);
	}
	arena_release(&arena);
}

static void store_result(struct lab *lab, uint32_t index, const struct stored_result *result)
{
	struct job job = job_of(lab, index);
	struct stored_job row = { .machine = lab->machine->name,
				  .profile = job.variant->profile,
				  .variant = job.variant->text,
				  .command = job_command_text(lab->arena, job.command),
				  .seed = job.seed };
	struct err err = { 0 };
	char text[800];

	job_key(&job, lab->machine_json, row.key);
	if (!lab->options.store || lab->store_failure ||
	    store_put(lab->options.store, &row, result, &err))
		return;
	err_print(&err, text, sizeof(text));
	lab->store_failure = arena_strdup(lab->arena, text);
}

static void one_done(void *context, uint32_t index, const char *record, size_t size,
		     const char *failure)
{
	struct lab *lab = context;
	struct lab_slot *slot = &lab->slot[index];

	(void)size;
	slot->done = true;
	lab->nr_run++;
	if (!failure && record[0] == '-')
		failure = record + 1;
	if (!failure &&
	    !stored_result_parse(lab->arena, arena_strdup(lab->arena, record + 1), &slot->result))
		failure = "the worker's record is damaged";
	if (failure) {
		slot->failure = arena_strdup(lab->arena, failure);
		lab->nr_failed++;
		return;
	}
	store_result(lab, index, &slot->result);
}

static void one_progress(void *context, uint32_t done, uint32_t total)
{
	struct lab *lab = context;

	if (lab->options.progress)
		lab->options.progress(lab->options.context, lab->nr_reused + done,
				      lab->nr_reused + total);
}

static void add_note(struct lab *lab, const char *note)
{
	for (uint32_t i = 0; i < lab->nr_notes; i++)
		if (strcmp(lab->note[i], note) == 0)
			return;
	if (lab->nr_notes < LAB_MAX_NOTES)
		lab->note[lab->nr_notes++] = arena_strdup(lab->arena, note);
}

static bool check_command(struct lab *lab, const struct workload_command *command, struct err *err)
{
	const struct workload *workload;
	struct arena scratch;

	arena_init(&scratch);
	workload = workload_build(&scratch, command, lab->hotplug.reach, err);
	for (uint32_t i = 0; workload && i < workload_nr_notes(workload); i++)
		add_note(lab, workload_note(workload, i));
	arena_release(&scratch);
	return workload != NULL;
}

/* What the experiment says of a kernel that is not there; NULL when it says nothing. */
static const char *recipe_of(const struct lab *lab, const char *text)
{
	const struct experiment *e = lab->experiment;
	const char *name = variant_kernel_name(text);

	for (uint32_t k = 0; name && k < e->nr_kernels; k++)
		if (strcmp(e->kernel[k].name, name) == 0 &&
		    !variant_kernel_is_built(lab->arena, name))
			return e->kernel[k].command;
	return NULL;
}

static bool resolve(struct lab *lab, uint32_t i, struct err *err)
{
	const struct experiment *e = lab->experiment;
	struct variant_request request = { e->engine, e->profile, e->variant[i] };
	const char *recipe = recipe_of(lab, e->variant[i]);

	if (recipe)
		return err_set(err, "there is no kernel '%s'; this makes it: %s",
			       variant_kernel_name(e->variant[i]), recipe);
	return variant_resolve(&lab->variant[i], lab->arena, &request, err);
}

/* Settings that reach no variant are refused, and those that a variant cannot follow. */
static bool check_engines(struct lab *lab, struct err *err)
{
	const struct experiment *e = lab->experiment;
	uint32_t models = 0, own = 0;

	for (uint32_t i = 0; i < e->nr_variants; i++) {
		const struct variant *v = &lab->variant[i];

		models += !v->image;
		own += variant_kernel_name(e->variant[i]) != NULL;
		if (e->no_feedback && !v->counted)
			return err_set(err,
				       "without feedback only counted kernels can be compared, and "
				       "'%s' is %s",
				       v->text, v->image ? "bare" : "of the model");
		if (lab->hotplug.nr && !v->image)
			return err_set(err,
				       "only kernel engines take cpus off and on, and '%s' is of "
				       "the model (allowed: kernel:NAME)",
				       v->text);
		if (variant_note(v, lab->arena))
			add_note(lab, variant_note(v, lab->arena));
	}
	if (e->profile && !models)
		return err_set(err,
			       "the profile %s is for the model, and every variant is a kernel; "
			       "a kernel has its own version",
			       e->profile);
	return !e->engine || own < e->nr_variants ||
	       err_set(err, "the engine %s runs nothing: every variant names its own", e->engine);
}

/* Wrong input is found here, before any job runs. */
static bool check_input(struct lab *lab, struct err *err)
{
	const struct experiment *e = lab->experiment;
	const struct machine *machine =
		machine_read_changed(lab->arena, e->machine, e->set, e->nr_sets, err);

	if (!machine)
		return false;
	lab->machine = machine;
	if (!hotplug_parse(&lab->hotplug, lab->arena, e->hotplug, machine, err))
		return false;
	lab->machine_json = machine_to_json(lab->arena, machine);
	lab->variant = ARENA_ARRAY(lab->arena, struct variant, e->nr_variants);
	for (uint32_t i = 0; i < e->nr_variants; i++)
		if (!resolve(lab, i, err))
			return false;
	if (!check_engines(lab, err))
		return false;
	lab->commands = workload_expand(lab->arena, e->nr_words, e->word, err);
	for (uint32_t i = 0; lab->commands && i < lab->commands->nr_commands; i++)
		if (!check_command(lab, &lab->commands->command[i], err))
			return false;
	if (lab->nr_variants < 2)
		return err_set(
			err, "compare with what? Give --with VARIANT, or --aa for the noise alone");
	return lab->commands != NULL;
}

/* What a report has room for: variants, the A/A one included, and swept arguments. */
static bool fits_report(const struct lab *lab, struct err *err)
{
	uint32_t nr_swept = lab->commands->command[0].nr_swept;

	if (lab->nr_variants > REPORT_VARIANTS)
		return err_set(err, "%u variants, the base and A/A included (allowed: %d)",
			       lab->nr_variants, REPORT_VARIANTS);
	return nr_swept <= REPORT_ARGS ||
	       err_set(err, "%u arguments are swept (allowed: %d)", nr_swept, REPORT_ARGS);
}

/* Jobs are counted in 64 bits: 1024 cells, 17 variants and 10000 seeds are 174 million. */
static bool count_jobs(struct lab *lab, struct err *err)
{
	uint64_t jobs = (uint64_t)lab->commands->nr_commands * lab->nr_variants * lab->nr_seeds;

	lab->nr_jobs = (uint32_t)jobs;
	return jobs <= LAB_MAX_JOBS ||
	       err_set(err, "%u cells, %u variants and %u seeds are %llu runs (allowed: %d)",
		       lab->commands->nr_commands, lab->nr_variants, lab->nr_seeds,
		       (unsigned long long)jobs, LAB_MAX_JOBS);
}

static bool reuse(struct lab *lab, uint32_t index)
{
	struct job job = job_of(lab, index);
	uint64_t key[2];

	if (!lab->options.store)
		return false;
	job_key(&job, lab->machine_json, key);
	if (!store_get(lab->options.store, key, lab->arena, &lab->slot[index].result))
		return false;
	lab->slot[index].done = true;
	lab->nr_reused++;
	return true;
}

static uint32_t *jobs_to_run(struct lab *lab, uint32_t *count)
{
	uint32_t *jobs = ARENA_ARRAY(lab->arena, uint32_t, lab->nr_jobs);
	uint32_t n = lab->nr_seeds, cells = lab->nr_jobs / n;

	*count = 0;
	for (uint32_t seed = 0; seed < n; seed++)
		for (uint32_t cell = 0; cell < cells; cell++)
			if (!reuse(lab, cell * n + seed))
				jobs[(*count)++] = cell * n + seed;
	return jobs;
}

enum lab_end lab_run(struct lab *lab, struct arena *arena, const struct experiment *experiment,
		     const struct lab_options *options, struct err *err)
{
	struct pool_work work = {
		.context = lab, .run = run_one, .done = one_done, .progress = one_progress
	};
	uint32_t *jobs, count, workers = options->nr_workers;

	*lab = (struct lab){ .experiment = experiment, .options = *options, .arena = arena };
	lab->nr_variants = experiment->nr_variants + (options->aa ? 1 : 0);
	lab->nr_seeds = experiment->nr_seeds	  ? experiment->nr_seeds
			: experiment->no_feedback ? 1
						  : DEFAULT_SEEDS;
	if (!check_input(lab, err) || !fits_report(lab, err) || !count_jobs(lab, err))
		return LAB_WRONG;
	lab->slot = ARENA_ARRAY(arena, struct lab_slot, lab->nr_jobs);
	jobs = jobs_to_run(lab, &count);
	if (!workers)
		workers = pool_default_workers();
	switch (pool_run(&work, jobs, count, workers, err)) {
	case POOL_FINISHED: return LAB_FINISHED;
	case POOL_INTERRUPTED: return LAB_INTERRUPTED;
	case POOL_BROKEN: break;
	}
	return LAB_WRONG;
}
