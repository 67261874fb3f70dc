/* SPDX-License-Identifier: GPL-2.0-only */
/* Forms byte for byte against what was posted on the lists. */
#include "report_made.h"

static const double without[] = { 1.8151, 3.8499, 5.5142, 7.2491, 9.0340, 10.7345, 12.0929 };
static const double with[] = { 1.8428, 3.7436, 5.4501, 6.9522, 8.2882, 9.9535, 11.3367 };

static struct report *kunpeng_report(bool published)
{
	struct report *report = report_of(2, "");

	report->quiet_pct = 3;
	for (int i = 0; i < 7; i++) {
		struct report_row *row = row_of(report, "hackbench.time", BETTER_LOWER,
						arena_printf(&arena, "%d", 2 * i + 2));

		row->cell[0].published.mean = published ? without[i] : NAN;
		row->cell[1].published.mean = published ? with[i] : NAN;
		if (published)
			continue;
		one(&row->cell[0], without[i]);
		one(&row->cell[1], with[i]);
	}
	report_analyse(report);
	return report;
}

/*
 * The mail's own lines, except that its heading has the 6 one column further left than the other
 * numbers stand in theirs.
 */
static const char kunpeng_rows[] = "g=    2      4      6      8      10     12      14\n"
				   "w/o: 1.8151 3.8499 5.5142 7.2491 9.0340 10.7345 12.0929\n"
				   "w/ : 1.8428 3.7436 5.4501 6.9522 8.2882  9.9535 11.3367\n"
				   "                          +4.1%  +8.3%  +7.3%   +6.3%\n";

static void rows_form_prints_the_kunpeng_mail(void **state)
{
	assert_string_equal(written(kunpeng_report(false), REPORT_FORM_rows), kunpeng_rows);
	assert_string_equal(written(kunpeng_report(true), REPORT_FORM_rows), kunpeng_rows);
}

static void rows_form_prints_gains_that_are_significant(void **state)
{
	struct report *report = report_of(2, "");
	struct report_row *row;

	row = row_of(report, "hackbench.time", BETTER_LOWER, "1");
	fill(&row->cell[0], 100, 1, 10);
	fill(&row->cell[1], 90, 1, 10);
	row = row_of(report, "hackbench.time", BETTER_LOWER, "22");
	fill(&row->cell[0], 100, 10, 10);
	fill(&row->cell[1], 99, -11, 10);
	row = row_of(report, "hackbench.time", BETTER_LOWER, "333");
	fill(&row->cell[0], 100, 1, 10);
	fill(&row->cell[1], 100, 1, 10);
	row = row_of(report, "hackbench.time", BETTER_LOWER, "4444");
	fill(&row->cell[0], NAN, 1, 10);
	fill(&row->cell[1], 1234567.25, 1, 10);
	report_analyse(report);
	assert_string_equal(written(report, REPORT_FORM_rows),
			    "g=    1      22     333    4444\n"
			    "w/o: 100.00 100.00 100.00          -\n"
			    "w/ :  90.00  99.00 100.00 1234567.25\n"
			    "     +10.0%        =\n");
}

static void rows_form_takes_many_variants_and_metrics(void **state)
{
	struct report *report = report_of(3, "");
	struct report_row *row = row_of(report, "a.time", BETTER_LOWER, "1");

	one(&row->cell[0], 2);
	one(&row->cell[1], 1);
	one(&row->cell[2], 4);
	row = row_of(report, "a.rate", BETTER_HIGHER, "1");
	one(&row->cell[0], 2);
	one(&row->cell[1], 1);
	one(&row->cell[2], 4);
	report_analyse(report);
	assert_string_equal(written(report, REPORT_FORM_rows), "a.time\n"
							       "g=      1\n"
							       "base:        2\n"
							       "patch:       1\n"
							       "       +50.0%\n"
							       "third:       4\n"
							       "       -100.0%\n"
							       "\n"
							       "a.rate\n"
							       "g=      1\n"
							       "base:        2\n"
							       "patch:       1\n"
							       "       -50.0%\n"
							       "third:       4\n"
							       "       +100.0%\n");
}

