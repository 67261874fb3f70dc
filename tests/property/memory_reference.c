/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random accesses, in the order of their times, against a slow memory that keeps every fact plainly
 * and finds ties by machine_tie(). SEED=n replays one scenario.
 */
#include "../unit/memory_machine.h"
#include "base/random.h"
#include "memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SCENARIOS = 300, STEPS = 3000, LINES = 12, MAX_CPUS = 1024 };

struct naive_line {
	bool holds[MAX_CPUS]; /* by core */
	uint64_t used[MAX_CPUS];
	uint32_t nr_holders, writer;
	uint64_t busy_until, lock_until;
};

struct naive {
	const struct machine *m;
	uint64_t passed[MAX_CPUS];
	uint32_t cpu_of[MAX_CPUS]; /* by core: a cpu of it */
	struct naive_line line[LINES];
};

/* Nearest or farthest holder but the own core: ties first, then the price. */
static uint64_t price(const struct naive *n, const struct naive_line *l, uint32_t cpu, bool far)
{
	uint64_t best_ns = 0;
	enum tie best = NR_TIES;

	for (uint32_t c = 0; c < n->m->nr_cores; c++) {
		enum tie tie = machine_tie(n->m, cpu, n->cpu_of[c]);
		uint64_t ns = machine_line_ns(n->m, cpu, n->cpu_of[c]);

		if (!l->holds[c] || c == n->m->cpu[cpu].core)
			continue;
		if (best == NR_TIES || (tie == best ? (far ? ns > best_ns : ns < best_ns)
						    : (far ? tie > best : tie < best))) {
			best = tie;
			best_ns = ns;
		}
	}
	return best_ns;
}

static uint64_t aged(struct naive *n, struct naive_line *l, uint32_t core)
{
	uint64_t age = n->passed[core] - l->used[core];

	l->used[core] = n->passed[core];
	return age > machine_cost(n->m, COST_l2) ? machine_cost(n->m, COST_line_l2) : 0;
}

static uint64_t naive_read(struct naive *n, uint32_t cpu, struct naive_line *l, uint64_t t,
			   uint64_t overlap)
{
	uint32_t core = n->m->cpu[cpu].core;
	uint64_t wait, ns;
	bool alone = l->nr_holders == 1;

	if (l->holds[core])
		return (aged(n, l, core) * 100 + overlap - 1) / overlap;
	l->used[core] = n->passed[core];
	ns = price(n, l, cpu, false);
	wait = l->nr_holders && l->busy_until > t ? l->busy_until - t : 0;
	if (alone)
		l->busy_until = t + wait + ns;
	l->holds[core] = true;
	l->nr_holders++;
	return wait + (ns * 100 + overlap - 1) / overlap;
}

static uint64_t naive_write(struct naive *n, uint32_t cpu, struct naive_line *l, uint64_t t,
			    uint64_t hold)
{
	uint32_t core = n->m->cpu[cpu].core;
	bool held = l->holds[core], alone = held && l->nr_holders == 1;
	uint64_t age = held ? aged(n, l, core) : 0, far = price(n, l, cpu, true), wait;

	l->used[core] = n->passed[core];
	l->writer = core;
	if (alone) {
		if (hold && t >= l->busy_until)
			l->busy_until = t + age + hold;
		return age + hold;
	}
	wait = l->busy_until > t ? l->busy_until - t : 0;
	memset(l->holds, 0, sizeof(l->holds));
	l->holds[core] = true;
	l->nr_holders = 1;
	l->busy_until = t + wait + (age > far ? age : far) + hold;
	return l->busy_until - t;
}

static uint64_t naive_critical(struct naive *n, uint32_t cpu, struct naive_line *l, uint64_t t,
			       uint64_t inside)
{
	uint64_t wait = l->lock_until > t ? l->lock_until - t : 0;
	uint64_t got = t + wait;

	got += naive_write(n, cpu, l, got, machine_cost(n->m, COST_atomic_hold));
	got += inside;
	l->lock_until = got + naive_write(n, cpu, l, got, 0);
	return l->lock_until - t;
}

static uint64_t critical(struct memory *mem, uint32_t cpu, uint32_t line, uint64_t t,
			 uint64_t inside)
{
	uint64_t at = t + memory_lock(mem, cpu, line, t) + inside;

	return at + memory_unlock(mem, cpu, line, at) - t;
}

