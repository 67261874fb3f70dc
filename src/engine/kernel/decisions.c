/* SPDX-License-Identifier: GPL-2.0-only */
#include "engine/kernel/decisions.h"

#include "engine/kernel/random_state.h"
#include "engine/kernel/scratch.h"
#include "sched/config.h"
#include "topology/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { STATES_A_MACHINE = 2500 };

struct answer {
	uint32_t cpu;
	struct ks_after after;
	uint8_t has_idle_cores[RANDOM_STATE_CPUS];
};

/* One machine with both schedulers on it. */
struct bench {
	struct arena arena;
	struct machine *machine;
	struct kernel_scratch kernel;
	struct sched_config config;
	struct sched *model;
	struct random_state random;
	struct answer by_kernel, by_model;
};

/* ---- both sides ---- */

static bool open_model(struct bench *b, const char *profile, struct err *err)
{
	struct topology_options all = { 0 };
	struct cpuset *set = ARENA_ARRAY(&b->arena, struct cpuset, 3);
	struct sched_arguments args = { .max_tasks = b->machine->nr_cpus + 1,
					.set = set,
					.nr_sets = 3,
					.config = &b->config,
					.seed = 1 };
	struct topology_rules rules;

	if (!sched_config_parse(&b->config, &b->arena, profile, "base", err) ||
	    !topology_rules_for(b->config.profile, b->machine->arch, &rules, err))
		return false;
	args.topology = topology_build(&b->arena, b->machine, &rules, &all, err);
	if (!args.topology)
		return false;
	for (uint32_t i = 0; i < args.nr_sets; i++)
		set[i] = cpuset_clone(&b->arena, &b->machine->online);
	args.memory = memory_new(&b->arena, b->machine, sched_nr_lines(&args));
	b->model = sched_new(&b->arena, &args);
	return true;
}

static bool open_bench(struct bench *b, uint64_t seed, uint32_t round, const char *image,
		       const char *profile, struct err *err)
{
	arena_init(&b->arena);
	b->machine = random_state_machine(&b->arena, seed, round, err);
	if (b->machine && open_model(b, profile, err) &&
	    kernel_scratch_open(&b->kernel, b->machine, image, err)) {
		random_state_begin(&b->random, b->machine, b->config.feature[FEATURE_DELAY_DEQUEUE],
				   seed, round);
		return true;
	}
	arena_release(&b->arena);
	return false;
}

static void close_bench(struct bench *b)
{
	kernel_scratch_close(&b->kernel);
	arena_release(&b->arena);
}

static void prepare(struct bench *b, struct answer *answer)
{
	memset(answer->has_idle_cores, 0, b->machine->nr_cpus);
	answer->after.has_idle_cores = answer->has_idle_cores;
	b->random.state.after = &answer->after;
}

/* ---- what differs, in words ---- */

struct text {
	char *at;
	size_t left;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text->at, text->left, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= text->left)
		n = (int)text->left - 1;
	text->at += n;
	text->left -= (size_t)n;
}

static void add_cpu(struct text *text, const struct bench *b, const char *name, uint32_t cpu)
{
	const struct ks_cpu_load *c = &b->random.cpu[cpu];

	if (cpu >= b->machine->nr_cpus)
		return;
	add(text, " %s cpu%u(LLC %u, %s, %u queued, %u delayed%s, load %lu/%u)", name, cpu,
	    b->machine->cpu[cpu].llc, c->busy ? "busy" : "idle", c->nr_running, c->nr_delayed,
	    c->ttwu_pending ? ", pending" : "", c->load_avg, c->capacity);
}

static void show(const struct bench *b, struct decisions *result, enum pose_way way)
{
	const struct ks_state *s = &b->random.state;
	const struct answer *kernel = &b->by_kernel, *model = &b->by_model;
	struct text text = { result->text[result->shown++], DECISION_TEXT };

	add(&text, "%s: kernel %u, model %u (%s);%s%s%s", b->machine->name, kernel->cpu, model->cpu,
	    sched_pose_way_phrase(way), s->sync ? " sync" : "", s->interrupt ? " interrupt" : "",
	    s->kthread ? " kthread" : "");
	add_cpu(&text, b, "waker", s->waker);
	add_cpu(&text, b, "prev", s->prev);
	add_cpu(&text, b, "recent", s->recent);
	add_cpu(&text, b, "kernel's", kernel->cpu);
	add(&text, " flips %u/%u%s aged %u loads %lu/%lu;", s->task_flips, s->waker_flips,
	    s->waker_partner ? " partner" : "", s->waker_aged_ms, s->task_load_avg,
	    s->waker_load_avg);
	add(&text, " after: flips %u/%u recent %u/%u", kernel->after.waker_flips,
	    model->after.waker_flips, kernel->after.recent, model->after.recent);
}

/* ---- comparing ---- */

static bool is_alike(const struct bench *b)
{
	const struct answer *kernel = &b->by_kernel, *model = &b->by_model;

	return kernel->after.waker_flips == model->after.waker_flips &&
	       kernel->after.recent == model->after.recent &&
	       !memcmp(kernel->has_idle_cores, model->has_idle_cores, b->machine->nr_cpus);
}

static void ask_both(struct bench *b, struct decisions *result)
{
	bool is_equal, alike;
	enum pose_way way;

	random_state_next(&b->random);
	prepare(b, &b->by_kernel);
	b->by_kernel.cpu = b->kernel.ks->decide(&b->random.state);
	prepare(b, &b->by_model);
	b->by_model.cpu = sched_pose_wake(b->model, &b->random.state, &way);
	is_equal = b->by_kernel.cpu == b->by_model.cpu;
	alike = is_equal && is_alike(b);
	result->asked++;
	result->equal += is_equal;
	result->alike += alike;
	result->way_asked[way]++;
	result->way_equal[way] += is_equal;
	if (!alike && result->shown < DECISIONS_SHOWN)
		show(b, result, way);
}

bool decisions_compare(const char *image, const char *profile, uint64_t states, uint64_t seed,
		       struct decisions *result, struct err *err)
{
	*result = (struct decisions){ 0 };
	for (uint32_t round = 0; result->asked < states; round++) {
		struct bench b = { 0 };

		if (!open_bench(&b, seed, round, image, profile, err))
			return false;
		for (uint32_t i = 0; i < STATES_A_MACHINE && result->asked < states; i++)
			ask_both(&b, result);
		close_bench(&b);
	}
	return true;
}
