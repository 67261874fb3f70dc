/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A verb of the port is a verb of the scheduler, after which its effects are handed to the services
 * in the order in which they happened. There is no other state here.
 */
#include "engine/model/model.h"

#include "base/check.h"
#include "sched/sched.h"
#include "topology/rules.h"

struct engine {
	struct sched *sched;
	const struct engine_services *services;
	struct topology *topology;
	struct sched_config config;
};

/* Profile, variant and topology: what has to be known before anything else. */
static bool prepare(struct engine *e, struct arena *arena, const struct engine_config *config,
		    struct err *err)
{
	struct topology_options all = { 0 };
	struct topology_rules rules;

	if (config->nr_groups)
		return err_set(err, "the model has no task groups (allowed: kernel engines)");
	if (!sched_config_parse(&e->config, arena, config->profile, config->variant, err) ||
	    !topology_rules_for(e->config.profile, config->machine->arch, &rules, err))
		return false;
	rules.block_copy = e->config.feature[FEATURE_TOPOLOGY_BLOCK_COPY];
	e->topology = topology_build(arena, config->machine, &rules, &all, err);
	return e->topology != NULL;
}

static struct sched_arguments arguments(const struct engine *e, const struct engine_config *config)
{
	return (struct sched_arguments){ .topology = e->topology,
					 .memory = config->memory,
					 .config = &e->config,
					 .max_tasks = config->max_tasks,
					 .set = config->set,
					 .nr_sets = config->nr_sets,
					 .seed = config->seed };
}

static uint32_t model_nr_lines(const struct engine_config *config, struct err *err)
{
	struct engine scratch = { 0 };
	struct sched_arguments args;
	struct arena arena;
	uint32_t lines = 0;

	arena_init(&arena);
	if (prepare(&scratch, &arena, config, err)) {
		args = arguments(&scratch, config);
		lines = sched_nr_lines(&args);
	}
	arena_release(&arena);
	return lines;
}

static struct engine *model_create(struct arena *arena, struct engine_config *config,
				   struct err *err)
{
	struct engine *e = ARENA_NEW(arena, struct engine);
	struct sched_arguments args;

	e->services = config->services;
	if (!prepare(e, arena, config, err))
		return NULL;
	args = arguments(e, config);
	e->sched = sched_new(arena, &args);
	config->tick_ns = 1000000000 / e->config.tunable[TUNABLE_hz];
	return e;
}

static void model_destroy(struct engine *e)
{
	(void)e; /* all in the arena */
}

static void hand_over(const struct engine *e, const struct sched_effect *fx, uint32_t here)
{
	const struct engine_services *to = e->services;

	switch ((enum sched_effect_kind)fx->kind) {
	case SCHED_SWITCH: to->switch_to(to->sim, fx->t_ns, fx->cpu, fx->arg, fx->task); return;
	case SCHED_WOKEN: to->woken(to->sim, fx->t_ns, fx->cpu, fx->task, fx->arg); return;
	case SCHED_MIGRATED: to->migrated(to->sim, fx->t_ns, fx->cpu, fx->task, fx->arg); return;
	case SCHED_IPI_RESCHED:
		to->send_ipi(to->sim, fx->t_ns, here, fx->cpu, ENGINE_IPI_RESCHED);
		return;
	case SCHED_IPI_CALL:
		to->send_ipi(to->sim, fx->t_ns, here, fx->cpu, ENGINE_IPI_CALL);
		return;
	case SCHED_KICK_POLLER: to->kick_poller(to->sim, fx->t_ns, here, fx->cpu); return;
	case SCHED_TICK_START: to->tick_start(to->sim, fx->t_ns, fx->cpu); return;
	case SCHED_TICK_STOP: to->tick_stop(to->sim, fx->t_ns, fx->cpu); return;
	}
}

static uint64_t finish(const struct engine *e, uint32_t cpu, uint64_t spent_ns)
{
	uint32_t count;
	const struct sched_effect *fx = sched_effects(e->sched, &count);

	for (uint32_t i = 0; i < count; i++)
		hand_over(e, &fx[i], cpu);
	return spent_ns;
}

