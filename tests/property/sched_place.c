/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Placement in random states against a slow reference that lists the cpus of a search as an array
 * and walks it, and against what must hold of any choice. SEED=n replays one scenario.
 */
#include "../unit/sched_fake.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SCENARIOS = 300, STATES = 20, MAX_CPUS = 256 };

static const char *const specs[] = { "1x1x1", "1x2x1", "1x4x2",	 "2x4x1",      "2x4x2",
				     "4x6x2", "1x8x4", "2x33x2", "kunpeng920", "2x8x2" };
static const char *const profiles[] = { "v3.13", "v5.9", "v5.12", "v5.19",
					"v6.1",	 "v6.6", "v6.12", "v6.18" };
static const char *const variants[] = { "",
					"-SIS_PROP,-SIS_UTIL",
					"+SMT_GATED_IDLE_CORES",
					"-SMT_GATED_IDLE_CORES",
					"+SIS_IDLE_CPUMASK",
					"+SIS_IDLE_CPUMASK,-SIS_PROP,-SIS_UTIL",
					"-SIS_CORE",
					"+SIS_AVG_CPU",
					"-SIS_RECENT,-SIS_SMT,-SIS_SMT_PREV",
					"-SIS_CLUSTER" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct scenario {
	struct world w;
	struct random random;
	uint32_t waker, prev, target;
	const struct cpuset *allowed;
};

static uint32_t draw(struct scenario *sc, uint32_t below)
{
	return (uint32_t)random_below(&sc->random, below);
}

static uint32_t draw_cpu(struct scenario *sc)
{
	uint32_t cpu = cpuset_next(&sc->w.topology->active, draw(sc, sc->w.s->nr_cpus));

	return cpu == CPU_NONE ? cpuset_first(&sc->w.topology->active) : cpu;
}

/* Between empty and full, or only a few: each kind of state has its share. */
static void draw_busy(struct scenario *sc)
{
	uint32_t pct = (const uint32_t[]){ 0, 50, 90, 97, 100 }[draw(sc, 5)];

	cpuset_for_each (cpu, &sc->w.topology->active) {
		if (draw(sc, 100) < pct)
			fake_busy(&sc->w, cpu);
		else
			fake_idle(&sc->w, cpu);
	}
}

static void draw_set(struct scenario *sc)
{
	struct cpuset *set = &sc->w.set[1];
	uint32_t pct = (const uint32_t[]){ 100, 100, 60, 15 }[draw(sc, 4)];

	cpuset_clear(set);
	cpuset_for_each (cpu, &sc->w.topology->active)
		if (draw(sc, 100) < pct)
			cpuset_add(set, cpu);
	if (cpuset_empty(set))
		cpuset_add(set, draw_cpu(sc));
	sc->allowed = set;
}

static void draw_state(struct scenario *sc)
{
	struct sched *s = sc->w.s;

	draw_busy(sc);
	draw_set(sc);
	sc->waker = draw_cpu(sc);
	sc->prev = draw_cpu(sc);
	sc->target = draw(sc, 2) ? sc->prev : sc->waker;
	fake_sleeper(&sc->w, sc->prev, 1);
	s->task[0].recent_cpu = draw_cpu(sc);
	for (uint32_t llc = 0; llc < sc->w.topology->nr_llc_shared; llc++) {
		s->llc[llc].has_idle_cores = sc->w.topology->has_smt && draw(sc, 2);
		s->llc[llc].nr_idle_scan = draw(sc, 12);
	}
	/* Idle time and cost such that the limits of SIS_PROP bite often. */
	s->rq[sc->waker].avg_idle_ns = draw(sc, 500000);
	s->rq[sc->waker].wake_avg_idle_ns = draw(sc, 5000);
	s->rq[sc->waker].wake_stamp_ns = sc->w.now_ns;
	if (sc->w.topology->sd_llc[sc->waker] != DOMAIN_NONE)
		s->domain[sc->w.topology->sd_llc[sc->waker]].avg_scan_cost_ns = draw(sc, 2000);
}

static struct scenario *scenario_new(uint64_t seed)
{
	struct scenario *sc = calloc(1, sizeof(*sc));

	CHECK(sc);
	sc->random = random_stream(seed, RANDOM_TEST, 0);
	world_init(&sc->w, specs[draw(sc, COUNT(specs))], profiles[draw(sc, COUNT(profiles))],
		   variants[draw(sc, COUNT(variants))]);
	CHECK(sc->w.s->nr_cpus <= MAX_CPUS);
	return sc;
}

static void scenario_free(struct scenario *sc)
{
	world_release(&sc->w);
	free(sc);
}

/* ---- the reference ---- */

static bool has(const struct scenario *sc, enum sched_feature feature)
{
	return sched_has(sc->w.s, feature);
}

static bool idle(const struct scenario *sc, uint32_t cpu)
{
	return sc->w.s->rq[cpu].curr == TASK_NONE;
}

static bool share(const struct scenario *sc, uint32_t a, uint32_t b)
{
	return sc->w.topology->llc_id[a] == sc->w.topology->llc_id[b];
}

static bool near(const struct scenario *sc, uint32_t cpu)
{
	return !has(sc, FEATURE_SIS_CLUSTER) || !sc->w.topology->has_clusters ||
	       sc->w.topology->share_id[cpu] == sc->w.topology->share_id[sc->target];
}

static bool core_idle(const struct scenario *sc, uint32_t core)
{
	cpuset_for_each (cpu, sc->w.topology->smt_mask[core])
		if (!idle(sc, cpu))
			return false;
	return true;
}

struct list {
	uint32_t cpu[2 * MAX_CPUS], count;
};

/* Cpus to scan in order; of the target's cluster only, of the others only, or all. */
static void list_cpus(const struct scenario *sc, struct list *list, bool in_cluster, bool others)
{
	const struct topology *t = sc->w.topology;
	uint32_t nr = t->nr_cpus, llc = t->llc_shared[sc->target];
	uint32_t start = sc->target + (sc->w.config.version >= 514);

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t cpu = (start + i) % nr;
		bool mine = t->share_id[cpu] == t->share_id[sc->target];

		if (!cpuset_has(sc->allowed, cpu) || !share(sc, cpu, sc->target))
			continue;
		if (has(sc, FEATURE_SIS_IDLE_CPUMASK) &&
		    !cpuset_has(&sc->w.s->llc[llc].idle_mask, cpu))
			continue;
		if (mine ? in_cluster : others)
			list->cpu[list->count++] = cpu;
	}
}

