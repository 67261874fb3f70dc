/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random machines, written and read back: nothing is lost and nothing is added, whatever the ids,
 * holes, offline cpus, matrices and figures. A failure prints its seed; SEED= replays it alone.
 */
#include "base/random.h"
#include "machine/draft.h"

#include "../unit/machine_helpers.h"

enum { SCENARIOS = 400, MAX_ID = 96 };

static struct random dice;

static uint32_t upto(uint32_t max)
{
	return (uint32_t)random_below(&dice, (uint64_t)max + 1);
}

/* Units nest: a new package begins a new die, LLC, cluster and core. */
static void random_cpus(struct draft *d)
{
	uint64_t package = 0, die = 0, llc = 0, cluster = 0, core = 0;
	uint32_t node = upto(d->nr_nodes - 1);

	d->has_clusters = upto(1);
	for (uint32_t id = 0; id < d->nr_cpus; id++) {
		struct draft_cpu *cpu;
		uint32_t unit;

		unit = upto(9);
		package += unit < 1;
		die += unit < 2;
		llc += unit < 3;
		node = unit < 3 ? upto(d->nr_nodes - 1) : node;
		cluster += unit < 4;
		core += unit < 6;
		if (id + 1 < d->nr_cpus && !upto(5))
			continue; /* a hole */
		cpu = draft_cpu(d, id, node);
		cpu->label[LABEL_PACKAGE] = 7 * package;
		cpu->label[LABEL_DIE] = 1000 - die;
		cpu->label[LABEL_LLC] = llc ^ 5;
		cpu->label[LABEL_CLUSTER] = cluster;
		cpu->label[LABEL_CORE] = core << 20;
		cpu->capacity = upto(2) ? CAPACITY_FULL : 1 + upto(CAPACITY_FULL - 1);
		cpu->online = id + 1 == d->nr_cpus || upto(4);
	}
	for (uint32_t extra = upto(2); extra; extra--)
		cpuset_add(&d->nodes, upto(d->nr_nodes - 1));
}

static void random_matrix(struct draft *d)
{
	if (!upto(3))
		return;
	draft_distances(d);
	cpuset_for_each (from, &d->nodes) {
		cpuset_for_each (to, &d->nodes) {
			d->distance[from * d->nr_nodes + to] = from == to ? 10 : 11 + upto(244);
		}
	}
}

static void random_costs(struct draft *d)
{
	for (int i = 0; i < NR_COSTS; i++) {
		uint64_t range = cost_max((enum cost)i) - cost_min((enum cost)i);

		if (upto(1))
			draft_cost(d, (enum cost)i,
				   cost_min((enum cost)i) + random_below(&dice, range + 1),
				   "dice \"x\"");
	}
	for (uint32_t i = upto(5); i; i--)
		d->costs.line_distance[d->costs.nr_distances++] =
			(struct distance_cost){ 11 + 20 * d->costs.nr_distances + upto(19),
						{ 1 + upto(900), "dice", upto(1) } };
	if (!upto(1))
		return;
	d->costs.idle_source = "dice";
	for (uint32_t i = 1 + upto(8); i; i--) {
		uint32_t n = d->costs.nr_idle_states++;

		d->costs.idle_state[n] =
			(struct idle_state){ arena_printf(&arena, "S%u", n), 1000 * n + upto(999),
					     upto(1000000), upto(1) };
	}
}

static void one_scenario(uint64_t seed)
{
	struct err err = { 0 };
	struct machine *m, *again;
	struct draft d;
	char *text;

	dice = random_stream(seed, RANDOM_TEST, 0);
	draft_init(&d, &arena, 1 + upto(MAX_ID), 1 + upto(9));
	d.name = d.title = "random";
	random_cpus(&d);
	random_matrix(&d);
	random_costs(&d);
	m = draft_finish(&d, &err);
	if (!m)
		fail_msg("SEED=%llu: %s", (unsigned long long)seed, err.what);
	text = machine_to_json(&arena, m);
	again = json_read_machine(&arena, "random", "random", text, strlen(text), &err);
	if (!again)
		fail_msg("SEED=%llu: %d:%d: %s", (unsigned long long)seed, err.line, err.column,
			 err.what);
	if (strcmp(text, machine_to_json(&arena, again)))
		fail_msg("SEED=%llu: not the same machine", (unsigned long long)seed);
	cpuset_for_each (cpu, &m->present) {
		assert_memory_equal(&m->cpu[cpu], &again->cpu[cpu], sizeof(m->cpu[cpu]));
	}
	assert_true(cpuset_equal(&m->online, &again->online));
	arena_release(&arena);
}

static void random_machines_survive_writing_and_reading(void **state)
{
	const char *replay = getenv("SEED");

	if (replay) {
		one_scenario(strtoull(replay, NULL, 10));
		return;
	}
	for (uint64_t seed = 1; seed <= SCENARIOS; seed++)
		one_scenario(seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = { FACT(random_machines_survive_writing_and_reading) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
