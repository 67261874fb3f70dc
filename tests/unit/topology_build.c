/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of built hierarchies on machines small enough to know the answer. */
#include "topology/topology.h"
#include "topology_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

static const uint32_t kunpeng_distance[] = { 10, 12, 20, 22, 12, 10, 22, 24,
					     20, 22, 10, 12, 22, 24, 12, 10 };

static struct machine *kunpeng(void)
{
	return make_machine(&arena, (struct made){ .nodes = 4,
						   .cores = 24,
						   .cores_per_cluster = 4,
						   .nodes_per_package = 2,
						   .distance = kunpeng_distance,
						   .arch = "arm64" });
}

static struct topology_rules rules_for(const char *version, const struct machine *m)
{
	struct topology_rules rules;

	assert_true(topology_rules_for(version, m->arch, &rules, NULL));
	return rules;
}

static struct topology *build_with(const struct machine *m, const char *version,
				   const struct topology_options *options)
{
	struct topology_rules rules = rules_for(version, m);
	struct err err = { 0 };
	struct topology *t = topology_build(&arena, m, &rules, options, &err);

	if (!t || !topology_check(t, &err))
		fail_msg("%s", err.what);
	return t;
}

static struct topology *build(const struct machine *m, const char *version)
{
	return build_with(m, version, NULL);
}

/* "SMT:2 MC:8": levels and weights of a cpu's domains, innermost first. */
static const char *chain(const struct topology *t, uint32_t cpu)
{
	const char *text = "";

	for (uint32_t i = t->base[cpu]; i != DOMAIN_NONE; i = t->domain[i].parent)
		text = arena_printf(&arena, "%s%s%s:%u", text, *text ? " " : "",
				    t->level[t->domain[i].level].name, t->domain[i].weight);
	return text;
}

static const struct sched_domain *top(const struct topology *t, uint32_t cpu)
{
	uint32_t i = t->base[cpu];

	while (t->domain[i].parent != DOMAIN_NONE)
		i = t->domain[i].parent;
	return &t->domain[i];
}

static struct cpuset *set(const struct machine *m, const char *list)
{
	struct cpuset *out = ARENA_NEW(&arena, struct cpuset);

	*out = cpuset_new(&arena, m->nr_cpus);
	assert_true(cpuset_parse(out, list, NULL));
	return out;
}

static void four_sockets_have_smt_mc_and_numa(void **state)
{
	const struct machine *m =
		make_machine(&arena, (struct made){ .nodes = 4, .cores = 24, .threads = 2 });
	const struct topology *t = build(m, "v6.12");

	assert_string_equal(chain(t, 0), "SMT:2 MC:48 NUMA:192");
	assert_int_equal(top(t, 0)->nr_groups, 4);
	assert_int_equal(t->nr_llc_shared, 4);
	assert_int_equal(t->llc_size[100], 48);
	assert_int_equal(t->llc_id[100], 96);
	assert_int_equal(t->llc_shared[100], 2);
	assert_true(t->has_smt);
	assert_false(t->has_clusters);
	assert_int_equal(topology_group(t, top(t, 0), 0)->cores, 24);
}

static void kunpeng_920_has_clusters_since_5_16(void **state)
{
	const struct machine *m = kunpeng();

	assert_string_equal(chain(build(m, "v5.12"), 0), "MC:24 NUMA:48 NUMA:72 NUMA:96");
	assert_string_equal(chain(build(m, "v5.19"), 0), "CLS:4 MC:24 NUMA:48 NUMA:72 NUMA:96");
	assert_string_equal(chain(build(m, "debian-6.12"), 0), "MC:24 NUMA:48 NUMA:72 NUMA:96");
	assert_true(build(m, "v6.1")->has_clusters);
	assert_false(build(m, "v6.1")->has_smt);
}

/* 0 and 1, 2 alone, 4 and 5 of one LLC. */
static void a_cpu_alone_in_its_cluster_shares_with_its_llc(void **state)
{
	const struct machine *m = make_machine(
		&arena, (struct made){ .nodes = 1, .cores = 6, .cores_per_cluster = 2 });
	const struct topology *t =
		build_with(m, "v6.12", &(struct topology_options){ .offline = set(m, "3") });

	assert_string_equal(chain(t, 0), "CLS:2 MC:5");
	assert_string_equal(chain(t, 2), "MC:5");
	assert_int_equal(t->sd_cluster[2], DOMAIN_NONE);
	assert_int_equal(t->share_id[2], 0);
	assert_int_equal(t->share_id[1], 0);
	assert_int_equal(t->share_id[5], 4);
}