static struct list scan_order(const struct scenario *sc)
{
	struct list list = { .count = 0 };
	bool by_cluster =
		has(sc, FEATURE_SIS_CLUSTER) && has(sc, FEATURE_SIS_MERGED_SCAN) &&
		sc->w.topology->sd_cluster[sc->target] != DOMAIN_NONE &&
		sc->w.topology->sd_cluster[sc->target] != sc->w.topology->sd_llc[sc->target];

	list_cpus(sc, &list, true, !by_cluster);
	if (by_cluster)
		list_cpus(sc, &list, false, true);
	return list;
}

/* An idle core, else (merged scan) the first idle thread of a core that was looked at. */
static uint32_t ref_core(const struct scenario *sc, bool merged)
{
	struct list list = scan_order(sc);
	uint32_t thread = CPU_NONE;

	for (uint32_t i = 0; i < list.count; i++)
		if (core_idle(sc, list.cpu[i]))
			return list.cpu[i];
	for (uint32_t i = 0; merged && i < list.count && thread == CPU_NONE; i++) {
		cpuset_for_each (cpu, sc->w.topology->smt_mask[list.cpu[i]]) {
			if (thread == CPU_NONE && idle(sc, cpu) && cpuset_has(sc->allowed, cpu))
				thread = cpu;
		}
	}
	return thread;
}

static uint32_t ref_smt(const struct scenario *sc, uint32_t of)
{
	cpuset_for_each (cpu, sc->w.topology->smt_mask[of])
		if (cpu != of && cpuset_has(sc->allowed, cpu) && idle(sc, cpu) &&
		    share(sc, cpu, of))
			return cpu;
	return CPU_NONE;
}

