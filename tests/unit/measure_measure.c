/* SPDX-License-Identifier: GPL-2.0-only */
#include "measure/measure.h"
#include "memory_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { TASKS = 40, NONE = -1 };

struct fixture {
	struct arena arena;
	struct trace trace;
	struct measure *measure;
};

/* 2 nodes x 2 LLCs x 2 clusters x 2 cores x 2 threads = 32 cpus. Set 0: all; set 1: cpus 0 and 1;
 * set 2: cpu 1. */
static int setup(void **state)
{
	static struct fixture f;
	struct measure_config config = { .max_tasks = TASKS, .nr_sets = 3 };
	struct machine *m;
	struct cpuset *set;

	arena_init(&f.arena);
	m = machine_by_hand(&f.arena, (struct shape){ 2, 2, 2, 2, 2 });
	m->costs.nr_idle_states = 2;
	set = ARENA_ARRAY(&f.arena, struct cpuset, 3);
	for (uint32_t i = 0; i < 3; i++)
		set[i] = cpuset_new(&f.arena, m->nr_cpus);
	cpuset_fill(&set[0]);
	cpuset_add(&set[1], 0);
	cpuset_add(&set[1], 1);
	cpuset_add(&set[2], 1);
	config.machine = m;
	config.set = set;
	f.measure = measure_new(&f.arena, &config);
	trace_init(&f.trace);
	trace_add_sink(&f.trace, measure_sink, f.measure);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	arena_release(&f->arena);
	return 0;
}

static void emit(struct fixture *f, uint64_t t_ns, enum trace_kind kind, uint32_t cpu, int task,
		 int arg)
{
	trace_emit(&f->trace, t_ns, kind, cpu, (uint32_t)task, (uint32_t)arg);
}

static double value(struct fixture *f, const char *name)
{
	struct metrics metrics = measure_metrics(f->measure, &f->arena, NULL, 0);
	const struct metric *metric = metrics_find(&metrics, name);

	assert_non_null(metric);
	return metric->value;
}

static void is(struct fixture *f, const char *name, double wanted)
{
	double found = value(f, name), off = found > wanted ? found - wanted : wanted - found;

	if (off > 1e-9 * (wanted > 1 ? wanted : 1))
		fail_msg("%s is %.12g, not %.12g", name, found, wanted);
}

static void switches_are_voluntary_after_a_block_or_an_end(void **state)
{
	struct fixture *f = *state;

	emit(f, 0, TRACE_TASK_NEW, 0, 0, NONE);
	emit(f, 0, TRACE_TASK_NEW, 0, 1, 0);
	emit(f, 100, TRACE_SWITCH, 0, 0, NONE);
	emit(f, 200, TRACE_SWITCH, 0, 1, 0); /* preempts */
	emit(f, 300, TRACE_BLOCK, 0, 1, 0);
	emit(f, 300, TRACE_SWITCH, 0, 0, 1);
	emit(f, 400, TRACE_TASK_EXIT, 0, 0, 0);
	emit(f, 400, TRACE_SWITCH, 0, NONE, 0);
	emit(f, 1000000, TRACE_END, 0, NONE, 0);
	is(f, "time.voluntary_context_switches", 2);
	is(f, "time.involuntary_context_switches", 1);
	is(f, "sched.preemptions", 1);
	is(f, "vmstat.system.cs", 4 / 1e-3);
	is(f, "nr_tasks", 2);
	is(f, "time.elapsed_time", 1e-3);
	is(f, "cpu.utilization", 100 * 300.0 / (32 * 1e6));
}

static void waits_begin_when_a_task_can_run(void **state)
{
	struct fixture *f = *state;

	emit(f, 0, TRACE_TASK_NEW, 0, 0, NONE);
	emit(f, 40, TRACE_SWITCH, 0, 0, NONE); /* 40 */
	emit(f, 100, TRACE_TASK_NEW, 0, 1, 0);
	emit(f, 150, TRACE_SWITCH, 0, 1, 0); /* 50 */
	emit(f, 200, TRACE_BLOCK, 0, 1, 0);
	emit(f, 210, TRACE_SWITCH, 0, 0, 1); /* 60: preempted at 150 */
	emit(f, 300, TRACE_WAKING, 0, 1, 0);
	emit(f, 310, TRACE_WAKEUP, 1, 1, 0);
	emit(f, 380, TRACE_SWITCH, 1, 1, NONE); /* 70, latency 80 */
	assert_int_equal(measure_run_delay(f->measure)->total, 4);
	assert_int_equal(measure_run_delay(f->measure)->sum, 40 + 50 + 60 + 70);
	assert_int_equal(measure_wakeup_latency(f->measure)->total, 1);
	assert_int_equal(measure_wakeup_latency(f->measure)->sum, 80);
	is(f, "run_delay_us.mean", 0.055);
	is(f, "run_delay_us.max", 0.070);
	is(f, "run_delay", 220e-9);
	is(f, "wakeup_latency_us.p99", 0.080);
}

