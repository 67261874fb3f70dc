/* SPDX-License-Identifier: GPL-2.0-only */
/* The main job: from options or a file to an experiment, through the laboratory, to a table. */
#include "cli/commands.h"
#include "cli/rows.h"
#include "lab/beside.h"
#include "lab/lab.h"
#include "report/form.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

struct progress {
	bool shown;
	time_t start;
};

static void show_progress(void *context, uint32_t done, uint32_t total)
{
	struct progress *p = context;
	double seconds = difftime(time(NULL), p->start);

	fprintf(stderr, "\r%u of %u runs", done, total);
	if (seconds >= 2 && done)
		fprintf(stderr, ", %.0f s to go ", seconds / done * (total - done));
	fputs("\033[K", stderr);
	p->shown = true;
}

static bool add_words(struct experiment *e, const struct options *options, struct err *err)
{
	if (!options->nr_words)
		return err_set(
			err,
			"what is to be run? Give a workload after '--', or an experiment file");
	if (options->nr_words > EXPERIMENT_MAX_WORDS)
		return err_set(err, "the workload has more than %d words", EXPERIMENT_MAX_WORDS);
	memcpy(e->word, options->word, options->nr_words * sizeof(*e->word));
	e->nr_words = options->nr_words;
	return true;
}

/* Options replace what a file says; lists are added to. */
static bool apply_options(struct experiment *e, const struct options *options, struct err *err)
{
	uint64_t seeds, seed;
	bool feedback;

	e->machine = option_value(options, OPTION_machine, e->machine);
	e->profile = option_value(options, OPTION_profile, e->profile);
	e->engine = option_value(options, OPTION_engine, e->engine);
	e->hotplug = option_value(options, OPTION_hotplug, e->hotplug);
	e->variant[0] = option_value(options, OPTION_base, e->variant[0]);
	if (!option_number(options, OPTION_seeds, 1, EXPERIMENT_MAX_SEEDS, e->nr_seeds, &seeds,
			   err) ||
	    !option_number(options, OPTION_seed, 0, UINT64_MAX / 2, e->first_seed, &seed, err) ||
	    !option_switch(options, OPTION_feedback, !e->no_feedback, &feedback, err))
		return false;
	e->no_feedback = !feedback;
	e->nr_seeds = (uint32_t)seeds;
	e->first_seed = seed;
	for (uint32_t i = 0; i < options->count[OPTION_with]; i++) {
		if (e->nr_variants == EXPERIMENT_MAX_VARIANTS)
			return err_set(err, "more than %d variants beside the base",
				       EXPERIMENT_MAX_VARIANTS - 1);
		e->variant[e->nr_variants++] = options->value[OPTION_with][i];
	}
	for (uint32_t i = 0; i < options->count[OPTION_set]; i++) {
		if (e->nr_sets == EXPERIMENT_MAX_SETS)
			return err_set(err, "more than %d --set", EXPERIMENT_MAX_SETS);
		e->set[e->nr_sets++] = options->value[OPTION_set][i];
	}
	if (option_given(options, OPTION_metric)) {
		e->nr_metrics = options->count[OPTION_metric];
		memcpy(e->metric, options->value[OPTION_metric],
		       e->nr_metrics * sizeof(*e->metric));
	}
	if (!e->machine)
		return err_set(err, "which machine? Give -m MACHINE ('schedlab list machines'), or "
				    "an experiment file, whose name ends in .json");
	return true;
}

/* A benchmark of the host has no machine, variants or seeds to change. */
static bool only_about_output(const struct options *options, struct err *err)
{
	for (size_t i = 0; i < NR_OPTIONS; i++) {
		enum option_id id = (enum option_id)i;

		if (option_given(options, id) && id != OPTION_quiet && id != OPTION_db &&
		    id != OPTION_no_db)
			return err_set(err, "--%s means nothing for a benchmark of this host",
				       option_rows[i].name);
	}
	return true;
}

static bool experiment_of(struct experiment *e, struct arena *arena, const struct options *options,
			  struct err *err)
{
	experiment_init(e);
	if (!options->nr_words || !names_experiment(options->word[0]))
		return add_words(e, options, err) && apply_options(e, options, err);
	if (options->nr_words > 1)
		return err_set(err, "an experiment file is the only word; '%s' is too much",
			       options->word[1]);
	return experiment_read(e, arena, options->word[0], err) &&
	       (e->bench ? only_about_output(options, err) : apply_options(e, options, err));
}

static bool fails(const struct report *report, const char *wanted)
{
	for (uint32_t r = 0; r < report->rows; r++)
		for (uint32_t v = 1; v < report->variants; v++) {
			const struct comparison *c = &report->row[r]->cell[v].compared;
			bool significant = !c->identical && c->p_holm < COMPARE_ALPHA;
			bool worse = c->compared == COMPARED_WORSE;
			bool better = c->compared == COMPARED_BETTER;

			if (significant && ((strcmp(wanted, "worse") == 0 && worse) ||
					    (strcmp(wanted, "better") == 0 && better) ||
					    strcmp(wanted, "changed") == 0))
				return true;
		}
	return false;
}

