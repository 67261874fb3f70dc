/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why no team can deadlock:
 *   pipeline, fan   bytes written equal bytes read, and data flows one way only
 *   ping-pong       a message fits the pipe, and the two take turns
 *   mutexes         taken in ascending order
 *   semaphore pool  who takes one gives it back; takers hold at most one
 *   production      as many posts as waits, and posting never blocks
 *   barrier         all parties come equally often
 *   futex pair      each waits for the other's wake before it wakes again: one pending at most
 *   condition       a waiter posts the semaphore while it holds the mutex, so the signaller, who
 *                   must take both, signals only when all wait
 *   tree            children are spawned before they are joined
 * Sleeping and yielding between steps, also with a mutex held, only delays.
 */
#include "program/random.h"

#include "base/check.h"
#include "base/random.h"
#include "program/build.h"

enum {
	MAX_TEAM = 8,
	NR_EXTRA_SETS = 3,
	PIPE_BYTES = 65536,
	SOCKET_BYTES = 212992,
	LARGEST_MESSAGE = 8192,
};

struct maker {
	struct program_builder *b;
	struct random *random;
	const struct program_random *limits;
	const struct cpuset *cpus;
	uint32_t address_spaces;
	uint32_t nr_sets;
	bool at_start; /* tasks made now begin at time 0 */
};

static uint64_t below(struct maker *m, uint64_t limit)
{
	return random_below(m->random, limit);
}

static uint64_t from_one(struct maker *m, uint64_t most)
{
	return 1 + below(m, most);
}

static void op(struct maker *m, enum op_kind kind, uint32_t resource, uint64_t a, uint64_t b)
{
	program_op(m->b, (struct op){ .kind = kind, .resource = resource, .a = a, .b = b });
}

static void act(struct maker *m, enum op_kind kind, uint64_t a)
{
	op(m, kind, 0, a, 0);
}

static void by_base(struct maker *m, enum op_kind kind, uint32_t resource, uint64_t a)
{
	program_op(m->b, (struct op){ .kind = kind, .by_base = 1, .resource = resource, .a = a });
}

/* One step that concerns nobody else. */
static void noise(struct maker *m)
{
	uint64_t ns = from_one(m, m->limits->max_ns);

	switch (below(m, m->limits->plain ? 8 : 10)) {
	case 0: act(m, OP_COMPUTE_EXP, ns); break;
	case 1: act(m, OP_SLEEP, ns); break;
	case 2: act(m, OP_SLEEP_EXP, ns); break;
	case 3: act(m, OP_YIELD, 0); break;
	case 4: act(m, OP_TOUCH, from_one(m, 64)); break;
	case 5: act(m, OP_IO, ns); break;
	case 6: act(m, OP_PERIOD, ns); break;
	case 8: act(m, OP_AFFINITY, below(m, m->nr_sets)); break;
	case 9: act(m, OP_NICE, below(m, 40)); break;
	default: op(m, OP_COMPUTE, 0, ns, below(m, 1000001)); break;
	}
}

static void some_noise(struct maker *m)
{
	for (uint64_t n = below(m, 3); n > 0; n--)
		noise(m);
}

static uint32_t begin(struct maker *m, const char *role)
{
	uint32_t program = program_begin(m->b, role);

	some_noise(m);
	return program;
}

static void end(struct maker *m)
{
	some_noise(m);
	act(m, OP_EXIT, 0);
}

static uint32_t tasks(struct maker *m, uint32_t program, uint32_t count, uint32_t first_base)
{
	struct task_spec spec = { .program = program, .at_start = m->at_start };
	uint32_t first = 0;

	spec.is_thread = below(m, 2);
	spec.working_set_kib = (uint32_t)below(m, 256);
	if (!m->limits->plain) {
		spec.nice = (int8_t)((int)below(m, 40) - 20);
		spec.set = (uint32_t)below(m, m->nr_sets);
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t task;

		spec.base = first_base + i;
		spec.address_space = spec.is_thread ? m->address_spaces : m->address_spaces + i;
		task = program_task(m->b, spec);
		first = i ? first : task;
	}
	m->address_spaces += count;
	return first;
}

static uint32_t stream(struct maker *m, uint32_t count)
{
	bool pipe = below(m, 2);

	return program_resource(m->b, pipe ? RESOURCE_PIPE : RESOURCE_SOCKET,
				pipe ? PIPE_BYTES : SOCKET_BYTES, count);
}

static uint64_t rounds(struct maker *m)
{
	return from_one(m, m->limits->max_loops);
}

static uint32_t loner(struct maker *m)
{
	uint32_t program = begin(m, "loner");

	act(m, OP_LOOP, rounds(m));
	noise(m);
	some_noise(m);
	act(m, OP_END, 0);
	end(m);
	return tasks(m, program, 1, 0);
}