static void several_llcs_a_node_have_a_package_level(void **state)
{
	const struct machine *m = make_machine(
		&arena, (struct made){ .nodes = 2, .cores = 16, .threads = 2, .cores_per_llc = 4 });

	assert_string_equal(chain(build(m, "v3.13"), 5), "SIBLING:2 MC:8 CPU:32 NUMA:64");
	assert_string_equal(chain(build(m, "v6.6"), 5), "SMT:2 MC:8 DIE:32 NUMA:64");
	assert_string_equal(chain(build(m, "v6.12"), 5), "SMT:2 MC:8 PKG:32 NUMA:64");
	assert_int_equal(build(m, "v6.12")->nr_llc_shared, 8);
}

static void nodes_within_a_package_make_pkg_node_on_x86(void **state)
{
	static const uint32_t distance[] = { 10, 12, 32, 32, 12, 10, 32, 32,
					     32, 32, 10, 12, 32, 32, 12, 10 };
	const struct machine *m = make_machine(&arena, (struct made){ .nodes = 4,
								      .cores = 8,
								      .cores_per_llc = 4,
								      .nodes_per_package = 2,
								      .distance = distance });

	assert_string_equal(chain(build(m, "v6.12"), 0), "MC:4 NODE:8 NUMA:16 NUMA:32");
	assert_string_equal(chain(build(m, "v7.2"), 0), "MC:4 NODE:8 NUMA:16 NUMA:32");
}

static void one_cpu_has_no_domains(void **state)
{
	const struct topology *t =
		build(make_machine(&arena, (struct made){ .nodes = 1, .cores = 1 }), "v6.12");

	assert_int_equal(t->base[0], DOMAIN_NONE);
	assert_int_equal(t->sd_llc[0], DOMAIN_NONE);
	assert_int_equal(t->llc_size[0], 1);
	assert_int_equal(t->llc_shared[0], LLC_NONE);
	assert_int_equal(t->nr_domains, 0);
}

static void far_nodes_do_not_balance_on_fork_exec_and_wake(void **state)
{
	static const uint32_t near[] = { 10, 30, 30, 10 }, far[] = { 10, 31, 31, 10 };
	const uint32_t lost = SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE;
	struct made made = { .nodes = 2, .cores = 4, .distance = near };
	struct machine *m;

	assert_int_equal(top(build(make_machine(&arena, made), "v6.12"), 0)->flags & lost, lost);
	made.distance = far;
	m = make_machine(&arena, made);
	assert_int_equal(top(build(m, "v6.12"), 0)->flags & lost, 0);
	m->reclaim_distance = 32;
	assert_int_equal(top(build(m, "v6.12"), 0)->flags & lost, lost);
	assert_int_equal(top(build(m, "v3.13"), 0)->flags & lost, 0);
}

static void imbalance_falls_to_117_and_busy_factor_to_16_in_5_10(void **state)
{
	const struct machine *m = make_machine(&arena, (struct made){ .nodes = 2, .cores = 8 });

	assert_int_equal(top(build(m, "v5.9"), 0)->imbalance_pct, 125);
	assert_int_equal(top(build(m, "v5.9"), 0)->busy_factor, 32);
	assert_int_equal(top(build(m, "v5.12"), 0)->imbalance_pct, 117);
	assert_int_equal(top(build(m, "v5.12"), 0)->busy_factor, 16);
}

static void allowed_numa_imbalance_is_a_share_of_the_node(void **state)
{
	const struct machine *m =
		make_machine(&arena, (struct made){ .nodes = 2, .cores = 24, .threads = 2 });

	assert_int_equal(top(build(m, "v5.12"), 0)->imb_numa_nr, 0);
	assert_int_equal(top(build(m, "v5.19"), 0)->imb_numa_nr, 12 * 1);
	assert_int_equal(top(build(m, "v6.1"), 0)->imb_numa_nr, 6);
}

