/* SPDX-License-Identifier: GPL-2.0-only */
/* Which cpus nosmt and maxcpus= leave down. */
#include "topology/boot.h"
#include "topology_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct arena arena;

static int setup(void **state)
{
	arena_init(&arena);
	return 0;
}

static int teardown(void **state)
{
	arena_release(&arena);
	return 0;
}

/* Two nodes of four cores; siblings are neighbours. */
static struct machine *machine_of(uint32_t threads, const char *arch)
{
	return make_machine(
		&arena, (struct made){ .nodes = 2, .cores = 4, .threads = threads, .arch = arch });
}

static struct topology_rules rules_of(const char *version, const struct machine *m)
{
	struct topology_rules rules;

	assert_true(topology_rules_for(version, m->arch, &rules, NULL));
	return rules;
}

static void must_be_up(const struct machine *m, const struct cpuset *down, const char *expected)
{
	struct cpuset up = cpuset_clone(&arena, &m->online);
	char text[200];

	cpuset_andnot(&up, &up, down);
	assert_string_equal(cpuset_print(&up, text, sizeof(text)), expected);
}

static void must_boot(const struct machine *m, const char *version, uint32_t max_cpus,
		      const char *expected, enum boot_smt smt)
{
	struct topology_rules rules = rules_of(version, m);
	struct cpuset down = cpuset_new(&arena, m->nr_cpus);

	assert_int_equal(boot_maxcpus(m, &rules, max_cpus, &down), smt);
	must_be_up(m, &down, expected);
}

static void until_6_4_cpus_come_up_by_id(void **state)
{
	must_boot(machine_of(2, NULL), "v6.1", 6, "0-5", BOOT_SMT_ON);
	must_boot(machine_of(2, NULL), "v6.1", 1, "0", BOOT_SMT_ON);
	must_boot(machine_of(1, NULL), "v6.1", 6, "0-5", BOOT_SMT_AS_SEEN);
}

static void since_6_5_primary_threads_come_up_first_on_x86(void **state)
{
	must_boot(machine_of(2, NULL), "v6.6", 6, "0,2,4,6,8,10", BOOT_SMT_ON);
	must_boot(machine_of(2, NULL), "v6.12", 10, "0-4,6,8,10,12,14", BOOT_SMT_ON);
	must_boot(machine_of(2, "arm64"), "v6.12", 6, "0-5", BOOT_SMT_ON);
}

static void more_than_there_are_leaves_none_down(void **state)
{
	must_boot(machine_of(2, NULL), "v6.1", MACHINE_MAX_CPUS, "0-15", BOOT_SMT_AS_SEEN);
	must_boot(machine_of(2, NULL), "v6.12", 16, "0-15", BOOT_SMT_AS_SEEN);
}

static void offline_cpus_do_not_count(void **state)
{
	struct machine *m = machine_of(2, NULL);

	cpuset_del(&m->online, 2);
	must_boot(m, "v6.1", 4, "0-1,3-4", BOOT_SMT_ON);
	must_boot(m, "v6.12", 2, "0,4", BOOT_SMT_ON);
}

static void siblings_left_out_by_nosmt_do_not_count(void **state)
{
	struct machine *m = machine_of(2, NULL);
	struct topology_rules rules = rules_of("v6.1", m);
	struct cpuset down = cpuset_new(&arena, m->nr_cpus);

	assert_int_equal(boot_nosmt(m, &down), BOOT_SMT_OFF);
	must_be_up(m, &down, "0,2,4,6,8,10,12,14");
	boot_maxcpus(m, &rules, 3, &down);
	must_be_up(m, &down, "0,2,4");
}

/* It was never in a mask, unlike one that goes offline later. */
static void a_cpu_that_was_never_up_is_not_the_one_leaving(void **state)
{
	struct machine *m = machine_of(2, NULL);
	struct topology_rules rules = rules_of("v6.12", m);
	struct cpuset down = cpuset_new(&arena, m->nr_cpus);
	struct topology_options options = { .down = &down };
	const struct topology *t;

	boot_maxcpus(m, &rules, 6, &down);
	t = topology_build(&arena, m, &rules, &options, NULL);
	assert_int_equal(cpuset_weight(&t->online), 6);
	assert_int_equal(t->domain[t->base[8]].weight, 2);
	assert_int_equal(t->domain[t->base[8]].min_interval_ms, 2);
}

#define FACT(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(until_6_4_cpus_come_up_by_id),
		FACT(since_6_5_primary_threads_come_up_first_on_x86),
		FACT(more_than_there_are_leaves_none_down),
		FACT(offline_cpus_do_not_count),
		FACT(siblings_left_out_by_nosmt_do_not_count),
		FACT(a_cpu_that_was_never_up_is_not_the_one_leaving),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
