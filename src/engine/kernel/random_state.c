/* SPDX-License-Identifier: GPL-2.0-only */
#include "engine/kernel/random_state.h"

#include "base/arena.h"
#include "base/check.h"
#include "machine/read.h"

#include <string.h>

enum { MAX_RANDOM_CPUS = 192, FULL = 1024 };

static const char *const machines[] = {
	"kunpeng920",
	"cpx-4s",
	"snb-2s",
	"clx-8260-2s",
	"4x24x2",
	"numa:1 l3:1 core:4 pu:1",
	"numa:1 l3:1 core:1 pu:2",
	"numa:2 l3:4 core:8 pu:2",
	"numa:1 l3:8 core:2 pu:2",
	"numa:4 l3:1 core:32 pu:1",
	"numa:2 l3:2 l2:4 core:2 pu:2",
	"numa:2 l3:16 core:1 pu:2",
};

enum { NR_MACHINES = sizeof(machines) / sizeof(machines[0]) };

static uint32_t below(struct random *r, uint32_t n)
{
	return (uint32_t)random_below(r, n);
}

static bool percent(struct random *r, uint32_t p)
{
	return below(r, 100) < p;
}

/* ---- machines ---- */

/* Symmetric; some machines have levels, some a different distance for every pair. */
static void random_distances(struct machine *m, struct random *r)
{
	uint32_t kinds = 1 + below(r, 5);

	for (uint32_t a = 0; a < m->nr_nodes; a++)
		for (uint32_t b = 0; b < a; b++) {
			uint32_t d = 11 + 5 * (1 + below(r, kinds));

			m->distance[a * m->nr_nodes + b] = d;
			m->distance[b * m->nr_nodes + a] = d;
		}
}

/* Cores leave their clusters to be alone, as fast cores of hybrid machines are. */
static void random_clusters(struct machine *m, struct random *r)
{
	uint32_t share = 5 + below(r, 60), last = 0;

	for (uint32_t cpu = 1; cpu < m->nr_cpus; cpu++) {
		bool alone = percent(r, share);

		if (m->cpu[cpu].core == m->cpu[cpu - 1].core)
			m->cpu[cpu].cluster = m->cpu[cpu - 1].cluster;
		else if (m->cpu[cpu].cluster != last)
			last = m->cpu[cpu].cluster;
		else if (alone)
			m->cpu[cpu].cluster = m->nr_clusters++;
	}
}

static void random_offline(struct machine *m, struct random *r)
{
	for (uint32_t n = below(r, 4); n--;) {
		uint32_t cpu = 1 + below(r, m->nr_cpus);

		if (cpu < m->nr_cpus && cpuset_weight(&m->online) > 2)
			cpuset_del(&m->online, cpu);
	}
}

static struct machine *random_machine(struct arena *arena, struct random *r, uint32_t round,
				      struct err *err)
{
	uint32_t nodes = 1 + below(r, 4), llcs = 1 + below(r, 4), threads = 1 + below(r, 2);
	uint32_t clusters = percent(r, 30) ? 2 + below(r, 3) : 1;
	uint32_t most = MAX_RANDOM_CPUS / (nodes * llcs * clusters * threads), cores;
	const char *spec;
	struct machine *m;

	if (percent(r, 15)) {
		llcs = 1;
		most = MAX_RANDOM_CPUS / (nodes * clusters * threads);
	}
	if (most > 64 / (clusters * threads))
		most = 64 / (clusters * threads);
	cores = 1 + below(r, percent(r, 50) && most > 4 ? 4 : most);
	if (nodes * llcs * clusters * cores * threads < 2)
		cores = 2;
	spec = clusters > 1 ? arena_printf(arena, "numa:%u l3:%u l2:%u core:%u pu:%u", nodes, llcs,
					   clusters, cores, threads)
			    : arena_printf(arena, "numa:%u l3:%u core:%u pu:%u", nodes, llcs, cores,
					   threads);
	m = machine_read(arena, spec, err);
	if (!m)
		return NULL;
	random_distances(m, r);
	if (clusters > 1 && percent(r, 50))
		random_clusters(m, r);
	if (percent(r, 25))
		random_offline(m, r);
	m->name = arena_printf(arena, "%s of round %u", spec, round);
	return m;
}

struct machine *random_state_machine(struct arena *arena, uint64_t seed, uint32_t round,
				     struct err *err)
{
	struct random r = random_stream(seed, RANDOM_TEST, 1ull << 32 | round);

	if (round % 2)
		return random_machine(arena, &r, round, err);
	return machine_read(arena, machines[round / 2 % NR_MACHINES], err);
}

void random_state_begin(struct random_state *r, const struct machine *machine, bool has_delayed,
			uint64_t seed, uint32_t round)
{
	CHECK(machine->nr_cpus <= RANDOM_STATE_CPUS);
	*r = (struct random_state){ .machine = machine,
				    .random = random_stream(seed, RANDOM_TEST, round),
				    .has_delayed = has_delayed };
	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++)
		r->llc_weight[machine->cpu[cpu].llc]++;
}

/* ---- cpus ---- */

static uint32_t any_cpu(struct random_state *r)
{
	uint32_t cpu;

	do {
		cpu = below(&r->random, r->machine->nr_cpus);
	} while (!cpuset_has(&r->machine->online, cpu));
	return cpu;
}

static uint32_t cpu_near(struct random_state *r, uint32_t cpu, uint32_t chance)
{
	uint32_t llc = r->machine->cpu[cpu].llc, other;

	if (!percent(&r->random, chance))
		return any_cpu(r);
	do {
		other = any_cpu(r);
	} while (r->machine->cpu[other].llc != llc);
	return other;
}