static bool check_choices(const struct options *options, enum report_form *form, struct err *err)
{
	static const char *const allowed[] = { "worse", "better", "changed" };
	const char *fail_if = option_value(options, OPTION_fail_if, NULL);
	char near[100];

	if (!report_form_parse(option_value(options, OPTION_format, "text"), form, err))
		return false;
	for (size_t i = 0; fail_if && i < 3; i++)
		if (strcmp(fail_if, allowed[i]) == 0)
			return true;
	if (!fail_if)
		return true;
	err_near(near, sizeof(near), fail_if, allowed, 3);
	return err_set(err, "--fail-if knows no '%s'%s", fail_if, near);
}

static const char *first_failure(const struct lab *lab)
{
	for (uint32_t i = 0; i < lab->nr_jobs; i++)
		if (lab->slot[i].failure)
			return lab->slot[i].failure;
	return "none";
}

/* Failed runs are told with --quiet too: most forms of a table have no place to say it. */
static void remarks(const struct lab *lab, const struct options *options)
{
	if (lab->nr_failed && lab->nr_failed < lab->nr_jobs)
		fprintf(stderr, "schedlab: %u of %u runs failed; the first: %s\n", lab->nr_failed,
			lab->nr_jobs, first_failure(lab));
	if (lab->store_failure)
		fprintf(stderr, "schedlab: results of this run were not kept: %s\n",
			lab->store_failure);
	if (lab->nr_reused && !option_given(options, OPTION_quiet))
		fprintf(stderr, "%u of %u runs taken from stored results\n", lab->nr_reused,
			lab->nr_jobs);
}

/* A variant without a single result was not compared, whatever the table says of the others. */
static bool all_compared(const struct lab *lab, struct err *err)
{
	for (uint32_t v = 0; v < lab->nr_variants; v++) {
		const char *failure = lab_variant_failure(lab, v);

		if (failure && lab->nr_failed == lab->nr_jobs)
			return err_set(err, "every run failed; the first: %s", failure);
		if (failure)
			return err_set(err, "every run of '%s' failed; the first: %s",
				       v < lab->experiment->nr_variants ? lab->variant[v].text
									: "base again",
				       failure);
	}
	return true;
}

static enum exit_code verdict(const struct lab *lab, const struct options *options,
			      const struct report *const *report, uint32_t count, struct err *err)
{
	const char *fail_if = option_value(options, OPTION_fail_if, NULL);

	if (!all_compared(lab, err))
		return EXIT_INPUT;
	for (uint32_t i = 0; fail_if && i < count; i++)
		if (fails(report[i], fail_if))
			return EXIT_FOUND;
	if (fail_if && lab->nr_failed) {
		err_set(err, "--fail-if %s cannot be answered: runs are missing", fail_if);
		return EXIT_INPUT;
	}
	return EXIT_FINE;
}

/* A table for every base, and the changes of all of them beside each other. */
static enum exit_code print(const struct lab *lab, const struct options *options,
			    enum report_form form, struct err *err)
{
	const struct report *report[EXPERIMENT_MAX_VARIANTS];
	uint32_t count = 0;

	for (uint32_t v = 0; v < lab->nr_variants; v = lab_next_base(lab, v + 1)) {
		report[count] = lab_report(lab, v, err);
		if (!report[count++])
			return EXIT_INPUT;
	}
	report_write_tables(report, count, form, stdout);
	if (count > 1 && form == REPORT_FORM_text)
		beside_print(report, count, stdout);
	return verdict(lab, options, report, count, err);
}

static enum exit_code interrupted(const struct lab *lab)
{
	fprintf(stderr, "schedlab: interrupted; %u of %u runs are done%s\n",
		lab->nr_reused + lab->nr_run, lab->nr_jobs,
		lab->options.store ? " and kept: the same command goes on from there" : "");
	return EXIT_INTERRUPTED;
}

static enum exit_code compare_in(struct arena *arena, const struct options *options,
				 struct store *store, struct err *err)
{
	struct progress progress = { .start = time(NULL) };
	struct lab_options lab_options = { .store = store,
					   .aa = option_given(options, OPTION_aa),
					   .explain = option_given(options, OPTION_explain),
					   .context = &progress };
	struct experiment experiment;
	enum report_form form;
	struct lab lab;
	uint64_t jobs;
	enum lab_end end;

	if (!check_choices(options, &form, err) ||
	    !option_number(options, OPTION_jobs, 1, 1024, 0, &jobs, err) ||
	    !experiment_of(&experiment, arena, options, err))
		return EXIT_INPUT;
	if (experiment.bench) {
		printf("%s\n", experiment.title);
		return bench_run(experiment.bench, err);
	}
	lab_options.nr_workers = (uint32_t)jobs;
	if (isatty(STDERR_FILENO) && !option_given(options, OPTION_quiet))
		lab_options.progress = show_progress;
	end = lab_run(&lab, arena, &experiment, &lab_options, err);
	if (progress.shown)
		fputs("\r\033[K", stderr);
	if (end == LAB_WRONG)
		return EXIT_INPUT;
	if (end == LAB_INTERRUPTED)
		return interrupted(&lab);
	remarks(&lab, options);
	return print(&lab, options, form, err);
}

enum exit_code command_compare(const struct options *options, struct err *err)
{
	struct store *store = NULL;
	enum exit_code code;
	struct arena arena;

	if (!option_given(options, OPTION_no_db)) {
		store = store_open(option_value(options, OPTION_db, NULL), err);
		if (!store)
			return EXIT_INPUT;
	}
	arena_init(&arena);
	code = compare_in(&arena, options, store, err);
	arena_release(&arena);
	store_close(store);
	return code;
}