static void isolated_cpus_have_no_domains(void **state)
{
	const struct machine *m = make_machine(&arena, (struct made){ .nodes = 2, .cores = 4 });
	struct topology_options options = { .isolated = set(m, "1,4") };
	const struct topology *t = build_with(m, "v6.12", &options);

	assert_int_equal(t->base[1], DOMAIN_NONE);
	assert_int_equal(t->base[4], DOMAIN_NONE);
	assert_string_equal(chain(t, 0), "MC:3 NUMA:6");
	assert_int_equal(t->domain[t->base[0]].min_interval_ms, 4);
}

static void partitions_do_not_balance_with_each_other(void **state)
{
	const struct machine *m = make_machine(&arena, (struct made){ .nodes = 2, .cores = 4 });
	struct topology_options options = { .partition = set(m, "0-1,4"), .nr_partitions = 1 };
	const struct topology *t = build_with(m, "v6.12", &options);

	assert_int_equal(t->nr_roots, 2);
	assert_string_equal(chain(t, 0), "MC:2 NUMA:3");
	assert_string_equal(chain(t, 2), "MC:2 NUMA:5");
}

static void a_cpu_in_two_partitions_is_refused(void **state)
{
	const struct machine *m = make_machine(&arena, (struct made){ .nodes = 1, .cores = 4 });
	struct cpuset both[2] = { *set(m, "0-1"), *set(m, "1-2") };
	struct topology_options options = { .partition = both, .nr_partitions = 2 };
	struct topology_rules rules = rules_for("v6.12", m);
	struct err err = { 0 };

	assert_null(topology_build(&arena, m, &rules, &options, &err));
	assert_string_equal(err.what, "partition 2 shares cpus with another");
}

static void no_cpu_left_online_is_refused(void **state)
{
	const struct machine *m = make_machine(&arena, (struct made){ .nodes = 1, .cores = 4 });
	struct topology_options options = { .offline = set(m, "0-3") };
	struct topology_rules rules = rules_for("v6.12", m);
	struct err err = { 0 };

	assert_null(topology_build(&arena, m, &rules, &options, &err));
	assert_string_equal(err.what, "no cpu is left online");
}

static void big_and_little_cpus_are_asymmetric(void **state)
{
	struct machine *m = make_machine(
		&arena,
		(struct made){ .nodes = 1, .cores = 8, .cores_per_llc = 4, .arch = "arm64" });
	const struct topology *t;

	for (uint32_t cpu = 0; cpu < 4; cpu++)
		m->cpu[cpu].capacity = 400;
	t = build(m, "v6.12");
	assert_string_equal(chain(t, 0), "MC:4 PKG:8");
	assert_int_equal(t->domain[t->base[0]].flags & SD_ASYM_CPUCAPACITY, 0);
	assert_int_equal(top(t, 0)->flags & SD_ASYM_CPUCAPACITY_FULL, SD_ASYM_CPUCAPACITY_FULL);
	assert_int_equal(t->domain[t->base[0]].flags & SD_PREFER_SIBLING, 0);
	assert_int_equal(topology_group(t, top(t, 0), 0)->capacity, 1600);
	assert_int_equal(topology_group(t, top(t, 0), 0)->max_capacity, 400);
	assert_int_equal(&t->domain[t->sd_asym_capacity[7]] - top(t, 7), 0);
}

static void until_5_13_one_level_is_asymmetric(void **state)
{
	struct machine *m = make_machine(
		&arena,
		(struct made){ .nodes = 1, .cores = 4, .cores_per_llc = 2, .arch = "arm64" });
	const struct topology *t;

	m->cpu[0].capacity = 400;
	m->cpu[3].capacity = 600;
	t = build(m, "v5.12");
	assert_string_equal(chain(t, 0), "MC:2 DIE:4");
	assert_int_equal(t->domain[t->base[0]].flags & SD_ASYM_CPUCAPACITY, SD_ASYM_CPUCAPACITY);
	assert_int_equal(top(t, 0)->flags & SD_ASYM_CPUCAPACITY, 0);
	assert_int_equal(t->sd_asym_capacity[0], t->base[0]);
	assert_int_equal(top(build(m, "v5.19"), 0)->flags & SD_ASYM_CPUCAPACITY,
			 SD_ASYM_CPUCAPACITY);
}