static void wake_ups_are_local_on_the_cpu_that_woke(void **state)
{
	struct fixture *f = *state;

	emit(f, 0, TRACE_TASK_NEW, 4, 0, NONE);
	emit(f, 1, TRACE_SWITCH, 4, 0, NONE);
	emit(f, 2, TRACE_BLOCK, 4, 0, 0);
	emit(f, 2, TRACE_SWITCH, 4, NONE, 0);
	emit(f, 3, TRACE_WAKING, 4, 0, NONE);
	emit(f, 3, TRACE_WAKEUP, 4, 0, 4);
	emit(f, 4, TRACE_SWITCH, 4, 0, NONE);
	emit(f, 5, TRACE_BLOCK, 4, 0, 0);
	emit(f, 5, TRACE_SWITCH, 4, NONE, 0);
	emit(f, 6, TRACE_WAKING, 7, 0, NONE);
	emit(f, 6, TRACE_WAKEUP, 4, 0, 4);
	is(f, "sched.ttwu_count", 2);
	is(f, "sched.ttwu_local", 1);
	is(f, "migrations.total", 0);
}

static void moves_count_by_their_tie(void **state)
{
	static const struct {
		uint32_t to;
		const char *name;
	} row[] = { { 1, "migrations.smt" },
		    { 2, "migrations.cluster" },
		    { 4, "migrations.llc" },
		    { 8, "migrations.node" },
		    { 16, "migrations.remote" } };
	struct fixture *f = *state;

	emit(f, 0, TRACE_TASK_NEW, 0, 0, NONE);
	for (uint32_t i = 0; i < 5; i++) {
		emit(f, 1, TRACE_MIGRATE, row[i].to, 0, 0);
		is(f, row[i].name, 1);
		emit(f, 2, TRACE_WAKEUP, row[i].to, 1, 0);
		is(f, row[i].name, 2);
	}
	is(f, "migrations.total", 10);
	is(f, "migrations.balance", 5);
}

static void waste_is_the_smaller_of_idle_cpus_and_waiting_tasks(void **state)
{
	struct fixture *f = *state;

	emit(f, 0, TRACE_TASK_NEW, 0, 0, NONE);
	emit(f, 0, TRACE_TASK_NEW, 0, 1, NONE);
	is(f, "wasted_core_time", 0);
	emit(f, 1000, TRACE_SWITCH, 0, 0, NONE); /* two tasks waited, 32 cpus idled */
	is(f, "wasted_core_time", 2000e-9);
	emit(f, 1500, TRACE_SWITCH, 0, 1, 0); /* one waited */
	is(f, "wasted_core_time", 2500e-9);
	emit(f, 1600, TRACE_MIGRATE, 1, 0, 0);
	emit(f, 1600, TRACE_SWITCH, 1, 0, NONE);
	emit(f, 9000, TRACE_END, 0, NONE, 0);
	is(f, "wasted_core_time", 2600e-9);
	is(f, "wasted_core_time_pct", 100 * 2600.0 / (32 * 9000.0));
}

static void a_task_wastes_only_cpus_it_may_use(void **state)
{
	struct fixture *f = *state;

	emit(f, 0, TRACE_TASK_NEW, 1, 0, NONE);
	emit(f, 0, TRACE_SWITCH, 1, 0, NONE);
	emit(f, 0, TRACE_TASK_NEW, 0, 1, NONE);
	emit(f, 0, TRACE_SWITCH, 0, 1, NONE);
	emit(f, 0, TRACE_TASK_NEW, 1, 2, NONE);
	emit(f, 0, TRACE_AFFINITY, 0, 2, 2); /* waits for cpu 1 alone */
	emit(f, 100, TRACE_BLOCK, 0, 1, 0);
	emit(f, 100, TRACE_SWITCH, 0, NONE, 1);
	emit(f, 200, TRACE_AFFINITY, 0, 2, 1); /* may use cpu 0, which idles */
	is(f, "wasted_core_time", 0);
	emit(f, 300, TRACE_MIGRATE, 0, 2, 1);
	emit(f, 300, TRACE_SWITCH, 0, 2, NONE);
	emit(f, 400, TRACE_END, 0, NONE, 0);
	is(f, "wasted_core_time", 100e-9);
}

