/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_decisions IMAGE PROFILE [STATES]: every wake-up in random states goes where the model
 * sends it, and leaves the same behind; 100,000 take every way to find a cpu. SEED=N asks other
 * states.
 */
#include "engine/kernel/decisions.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t number(const char *text, uint64_t otherwise)
{
	return text ? strtoull(text, NULL, 10) : otherwise;
}

static void print_share(const char *what, uint64_t equal, uint64_t asked)
{
	printf("%-45s %8llu of %8llu (%.4f %%)\n", what, (unsigned long long)equal,
	       (unsigned long long)asked, asked ? 100 * (double)equal / (double)asked : 0);
}

static void print(const struct decisions *result)
{
	for (uint32_t i = 0; i < result->shown; i++)
		printf("%s\n", result->text[i]);
	for (uint32_t way = 0; way < NR_POSE_WAYS; way++)
		print_share(sched_pose_way_phrase((enum pose_way)way), result->way_equal[way],
			    result->way_asked[way]);
	print_share("decisions that are equal", result->equal, result->asked);
	print_share("and leave the same behind", result->alike, result->asked);
}

static bool takes_every_way(const struct decisions *result)
{
	bool every = true;

	for (uint32_t way = 0; way < NR_POSE_WAYS; way++) {
		if (result->way_asked[way])
			continue;
		every = false;
		printf("never: %s\n", sched_pose_way_phrase((enum pose_way)way));
	}
	return every;
}

int main(int argc, char **argv)
{
	struct decisions result;
	struct err err = { 0 };

	if (argc < 3)
		return 2;
	if (!decisions_compare(argv[1], argv[2], number(argv[3], 100000), number(getenv("SEED"), 1),
			       &result, &err)) {
		printf("%s\n", err.what);
		return 1;
	}
	print(&result);
	if (result.asked >= 100000 && !takes_every_way(&result))
		return 1;
	return result.alike != result.asked;
}
