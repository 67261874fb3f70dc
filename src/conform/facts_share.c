/* SPDX-License-Identifier: GPL-2.0-only */
/* Who gets how much: nice values, group weights, quotas. */
#include "conform/facts.h"
#include "conform/scene.h"

enum { MS = 1000000, BURNERS = 8 };

/* `count` burners on cpu 0 for length_ns. */
static bool run_burners(struct scene *scene, uint32_t count, const int8_t *nice, uint64_t length_ns)
{
	uint32_t set = scene_cpus(scene, 0, 0), burner = scene_burner(scene);

	for (uint32_t i = 0; i < count; i++)
		program_task(scene->b, (struct task_spec){ .program = burner,
							   .at_start = true,
							   .set = set,
							   .address_space = i,
							   .nice = nice ? nice[i] : 0 });
	return scene_run(scene, length_ns, false);
}

/* Weights of nice -5, 0, 5, 10, 19: 3121, 1024, 335, 110, 15. */
bool fact_nice_values_get_their_shares(const struct conform_subject *subject, struct err *err)
{
	static const int8_t nice[] = { 0, 0, 5, -5, 10, 19 };
	static const uint32_t weight[] = { 1024, 1024, 335, 3121, 110, 15 };
	struct scene s;
	bool holds = scene_open(&s, subject, "core:2 pu:1", err) &&
		     run_burners(&s, 6, nice, 20000ull * MS);

	for (uint32_t i = 0; holds && i < 6; i++) {
		uint64_t promille = scene_user_ns(&s, i) * 1000 / (scene_user_ns(&s, 0) + 1);
		uint64_t exact = weight[i] * 1000ull / 1024;

		holds = scene_within(&s, "run time beside a task of nice 0, in thousandths",
				     promille, exact - exact / 10, exact + exact / 10 + 10);
	}
	scene_close(&s);
	return holds;
}

static bool run_groups(struct scene *scene, const struct engine_group *group, uint32_t nr_groups)
{
	scene->config.group = group;
	scene->config.nr_groups = nr_groups;
	scene->config.task_group = scene->group;
	return run_burners(scene, BURNERS, NULL, 10000ull * MS);
}

static uint64_t sum_of(const struct scene *scene, uint32_t first, uint32_t count)
{
	uint64_t sum = 0;

	for (uint32_t i = first; i < first + count; i++)
		sum += scene_user_ns(scene, i);
	return sum;
}

/* A (3072) with two tasks and a subgroup of two tasks, B (1024) with four: three to one. */
bool fact_groups_share_by_weight(const struct conform_subject *subject, struct err *err)
{
	static const struct engine_group group[] = { { GROUP_ROOT, 3072, 0, 0 },
						     { GROUP_ROOT, 1024, 0, 0 },
						     { 0, 1024, 0, 0 } };
	struct scene s;
	uint64_t a, b, inner;
	bool holds = scene_open(&s, subject, "core:2 pu:1", err);

	for (uint32_t i = 0; holds && i < BURNERS; i++)
		s.group[i] = i < 2 ? 0 : i < 4 ? 2 : 1;
	holds = holds && run_groups(&s, group, 3);
	if (holds) {
		a = sum_of(&s, 0, 4);
		b = sum_of(&s, 4, 4);
		inner = sum_of(&s, 2, 2);
		holds = scene_within(&s, "A beside B, weights 3 to 1, in thousandths",
				     a * 1000 / (b + 1), 2850, 3150) &&
			scene_within(&s, "a group beside two tasks of its weight, in thousandths",
				     inner * 1000 / (a + 1), 300, 367);
	}
	scene_close(&s);
	return holds;
}

/* 20 ms of each 100 ms. */
bool fact_a_quota_is_kept(const struct conform_subject *subject, struct err *err)
{
	static const struct engine_group group[] = { { GROUP_ROOT, 1024, 20000, 100000 } };
	struct scene s;
	bool holds = scene_open(&s, subject, "core:2 pu:1", err);

	for (uint32_t i = 0; holds && i < BURNERS; i++)
		s.group[i] = i < 4 ? 0 : GROUP_ROOT;
	holds = holds && run_groups(&s, group, 1) &&
		scene_within(&s, "ns that a group with a fifth of a cpu ran in 10 s",
			     sum_of(&s, 0, 4), 1800ull * MS, 2100ull * MS);
	scene_close(&s);
	return holds;
}
