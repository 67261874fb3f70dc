/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_decisions IMAGE PROFILE [STATES]: at least 99.9 % of the wake-ups in random states go
 * where the model sends them. SEED=N asks other states.
 */
#include "engine/kernel/decisions.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t number(const char *text, uint64_t otherwise)
{
	return text ? strtoull(text, NULL, 10) : otherwise;
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
	for (uint32_t i = 0; i < result.shown; i++)
		printf("%s\n", result.text[i]);
	printf("%llu of %llu decisions are equal (%.4f %%)\n", (unsigned long long)result.equal,
	       (unsigned long long)result.asked, 100 * (double)result.equal / (double)result.asked);
	return result.equal * 1000 < result.asked * 999;
}
