/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of how many cpus a search may look at: SIS_AVG_CPU, SIS_PROP, SIS_UTIL. */
#include "sched_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void sis_prop_looks_at_three_cpus_when_idle_time_is_short(void **state)
{
	const char *const with[] = { "v5.9", "v5.12", "v5.19" };

	for (uint32_t i = 0; i < 3; i++) {
		struct world w;

		world_init(&w, "1x24x1", with[i], "");
		fake_sleeper(&w, 3, 0);
		fake_busy_range(&w, 0, 23);
		w.s->rq[3].avg_idle_ns = w.s->rq[3].wake_avg_idle_ns = 0;
		assert_int_equal(fake_search(&w, 3, 3, 3), 3);
		assert_int_equal(fake_count(&w, COUNT_sis_scanned), 1 + 3);
		world_release(&w);
	}
}

/* avg_idle / 512 * 24 cpus over a cost of 99 + 1 ns: 51200 / 512 * 24 / 100 = 24 */
static void sis_prop_scans_in_proportion_to_idle_time(void **state)
{
	struct world w;

	world_init(&w, "1x24x1", "v5.12", "");
	fake_sleeper(&w, 3, 0);
	fake_busy_range(&w, 0, 23);
	w.s->domain[w.topology->sd_llc[3]].avg_scan_cost_ns = 199;
	w.s->rq[3].avg_idle_ns = 51200;
	fake_search(&w, 3, 3, 3);
	assert_int_equal(fake_count(&w, COUNT_sis_scanned), 1 + 51200 / 512 * 24 / 200 - 1);
	world_release(&w);
}

static void a_complete_scan_teaches_its_cost(void **state)
{
	struct world w;
	struct domain_state *sd;

	world_init(&w, "1x24x1", "v5.12", "");
	sd = &w.s->domain[w.topology->sd_llc[3]];
	fake_sleeper(&w, 3, 0);
	fake_busy_range(&w, 0, 23);
	fake_search(&w, 3, 3, 3);
	assert_true(sd->avg_scan_cost_ns > 0);
	world_release(&w);
}

static void promised_idle_time_halves_every_tick_and_pays_for_scans(void **state)
{
	struct world w;
	struct rq *rq;

	world_init(&w, "1x24x1", "v5.19", "");
	rq = &w.s->rq[3];
	fake_sleeper(&w, 3, 0);
	fake_busy_range(&w, 0, 23);
	w.now_ns = 40 * w.s->tick_ns;
	rq->wake_stamp_ns = 36 * w.s->tick_ns;
	rq->wake_avg_idle_ns = 1600000;
	fake_search(&w, 3, 3, 3);
	assert_in_range(rq->wake_avg_idle_ns, 1, 100000 - 1);
	world_release(&w);
}

static void sis_util_scans_what_the_shared_state_says(void **state)
{
	for (uint32_t nr = 0; nr < 6; nr++) {
		struct world w;

		world_init(&w, "1x24x1", "v6.1", "");
		fake_sleeper(&w, 3, 0);
		fake_busy_range(&w, 0, 23);
		w.s->llc[0].nr_idle_scan = nr;
		fake_search(&w, 3, 3, 3);
		assert_int_equal(fake_count(&w, COUNT_sis_scanned), 1 + nr);
		assert_int_equal(fake_count(&w, COUNT_sis_skipped), nr == 0);
		world_release(&w);
	}
}

static void sis_util_falls_to_nothing_at_85_percent(void **state)
{
	assert_int_equal(scan_nr_of_util(0, 24, 117), 24);
	assert_int_equal(scan_nr_of_util(24 * 875, 24, 117), 0);
	assert_int_equal(scan_nr_of_util(24 * 1024, 24, 117), 0);
	/* half busy: 1 - (0.5 * 1.17)^2 = 0.658 */
	assert_int_equal(scan_nr_of_util(24 * 512, 24, 117), 15);
	for (uint32_t util = 1; util <= 1024; util++)
		assert_true(scan_nr_of_util(48 * util, 48, 117) <=
			    scan_nr_of_util(48 * (util - 1), 48, 117));
}

static void sis_avg_cpu_forbids_a_scan_longer_than_idle_time(void **state)
{
	struct world w;

	world_init(&w, "1x24x1", "v5.9", "+SIS_AVG_CPU,-SIS_PROP");
	fake_sleeper(&w, 3, 0);
	fake_busy(&w, 3);
	w.s->domain[w.topology->sd_llc[3]].avg_scan_cost_ns = 1000;
	w.s->rq[3].avg_idle_ns = 512 * 1000;
	assert_int_equal(fake_search(&w, 3, 3, 3), 3);
	assert_int_equal(fake_count(&w, COUNT_sis_skipped), 1);
	w.s->rq[3].avg_idle_ns = 512 * 1001;
	assert_int_equal(fake_search(&w, 3, 3, 3), 4);
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sis_prop_looks_at_three_cpus_when_idle_time_is_short),
		cmocka_unit_test(sis_prop_scans_in_proportion_to_idle_time),
		cmocka_unit_test(a_complete_scan_teaches_its_cost),
		cmocka_unit_test(promised_idle_time_halves_every_tick_and_pays_for_scans),
		cmocka_unit_test(sis_util_scans_what_the_shared_state_says),
		cmocka_unit_test(sis_util_falls_to_nothing_at_85_percent),
		cmocka_unit_test(sis_avg_cpu_forbids_a_scan_longer_than_idle_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