static uint32_t pipeline(struct maker *m)
{
	uint32_t stages = 2 + (uint32_t)below(m, 4), first = stream(m, stages - 1), task = 0;
	uint64_t loops = rounds(m), bytes = from_one(m, LARGEST_MESSAGE);

	for (uint32_t stage = 0; stage < stages; stage++) {
		uint32_t program = begin(m, "stage"), made;

		act(m, OP_LOOP, loops);
		if (stage && below(m, 3) == 0)
			op(m, OP_POLL, first + stage - 1, 0, 0);
		if (stage)
			op(m, OP_READ, first + stage - 1, bytes, 0);
		some_noise(m);
		if (stage + 1 < stages)
			op(m, OP_WRITE, first + stage, bytes, 0);
		act(m, OP_END, 0);
		end(m);
		made = tasks(m, program, 1, 0);
		task = stage ? task : made;
	}
	return task;
}

static uint32_t ping_pong(struct maker *m)
{
	uint32_t there = stream(m, 1), back = stream(m, 1), program, task;
	uint64_t loops = rounds(m), bytes = from_one(m, 4096);

	program = begin(m, "ping");
	act(m, OP_LOOP, loops);
	op(m, OP_WRITE, there, bytes, 0);
	op(m, OP_READ, back, bytes, 0);
	some_noise(m);
	act(m, OP_END, 0);
	end(m);
	task = tasks(m, program, 1, 0);
	program = begin(m, "pong");
	act(m, OP_LOOP, loops);
	op(m, OP_READ, there, bytes, 0);
	some_noise(m);
	op(m, OP_WRITE, back, bytes, 0);
	act(m, OP_END, 0);
	end(m);
	tasks(m, program, 1, 0);
	return task;
}

static uint32_t fan(struct maker *m)
{
	uint32_t receivers = (uint32_t)from_one(m, 4), senders = (uint32_t)from_one(m, 4);
	uint32_t first = stream(m, receivers), program, task;
	uint64_t loops = rounds(m), bytes = from_one(m, LARGEST_MESSAGE);

	program = begin(m, "receiver");
	act(m, OP_LOOP, loops * senders);
	by_base(m, OP_READ, first, bytes);
	act(m, OP_END, 0);
	end(m);
	task = tasks(m, program, receivers, 0);
	program = begin(m, "sender");
	act(m, OP_LOOP, loops);
	act(m, OP_LOOP, receivers);
	program_op(m->b,
		   (struct op){ .kind = OP_WRITE, .by_loop = 2, .resource = first, .a = bytes });
	act(m, OP_END, 0);
	some_noise(m);
	act(m, OP_END, 0);
	end(m);
	tasks(m, program, senders, 0);
	return task;
}

static uint32_t mutexes(struct maker *m)
{
	uint32_t first = program_resource(m->b, RESOURCE_MUTEX, 0, 2);
	uint32_t members = 2 + (uint32_t)below(m, 4), program = begin(m, "locker");
	bool nested = below(m, 2);

	act(m, OP_LOOP, rounds(m));
	op(m, OP_LOCK, first, 0, 0);
	some_noise(m);
	if (nested) {
		op(m, OP_LOCK, first + 1, 0, 0);
		some_noise(m);
		op(m, OP_UNLOCK, first + 1, 0, 0);
	}
	op(m, OP_UNLOCK, first, 0, 0);
	some_noise(m);
	act(m, OP_END, 0);
	end(m);
	return tasks(m, program, members, 0);
}

static uint32_t pool(struct maker *m)
{
	uint32_t members = 2 + (uint32_t)below(m, 4);
	uint32_t sem = program_resource(m->b, RESOURCE_SEMAPHORE, (uint32_t)from_one(m, 3), 1);
	uint32_t program = begin(m, "pooled");

	act(m, OP_LOOP, rounds(m));
	op(m, OP_SEM_WAIT, sem, 0, 0);
	some_noise(m);
	op(m, OP_SEM_POST, sem, 1, 0);
	some_noise(m);
	act(m, OP_END, 0);
	end(m);
	return tasks(m, program, members, 0);
}

static uint32_t production(struct maker *m)
{
	uint32_t consumers = (uint32_t)from_one(m, 4);
	uint32_t sem = program_resource(m->b, RESOURCE_SEMAPHORE, 0, 1), program, task;
	uint64_t loops = rounds(m);

	program = begin(m, "producer");
	act(m, OP_LOOP, loops);
	some_noise(m);
	op(m, OP_SEM_POST, sem, consumers, 0);
	act(m, OP_END, 0);
	end(m);
	task = tasks(m, program, 1, 0);
	program = begin(m, "consumer");
	act(m, OP_LOOP, loops);
	op(m, OP_SEM_WAIT, sem, 0, 0);
	some_noise(m);
	act(m, OP_END, 0);
	end(m);
	tasks(m, program, consumers, 0);
	return task;
}

static uint32_t barrier(struct maker *m)
{
	uint32_t members = (uint32_t)from_one(m, 6);
	uint32_t gate = program_resource(m->b, RESOURCE_BARRIER, members, 1);
	uint32_t program = begin(m, "party");

	act(m, OP_LOOP, rounds(m));
	some_noise(m);
	op(m, OP_BARRIER, gate, 0, 0);
	act(m, OP_END, 0);
	end(m);
	return tasks(m, program, members, 0);
}