static struct shape random_shape(struct random *r)
{
	struct shape s = { 1 + (uint32_t)random_below(r, 4), 1 + (uint32_t)random_below(r, 3),
			   1 + (uint32_t)random_below(r, 3), 1 + (uint32_t)random_below(r, 9),
			   1 + (uint32_t)random_below(r, 2) };

	return s;
}

/* LLCs and clusters that lie in several nodes, and nodes without cpus. */
static void scatter_nodes(struct machine *m, struct random *r)
{
	uint32_t node = 0;

	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		if (!cpu || m->cpu[cpu].core != m->cpu[cpu - 1].core)
			node = (uint32_t)random_below(r, m->nr_nodes);
		m->cpu[cpu].node = node;
	}
}

static void step(struct naive *n, struct memory *mem, struct random *r, uint64_t t)
{
	uint32_t cpu = (uint32_t)random_below(r, n->m->nr_cpus),
		 line = (uint32_t)random_below(r, LINES);
	struct naive_line *l = &n->line[line];
	uint64_t kib = random_below(r, 700), overlap = machine_cost(n->m, COST_scan_overlap);

	switch (random_below(r, 6)) {
	case 0:
		assert_int_equal(memory_read_scan(mem, cpu, line, t),
				 naive_read(n, cpu, l, t, overlap));
		break;
	case 1:
		assert_int_equal(memory_write(mem, cpu, line, t), naive_write(n, cpu, l, t, 0));
		break;
	case 2:
		assert_int_equal(memory_atomic(mem, cpu, line, t),
				 naive_write(n, cpu, l, t, machine_cost(n->m, COST_atomic_hold)));
		break;
	case 3:
		memory_pass(mem, cpu, kib);
		n->passed[n->m->cpu[cpu].core] += kib;
		break;
	default: assert_int_equal(memory_read(mem, cpu, line, t), naive_read(n, cpu, l, t, 100));
	}
	assert_int_equal(memory_holds(mem, cpu, line), l->holds[n->m->cpu[cpu].core]);
	assert_int_equal(memory_writer(mem, line), l->writer);
}

/* Locks are apart: their lines see only locks, so that times stay in order on each line. */
static void lock_step(struct naive *n, struct memory *mem, struct random *r, uint64_t t)
{
	uint32_t cpu = (uint32_t)random_below(r, n->m->nr_cpus),
		 line = (uint32_t)random_below(r, LINES);
	uint64_t inside = random_below(r, 2000);

	assert_int_equal(critical(mem, cpu, line, t, inside),
			 naive_critical(n, cpu, &n->line[line], t, inside));
}

static void scenario(uint64_t seed,
		     void (*one)(struct naive *, struct memory *, struct random *, uint64_t))
{
	static struct naive naive;
	struct random r = random_stream(seed, RANDOM_TEST, 0);
	struct arena arena;
	struct machine *m;
	struct memory *mem;
	uint64_t t = 0;

	arena_init(&arena);
	m = machine_by_hand(&arena, random_shape(&r));
	m->costs.of[COST_line_l2].value = random_below(&r, 100);
	m->costs.of[COST_atomic_hold].value = random_below(&r, 30);
	if (!random_below(&r, 4))
		scatter_nodes(m, &r);
	naive = (struct naive){ .m = m };
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		naive.cpu_of[m->cpu[cpu].core] = cpu;
	for (uint32_t i = 0; i < LINES; i++)
		naive.line[i].writer = CPU_NONE;
	mem = memory_new(&arena, m, LINES);
	memory_lines(mem, memory_class(mem, "test"), LINES);
	for (uint32_t i = 0; i < STEPS; i++) {
		t += random_below(&r, 60) * random_below(&r, 60);
		one(&naive, mem, &r, t);
	}
	arena_release(&arena);
}

static void every_seed(void (*one)(struct naive *, struct memory *, struct random *, uint64_t))
{
	const char *only = getenv("SEED");
	uint64_t first = only ? strtoull(only, NULL, 10) : 1, last = only ? first : SCENARIOS;

	for (uint64_t seed = first; seed <= last; seed++) {
		print_message("SEED=%llu\r", (unsigned long long)seed);
		scenario(seed, one);
	}
}

static void accesses_cost_what_the_plain_model_says(void **state)
{
	(void)state;
	every_seed(step);
}

static void locks_cost_what_the_plain_model_says(void **state)
{
	(void)state;
	every_seed(lock_step);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses_cost_what_the_plain_model_says),
		cmocka_unit_test(locks_cost_what_the_plain_model_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
