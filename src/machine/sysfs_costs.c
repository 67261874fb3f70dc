/* SPDX-License-Identifier: GPL-2.0-only */
/* The first described cpu speaks for all. */
#include "machine/sysfs_costs.h"

#include "machine/sysfs.h"

#include <stdlib.h>
#include <string.h>

static void add_clock(struct draft *d, const struct sysfs_value *slots)
{
	int slot = slots[CPU_BASE_KHZ].text ? CPU_BASE_KHZ : CPU_MAX_KHZ;
	uint64_t mhz;

	if (!slots[slot].text)
		return;
	mhz = strtoull(slots[slot].text, NULL, 10) / 1000;
	if (mhz >= cost_min(COST_cpu) && mhz <= cost_max(COST_cpu))
		draft_cost(d, COST_cpu, mhz,
			   slot == CPU_BASE_KHZ ? "/sys: cpufreq/base_frequency"
						: "/sys: cpufreq/cpuinfo_max_freq");
}

static void add_l2(struct draft *d, const struct sysfs_value *slots)
{
	for (int i = 0; i < SYSFS_CACHES; i++) {
		const struct sysfs_value *cache = &slots[CPU_CACHE + 5 * i];
		uint64_t kib;

		if (!cache[CACHE_SIZE].text || !cache[CACHE_LEVEL].text ||
		    strcmp(cache[CACHE_LEVEL].text, "2"))
			continue;
		kib = strtoull(cache[CACHE_SIZE].text, NULL, 10);
		if (kib >= cost_min(COST_l2) && kib <= cost_max(COST_l2))
			draft_cost(d, COST_l2, kib, "/sys: cache, level 2, size");
	}
}

/* Microseconds below ten seconds. */
static bool take_us(const char *text, uint64_t *ns)
{
	size_t digits = strspn(text, "0123456789");

	*ns = strtoull(text, NULL, 10) * 1000;
	return digits && digits <= 7 && !text[digits];
}

/*
 * All states or none: a time that is none, or a state that leaves faster than the one before it,
 * makes the list useless.
 */
static void add_idle(struct draft *d, const struct sysfs_value *slots)
{
	struct machine_costs *costs = &d->costs;
	uint32_t count = 0;

	for (; count < SYSFS_IDLE_STATES; count++) {
		const struct sysfs_value *idle = &slots[CPU_IDLE + 3 * count];
		struct idle_state *state = &costs->idle_state[count];

		if (!idle[IDLE_NAME].text || !idle[IDLE_LATENCY].text)
			break;
		state->name = idle[IDLE_NAME].text;
		if (!*state->name || !take_us(idle[IDLE_LATENCY].text, &state->exit_latency_ns))
			return;
		state->target_residency_ns = state->exit_latency_ns;
		if (idle[IDLE_RESIDENCY].text &&
		    !take_us(idle[IDLE_RESIDENCY].text, &state->target_residency_ns))
			return;
		state->polling = !strcmp(state->name, "POLL");
		if (count && state->exit_latency_ns < state[-1].exit_latency_ns)
			return;
	}
	if (!count)
		return;
	costs->nr_idle_states = count;
	costs->idle_source = "/sys: cpuidle";
}

void sysfs_take_costs(struct draft *d, const struct sysfs *fs)
{
	for (uint32_t cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++) {
		if (!fs->cpu[cpu])
			continue;
		add_clock(d, fs->cpu[cpu]);
		add_l2(d, fs->cpu[cpu]);
		add_idle(d, fs->cpu[cpu]);
		return;
	}
}

void sysfs_add_costs(struct draft *d, const char *path)
{
	struct sysfs *fs = ARENA_NEW(d->arena, struct sysfs);
	struct err ignored = { 0 };

	if (sysfs_load_tree(fs, d->arena, path, &ignored))
		sysfs_take_costs(d, fs);
}