static uint32_t futex_pair(struct maker *m)
{
	uint32_t first = program_resource(m->b, RESOURCE_FUTEX, 0, 2), task = 0;
	uint64_t loops = rounds(m);

	for (uint32_t side = 0; side < 2; side++) {
		uint32_t program = begin(m, side ? "answerer" : "caller"), made;

		act(m, OP_LOOP, loops);
		if (side)
			op(m, OP_FUTEX_WAIT, first, 0, 0);
		some_noise(m);
		op(m, OP_FUTEX_WAKE, first + side, 1, 0);
		if (!side)
			op(m, OP_FUTEX_WAIT, first + 1, 0, 0);
		act(m, OP_END, 0);
		end(m);
		made = tasks(m, program, 1, 0);
		task = side ? task : made;
	}
	return task;
}

static uint32_t condition(struct maker *m)
{
	uint32_t waiters = (uint32_t)from_one(m, 4);
	uint32_t mutex = program_resource(m->b, RESOURCE_MUTEX, 0, 1);
	uint32_t cond = program_resource(m->b, RESOURCE_CONDITION, 0, 1);
	uint32_t sem = program_resource(m->b, RESOURCE_SEMAPHORE, 0, 1), program, task;
	uint64_t loops = rounds(m);

	program = begin(m, "waiter");
	act(m, OP_LOOP, loops);
	op(m, OP_LOCK, mutex, 0, 0);
	op(m, OP_SEM_POST, sem, 1, 0);
	op(m, OP_WAIT, cond, 0, mutex);
	some_noise(m);
	op(m, OP_UNLOCK, mutex, 0, 0);
	act(m, OP_END, 0);
	end(m);
	task = tasks(m, program, waiters, 0);
	program = begin(m, "signaller");
	act(m, OP_LOOP, loops);
	act(m, OP_LOOP, waiters);
	op(m, OP_SEM_WAIT, sem, 0, 0);
	act(m, OP_END, 0);
	op(m, OP_LOCK, mutex, 0, 0);
	op(m, OP_SIGNAL, cond, below(m, 2) * waiters, 0);
	op(m, OP_UNLOCK, mutex, 0, 0);
	some_noise(m);
	act(m, OP_END, 0);
	end(m);
	tasks(m, program, 1, 0);
	return task;
}

typedef uint32_t team_maker(struct maker *m);

static team_maker *const teams[] = { loner, pipeline,	ping_pong, fan,	       mutexes,
				     pool,  production, barrier,   futex_pair, condition };
enum { NR_TEAMS = sizeof(teams) / sizeof(teams[0]) };

/* A parent that spawns a whole team. It is made last: the team's ids end before its own. */
static void tree(struct maker *m)
{
	bool at_start = m->at_start;
	uint32_t first, program, parent;

	m->at_start = false;
	first = teams[below(m, NR_TEAMS)](m);
	m->at_start = at_start;
	program = begin(m, "parent");
	parent = tasks(m, program, 1, 0);
	op(m, OP_SPAWN, 0, first, parent - first);
	some_noise(m);
	act(m, OP_JOIN, 0);
	end(m);
}

static void random_sets(struct maker *m, struct arena *arena)
{
	for (uint32_t i = 0; i < NR_EXTRA_SETS; i++) {
		struct cpuset set = cpuset_new(arena, m->cpus->bits);

		cpuset_for_each (cpu, m->cpus) {
			if (below(m, 2))
				cpuset_add(&set, cpu);
		}
		if (cpuset_empty(&set))
			cpuset_add(&set, cpuset_first(m->cpus));
		program_cpus(m->b, &set);
	}
	m->nr_sets = 1 + NR_EXTRA_SETS;
}

static uint32_t team_at(struct maker *m)
{
	return below(m, 4) ? (uint32_t)below(m, NR_TEAMS) : NR_TEAMS;
}

struct program_set *program_random(struct arena *arena, const struct cpuset *cpus,
				   const struct program_random *limits)
{
	struct random random = random_stream(limits->seed, RANDOM_TEST, 0);
	struct maker m = { .random = &random, .limits = limits, .cpus = cpus, .at_start = true };
	struct program_set *set;
	struct err err = { 0 };
	uint32_t made = 0;

	CHECK(limits->max_tasks >= 2 && limits->max_tasks <= PROGRAM_MAX_TASKS);
	CHECK(limits->max_loops >= 1 && limits->max_loops <= 1000);
	CHECK(limits->max_ns >= 1 && limits->max_ns <= PROGRAM_MAX_NS / 2);
	m.b = program_builder_new(arena, cpus);
	random_sets(&m, arena);
	while (made == 0 || made + MAX_TEAM + 1 <= limits->max_tasks) {
		uint32_t team = limits->max_tasks < MAX_TEAM + 1 ? 0 : team_at(&m);

		if (team == NR_TEAMS)
			tree(&m);
		else
			teams[team](&m);
		made = program_nr_tasks(m.b);
	}
	set = program_finish(m.b, &err);
	CHECK(set);
	return set;
}
