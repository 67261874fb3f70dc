/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report has one row a cell and metric, in the order of the sweep. Published figures stand in
 * the cells of the base and of the first variant, since that is what the mails compare.
 */
#include "lab/explain.h"
#include "lab/lab.h"
#include "lab/paired.h"
#include "lab/published.h"

#include <math.h>
#include <string.h>

/* One table: a base and those compared with it. */
struct table_of {
	const struct lab *lab;
	struct report *report;
	uint32_t nr_members;
	uint32_t member[REPORT_VARIANTS]; /* variants of the laboratory, by variant of the report */
};

static uint32_t base_of(const struct lab *lab, uint32_t variant)
{
	return variant < lab->experiment->nr_variants ? lab->experiment->base_of[variant] : 0;
}

uint32_t lab_next_base(const struct lab *lab, uint32_t variant)
{
	while (variant < lab->nr_variants && base_of(lab, variant) != variant)
		variant++;
	return variant;
}

const char *lab_variant_failure(const struct lab *lab, uint32_t variant)
{
	const char *first = NULL;

	for (uint32_t cell = 0; cell < lab->commands->nr_commands; cell++)
		for (uint32_t seed = 0; seed < lab->nr_seeds; seed++) {
			const struct lab_slot *slot = lab_slot(lab, cell, variant, seed);

			if (!slot->failure)
				return NULL;
			first = first ? first : slot->failure;
		}
	return first;
}

/* The value of a metric in one run; NaN where the run failed or does not have it. */
static double value_of(const struct lab_slot *slot, const char *name)
{
	const struct stored_metric *metric =
		slot->done && !slot->failure ? result_metric(&slot->result, name) : NULL;

	return metric ? metric->value : NAN;
}

static struct sample sample_of(const struct lab *lab, uint32_t cell, uint32_t variant,
			       const char *metric)
{
	uint32_t n = lab->nr_seeds;
	double *value = ARENA_ARRAY(lab->arena, double, n);

	for (uint32_t seed = 0; seed < n; seed++)
		value[seed] = value_of(lab_slot(lab, cell, variant, seed), metric);
	return (struct sample){ value, n };
}

static enum better better_of(const char *name)
{
	if (strcmp(name, "lower") == 0)
		return BETTER_LOWER;
	return strcmp(name, "higher") == 0 ? BETTER_HIGHER : BETTER_NEITHER;
}

static void add_args(struct report *report, struct report_row *row,
		     const struct workload_command *command)
{
	for (uint32_t i = 0; i < command->nr_swept; i++)
		report_add_arg(report, row,
			       (struct report_arg){ command->key[i], NULL, command->value[i] });
}

static void add_published(const struct table_of *t, struct report_row *row,
			  const struct workload_command *command, const char *metric)
{
	const struct published_row *found;
	bool swept = command->nr_swept == 1;

	found = published_find(t->lab->experiment->published, swept ? command->key[0] : NULL,
			       swept ? command->value[0] : NULL, metric);
	if (!found || t->nr_members < 2)
		return;
	row->cell[0].published = (struct report_published){ found->base, found->base_std_pct, NAN };
	row->cell[1].published =
		(struct report_published){ found->other, found->other_std_pct,
					   100 * (found->other - found->base) / found->base };
}

static void add_row(const struct table_of *t, uint32_t cell, const struct stored_metric *metric)
{
	const struct workload_command *command = &t->lab->commands->command[cell];
	struct report_row *row =
		report_add_row(t->report, metric->name, metric->unit, better_of(metric->better));

	add_args(t->report, row, command);
	for (uint32_t i = 0; i < t->nr_members; i++)
		row->cell[i].sample = sample_of(t->lab, cell, t->member[i], metric->name);
	add_published(t, row, command, metric->name);
}

