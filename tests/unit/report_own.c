/* SPDX-License-Identifier: GPL-2.0-only */
/* The project's own forms: text, JSON and CSV byte for byte, and what stands behind them. */
#include "report/run.h"
#include "report_made.h"

#include <jansson.h>

static struct report *small_report(void)
{
	static const double base[] = { 1.25, 1.5, 1.75, 1.5 }, other[] = { 1.0, 1.375, 1.5, NAN };
	struct report *report = report_new(&arena, "4x24x2", "four packages", "hackbench \"-p\"");
	struct report_row *row;

	report_add_variant(report, "base", "v5.12");
	report_add_variant(report, "+SIS_IDLE_CPUMASK", "a mask, of idle cpus");
	report_assume(report, "IPI %d ns", 1200);
	report_note(report, "Loops scaled.");
	row = report_add_row(report, "hackbench.time", "s", BETTER_LOWER);
	report_add_arg(report, row, (struct report_arg){ "-g", "groups", "2" });
	report_add_arg(report, row, (struct report_arg){ "--mode", NULL, "pipe" });
	row->cell[0].sample = (struct sample){ base, 4 };
	row->cell[1].sample = (struct sample){ other, 4 };
	row->cell[0].published.mean = 12.5;
	row->cell[1].published.mean = 12.0;
	row = report_add_row(report, "hackbench.time", "s", BETTER_LOWER);
	report_add_arg(report, row, (struct report_arg){ "-g", "groups", "4" });
	report_add_arg(report, row, (struct report_arg){ "--mode", NULL, "pipe" });
	row->cell[0].sample = row->cell[1].sample = (struct sample){ base, 3 };
	report_add_value(report, report_add_section(report, "Placement"), "sis.search", "",
			 (const double[]){ 100, 50 });
	report_analyse(report);
	return report;
}

static void json_form_keeps_its_contract(void **state)
{
	const char *text = written(small_report(), REPORT_FORM_json);
	json_t *root = json_loads(text, 0, NULL), *rows, *cell;
	const char *machine, *metric, *unit, *better, *variant;
	double change, low, high, p;
	int groups, n, n_other, identical;

	assert_non_null(root);
	assert_int_equal(json_unpack(root, "{s:s, s:o}", "machine", &machine, "rows", &rows), 0);
	assert_int_equal(json_array_size(rows), 2);
	assert_int_equal(
		json_unpack(json_array_get(rows, 0),
			    "{s:{s:i}, s:s, s:s, s:s, s:[{s:s, s:i}, {s:i, s:F, s:[F, F], s:F, "
			    "s:b}]}",
			    "args", "-g", &groups, "metric", &metric, "unit", &unit, "better",
			    &better, "cells", "variant", &variant, "n", &n, "n", &n_other,
			    "change_pct", &change, "ci95_pct", &low, &high, "p", &p, "identical",
			    &identical),
		0);
	assert_string_equal(machine, "4x24x2");
	assert_int_equal(groups, 2);
	assert_string_equal(metric, "hackbench.time");
	assert_string_equal(unit, "s");
	assert_string_equal(better, "lower");
	assert_string_equal(variant, "base");
	assert_int_equal(n, 4);
	assert_int_equal(n_other, 3);
	assert_false(identical);
	assert_true(fabs(change - 100 * (-0.625 / 3) / 1.5) < 1e-9 && low < change &&
		    change < high);
	assert_true(p > 0 && p < 1);
	cell = json_array_get(json_object_get(json_array_get(rows, 1), "cells"), 1);
	assert_true(json_is_true(json_object_get(cell, "identical")));
	assert_true(json_number_value(json_object_get(cell, "p")) == 1);
	json_decref(root);
}