static uint64_t ref_limit(const struct scenario *sc)
{
	const struct sched *s = sc->w.s;
	const struct rq *rq = &s->rq[sc->waker];
	uint32_t this_llc = sc->w.topology->sd_llc[sc->waker];
	uint64_t idle_ns, cost_ns, nr = UINT32_MAX;

	if (has(sc, FEATURE_SIS_PROP) || has(sc, FEATURE_SIS_AVG_CPU)) {
		if (this_llc == DOMAIN_NONE)
			return 0;
		idle_ns = sc->w.config.version < 514 ? rq->avg_idle_ns / 512 : rq->wake_avg_idle_ns;
		cost_ns = s->domain[this_llc].avg_scan_cost_ns + 1;
		if (has(sc, FEATURE_SIS_AVG_CPU) && idle_ns < cost_ns)
			return 0;
		if (has(sc, FEATURE_SIS_PROP)) {
			nr = sc->w.topology->llc_size[sc->target] * idle_ns / cost_ns;
			if (sc->w.topology->llc_size[sc->target] * idle_ns <= 4 * cost_ns)
				nr = 4;
		}
	}
	return nr;
}

static uint64_t ref_util_limit(const struct scenario *sc, uint64_t nr)
{
	uint64_t by_util = sc->w.s->llc[sc->w.topology->llc_shared[sc->target]].nr_idle_scan + 1ull;

	if (!has(sc, FEATURE_SIS_UTIL) || !nr)
		return nr;
	if (by_util == 1)
		return 0;
	return min_u64(nr, by_util);
}

static uint32_t ref_cpu(const struct scenario *sc, uint64_t nr)
{
	struct list list = scan_order(sc);

	for (uint32_t i = 0; i < list.count && i + 1 < nr; i++)
		if (idle(sc, list.cpu[i]))
			return list.cpu[i];
	return CPU_NONE;
}

static bool core_hint(const struct scenario *sc)
{
	return has(sc, FEATURE_SIS_CORE) && sc->w.topology->has_smt &&
	       sc->w.s->llc[sc->w.topology->llc_shared[sc->target]].has_idle_cores;
}

static uint32_t ref_merged(const struct scenario *sc)
{
	bool for_core = core_hint(sc);
	uint32_t cpu = CPU_NONE;
	uint64_t nr;

	if (has(sc, FEATURE_SIS_SMT_PREV) && !for_core && share(sc, sc->prev, sc->target))
		cpu = ref_smt(sc, sc->prev);
	if (cpu != CPU_NONE)
		return cpu;
	nr = ref_util_limit(sc, for_core ? UINT32_MAX : ref_limit(sc));
	if (!nr)
		return CPU_NONE;
	return for_core ? ref_core(sc, true) : ref_cpu(sc, nr);
}

static uint32_t ref_separate(const struct scenario *sc)
{
	uint32_t cpu = core_hint(sc) ? ref_core(sc, false) : CPU_NONE;

	if (cpu == CPU_NONE)
		cpu = ref_cpu(sc, ref_util_limit(sc, ref_limit(sc)));
	if (cpu == CPU_NONE && has(sc, FEATURE_SIS_SMT))
		cpu = ref_smt(sc, sc->target);
	return cpu;
}

static bool ref_group_idle(const struct scenario *sc, const struct sched_group *group)
{
	cpuset_for_each (cpu, group->span)
		if (!idle(sc, cpu) || cpu == sc->target)
			return false;
	return cpuset_intersects(group->span, sc->allowed);
}

static uint32_t ref_groups(const struct scenario *sc)
{
	const struct topology *t = sc->w.topology;

	for (uint32_t d = t->sd_llc[sc->target]; d != DOMAIN_NONE; d = t->domain[d].child)
		for (uint32_t i = 0; i < t->domain[d].nr_groups; i++) {
			const struct sched_group *group = topology_group(t, &t->domain[d], i);

			if (ref_group_idle(sc, group))
				return cpuset_next_and(group->span, sc->allowed, 0);
		}
	return CPU_NONE;
}

static bool is_guess(const struct scenario *sc, uint32_t cpu)
{
	return cpu != sc->target && share(sc, cpu, sc->target) && idle(sc, cpu);
}

static uint32_t ref_search(const struct scenario *sc)
{
	if (has(sc, FEATURE_SIS_GROUP_SCAN))
		return ref_groups(sc);
	return has(sc, FEATURE_SIS_MERGED_SCAN) ? ref_merged(sc) : ref_separate(sc);
}