static void lkml_form_prints_the_idle_mask_mail(void **state)
{
	static const char mail[] =
		"uperf throughput: netperf workload, tcp_nodelay, r/w size = 90\n"
		"\n"
		"  threads\tbaseline-avg\t%std\tpatch-avg\t%std\n"
		"  96\t\t1\t\t1.24\t0.98\t\t2.76\n"
		"  144\t\t1\t\t1.13\t1.35\t\t4.01\n";
	static const struct {
		const char *threads;
		double base_std_pct, other, other_std_pct;
	} row[] = { { "96", 1.24, 0.98, 2.76 }, { "144", 1.13, 1.35, 4.01 } };
	struct report *measured, *published;

	measured = report_of(2, "uperf throughput: netperf workload, tcp_nodelay, r/w size = 90");
	published = report_of(2, measured->title);
	for (int i = 0; i < 2; i++) {
		struct report_row *m = report_add_row(measured, "uperf.ops", "", BETTER_HIGHER);
		struct report_row *p = report_add_row(published, "uperf.ops", "", BETTER_HIGHER);
		struct report_arg arg = { "--threads", NULL, row[i].threads };
		/* two values: the sample deviation is sqrt(2) times that of the population */
		const double sample = sqrt(0.5);

		report_add_arg(measured, m, arg);
		report_add_arg(published, p, arg);
		fill(&m->cell[0], 1000, row[i].base_std_pct * sample, 2);
		fill(&m->cell[1], 1000 * row[i].other, row[i].other_std_pct * sample, 2);
		p->cell[0].published = (struct report_published){ 1, row[i].base_std_pct, NAN };
		p->cell[1].published =
			(struct report_published){ row[i].other, row[i].other_std_pct, NAN };
	}
	report_analyse(measured);
	report_analyse(published);
	assert_string_equal(written(measured, REPORT_FORM_lkml), mail);
	assert_string_equal(written(published, REPORT_FORM_lkml), mail);
}

static void lkp_form_prints_values_as_the_robot_does(void **state)
{
	struct report *report = report_new(&arena, "lkp-hsw-ep4", NULL, NULL);
	static const struct {
		const char *metric;
		double a, a_std, b, b_std;
	} row[] = {
		{ "hackbench.throughput", 101059, 3.4, 115594, 1 },
		{ "hackbench.time.elapsed_time", 1004.5, 3, 877.72, 1.9 },
		{ "hackbench.time.involuntary_context_switches", 4.045e9, 6.1, 2.934e9, 0 },
		{ "perf-profile.self.cycles-pp.native_queued_spin_lock_slowpath", 5.46, 0, 5.26,
		  2.1 },
		{ "sched_debug.cfs_rq:/.spread0.stddev", 889886, 37, 368715, 17.5 },
		{ "a.from_zero", 0, 0, 7, 0 },
	};
	static const char expected[] =
		"=================================================================================="
		"======="
		"\n"
		"ipc/tbox_group/testcase:\n"
		"  pipe/lkp-hsw-ep4/hackbench\n"
		"\n"
		"commit: \n"
		"  5e23e474431529b7 (\"sched/fair: Use rq->nr_running when balancing load\")\n"
		"  b0fb1eb4f04ae4768231b9731ef00112233\n"
		"\n"
		"5e23e474431529b7 b0fb1eb4f04ae4768231b9731ef \n"
		"---------------- --------------------------- \n"
		"       fail:runs  %reproduction    fail:runs\n"
		"           |             |             |    \n"
		"           :4           25%           1:4     last_state.is_incomplete_run\n"
		"         %stddev     %change         %stddev\n"
		"             \\          |                \\  \n"
		"    101059 ±  3%     +14.4%     115594        hackbench.throughput\n"
		"      1004 ±  3%     -12.6%     877.72        hackbench.time.elapsed_time\n"
		" 4.045e+09 ±  6%     -27.5%  2.934e+09        "
		"hackbench.time.involuntary_context_switches\n"
		"      5.46            -0.2        5.26 ±  2%  "
		"perf-profile.self.cycles-pp.native_queued_spin_lock_slowpath\n"
		"    889886 ± 37%     -58.6%     368715 ± 17%  "
		"sched_debug.cfs_rq:/.spread0.stddev\n"
		"      0.00         +7e+102%       7.00        a.from_zero\n";
	struct report_row *made;

	report_add_variant(report, "5e23e474431529b7",
			   "sched/fair: Use rq->nr_running when balancing load");
	report_add_variant(report, "b0fb1eb4f04ae4768231b9731ef00112233", NULL);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		made = report_add_row(report, row[i].metric, "", BETTER_NEITHER);
		report_add_arg(report, made, (struct report_arg){ "ipc", NULL, "pipe" });
		fill(&made->cell[0], row[i].a, row[i].a_std + 0.001, 4);
		fill(&made->cell[1], row[i].b, row[i].b_std + 0.001, 4);
	}
	made->cell[1].sample.value = (const double[]){ 7, 7, NAN, 7 };
	report_analyse(report);
	assert_string_equal(written(report, REPORT_FORM_lkp), expected);
}

