/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the scheduler model costs the host: pairs of tasks that wake each other and sleep, each
 * wake-up with its switch, block, idle exit and entry, and ticks. Processor ns of the host a
 * wake-up, and beside it what the model says of the same wake-up.
 */
#include "../tests/unit/sched_world.h"

#include <time.h>

enum { WAKEUPS = 300000, WARM_UP = 30000, ROUNDS = 3 };

struct row {
	const char *machine, *profile;
	uint32_t pairs;
};

static const struct row rows[] = {
	{ "1x1x1", "v6.1", 1 },	   { "1x4x1", "v6.1", 2 },    { "1x24x2", "v6.1", 24 },
	{ "4x24x2", "v5.12", 96 }, { "4x24x2", "v6.1", 96 },  { "4x24x2", "v6.12", 96 },
	{ "4x24x2", "v6.1", 24 },  { "4x24x2", "v6.1", 192 },
};

static uint64_t host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The running task of cpu wakes its partner, if that sleeps, and goes to sleep itself. */
static void ping(struct world *w, uint32_t cpu)
{
	uint32_t partner;

	if (w->runs[cpu] == TASK_NONE || sched_need_resched(w->s, cpu))
		return;
	partner = w->runs[cpu] ^ 1;
	if (!task_on_rq(&w->s->task[partner]))
		world_after(w, sched_wake(w->s, w->now_ns, cpu, partner, 0));
	if (!sched_need_resched(w->s, cpu))
		world_after(w, sched_block(w->s, w->now_ns, cpu));
}

static void run_until(struct world *w, uint64_t wakeups)
{
	uint32_t nr_cpus = w->machine->nr_cpus;

	for (uint64_t n = 0; sched_counter(w->s, COUNT_wake) < wakeups; n++) {
		uint32_t cpu = (uint32_t)(n % nr_cpus);

		ping(w, cpu);
		world_cpu(w, cpu);
		if (w->now_ns < w->next_tick_ns)
			continue;
		w->next_tick_ns += w->s->tick_ns;
		for (uint32_t i = 0; i < nr_cpus; i++)
			if (w->has_tick[i])
				world_after(w, sched_tick(w->s, w->now_ns, i));
	}
}

static void measure(const struct row *row)
{
	static struct world w;
	uint64_t best_ns = UINT64_MAX, wakes, model_ns;

	world_init(&w, row->machine, row->profile, "");
	w.is_unchecked = true;
	w.nr_at_once = w.machine->nr_cpus;
	for (uint32_t task = 0; task < 2 * row->pairs; task++)
		world_fork(&w, 0, task, 0, 0);
	run_until(&w, WARM_UP);
	wakes = sched_counter(w.s, COUNT_wake);
	model_ns = sched_counter(w.s, COUNT_wake_ns) + sched_counter(w.s, COUNT_schedule_ns);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		uint64_t start_ns = host_ns();

		run_until(&w, WARM_UP + round * (uint64_t)WAKEUPS);
		best_ns = min_u64(best_ns, host_ns() - start_ns);
	}
	wakes = sched_counter(w.s, COUNT_wake) - wakes;
	model_ns = sched_counter(w.s, COUNT_wake_ns) + sched_counter(w.s, COUNT_schedule_ns) -
		   model_ns;
	printf("%-8s %-6s %4u pairs: %5llu ns of the host a wake-up; in the model %5llu ns\n",
	       row->machine, row->profile, row->pairs, (unsigned long long)(best_ns / WAKEUPS),
	       (unsigned long long)(model_ns / wakes));
	world_release(&w);
}

int main(void)
{
	for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		measure(&rows[i]);
	return 0;
}
