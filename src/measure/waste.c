/* SPDX-License-Identifier: GPL-2.0-only */
/* Only the sets that hold a cpu change when it idles or runs, each by one: w changes by 0 or 1. */
#include "measure/waste.h"

void waste_init(struct waste *waste, struct arena *arena, uint32_t nr_cpus, uint32_t nr_sets,
		const struct cpuset *set)
{
	uint32_t n = 0;

	*waste = (struct waste){ 0 };
	waste->idle = ARENA_ARRAY(arena, uint32_t, nr_sets);
	waste->waiting = ARENA_ARRAY(arena, uint32_t, nr_sets);
	waste->first_of = ARENA_ARRAY(arena, uint32_t, nr_cpus + 1);
	for (uint32_t s = 0; s < nr_sets; s++)
		cpuset_for_each (cpu, &set[s])
			waste->first_of[cpu]++;
	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++) {
		n += waste->first_of[cpu];
		waste->first_of[cpu] = n;
	}
	waste->first_of[nr_cpus] = n;
	waste->set_of = ARENA_ARRAY(arena, uint32_t, n);
	for (uint32_t s = nr_sets; s-- > 0;) /* backwards, so that a cpu's sets ascend */
		cpuset_for_each (cpu, &set[s])
			waste->set_of[--waste->first_of[cpu]] = s;
}

void waste_cpu_idles(struct waste *waste, uint32_t cpu)
{
	uint32_t first = waste->first_of[cpu], last = waste->first_of[cpu + 1];

	waste->nr_idle += first < last;
	for (uint32_t i = first; i < last; i++) {
		uint32_t s = waste->set_of[i];

		waste->now += waste->idle[s]++ < waste->waiting[s];
	}
}

void waste_cpu_runs(struct waste *waste, uint32_t cpu)
{
	uint32_t first = waste->first_of[cpu], last = waste->first_of[cpu + 1];

	waste->nr_idle -= first < last;
	for (uint32_t i = first; i < last; i++) {
		uint32_t s = waste->set_of[i];

		waste->now -= --waste->idle[s] < waste->waiting[s];
	}
}