static void pose_busy(struct random_state *r, struct ks_cpu_load *c)
{
	struct random *random = &r->random;

	c->busy = true;
	c->nr_running = 1 + (percent(random, 30) ? below(random, 4) : 0);
	if (r->has_delayed && percent(random, 25))
		c->nr_delayed = 1 + below(random, 3);
	c->nr_running += c->nr_delayed;
	c->load_avg =
		percent(random, 20) ? below(random, 100) : below(random, 1024 * c->nr_running);
}

static void pose_idle(struct random_state *r, struct ks_cpu_load *c)
{
	c->nr_running = percent(&r->random, 5);
	c->ttwu_pending = percent(&r->random, 5);
	c->load_avg = percent(&r->random, 40) ? 0 : below(&r->random, 600);
}

/* How many of 100 cpus of each LLC run something. */
enum load_way {
	LOAD_EVEN,
	LOAD_BY_LLC,
	LOAD_ONE_THREAD,
	LOAD_NEARLY_FULL,
	LOAD_EMPTY,
	NR_LOAD_WAYS
};

static uint32_t llc_load(struct random_state *r, enum load_way way, uint32_t load)
{
	switch (way) {
	case LOAD_BY_LLC: return percent(&r->random, load) ? 100 : below(&r->random, 20);
	case LOAD_NEARLY_FULL: return 100 - below(&r->random, 6);
	case LOAD_EMPTY: return below(&r->random, 4);
	default: return load;
	}
}

static void pose_cpus(struct random_state *r)
{
	enum load_way way = (enum load_way)below(&r->random, NR_LOAD_WAYS);
	uint32_t load = below(&r->random, 101), busy[RANDOM_STATE_CPUS];
	struct ks_cpu_load llc[RANDOM_STATE_CPUS];
	bool throttled = percent(&r->random, 25);

	for (uint32_t i = 0; i < r->machine->nr_llcs; i++) {
		busy[i] = llc_load(r, way, load);
		llc[i] = (struct ks_cpu_load){ .capacity = FULL,
					       .has_idle_cores = percent(&r->random, 50) };
		if (percent(&r->random, 80))
			llc[i].nr_idle_scan = below(&r->random, 1 + r->llc_weight[i]);
	}
	for (uint32_t cpu = 0; cpu < r->machine->nr_cpus; cpu++) {
		const struct machine_cpu *at = &r->machine->cpu[cpu];
		bool second = cpu && r->machine->cpu[cpu - 1].core == at->core;

		r->cpu[cpu] = llc[at->llc];
		if (throttled && percent(&r->random, 50))
			r->cpu[cpu].capacity = 1 + below(&r->random, FULL);
		if (!(second && way == LOAD_ONE_THREAD) && percent(&r->random, busy[at->llc]))
			pose_busy(r, &r->cpu[cpu]);
		else
			pose_idle(r, &r->cpu[cpu]);
	}
}

/* ---- tasks ---- */

static void allow(struct random_state *r, uint32_t cpu)
{
	r->allowed[cpu / 64] |= 1ull << (cpu % 64);
}

static void pose_allowed(struct random_state *r, uint32_t prev)
{
	uint32_t way = below(&r->random, 10), share = 1 + below(&r->random, 99);

	memset(r->allowed, 0, sizeof(r->allowed));
	for (uint32_t cpu = 0; cpu < r->machine->nr_cpus; cpu++)
		if (way < 6 ||
		    (way == 6 && r->machine->cpu[cpu].llc == r->machine->cpu[prev].llc) ||
		    (way > 6 && percent(&r->random, share)))
			allow(r, cpu);
	if (percent(&r->random, 90))
		allow(r, prev);
	allow(r, any_cpu(r));
	allow(r, any_cpu(r));
}

/* Partners that are many beside the LLC's size, or just so. */
static uint32_t flips(struct random_state *r, uint32_t weight)
{
	uint32_t way = below(&r->random, 4);

	if (way < 2)
		return below(&r->random, 3);
	if (way == 2)
		return below(&r->random, 200);
	return weight * below(&r->random, weight + 3) + below(&r->random, 3);
}

/* The sides' loads are nearly equal. */
static void pose_tie(struct random_state *r, struct ks_state *s)
{
	r->cpu[s->prev].load_avg = r->cpu[s->waker].load_avg + below(&r->random, 4);
	s->task_load_avg = below(&r->random, 4);
	if (percent(&r->random, 50))
		s->waker_load_avg = below(&r->random, 4);
}

void random_state_next(struct random_state *r)
{
	uint32_t waker = any_cpu(r), prev = cpu_near(r, waker, 60);
	uint32_t weight = r->llc_weight[r->machine->cpu[waker].llc];

	pose_cpus(r);
	pose_allowed(r, prev);
	r->state = (struct ks_state){
		.nr_cpus = r->machine->nr_cpus,
		.cpu = r->cpu,
		.waker = waker,
		.prev = percent(&r->random, 5) ? waker : prev,
		.recent = cpu_near(r, prev, 60),
		.sync = percent(&r->random, 40),
		.interrupt = !r->cpu[waker].busy || percent(&r->random, 15),
		.allowed = r->allowed,
		.task_load_avg = below(&r->random, 1100),
		.waker_load_avg = below(&r->random, 1100),
		.task_flips = flips(r, weight),
		.waker_flips = flips(r, weight),
		.waker_partner = percent(&r->random, 40),
		.waker_aged_ms = 20 * below(&r->random, percent(&r->random, 30) ? 100 : 50),
	};
	r->state.kthread = !r->state.interrupt && percent(&r->random, 10);
	if (percent(&r->random, 20))
		pose_tie(r, &r->state);
}
