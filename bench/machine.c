/* SPDX-License-Identifier: GPL-2.0-only */
/* Start-up: how long it takes to read each machine that comes with the program. */
#include "base/check.h"
#include "machine/read.h"

#include <stdio.h>
#include <time.h>

enum { RUNS = 15 };

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double read_ms(const char *name)
{
	double start = now_ms();
	struct err err = { 0 };
	struct arena arena;

	arena_init(&arena);
	if (!machine_read(&arena, name, &err))
		die("%s: %s", name, err.what);
	arena_release(&arena);
	return now_ms() - start;
}

int main(void)
{
	for (uint32_t i = 0; i < machine_nr_presets(); i++) {
		double best = read_ms(machine_preset_name(i));

		for (uint32_t run = 1; run < RUNS; run++) {
			double ms = read_ms(machine_preset_name(i));

			best = ms < best ? ms : best;
		}
		printf("%-16s best of %d %8.3f ms\n", machine_preset_name(i), RUNS, best);
	}
	return 0;
}