/* The same bytes whatever compiled this: no digit of libm's last places is printed. */
static void json_form_prints_these_bytes(void **state)
{
	assert_string_equal(
		written(small_report(), REPORT_FORM_json),
		"{\"machine\":\"4x24x2\",\"title\":\"hackbench \\\"-p\\\"\",\"paired\":true,\n"
		"\"variants\":[{\"name\":\"base\",\"description\":\"v5.12\"},{\"name\":\"+SIS_I"
		"DLE_CPUMASK\",\"description\":\"a mask, of idle cpus\"}],\n"
		"\"rows\":[\n"
		"{\"args\":{\"-g\":2,\"--mode\":\"pipe\"},\"metric\":\"hackbench.time\",\"unit"
		"\":\"s\",\"better\":\"lower\",\"cells\":[\n"
		"{\"variant\":\"base\",\"n\":4,\"mean\":1.5,\"sd\":0.2041241452319315,\"std_pct"
		"\":13.608276348795433,\"published\":{\"mean\":12.5},\"values\":[1.25,1.5,1.75,"
		"1.5]},\n"
		"{\"variant\":\"+SIS_IDLE_CPUMASK\",\"n\":3,\"mean\":1.2916666666666667,\"sd\":"
		"0.2602082499332666,\"std_pct\":20.14515483354322,\"failed\":1,\"change_pct\":-"
		"13.888888888888891,\"ci95_pct\":[-25.84070203,-1.937075751],\"p\":0.0377495513"
		"5,\"p_paired\":0.03774955135,\"p_welch\":0.3193778357,\"p_mann_whitney\":0.359"
		"0120538,\"p_holm\":0.03774955135,\"identical\":false,\"verdict\":\"better\",\""
		"runs_needed\":4,\"published\":{\"mean\":12,\"change_pct\":-4},\"values\":[1,1."
		"375,1.5,null]}]},\n"
		"{\"args\":{\"-g\":4,\"--mode\":\"pipe\"},\"metric\":\"hackbench.time\",\"unit"
		"\":\"s\",\"better\":\"lower\",\"cells\":[\n"
		"{\"variant\":\"base\",\"n\":3,\"mean\":1.5,\"sd\":0.25,\"std_pct\":16.66666666"
		"6666668,\"values\":[1.25,1.5,1.75]},\n"
		"{\"variant\":\"+SIS_IDLE_CPUMASK\",\"n\":3,\"mean\":1.5,\"sd\":0.25,\"std_pct"
		"\":16.666666666666668,\"change_pct\":0,\"ci95_pct\":[0,0],\"p\":1,\"p_paired\""
		":1,\"p_welch\":1,\"p_mann_whitney\":1,\"p_holm\":1,\"identical\":true,\"verdic"
		"t\":\"identical\",\"runs_needed\":null,\"values\":[1.25,1.5,1.75]}]}],\n"
		"\"agreement\":{\"cells\":1,\"signs_known\":1,\"signs_agree\":1,\"rank_correlat"
		"ion\":null,\"rank_correlation_p\":null,\"mean_error_points\":9.888888888888891"
		"},\n"
		"\"explain\":[\n"
		"{\"title\":\"Placement\",\"values\":[\n"
		"{\"name\":\"sis.search\",\"unit\":\"\",\"values\":[100,50]}]}],\n"
		"\"assumptions\":[\"IPI 1200 ns\"],\n"
		"\"notes\":[\"Loops scaled.\"]}\n");
}

static void text_form_prints_these_bytes(void **state)
{
	assert_string_equal(
		written(small_report(), REPORT_FORM_text),
		"hackbench \"-p\"\n"
		"machine 4x24x2: four packages\n"
		"  assumed: IPI 1200 ns\n"
		"base                     v5.12\n"
		"with  +SIS_IDLE_CPUMASK  a mask, of idle cpus\n"
		"\n"
		"hackbench.time, s, lower is better\n"
		"  groups/mode    base   %std    with   %std     change      95 % interval     "
		"  p             runs  failed  |  published  with  change\n"
		"       2/pipe  1.5000  13.61  1.2917  20.15    -13.89%  [-25.84%, -1.94%]  0.0"
		"377  better **     4       1  |     12.500    12  -4.00%\n"
		"       4/pipe  1.5000  16.67  1.5000  16.67  identical                  -     "
		"  -                -       0  |          -     -       -\n"
		"\n"
		"n = 3 to 4 runs a side, the same seeds on both (paired). Deviation and interva"
		"l are over\n"
		"  seeds of the model, not of hardware.\n"
		"* p < 0.05 by itself; ** also after Holm's correction (comparisons here: 1).\n"
		"runs: needed a side to see this change in 4 of 5 tries.\n"
		"Against published changes: the sign agrees in 1 of 1, mean error 9.9 points.\n"
		"Loops scaled.\n"
		"\n"
		"Placement\n"
		"              base  +SIS_IDLE_CPUMASK     change\n"
		"  sis.search   100                 50    -50.00%\n");
}