static void lkp_2014_form_prints_the_founding_mail(void **state)
{
	struct report *report = report_new(&arena, "lkp-snb01", NULL, NULL);
	struct report_row *row;

	report_add_variant(report, "v3.13-rc7", NULL);
	report_add_variant(report, "b75e43bb77df14e2209532c1e5c48e0e03afa414", NULL);
	row = report_add_row(report, "hackbench.throughput", "", BETTER_HIGHER);
	fill(&row->cell[0], 171792, 0.3, 4);
	fill(&row->cell[1], 321176, 0.2, 4);
	row = report_add_row(report, "proc-vmstat.pgalloc_dma32", "", BETTER_NEITHER);
	fill(&row->cell[0], 4677274, 29.5, 4);
	fill(&row->cell[1], 37705344, 1.5, 4);
	row = report_add_row(report, "interrupts.RES", "", BETTER_NEITHER);
	one(&row->cell[0], 8.696e8);
	one(&row->cell[1], 1.246e8);
	report_analyse(report);
	assert_string_equal(
		written(report, REPORT_FORM_lkp_2014),
		"       v3.13-rc7  b75e43bb77df14e2209532c1e  \n"
		"---------------  -------------------------  \n"
		"    171792 ~ 0%     +87.0%     321176 ~ 0%  hackbench.throughput\n"
		"   4677274 ~29%    +706.1%   37705344 ~ 1%  proc-vmstat.pgalloc_dma32\n"
		" 8.696e+08          -85.7%  1.246e+08       interrupts.RES\n");
}

static void schedtests_form_marks_better_with_plus(void **state)
{
	struct report *report = report_of(2, "");
	struct report_row *row =
		report_add_row(report, "hackbench.process-pipe", "s", BETTER_LOWER);

	report_add_arg(report, row, (struct report_arg){ "-g", "group", "6" });
	fill(&row->cell[0], 10, 1, 4);
	fill(&row->cell[1], 9.915, 1.5, 4);
	report_analyse(report);
	assert_string_equal(written(report, REPORT_FORM_schedtests),
			    "hackbench\n"
			    "=========\n"
			    "case            \tload    \tbaseline(std%)\tcompare%( std%)\n"
			    "process-pipe    \tgroup-6 \t 1.00 (  1.00)\t +0.85 (  1.50)\n");
}

static void amd_form_prints_the_posted_layout(void **state)
{
	struct report *report = report_new(&arena, "zen3", NULL, NULL);
	const double sample = sqrt(0.5);
	struct report_row *row;

	report_add_variant(report, "base", NULL);
	report_add_variant(report, "SIS_CACHE", NULL);
	row = report_add_row(report, "hackbench", "seconds", BETTER_LOWER);
	report_add_arg(report, row, (struct report_arg){ "-g", "groups", "1" });
	fill(&row->cell[0], 50, 1.89 * sample, 2);
	fill(&row->cell[1], 55.14, 2.03 * sample, 2);
	report_analyse(report);
	assert_string_equal(written(report, REPORT_FORM_amd),
			    "==================================================================\n"
			    "Test          : hackbench\n"
			    "Units         : Normalized time in seconds\n"
			    "Interpretation: Lower is better\n"
			    "Statistic     : AMean\n"
			    "==================================================================\n"
			    "Case:          base[pct imp](CV)     SIS_CACHE[pct imp](CV)\n"
			    " 1-groups     1.00 [ -0.00]( 1.89)     1.10 [-10.28]( 2.03)\n");
}

