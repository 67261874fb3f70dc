/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random machines pass topology_check(): nodes, distances (also asymmetric), sparse ids, caches,
 * clusters, threads on some cores only, capacities, offline and isolated cpus, partitions, every
 * version's rules. A failure prints its seed; SEED=N replays it alone, MACHINES=N sets how many
 * (100000 for a thorough run).
 */
#include "../support/random_machine.h"
#include "topology/print.h"
#include "topology/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { USUAL_MACHINES = 3000 };

struct scenario {
	struct arena arena;
	struct random random;
	struct machine *m;
	struct topology_rules rules;
	struct topology_options options;
};

static uint32_t below(struct scenario *s, uint32_t n)
{
	return (uint32_t)random_below(&s->random, n);
}

static bool one_in(struct scenario *s, uint32_t n)
{
	return below(s, n) == 0;
}

static const struct cpuset *random_subset(struct scenario *s, uint32_t one_of)
{
	struct cpuset *set = ARENA_NEW(&s->arena, struct cpuset);

	*set = cpuset_new(&s->arena, s->m->nr_cpus);
	for (uint32_t cpu = 0; cpu + 1 < s->m->nr_cpus; cpu++) {
		if (one_in(s, one_of))
			cpuset_add(set, cpu);
	}
	return set;
}

static void random_options(struct scenario *s)
{
	struct topology_options *o = &s->options;

	*o = (struct topology_options){ .smt = (enum boot_smt)below(s, 3) };
	if (one_in(s, 3))
		o->offline = random_subset(s, 2 + below(s, 10));
	if (one_in(s, 4))
		o->isolated = random_subset(s, 2 + below(s, 10));
	if (one_in(s, 4)) {
		o->partition = random_subset(s, 2 + below(s, 3));
		o->nr_partitions = 1;
	}
	o->has_relax_level = one_in(s, 6);
	o->relax_level = below(s, 6);
	o->fake_nodes = one_in(s, 6) ? below(s, 5) : 0;
}

static void print_failure(struct scenario *s, const struct topology *t, uint64_t seed,
			  const char *what)
{
	fprintf(stderr, "SEED=%llu (%s, %s): %s\n", (unsigned long long)seed, s->rules.version,
		s->m->arch, what);
	if (t && getenv("SEED"))
		topology_print_verbose(stderr, t);
}

/* False when the scenario breaks an invariant. */
static bool run_scenario(uint64_t seed)
{
	struct scenario s = { .random = random_stream(seed, RANDOM_TEST, 0) };
	struct random_machine maker;
	struct err err = { 0 };
	struct topology *t;
	bool fine;

	arena_init(&s.arena);
	maker = (struct random_machine){ .arena = &s.arena, .random = &s.random };
	random_machine_make(&maker);
	s.m = maker.m;
	random_options(&s);
	assert_true(topology_rules_for(topology_rules_name(below(&s, topology_nr_rules())),
				       s.m->arch, &s.rules, &err));
	t = topology_build(&s.arena, s.m, &s.rules, &s.options, &err);
	fine = t && topology_check(t, &err);
	if (!fine)
		print_failure(&s, t, seed, err.what);
	arena_release(&s.arena);
	return fine;
}

static void random_machines_pass_the_check(void **state)
{
	const char *seed = getenv("SEED"), *machines = getenv("MACHINES");
	uint64_t nr = machines ? strtoull(machines, NULL, 10) : USUAL_MACHINES;
	uint32_t broken = 0;

	if (seed) {
		assert_true(run_scenario(strtoull(seed, NULL, 10)));
		return;
	}
	for (uint64_t i = 1; i <= nr && broken < 5; i++)
		broken += !run_scenario(i);
	assert_int_equal(broken, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_machines_pass_the_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