static uint32_t reference(const struct scenario *sc)
{
	uint32_t recent = sc->w.s->task[0].recent_cpu, cpu;
	bool prev_idle = is_guess(sc, sc->prev);
	bool recent_idle = has(sc, FEATURE_SIS_RECENT) && recent != sc->prev &&
			   cpuset_has(sc->allowed, recent) && is_guess(sc, recent);

	if (idle(sc, sc->target))
		return sc->target;
	if (prev_idle && near(sc, sc->prev))
		return sc->prev;
	if (recent_idle && near(sc, recent))
		return recent;
	if (sc->w.topology->sd_llc[sc->target] == DOMAIN_NONE)
		return sc->target;
	cpu = ref_search(sc);
	if (cpu != CPU_NONE)
		return cpu;
	if (prev_idle)
		return sc->prev;
	return recent_idle ? recent : sc->target;
}

/* ---- properties ---- */

static void the_search_agrees_with_the_reference(struct scenario *sc, uint64_t seed)
{
	uint64_t hits = fake_count(&sc->w, COUNT_sis_hit);
	uint32_t expected = reference(sc), found;

	fake_verb(&sc->w, sc->waker);
	found = select_idle_sibling(sc->w.s, 0, sc->prev, sc->target);
	if (found != expected)
		fail_msg("SEED=%llu: cpu %u, the reference says %u", (unsigned long long)seed,
			 found, expected);
	if (found != sc->target && (!idle(sc, found) || !share(sc, found, sc->target)))
		fail_msg("SEED=%llu: cpu %u is no idle sibling of %u", (unsigned long long)seed,
			 found, sc->target);
	if (fake_count(&sc->w, COUNT_sis_hit) - hits != (idle(sc, found) ? 1u : 0u))
		fail_msg("SEED=%llu: hits are miscounted", (unsigned long long)seed);
}

static void every_placement_is_allowed(struct scenario *sc, uint64_t seed)
{
	enum place_reason reason = (enum place_reason)draw(sc, 3);
	uint32_t cpu;

	fake_verb(&sc->w, sc->waker);
	cpu = place_task(sc->w.s, 0, sc->prev, reason, draw(sc, 2));
	if (!cpuset_has(sc->allowed, cpu) || !cpuset_has(&sc->w.topology->online, cpu))
		fail_msg("SEED=%llu: cpu %u is not allowed", (unsigned long long)seed, cpu);
}

/* Since v6.0; before, a node with an idle cpu that is not allowed may keep the task. */
static void a_fork_finds_an_idle_cpu_if_there_is_one(struct scenario *sc, uint64_t seed)
{
	bool any = false;
	uint32_t cpu;

	cpuset_copy(&sc->w.set[1], &sc->w.topology->active);
	cpuset_for_each (i, &sc->w.topology->active)
		any |= idle(sc, i);
	fake_verb(&sc->w, sc->waker);
	cpu = place_task(sc->w.s, 0, sc->waker, PLACE_FORK, false);
	if (any && sc->w.config.version >= 600 && !idle(sc, cpu))
		fail_msg("SEED=%llu: cpu %u is busy while others are idle",
			 (unsigned long long)seed, cpu);
}

static void for_all(void (*property)(struct scenario *sc, uint64_t seed))
{
	const char *only = getenv("SEED");
	uint64_t first = only ? strtoull(only, NULL, 10) : 1;
	uint64_t last = only ? first : SCENARIOS;

	for (uint64_t seed = first; seed <= last; seed++) {
		struct scenario *sc = scenario_new(seed);

		for (uint32_t n = 0; n < STATES; n++) {
			draw_state(sc);
			property(sc, seed);
		}
		scenario_free(sc);
	}
}

static void searches(void **state)
{
	for_all(the_search_agrees_with_the_reference);
}

static void placements(void **state)
{
	for_all(every_placement_is_allowed);
}

static void forks(void **state)
{
	for_all(a_fork_finds_an_idle_cpu_if_there_is_one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(searches),
		cmocka_unit_test(placements),
		cmocka_unit_test(forks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