static void waste_is_never_more_than_the_idle_cpus(void **state)
{
	struct fixture *f = *state;
	int task = 0;

	for (uint32_t cpu = 0; cpu < 32; cpu++) {
		if (cpu == 1)
			continue;
		emit(f, 0, TRACE_TASK_NEW, cpu, task, NONE);
		emit(f, 0, TRACE_SWITCH, cpu, task++, NONE);
	}
	for (int set = 0; set < 3; set++) { /* each set has one idle cpu, and it is the same */
		emit(f, 0, TRACE_TASK_NEW, 1, task, NONE);
		emit(f, 0, TRACE_AFFINITY, 1, task++, set);
	}
	emit(f, 100, TRACE_END, 0, NONE, 0);
	is(f, "wasted_core_time", 100e-9);
}

static void idle_states_count_entries_and_time(void **state)
{
	struct fixture *f = *state;

	emit(f, 10, TRACE_IDLE_ENTER, 3, NONE, 1);
	emit(f, 50, TRACE_IDLE_EXIT, 3, NONE, 1);
	emit(f, 60, TRACE_IDLE_ENTER, 3, NONE, 0);
	emit(f, 70, TRACE_IDLE_EXIT, 3, NONE, 0);
	emit(f, 80, TRACE_IDLE_ENTER, 5, NONE, 1);
	emit(f, 100, TRACE_END, 0, NONE, 0);
	is(f, "idle.state.0.usage", 1);
	is(f, "idle.state.0.time", 10e-9);
	is(f, "idle.state.1.usage", 2);
	is(f, "idle.state.1.time", 60e-9);
}

static void interrupts_are_rates_and_ipis_counts(void **state)
{
	struct fixture *f = *state;

	emit(f, 10, TRACE_IPI, 3, NONE, 4);
	emit(f, 20, TRACE_IRQ, 4, NONE, 0);
	emit(f, 30, TRACE_TICK, 4, NONE, 0);
	emit(f, 1000, TRACE_END, 0, NONE, 0);
	is(f, "interrupts.RES", 1);
	is(f, "vmstat.system.in", 2 / 1e-6);
}

static void counters_follow_unless_the_name_is_taken(void **state)
{
	static const struct measure_counter counter[] = {
		{ "sis.scanned", "cpus looked at", 77 },
		{ "sched.ttwu_count", "as the engine counts", 99 },
	};
	struct fixture *f = *state;
	struct metrics metrics = measure_metrics(f->measure, &f->arena, counter, 2);

	assert_string_equal(metrics.metric[metrics.nr - 1].name, "sis.scanned");
	assert_true(metrics_find(&metrics, "sis.scanned")->value == 77);
	assert_true(metrics_find(&metrics, "sched.ttwu_count")->value == 0);
	assert_null(metrics_find(&metrics, "no.such"));
	assert_string_equal(measure_rows(&f->arena).metric[0].name, metrics.metric[0].name);
}

static void nothing_seen_gives_zeros(void **state)
{
	struct fixture *f = *state;
	struct metrics metrics = measure_metrics(f->measure, &f->arena, NULL, 0);

	for (uint32_t i = 0; i < metrics.nr; i++)
		assert_true(metrics.metric[i].value == 0);
}

int main(void)
{
#define FACT(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		FACT(switches_are_voluntary_after_a_block_or_an_end),
		FACT(waits_begin_when_a_task_can_run),
		FACT(wake_ups_are_local_on_the_cpu_that_woke),
		FACT(moves_count_by_their_tie),
		FACT(waste_is_the_smaller_of_idle_cpus_and_waiting_tasks),
		FACT(a_task_wastes_only_cpus_it_may_use),
		FACT(waste_is_never_more_than_the_idle_cpus),
		FACT(idle_states_count_entries_and_time),
		FACT(interrupts_are_rates_and_ipis_counts),
		FACT(counters_follow_unless_the_name_is_taken),
		FACT(nothing_seen_gives_zeros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