static uint64_t model_task_new(struct engine *e, uint64_t now_ns, uint32_t cpu,
			       const struct engine_task *t)
{
	struct sched_new_task task = { .task = t->task,
				       .parent = t->parent,
				       .set = t->set,
				       .address_space = t->address_space,
				       .nice = t->nice,
				       .is_thread = t->is_thread };

	return finish(e, cpu, sched_task_new(e->sched, now_ns, cpu, &task));
}

static uint64_t model_task_wake(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t task,
				uint32_t flags)
{
	uint32_t to = flags & ENGINE_WAKE_SYNC ? SCHED_WAKE_SYNC : 0;

	return finish(e, cpu, sched_wake(e->sched, now_ns, cpu, task, to));
}

static uint64_t model_task_block(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return finish(e, cpu, sched_block(e->sched, now_ns, cpu));
}

static uint64_t model_task_yield(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return finish(e, cpu, sched_yield_task(e->sched, now_ns, cpu));
}

static uint64_t model_task_exit(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return finish(e, cpu, sched_exit(e->sched, now_ns, cpu));
}

static uint64_t model_task_affinity(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t task,
				    uint32_t set)
{
	return finish(e, cpu, sched_set_affinity(e->sched, now_ns, cpu, task, set));
}

static uint64_t model_task_nice(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t task,
				int nice)
{
	return finish(e, cpu, sched_set_nice(e->sched, now_ns, cpu, task, nice));
}

static bool model_need_resched(const struct engine *e, uint32_t cpu)
{
	return sched_need_resched(e->sched, cpu);
}

static uint64_t model_schedule(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return finish(e, cpu, sched_schedule(e->sched, now_ns, cpu));
}

static uint64_t model_tick(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return finish(e, cpu, sched_tick(e->sched, now_ns, cpu));
}

static uint64_t model_ipi(struct engine *e, uint64_t now_ns, uint32_t cpu, enum engine_ipi ipi)
{
	if (ipi == ENGINE_IPI_RESCHED)
		return finish(e, cpu, sched_ipi_resched(e->sched, now_ns, cpu));
	return finish(e, cpu, sched_ipi_call(e->sched, now_ns, cpu));
}

/* The model sets no timers of its own. */
static uint64_t model_timer(struct engine *e, uint64_t now_ns, uint32_t cpu, uint32_t id)
{
	CHECK(!"a timer that the model never set");
	return 0;
}

static uint64_t model_idle_enter(struct engine *e, uint64_t now_ns, uint32_t cpu,
				 struct engine_idle *idle)
{
	return finish(e, cpu,
		      sched_idle_enter(e->sched, now_ns, cpu, idle->next_timer_ns, &idle->state));
}

static uint64_t model_idle_exit(struct engine *e, uint64_t now_ns, uint32_t cpu)
{
	return finish(e, cpu, sched_idle_exit(e->sched, now_ns, cpu));
}

static bool model_counter(const struct engine *e, uint32_t i, struct engine_counter *counter)
{
	if (i >= sched_nr_counters())
		return false;
	*counter = (struct engine_counter){ sched_counter_name(i), sched_counter_phrase(i),
					    sched_counter(e->sched, i) };
	return true;
}

const struct engine_ops *engine_model(void)
{
	static const struct engine_ops ops = {
		.name = "model",
		.nr_lines = model_nr_lines,
		.create = model_create,
		.destroy = model_destroy,
		.task_new = model_task_new,
		.task_wake = model_task_wake,
		.task_block = model_task_block,
		.task_yield = model_task_yield,
		.task_exit = model_task_exit,
		.task_affinity = model_task_affinity,
		.task_nice = model_task_nice,
		.need_resched = model_need_resched,
		.schedule = model_schedule,
		.tick = model_tick,
		.ipi = model_ipi,
		.timer = model_timer,
		.idle_enter = model_idle_enter,
		.idle_exit = model_idle_exit,
		.counter = model_counter,
	};

	return &ops;
}