static const struct stored_result *any_result(const struct table_of *t, uint32_t member)
{
	for (uint32_t cell = 0; cell < t->lab->commands->nr_commands; cell++)
		for (uint32_t seed = 0; seed < t->lab->nr_seeds; seed++) {
			const struct lab_slot *slot =
				lab_slot(t->lab, cell, t->member[member], seed);

			if (slot->done && !slot->failure)
				return &slot->result;
		}
	return NULL;
}

/* Engines count different things: a metric of one of them is enough for a row. */
static const struct stored_metric *any_metric(const struct table_of *t, const char *name)
{
	const struct stored_metric *metric = NULL;

	for (uint32_t i = 0; i < t->nr_members && !metric; i++) {
		const struct stored_result *result = any_result(t, i);

		metric = result ? result_metric(result, name) : NULL;
	}
	return metric;
}

static const struct stored_result *first_result(const struct table_of *t)
{
	const struct stored_result *result = NULL;

	for (uint32_t i = 0; i < t->nr_members && !result; i++)
		result = any_result(t, i);
	return result;
}

static bool unknown_metric(const struct stored_result *result, const char *found, struct err *err)
{
	const char *names[STORE_MAX_METRICS];
	char near[300];

	for (uint32_t i = 0; i < result->nr_metrics; i++)
		names[i] = result->metric[i].name;
	err_near(near, sizeof(near), found, names, result->nr_metrics);
	return err_set(err, "these runs have no metric '%s'%s", found, near);
}

/* The metrics asked for; else what a run without feedback is about, or the headline. */
static uint32_t choose_metrics(const struct table_of *t, const struct stored_result *result,
			       const char *name[EXPERIMENT_MAX_METRICS])
{
	const struct experiment *e = t->lab->experiment;
	uint32_t n = 0;

	for (; n < e->nr_metrics; n++)
		name[n] = e->metric[n];
	for (uint32_t i = 0; !e->nr_metrics && e->no_feedback && i < paired_nr_rows(); i++)
		if (any_metric(t, paired_name(i)))
			name[n++] = paired_name(i);
	if (!n)
		name[n++] = result->metric[0].name;
	return n;
}

static bool add_rows(const struct table_of *t, struct err *err)
{
	const struct stored_result *result = first_result(t);
	const char *name[EXPERIMENT_MAX_METRICS];
	uint32_t n = result ? choose_metrics(t, result, name) : 0;

	for (uint32_t cell = 0; cell < t->lab->commands->nr_commands; cell++)
		for (uint32_t i = 0; i < n; i++) {
			const struct stored_metric *metric = any_metric(t, name[i]);

			if (!metric)
				return unknown_metric(result, name[i], err);
			add_row(t, cell, metric);
		}
	return true;
}

/* Mean over the seeds of what one row tells. */
static double explain_mean(const struct lab *lab, uint32_t cell, uint32_t variant, uint32_t row)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t seed = 0; seed < lab->nr_seeds; seed++) {
		const struct lab_slot *slot = lab_slot(lab, cell, variant, seed);
		double value =
			slot->done && !slot->failure ? explain_value(row, &slot->result) : NAN;

		if (isfinite(value)) {
			sum += value;
			n++;
		}
	}
	return n ? sum / n : NAN;
}

static void add_explanation(const struct table_of *t, uint32_t cell)
{
	const struct lab *lab = t->lab;
	const struct workload_command *command = &lab->commands->command[cell];
	struct report_section *section;
	const char *title = "why";

	for (uint32_t i = 0; i < command->nr_swept; i++)
		title = arena_printf(lab->arena, "%s%s %s %s", title, i ? "," : ":",
				     command->key[i], command->value[i]);
	section = report_add_section(t->report, title);
	for (uint32_t i = 0; i < explain_nr_rows(); i++) {
		double value[REPORT_VARIANTS];
		bool known = false;

		for (uint32_t v = 0; v < t->nr_members; v++) {
			value[v] = explain_mean(lab, cell, t->member[v], i);
			known |= isfinite(value[v]);
		}
		if (known)
			report_add_value(t->report, section, explain_name(i), explain_unit(i),
					 value);
	}
}