static void csv_form_prints_these_bytes(void **state)
{
	assert_string_equal(
		written(small_report(), REPORT_FORM_csv),
		"machine,-g,--mode,metric,unit,better,variant,n,failed,mean,sd,std_pct,min,medi"
		"an,max,change_pct,ci95_low_pct,ci95_high_pct,p,p_paired,p_welch,p_mann_whitney"
		",p_holm,verdict,runs_needed,published_mean,published_change_pct,table\r\n"
		"4x24x2,2,pipe,hackbench.time,s,lower,base,4,0,1.5,0.2041241452319315,13.608276"
		"348795433,1.25,1.5,1.75,,,,,,,,,,,12.5,,1\r\n"
		"4x24x2,2,pipe,hackbench.time,s,lower,+SIS_IDLE_CPUMASK,3,1,1.2916666666666667,"
		"0.2602082499332666,20.14515483354322,1,1.375,1.5,-13.888888888888891,-25.84070"
		"203,-1.937075751,0.03774955135,0.03774955135,0.3193778357,0.3590120538,0.03774"
		"955135,better,4,12,-4,1\r\n"
		"4x24x2,4,pipe,hackbench.time,s,lower,base,3,0,1.5,0.25,16.666666666666668,1.25"
		",1.5,1.75,,,,,,,,,,,,,1\r\n"
		"4x24x2,4,pipe,hackbench.time,s,lower,+SIS_IDLE_CPUMASK,3,0,1.5,0.25,16.6666666"
		"66666668,1.25,1.5,1.75,0,0,0,1,1,1,1,1,identical,0,,,1\r\n");
}

/* It lacks an argument of the small one. */
static struct report *other_report(void)
{
	struct report *report = report_of(2, NULL);
	struct report_row *row = row_of(report, "hackbench.time", BETTER_LOWER, "2");

	one(&row->cell[0], 1);
	one(&row->cell[1], 2);
	report_analyse(report);
	return report;
}

static void several_tables_are_one_json_document(void **state)
{
	const struct report *table[] = { small_report(), other_report() };
	json_t *root = json_loads(written_tables(table, 2, REPORT_FORM_json), 0, NULL), *tables;
	const char *machine;

	assert_non_null(root);
	assert_int_equal(json_unpack(root, "{s:s, s:o !}", "machine", &machine, "tables", &tables),
			 0);
	assert_string_equal(machine, "4x24x2");
	assert_int_equal(json_array_size(tables), 2);
	for (size_t i = 0; i < 2; i++) {
		json_t *alone = json_loads(written(table[i], REPORT_FORM_json), 0, NULL);

		assert_true(json_equal(json_array_get(tables, i), alone));
		json_decref(alone);
	}
	json_decref(root);
}

static void several_tables_are_one_csv_table(void **state)
{
	const struct report *table[] = { small_report(), other_report() };
	const char *text = written_tables(table, 2, REPORT_FORM_csv);
	const char *alone = written(table[0], REPORT_FORM_csv);

	assert_int_equal(strncmp(text, alone, strlen(alone)), 0);
	assert_string_equal(
		text + strlen(alone),
		"m,2,,hackbench.time,s,lower,base,1,0,1,,,1,1,1,,,,,,,,,,,,,2\r\n"
		"m,2,,hackbench.time,s,lower,patch,1,0,2,,,2,2,2,100,,,,,,1,,unknown,0,,,2\r\n");
}

static void variants_with_other_seeds_are_compared_unpaired_and_said_so(void **state)
{
	static const double base[] = { 1, 2, 3, 4 }, other[] = { 2, 3, 4, 6 };
	struct report *report = report_of(2, NULL);
	const struct comparison *compared;
	struct report_row *row;

	(void)state;
	report_other_seeds(report);
	row = row_of(report, "hackbench.time", BETTER_LOWER, "2");
	row->cell[0].sample = (struct sample){ base, 4 };
	row->cell[1].sample = (struct sample){ other, 4 };
	report_analyse(report);
	compared = &row->cell[1].compared;
	assert_false(compared->paired);
	assert_true(isnan(compared->p_paired) && compared->p == compared->p_welch);
	assert_non_null(strstr(written(report, REPORT_FORM_text),
			       "n = 4 runs a side, unpaired. Deviation and interval are over\n"
			       "  seeds of the model, not of hardware.\n"
			       "patch: other seeds than the base, compared unpaired.\n"));
}

