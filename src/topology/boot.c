/* SPDX-License-Identifier: GPL-2.0-only */
/* A core's primary thread is its present cpu with the lowest id. */
#include "topology/boot.h"

#include "base/check.h"

static struct cpuset primary_threads(struct arena *arena, const struct machine *m)
{
	struct cpuset primary = cpuset_new(arena, m->nr_cpus);
	struct cpuset cores = cpuset_new(arena, m->nr_cores);

	cpuset_for_each (cpu, &m->present) {
		if (!cpuset_has(&cores, m->cpu[cpu].core))
			cpuset_add(&primary, cpu);
		cpuset_add(&cores, m->cpu[cpu].core);
	}
	return primary;
}

enum boot_smt boot_nosmt(const struct machine *m, struct cpuset *down)
{
	struct cpuset siblings, primary;
	struct arena scratch;

	arena_init(&scratch);
	primary = primary_threads(&scratch, m);
	siblings = cpuset_clone(&scratch, &m->present);
	cpuset_andnot(&siblings, &siblings, &primary);
	cpuset_or(down, down, &siblings);
	arena_release(&scratch);
	return BOOT_SMT_OFF;
}

/* Cpus of `some` come up while there is room; the others are down. Returns the room left. */
static uint32_t bring_up(const struct cpuset *some, uint32_t room, struct cpuset *down)
{
	cpuset_for_each (cpu, some) {
		if (room)
			room--;
		else
			cpuset_add(down, cpu);
	}
	return room;
}

enum boot_smt boot_maxcpus(const struct machine *m, const struct topology_rules *rules,
			   uint32_t max_cpus, struct cpuset *down)
{
	struct cpuset all, primary, first, before;
	enum boot_smt smt = BOOT_SMT_AS_SEEN;
	struct arena scratch;

	CHECK(max_cpus);
	arena_init(&scratch);
	before = cpuset_clone(&scratch, down);
	all = cpuset_clone(&scratch, &m->online);
	cpuset_andnot(&all, &all, down);
	primary = primary_threads(&scratch, m);
	if (rules->boot == BOOT_BY_PRIMARY) {
		first = cpuset_clone(&scratch, &all);
		cpuset_and(&first, &first, &primary);
		max_cpus = bring_up(&first, max_cpus, down);
		cpuset_andnot(&all, &all, &first);
	}
	bring_up(&all, max_cpus, down);
	cpuset_for_each (cpu, down) {
		if (!cpuset_has(&before, cpu) && !cpuset_has(&primary, cpu))
			smt = BOOT_SMT_ON;
	}
	arena_release(&scratch);
	return smt;
}