static void add_variants(struct table_of *t, uint32_t base)
{
	const struct lab *lab = t->lab;
	const struct experiment *e = lab->experiment;

	for (uint32_t v = base; v < lab->nr_variants; v++) {
		if (base_of(lab, v) != base)
			continue;
		t->member[t->nr_members++] = v;
		if (v < e->nr_variants) {
			report_add_variant(t->report, e->variant[v], lab->variant[v].title);
			continue;
		}
		report_add_variant(t->report, "base again",
				   "A/A: the base with other seeds; what differs is noise");
		report_other_seeds(t->report);
	}
}

static void add_assumptions(const struct lab *lab, struct report *report)
{
	const struct machine *m = lab->machine;
	uint32_t inherited = 0;

	for (uint32_t i = 0; i < m->nr_assumed; i++)
		report_assume(report, "%s", m->assumed[i]);
	for (size_t i = 0; i < NR_COSTS; i++)
		inherited += m->costs.of[i].inherited;
	if (inherited && inherited < NR_COSTS)
		report_assume(report,
			      "%u of %d costs are not known for this machine and inherited from a "
			      "documented one ('schedlab machine show %s' names the sources)",
			      inherited, NR_COSTS, m->name);
	for (uint32_t i = 0; i < lab->experiment->nr_sets; i++)
		report_assume(report, "changed by hand: %s", lab->experiment->set[i]);
	for (uint32_t i = 0; i < lab->nr_notes; i++)
		report_assume(report, "%s", lab->note[i]);
}

static void add_failures(const struct table_of *t)
{
	const struct lab *lab = t->lab;
	uint32_t failed = 0, runs = 0;
	const char *first = NULL;

	for (uint32_t cell = 0; cell < lab->commands->nr_commands; cell++)
		for (uint32_t i = 0; i < t->nr_members * lab->nr_seeds; i++) {
			const struct lab_slot *slot = lab_slot(
				lab, cell, t->member[i / lab->nr_seeds], i % lab->nr_seeds);

			runs++;
			failed += slot->failure != NULL;
			first = first ? first : slot->failure;
		}
	if (failed)
		report_note(t->report, "%u of %u runs failed; the first: %s", failed, runs, first);
}

static void add_hotplug(const struct table_of *t)
{
	const struct lab *lab = t->lab;
	uint32_t early = 0, runs = 0;

	for (uint32_t cell = 0; cell < lab->commands->nr_commands; cell++)
		for (uint32_t i = 0; i < t->nr_members * lab->nr_seeds; i++) {
			const struct lab_slot *slot = lab_slot(
				lab, cell, t->member[i / lab->nr_seeds], i % lab->nr_seeds);

			runs++;
			early += slot->done && !slot->failure &&
				 hotplug_left(&lab->hotplug, &slot->result);
		}
	if (early)
		report_note(t->report,
			    "%u of %u runs ended before all %u events of --hotplug had happened",
			    early, runs, lab->hotplug.nr);
}

/* What holds for every table of the experiment is told with the first. */
static void add_notes(const struct table_of *t)
{
	const struct experiment *e = t->lab->experiment;

	if (e->published)
		report_note(t->report, "published: %s%s%s", e->published->title,
			    e->published->url[0] ? ", " : "", e->published->url);
	if (e->note[0])
		report_note(t->report, "%s", e->note);
}

struct report *lab_report(const struct lab *lab, uint32_t base, struct err *err)
{
	struct report *report = report_new(lab->arena, lab->machine->name, lab->machine->title,
					   base ? "" : lab->experiment->title);
	struct table_of table = { .lab = lab, .report = report };

	add_variants(&table, base);
	if (!base)
		add_assumptions(lab, report);
	if (!add_rows(&table, err))
		return NULL;
	for (uint32_t cell = 0; lab->options.explain && cell < lab->commands->nr_commands; cell++)
		add_explanation(&table, cell);
	if (!base)
		add_notes(&table);
	add_failures(&table);
	add_hotplug(&table);
	report_analyse(report);
	return report;
}