static void a_removed_domain_leaves_prefer_sibling_to_its_child(void **state)
{
	const struct machine *m = make_machine(&arena, (struct made){ .nodes = 2, .cores = 4 });
	const struct machine *llcs =
		make_machine(&arena, (struct made){ .nodes = 2, .cores = 4, .cores_per_llc = 2 });
	const struct topology *t = build(m, "v3.13");

	assert_string_equal(chain(t, 0), "MC:4 NUMA:8");
	assert_int_not_equal(t->domain[t->base[0]].flags & SD_PREFER_SIBLING, 0);
	t = build(llcs, "v3.13");
	assert_string_equal(chain(t, 0), "MC:2 CPU:4 NUMA:8");
	assert_int_equal(t->domain[t->base[0]].flags & SD_PREFER_SIBLING, 0);
}

static void threads_on_two_nodes_are_refused_on_arm64(void **state)
{
	struct machine *m = make_machine(
		&arena, (struct made){ .nodes = 2, .cores = 2, .threads = 2, .arch = "arm64" });
	const struct topology *t;

	m->cpu[1].node = 1;
	cpuset_del(&m->node_cpus[0], 1);
	cpuset_add(&m->node_cpus[1], 1);
	t = build(m, "v6.12");
	assert_int_not_equal(t->insane_level, DOMAIN_NONE);
	assert_int_equal(t->nr_domains, 0);
}

static void equal_spans_are_one_set(void **state)
{
	const struct topology *t = build(kunpeng(), "v6.12");
	const struct sched_domain *a = top(t, 0), *b = top(t, 95);

	assert_ptr_equal(a->span, b->span);
	assert_int_equal(t->nr_cpus, 96);
}

static void the_same_machine_gives_the_same_bytes(void **state)
{
	const struct machine *m = kunpeng();
	const struct topology *a = build(m, "v6.12"), *b = build(m, "v6.12");

	assert_int_equal(a->nr_ring, b->nr_ring);
	assert_memory_equal(a->ring, b->ring, a->nr_ring * sizeof(*a->ring));
	assert_int_equal(a->nr_groups, b->nr_groups);
	for (uint32_t i = 0; i < a->nr_groups; i++)
		assert_true(cpuset_equal(a->group[i].span, b->group[i].span));
}

static void an_unknown_version_names_those_there_are(void **state)
{
	struct topology_rules rules;
	struct err err = { 0 };

	assert_false(topology_rules_for("v6.13", "x86_64", &rules, &err));
	assert_non_null(strstr(err.what, "no topology rules for kernel 'v6.13'"));
	assert_non_null(strstr(err.what, "v6.12"));
}

static void every_version_builds_every_architecture(void **state)
{
	static const char *const arches[] = { "x86_64", "arm64", "ppc64" };

	for (uint32_t i = 0; i < topology_nr_rules(); i++) {
		for (uint32_t k = 0; k < 3; k++) {
			struct made made = { .nodes = 2, .cores = 4, .threads = 2 };
			const struct topology *t;

			made.arch = arches[k];
			t = build(make_machine(&arena, made), topology_rules_name(i));
			assert_int_equal(top(t, 0)->weight, 16);
		}
	}
}

#define FACT(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT(four_sockets_have_smt_mc_and_numa),
		FACT(kunpeng_920_has_clusters_since_5_16),
		FACT(a_cpu_alone_in_its_cluster_shares_with_its_llc),
		FACT(several_llcs_a_node_have_a_package_level),
		FACT(nodes_within_a_package_make_pkg_node_on_x86),
		FACT(one_cpu_has_no_domains),
		FACT(far_nodes_do_not_balance_on_fork_exec_and_wake),
		FACT(imbalance_falls_to_117_and_busy_factor_to_16_in_5_10),
		FACT(allowed_numa_imbalance_is_a_share_of_the_node),
		FACT(isolated_cpus_have_no_domains),
		FACT(partitions_do_not_balance_with_each_other),
		FACT(a_cpu_in_two_partitions_is_refused),
		FACT(no_cpu_left_online_is_refused),
		FACT(big_and_little_cpus_are_asymmetric),
		FACT(until_5_13_one_level_is_asymmetric),
		FACT(a_removed_domain_leaves_prefer_sibling_to_its_child),
		FACT(threads_on_two_nodes_are_refused_on_arm64),
		FACT(equal_spans_are_one_set),
		FACT(the_same_machine_gives_the_same_bytes),
		FACT(an_unknown_version_names_those_there_are),
		FACT(every_version_builds_every_architecture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
