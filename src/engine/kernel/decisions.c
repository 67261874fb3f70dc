/* SPDX-License-Identifier: GPL-2.0-only */
#include "engine/kernel/decisions.h"

#include "base/random.h"

#include "engine/kernel/scratch.h"
#include "machine/read.h"
#include "sched/config.h"
#include "sched/pose.h"
#include "topology/rules.h"

#include <stdio.h>
#include <string.h>

enum { STATES_A_MACHINE = 5000, MAX_CPUS = 512, WORDS = MAX_CPUS / 64 };

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

/* One machine with both schedulers on it. */
struct bench {
	struct arena arena;
	struct machine *machine;
	struct kernel_scratch kernel;
	struct sched_config config;
	struct sched *model;
	struct random random;
	struct ks_cpu_load cpu[MAX_CPUS];
	uint64_t allowed[WORDS];
	struct ks_state state;
};

static uint32_t below(struct bench *b, uint32_t n)
{
	return (uint32_t)random_below(&b->random, n);
}

static bool percent(struct bench *b, uint32_t p)
{
	return below(b, 100) < p;
}

/* ---- both sides ---- */

static bool open_model(struct bench *b, const char *profile, struct err *err)
{
	struct topology_options all = { 0 };
	struct cpuset *set = ARENA_ARRAY(&b->arena, struct cpuset, 2);
	struct sched_arguments args = { .max_tasks = b->machine->nr_cpus + 1,
					.set = set,
					.nr_sets = 2,
					.config = &b->config,
					.seed = 1 };
	struct topology_rules rules;

	if (!sched_config_parse(&b->config, &b->arena, profile, "base", err) ||
	    !topology_rules_for(b->config.profile, b->machine->arch, &rules, err))
		return false;
	args.topology = topology_build(&b->arena, b->machine, &rules, &all, err);
	if (!args.topology)
		return false;
	set[0] = cpuset_clone(&b->arena, &b->machine->online);
	set[1] = cpuset_clone(&b->arena, &b->machine->online);
	args.memory = memory_new(&b->arena, b->machine, sched_nr_lines(&args));
	b->model = sched_new(&b->arena, &args);
	return true;
}

static bool open_bench(struct bench *b, const char *machine, const char *image, const char *profile,
		       struct err *err)
{
	arena_init(&b->arena);
	b->machine = machine_read(&b->arena, machine, err);
	if (b->machine && open_model(b, profile, err) &&
	    kernel_scratch_open(&b->kernel, b->machine, image, err))
		return true;
	arena_release(&b->arena);
	return false;
}

static void close_bench(struct bench *b)
{
	kernel_scratch_close(&b->kernel);
	arena_release(&b->arena);
}

/* ---- a random state ---- */

static uint32_t any_cpu(struct bench *b)
{
	return below(b, b->machine->nr_cpus); /* the machines above have no holes */
}

static uint32_t cpu_near(struct bench *b, uint32_t cpu, uint32_t chance)
{
	uint32_t llc = b->machine->cpu[cpu].llc, other;

	if (!percent(b, chance))
		return any_cpu(b);
	do {
		other = any_cpu(b);
	} while (b->machine->cpu[other].llc != llc);
	return other;
}

static void pose_load(struct bench *b, struct ks_cpu_load *c, bool busy)
{
	*c = (struct ks_cpu_load){ .busy = busy,
				   .has_idle_cores = c->has_idle_cores,
				   .nr_idle_scan = c->nr_idle_scan };
	if (busy) {
		c->nr_running = 1 + (percent(b, 30) ? below(b, 4) : 0);
		c->load_avg = percent(b, 20) ? below(b, 100) : below(b, 1024 * c->nr_running);
		return;
	}
	c->nr_running = percent(b, 5);
	c->ttwu_pending = percent(b, 5);
	c->load_avg = percent(b, 40) ? 0 : below(b, 600);
}

/* Who runs: at random, whole LLCs, or first threads only. */
static void pose_cpus(struct bench *b)
{
	uint32_t way = below(b, 4), load = below(b, 101), per_llc[MAX_CPUS], idle_cores = 0;
	uint32_t scan[MAX_CPUS];

	for (uint32_t llc = 0; llc < b->machine->nr_llcs; llc++) {
		per_llc[llc] = way == 1 ? (percent(b, load) ? 100 : below(b, 20)) : load;
		scan[llc] = percent(b, 30) ? 0 : below(b, 1 + b->machine->nr_cpus);
		idle_cores = percent(b, 50);
		for (uint32_t cpu = 0; cpu < b->machine->nr_cpus; cpu++)
			if (b->machine->cpu[cpu].llc == llc)
				b->cpu[cpu] = (struct ks_cpu_load){
					.has_idle_cores = (ks_u8)idle_cores,
					.nr_idle_scan = scan[llc],
				};
	}
	for (uint32_t cpu = 0; cpu < b->machine->nr_cpus; cpu++) {
		bool second = cpu && b->machine->cpu[cpu].core < cpu && way == 2 &&
			      b->machine->cpu[cpu].core != cpu;

		pose_load(b, &b->cpu[cpu],
			  !second && percent(b, per_llc[b->machine->cpu[cpu].llc]));
	}
}

