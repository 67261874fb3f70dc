/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report has one row a cell and metric, in the order of the sweep. Published figures stand in
 * the cells of the base and of the first variant, since that is what the mails compare.
 */
#include "lab/explain.h"
#include "lab/lab.h"
#include "lab/published.h"

#include <math.h>
#include <string.h>

static const struct stored_result *any_result(const struct lab *lab)
{
	for (uint32_t i = 0; i < lab->nr_jobs; i++)
		if (lab->slot[i].done && !lab->slot[i].failure)
			return &lab->slot[i].result;
	return NULL;
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
	uint32_t n = lab->experiment->nr_seeds;
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

static void add_published(const struct lab *lab, struct report_row *row,
			  const struct workload_command *command, const char *metric)
{
	const struct published_row *found;
	bool swept = command->nr_swept == 1;

	found = published_find(lab->experiment->published, swept ? command->key[0] : NULL,
			       swept ? command->value[0] : NULL, metric);
	if (!found || lab->experiment->nr_variants < 2)
		return;
	row->cell[0].published = (struct report_published){ found->base, found->base_std_pct, NAN };
	row->cell[1].published =
		(struct report_published){ found->other, found->other_std_pct,
					   100 * (found->other - found->base) / found->base };
}

static void add_row(const struct lab *lab, struct report *report, uint32_t cell,
		    const struct stored_metric *metric)
{
	const struct workload_command *command = &lab->commands->command[cell];
	struct report_row *row =
		report_add_row(report, metric->name, metric->unit, better_of(metric->better));

	add_args(report, row, command);
	for (uint32_t v = 0; v < lab->nr_variants; v++)
		row->cell[v].sample = sample_of(lab, cell, v, metric->name);
	add_published(lab, row, command, metric->name);
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

static bool add_rows(const struct lab *lab, struct report *report, struct err *err)
{
	const struct experiment *e = lab->experiment;
	const struct stored_result *result = any_result(lab);

	if (!result)
		return true;
	for (uint32_t cell = 0; cell < lab->commands->nr_commands; cell++) {
		if (!e->nr_metrics)
			add_row(lab, report, cell, &result->metric[0]);
		for (uint32_t i = 0; i < e->nr_metrics; i++) {
			const struct stored_metric *metric = result_metric(result, e->metric[i]);

			if (!metric)
				return unknown_metric(result, e->metric[i], err);
			add_row(lab, report, cell, metric);
		}
	}
	return true;
}

/* Mean over the seeds of what one row tells. */
static double explain_mean(const struct lab *lab, uint32_t cell, uint32_t variant, uint32_t row)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t seed = 0; seed < lab->experiment->nr_seeds; seed++) {
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

static void add_explanation(const struct lab *lab, struct report *report, uint32_t cell)
{
	const struct workload_command *command = &lab->commands->command[cell];
	struct report_section *section;
	const char *title = "why";

	for (uint32_t i = 0; i < command->nr_swept; i++)
		title = arena_printf(lab->arena, "%s%s %s %s", title, i ? "," : ":",
				     command->key[i], command->value[i]);
	section = report_add_section(report, title);
	for (uint32_t i = 0; i < explain_nr_rows(); i++) {
		double value[REPORT_VARIANTS];
		bool known = false;

		for (uint32_t v = 0; v < lab->nr_variants; v++) {
			value[v] = explain_mean(lab, cell, v, i);
			known |= isfinite(value[v]);
		}
		if (known)
			report_add_value(report, section, explain_name(i), explain_unit(i), value);
	}
}

static void add_variants(const struct lab *lab, struct report *report)
{
	const struct experiment *e = lab->experiment;

	for (uint32_t v = 0; v < e->nr_variants; v++)
		report_add_variant(
			report, e->variant[v],
			arena_printf(lab->arena, "%s %s", e->profile,
				     strcmp(e->variant[v], "base") ? e->variant[v] : "as it is"));
	if (lab->options.aa)
		report_add_variant(report, "base again",
				   "A/A: the base with other seeds; what differs is noise");
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

static void add_failures(const struct lab *lab, struct report *report)
{
	for (uint32_t i = 0; i < lab->nr_jobs; i++)
		if (lab->slot[i].failure) {
			report_note(report, "%u of %u runs failed; the first: %s", lab->nr_failed,
				    lab->nr_jobs, lab->slot[i].failure);
			return;
		}
}

struct report *lab_report(const struct lab *lab, struct err *err)
{
	const struct experiment *e = lab->experiment;
	struct report *report =
		report_new(lab->arena, lab->machine->name, lab->machine->title, e->title);

	add_variants(lab, report);
	add_assumptions(lab, report);
	if (!add_rows(lab, report, err))
		return NULL;
	for (uint32_t cell = 0; lab->options.explain && cell < lab->commands->nr_commands; cell++)
		add_explanation(lab, report, cell);
	if (e->published)
		report_note(report, "published: %s%s%s", e->published->title,
			    e->published->url[0] ? ", " : "", e->published->url);
	if (e->note[0])
		report_note(report, "%s", e->note);
	add_failures(lab, report);
	report_analyse(report);
	return report;
}