static void mmtests_form_stars_what_is_far_apart(void **state)
{
	struct report *report = report_of(2, "");
	struct report_row *row = report_add_row(report, "redis.rate", "", BETTER_HIGHER);

	report_add_arg(report, row, (struct report_arg){ "test", NULL, "1-PING_INLINE" });
	one(&row->cell[0], 32419.12);
	one(&row->cell[1], 24696.23);
	row = report_add_row(report, "redis.rate", "", BETTER_HIGHER);
	report_add_arg(report, row, (struct report_arg){ "test", NULL, "1-SET" });
	fill(&row->cell[0], 30000, 5573.04 / 30000 * 100 * sqrt(0.5), 2);
	fill(&row->cell[1], 30000, 2313.88 / 30000 * 100 * sqrt(0.5), 2);
	report_analyse(report);
	assert_non_null(
		strstr(written(report, REPORT_FORM_mmtests),
		       "Hmean     1-PING_INLINE    32419.12 (   0.00%)    24696.23 ( -23.82%)\n"));
	assert_non_null(
		strstr(written(report, REPORT_FORM_mmtests),
		       "Stddev    1-SET             5573.04 (   0.00%)     2313.88 (  58.48%)\n"));
	report->row[0]->cell[0].sample.count = 1;
	fill(&report->row[0]->cell[0], 32419.12, 0.01, 4);
	fill(&report->row[0]->cell[1], 24696.23, 0.01, 4);
	report_analyse(report);
	assert_non_null(
		strstr(written(report, REPORT_FORM_mmtests),
		       "Hmean     1-PING_INLINE    32419.12 (   0.00%)    24696.23 * -23.82%*\n"));
}

static void benchstat_form_prints_p_and_tilde(void **state)
{
	struct report *report = report_of(2, "");
	struct report_row *row = row_of(report, "hackbench.time", BETTER_LOWER, "1");

	fill(&row->cell[0], 0.114, 2, 10);
	fill(&row->cell[1], 0.108, 1, 10);
	row = row_of(report, "hackbench.time", BETTER_LOWER, "2");
	fill(&row->cell[0], 12.345, 2, 10);
	fill(&row->cell[1], 12.345, 2, 10);
	report_analyse(report);
	assert_string_equal(written(report, REPORT_FORM_benchstat),
			    "hackbench.time, s\n"
			    "groups   base        patch       vs base\n"
			    "1        114ms ± 2%  108ms ± 1%  -5.26% (p=0.000 n=10)\n"
			    "2        12.3s ± 2%  12.3s ± 2%  ~ (p=1.000 n=10)\n"
			    "geomean  1.19s       1.15s       -2.67%\n");
}

static void every_form_prints_reports_with_nothing_in_them(void **state)
{
	for (uint32_t variants = 1; variants <= 3; variants++) {
		struct report *none = report_of(variants, NULL),
			      *failed = report_of(variants, NULL);
		struct report *never = report_of(variants, NULL);
		struct report_row *row = row_of(failed, "a.b", BETTER_HIGHER, NULL);

		for (uint32_t v = 0; v < variants; v++)
			fill(&row->cell[v], NAN, 0, 3);
		row_of(never, "a.b", BETTER_NEITHER, "1");
		report_analyse(none);
		report_analyse(failed);
		report_analyse(never);
		for (int form = 0; form < REPORT_FORMS; form++) {
			written(none, (enum report_form)form);
			assert_null(strstr(written(failed, (enum report_form)form), "nan"));
			assert_null(strstr(written(never, (enum report_form)form), "nan"));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rows_form_prints_the_kunpeng_mail),
		TEST(rows_form_prints_gains_that_are_significant),
		TEST(rows_form_takes_many_variants_and_metrics),
		TEST(lkml_form_prints_the_idle_mask_mail),
		TEST(lkp_form_prints_values_as_the_robot_does),
		TEST(lkp_2014_form_prints_the_founding_mail),
		TEST(schedtests_form_marks_better_with_plus),
		TEST(amd_form_prints_the_posted_layout),
		TEST(mmtests_form_stars_what_is_far_apart),
		TEST(benchstat_form_prints_p_and_tilde),
		TEST(every_form_prints_reports_with_nothing_in_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