static void allow(struct bench *b, uint32_t cpu)
{
	b->allowed[cpu / 64] |= 1ull << (cpu % 64);
}

static void pose_allowed(struct bench *b, uint32_t prev)
{
	uint32_t way = below(b, 10), share = 1 + below(b, 99);

	memset(b->allowed, 0, sizeof(b->allowed));
	for (uint32_t cpu = 0; cpu < b->machine->nr_cpus; cpu++)
		if (way < 6 ||
		    (way == 6 && b->machine->cpu[cpu].llc == b->machine->cpu[prev].llc) ||
		    (way > 6 && percent(b, share)))
			allow(b, cpu);
	if (percent(b, 97))
		allow(b, prev);
	allow(b, any_cpu(b));
	allow(b, (prev + 1) % b->machine->nr_cpus);
}

static uint32_t flips(struct bench *b)
{
	return percent(b, 60) ? below(b, 3) : below(b, 200);
}

static void pose(struct bench *b)
{
	uint32_t waker = any_cpu(b), prev = cpu_near(b, waker, 60);

	pose_cpus(b);
	pose_allowed(b, prev);
	b->state = (struct ks_state){
		.nr_cpus = b->machine->nr_cpus,
		.cpu = b->cpu,
		.waker = waker,
		.prev = prev,
		.recent = cpu_near(b, prev, 60),
		.sync = percent(b, 40),
		.allowed = b->allowed,
		.task_load_avg = below(b, 1100),
		.waker_load_avg = below(b, 1100),
		.task_flips = flips(b),
		.waker_flips = flips(b),
	};
}

/* ---- comparing ---- */

static bool is_allowed(const struct bench *b, uint32_t cpu)
{
	return cpu < b->machine->nr_cpus && b->allowed[cpu / 64] >> (cpu % 64) & 1;
}

static int describe_cpu(const struct bench *b, char *out, size_t size, const char *name,
			uint32_t cpu)
{
	const struct ks_cpu_load *c = &b->cpu[cpu];

	return snprintf(out, size, " %s cpu%u(LLC %u, %s, %u queued%s, load %lu)", name, cpu,
			b->machine->cpu[cpu].llc, c->busy ? "busy" : "idle", c->nr_running,
			c->ttwu_pending ? ", pending" : "", c->load_avg);
}

static void show(struct bench *b, struct decisions *result, uint32_t kernel, uint32_t model)
{
	const struct ks_state *s = &b->state;
	char *out = result->text[result->shown++];
	size_t size = DECISION_TEXT;
	int n = snprintf(out, size, "%s: kernel %u, model %u;%s", b->machine->name, kernel, model,
			 s->sync ? " sync" : "");

	n += describe_cpu(b, out + n, size - (size_t)n, "waker", s->waker);
	n += describe_cpu(b, out + n, size - (size_t)n, "prev", s->prev);
	n += describe_cpu(b, out + n, size - (size_t)n, "recent", s->recent);
	n += describe_cpu(b, out + n, size - (size_t)n, "kernel's", kernel);
	snprintf(out + n, size - (size_t)n, " flips %u/%u loads %lu/%lu cores %d scan %u",
		 s->task_flips, s->waker_flips, s->task_load_avg, s->waker_load_avg,
		 b->cpu[kernel].has_idle_cores, b->cpu[kernel].nr_idle_scan);
}

static void ask_both(struct bench *b, struct decisions *result)
{
	uint32_t kernel, model;

	pose(b);
	kernel = b->kernel.ks->decide(&b->state);
	model = sched_pose_wake(b->model, &b->state);
	if (!is_allowed(b, kernel))
		return;
	result->asked++;
	if (kernel == model)
		result->equal++;
	else if (result->shown < DECISIONS_SHOWN)
		show(b, result, kernel, model);
}

bool decisions_compare(const char *image, const char *profile, uint64_t states, uint64_t seed,
		       struct decisions *result, struct err *err)
{
	static struct bench bench;
	uint32_t round = 0;

	*result = (struct decisions){ 0 };
	while (result->asked < states) {
		struct bench *b = &bench;

		if (!open_bench(b, machines[round % NR_MACHINES], image, profile, err))
			return false;
		b->random = random_stream(seed, RANDOM_TEST, round++);
		for (uint32_t i = 0; i < STATES_A_MACHINE && result->asked < states; i++)
			ask_both(b, result);
		close_bench(b);
	}
	return true;
}
