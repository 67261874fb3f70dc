/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From counts to named figures. What still runs, idles or waits when asked is counted until then:
 * the run of a task and an idle state by their time, a wait only in wasted-core time.
 */
#include "measure/state.h"

#include <string.h>

enum row {
#define METRIC(id, name, unit, better, phrase) ROW_##id,
#include "measure/metrics.def"
#undef METRIC
	NR_ROWS
};

static const struct metric row[NR_ROWS] = {
#define METRIC(id, name, unit, better, phrase) { name, unit, better, phrase, 0 },
#include "measure/metrics.def"
#undef METRIC
};

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static double micros(uint64_t ns)
{
	return (double)ns / 1e3;
}

static double per(double a, double b)
{
	return b > 0 ? a / b : 0;
}

static uint64_t busy_until_now(const struct measure *m)
{
	uint64_t ns = m->busy_ns;

	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		if (m->cpu[cpu].running != TASK_NONE)
			ns += m->last_ns - m->cpu[cpu].since_ns;
	return ns;
}

static void fill_switches(const struct measure *m, double *v)
{
	double elapsed = seconds(m->last_ns), offered = elapsed * m->nr_allowed;

	v[ROW_elapsed] = elapsed;
	v[ROW_nr_tasks] = (double)m->nr_tasks;
	v[ROW_utilization] = 100 * per(seconds(busy_until_now(m)), offered);
	v[ROW_voluntary] = (double)m->voluntary;
	v[ROW_involuntary] = (double)m->involuntary;
	v[ROW_preemptions] = (double)m->preemptions;
	v[ROW_cs] = per((double)m->switches, elapsed);
	v[ROW_in] = per((double)m->interrupts, elapsed);
	v[ROW_res] = (double)m->ipis;
}

static void fill_moves(const struct measure *m, double *v)
{
	uint64_t moves = 0;

	for (uint32_t tie = 0; tie < NR_TIES; tie++)
		moves += m->moves[tie];
	v[ROW_ttwu_count] = (double)m->wakeups;
	v[ROW_ttwu_local] = (double)m->wakeups_local;
	v[ROW_migrations] = (double)moves;
	v[ROW_migrations_smt] = (double)m->moves[TIE_SMT];
	v[ROW_migrations_cluster] = (double)m->moves[TIE_CLUSTER];
	v[ROW_migrations_llc] = (double)m->moves[TIE_LLC];
	v[ROW_migrations_node] = (double)m->moves[TIE_NODE];
	v[ROW_migrations_remote] = (double)m->moves[TIE_REMOTE];
	v[ROW_balance_moves] = (double)m->balance_moves;
}

static void fill_waits(const struct measure *m, double *v)
{
	const struct histogram *delay = &m->run_delay, *latency = &m->wakeup_latency;
	struct waste waste = m->waste;
	double offered = seconds(m->last_ns) * m->nr_allowed;

	waste_advance(&waste, m->last_ns);
	v[ROW_delay_mean] = per(micros(delay->sum), (double)delay->total);
	v[ROW_delay_p50] = micros(histogram_quantile(delay, 500000));
	v[ROW_delay_p99] = micros(histogram_quantile(delay, 990000));
	v[ROW_delay_max] = micros(delay->max);
	v[ROW_delay_total] = seconds(delay->sum);
	v[ROW_latency_p50] = micros(histogram_quantile(latency, 500000));
	v[ROW_latency_p99] = micros(histogram_quantile(latency, 990000));
	v[ROW_wasted] = seconds(waste.wasted_ns);
	v[ROW_wasted_pct] = 100 * per(seconds(waste.wasted_ns), offered);
}

static uint64_t idle_state_ns(const struct measure *m, uint32_t state)
{
	uint64_t ns = m->idle_ns[state];

	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		if (m->cpu[cpu].idle_state == state)
			ns += m->last_ns - m->cpu[cpu].idle_since_ns;
	return ns;
}

static void add_idle_states(const struct measure *m, struct arena *arena, struct metrics *out)
{
	for (uint32_t i = 0; i < m->machine->costs.nr_idle_states; i++) {
		out->metric[out->nr++] =
			(struct metric){ arena_printf(arena, "idle.state.%u.usage", i), "", "",
					 "entries into the idle state", (double)m->idle_usage[i] };
		out->metric[out->nr++] =
			(struct metric){ arena_printf(arena, "idle.state.%u.time", i), "s", "",
					 "time in the idle state, over all cpus",
					 seconds(idle_state_ns(m, i)) };
	}
}

struct metrics measure_metrics(const struct measure *m, struct arena *arena,
			       const struct measure_counter *counter, uint32_t nr_counters)
{
	uint32_t max = NR_ROWS + 2 * MACHINE_MAX_IDLE_STATES + nr_counters;
	struct metrics out = { NR_ROWS, ARENA_ARRAY(arena, struct metric, max) };
	double value[NR_ROWS] = { 0 };

	fill_switches(m, value);
	fill_moves(m, value);
	fill_waits(m, value);
	for (uint32_t i = 0; i < NR_ROWS; i++) {
		out.metric[i] = row[i];
		out.metric[i].value = value[i];
	}
	add_idle_states(m, arena, &out);
	for (uint32_t i = 0; i < nr_counters; i++)
		if (!metrics_find(&out, counter[i].name))
			out.metric[out.nr++] =
				(struct metric){ counter[i].name, "", "", counter[i].phrase,
						 (double)counter[i].value };
	return out;
}

const struct metric *metrics_find(const struct metrics *metrics, const char *name)
{
	for (uint32_t i = 0; i < metrics->nr; i++)
		if (!strcmp(metrics->metric[i].name, name))
			return &metrics->metric[i];
	return NULL;
}

struct metrics measure_rows(struct arena *arena)
{
	struct metrics out = { NR_ROWS, ARENA_ARRAY(arena, struct metric, NR_ROWS) };

	memcpy(out.metric, row, sizeof(row));
	return out;
}