static void forms_are_found_by_name(void **state)
{
	enum report_form form = REPORT_FORM_text;
	struct err err = { 0 };

	for (int i = 0; i < REPORT_FORMS; i++) {
		assert_true(report_form_parse(report_form_name((enum report_form)i), &form, &err));
		assert_int_equal(form, i);
		assert_true(*report_form_sentence(form));
	}
	assert_false(report_form_parse("jsn", &form, &err));
	assert_non_null(strstr(err.what, "unknown format 'jsn' (did you mean json"));
}

static void agreement_counts_signs_and_errors(void **state)
{
	static const double published[] = { -10, 5, 2, NAN };
	static const double other[] = { 95, 101, 98, 120 };
	struct report *report = report_of(2, NULL);
	struct report_agreement a;

	for (int i = 0; i < 4; i++) {
		struct report_row *row = row_of(report, "a.b", BETTER_LOWER, "1");

		one(&row->cell[0], 100);
		one(&row->cell[1], other[i]);
		row->cell[1].published.change_pct = published[i];
	}
	report_analyse(report);
	a = report_agreement(report);
	assert_int_equal(a.cells, 3);
	assert_int_equal(a.signs_known, 3);
	assert_int_equal(a.signs_agree, 2);
	assert_true(fabs(a.rho - 1) < 1e-12);
	assert_true(fabs(a.error_points - 13.0 / 3) < 1e-9);
}

static void run_forms_print_metrics_and_hash(void **state)
{
	static const struct run_metric metric[] = { { "hackbench.time", "s", 1.815 },
						    { "sis.search", "", 1234 },
						    { "run_delay", "ns", NAN } };
	static const struct run_section section = { "Placement", &metric[1], 1 };
	static const struct run_report run = { "snb-2s", "v3.13",  "hackbench -g 2", "Time: 1.815",
					       7,	 0xabcdef, metric,	     3,
					       &section, 1 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	run_write_text(&run, out);
	run_write_json(&run, out);
	fclose(out);
	assert_string_equal(text, "Time: 1.815\n"
				  "\n"
				  "hackbench -g 2 on snb-2s, v3.13, seed 7\n"
				  "  hackbench.time  1.8150  s\n"
				  "  sis.search        1234\n"
				  "  run_delay          n/a  ns\n"
				  "\n"
				  "Placement\n"
				  "  sis.search  1234\n"
				  "\n"
				  "trace hash 0000000000abcdef\n"
				  "{\"machine\":\"snb-2s\",\"variant\":\"v3.13\","
				  "\"workload\":\"hackbench -g 2\",\"seed\":7,\n"
				  "\"metrics\":{\n"
				  "\"hackbench.time\":1.815,\n"
				  "\"sis.search\":1234,\n"
				  "\"run_delay\":null},\n"
				  "\"units\":{\"hackbench.time\":\"s\",\"run_delay\":\"ns\"},\n"
				  "\"explain\":{\n"
				  "\"Placement\":{\n"
				  "\"sis.search\":1234}},\n"
				  "\"trace_hash\":\"0000000000abcdef\"}\n");
	free(text);
}

static void run_profiles_are_printed_after_the_sections(void **state)
{
	static const struct run_profile_row row = { "rq+64", "curr", { 120, 3 } };
	static const struct run_profile profile = {
		"hottest", "lines", { "ns", "misses" }, &row, 1
	};
	const struct run_report run = { .machine = "m",
					.variant = "v",
					.workload = "w",
					.summary = "",
					.profile = &profile,
					.profiles = 1 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	run_write_text(&run, out);
	run_write_json(&run, out);
	fclose(out);
	assert_non_null(
		strstr(text, "\nhottest\n          ns  misses\n  rq+64  120       3  curr\n"));
	assert_non_null(strstr(text, "\"profile\":{\n\"lines\":[\n{\"name\":\"rq+64\","
				     "\"fields\":\"curr\",\"ns\":120,\"misses\":3}]}"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(json_form_keeps_its_contract),
		TEST(json_form_prints_these_bytes),
		TEST(text_form_prints_these_bytes),
		TEST(csv_form_prints_these_bytes),
		TEST(several_tables_are_one_json_document),
		TEST(several_tables_are_one_csv_table),
		TEST(variants_with_other_seeds_are_compared_unpaired_and_said_so),
		TEST(forms_are_found_by_name),
		TEST(agreement_counts_signs_and_errors),
		TEST(run_forms_print_metrics_and_hash),
		TEST(run_profiles_are_printed_after_the_sections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
