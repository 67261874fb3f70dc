/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each task is in one state, and each event may come in some of them only:
 *
 *	UNBORN --TASK_NEW--> QUEUED --SWITCH to--> RUNNING --SWITCH from--> QUEUED
 *	RUNNING --BLOCK--> LEAVING --SWITCH from--> ASLEEP --WAKEUP--> QUEUED
 *	RUNNING --TASK_EXIT--> ENDING --SWITCH from--> DEAD
 *	QUEUED --MIGRATE--> QUEUED on another cpu;  LEAVING --WAKEUP--> RUNNING
 *
 * Time is booked to the state that ends at every change, and a task's time never goes back from one
 * cpu to another, so running, waiting and sleeping add up to its life. LEAVING and ENDING run.
 */
#include "measure/check.h"

#include "base/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum task_state { UNBORN, QUEUED, RUNNING, LEAVING, ENDING, ASLEEP, DEAD, NR_STATES };

static const char *const state_name[NR_STATES] = {
	"was not created",    "is queued", "runs",    "runs and has blocked",
	"runs and has ended", "is asleep", "is dead",
};

struct check_task {
	enum task_state state;
	uint32_t cpu, set;
	bool anywhere; /* no cpu of its set was on: the kernel lets it run on all */
	uint64_t since_ns, state_ns, spent_ns[NR_STATES]; /* of its last event; in the state */
};

struct check_cpu {
	uint64_t last_ns, idle_since_ns;
	uint32_t running, idle_state;
};

struct trace_check {
	struct measure_config config;
	uint64_t forgotten_ns, nr_events;
	struct check_cpu *cpu;
	struct check_task *task;
	struct cpuset on, stays;	 /* stays: without the one that leaves */
	const struct trace_event *event; /* the present one */
	bool ended, violated;
	char text[240];
};

struct trace_check *trace_check_new(struct arena *arena, const struct measure_config *config,
				    uint64_t forgotten_ns)
{
	struct trace_check *c = ARENA_NEW(arena, struct trace_check);
	uint32_t nr_cpus = config->machine->nr_cpus;

	c->config = *config;
	c->forgotten_ns = forgotten_ns;
	c->on = cpuset_clone(arena, &config->machine->online);
	c->stays = cpuset_clone(arena, &config->machine->online);
	c->cpu = ARENA_ARRAY(arena, struct check_cpu, nr_cpus);
	c->task = ARENA_ARRAY(arena, struct check_task, config->max_tasks);
	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++)
		c->cpu[cpu].running = c->cpu[cpu].idle_state = UINT32_MAX;
	return c;
}

__attribute__((format(printf, 2, 3))) static bool violate(struct trace_check *c, const char *format,
							  ...)
{
	const struct trace_event *e = c->event;
	va_list args;
	int used;

	if (c->violated)
		return false;
	c->violated = true;
	used = snprintf(c->text, sizeof(c->text),
			"event %" PRIu64 " at %" PRIu64 " ns on cpu %u, %s: ", c->nr_events,
			e->t_ns, e->cpu, e->kind < NR_TRACE_KINDS ? trace_kind_name(e->kind) : "?");
	va_start(args, format);
	vsnprintf(c->text + used, sizeof(c->text) - (size_t)used, format, args);
	va_end(args);
	return false;
}

static bool set_state(struct trace_check *c, struct check_task *task, enum task_state state)
{
	uint64_t t_ns = c->event->t_ns;

	if (t_ns < task->since_ns)
		return violate(c, "task %u was at %" PRIu64 " ns before",
			       (uint32_t)(task - c->task), task->since_ns);
	task->spent_ns[task->state] += t_ns - task->since_ns;
	if (task->state != state)
		task->state_ns = t_ns;
	task->since_ns = t_ns;
	task->state = state;
	return true;
}

/* The event's task when it is in one of `allowed` (1 << state); NULL and a violation when not. */
static struct check_task *task_in(struct trace_check *c, uint32_t id, uint32_t allowed)
{
	struct check_task *task;

	if (id >= c->config.max_tasks) {
		violate(c, "there is no task %u", id);
		return NULL;
	}
	task = &c->task[id];
	if (allowed >> task->state & 1)
		return task;
	violate(c, "task %u %s (cpu %u)", id, state_name[task->state], task->cpu);
	return NULL;
}

static bool may_run(struct trace_check *c, const struct check_task *task)
{
	const struct trace_event *e = c->event;

	return cpuset_has(&c->config.set[task->set], e->cpu) || task->anywhere ||
	       violate(c, "task %u may not run here", e->task);
}

static void set_allowed(struct trace_check *c, struct check_task *task, uint32_t set)
{
	task->set = set;
	task->anywhere = !cpuset_intersects(&c->config.set[set], &c->stays);
}

static bool on_new(struct trace_check *c, const struct trace_event *e)
{
	struct check_task *task = task_in(c, e->task, 1 << UNBORN);
	uint32_t set;

	if (!task)
		return false;
	set = c->config.task_set ? c->config.task_set[e->task] : 0;
	if (set >= c->config.nr_sets)
		return violate(c, "task %u has no set %u", e->task, set);
	set_allowed(c, task, set);
	task->since_ns = e->t_ns;
	task->cpu = e->cpu;
	return set_state(c, task, QUEUED) && may_run(c, task);
}

static bool leaves_by(struct trace_check *c, const struct trace_event *e, enum task_state state)
{
	struct check_task *task = task_in(c, e->task, 1 << RUNNING);

	if (!task)
		return false;
	if (task->cpu != e->cpu)
		return violate(c, "task %u runs on cpu %u", e->task, task->cpu);
	return set_state(c, task, state);
}

static bool on_task_exit(struct trace_check *c, const struct trace_event *e)
{
	return leaves_by(c, e, ENDING);
}

static bool on_block(struct trace_check *c, const struct trace_event *e)
{
	return leaves_by(c, e, LEAVING);
}

static bool on_waking(struct trace_check *c, const struct trace_event *e)
{
	return task_in(c, e->task, 1 << ASLEEP | 1 << LEAVING);
}

static bool on_wakeup(struct trace_check *c, const struct trace_event *e)
{
	struct check_task *task = task_in(c, e->task, 1 << ASLEEP | 1 << LEAVING);

	if (!task)
		return false;
	if (task->cpu != e->arg)
		return violate(c, "task %u was on cpu %u, not on %u", e->task, task->cpu, e->arg);
	if (task->state == LEAVING)
		return set_state(c, task, RUNNING);
	task->cpu = e->cpu;
	return set_state(c, task, QUEUED) && may_run(c, task);
}

static bool switch_from(struct trace_check *c, const struct trace_event *e)
{
	static const enum task_state after[NR_STATES] = {
		[RUNNING] = QUEUED, [LEAVING] = ASLEEP, [ENDING] = DEAD
	};
	struct check_task *prev = task_in(c, e->arg, 1 << RUNNING | 1 << LEAVING | 1 << ENDING);

	return prev && set_state(c, prev, after[prev->state]);
}

static bool switch_to(struct trace_check *c, const struct trace_event *e)
{
	struct check_task *next = task_in(c, e->task, 1 << QUEUED);

	if (!next)
		return false;
	if (next->cpu != e->cpu)
		return violate(c, "task %u is queued on cpu %u", e->task, next->cpu);
	if (c->cpu[e->cpu].idle_state != UINT32_MAX)
		return violate(c, "task %u runs in idle state %u", e->task,
			       c->cpu[e->cpu].idle_state);
	return set_state(c, next, RUNNING) && may_run(c, next);
}

static bool on_switch(struct trace_check *c, const struct trace_event *e)
{
	struct check_cpu *cpu = &c->cpu[e->cpu];

	if (e->arg != cpu->running)
		return violate(c, "task %d ran here, not %d", (int)cpu->running, (int)e->arg);
	if (e->task == e->arg)
		return violate(c, "task %d switches to itself", (int)e->task);
	if (e->arg != TASK_NONE && !switch_from(c, e))
		return false;
	if (e->task != TASK_NONE && !switch_to(c, e))
		return false;
	cpu->running = e->task;
	cpu->idle_since_ns = e->t_ns;
	return true;
}

static bool on_migrate(struct trace_check *c, const struct trace_event *e)
{
	struct check_task *task = task_in(c, e->task, 1 << QUEUED);

	if (!task)
		return false;
	if (task->cpu != e->arg)
		return violate(c, "task %u was on cpu %u, not on %u", e->task, task->cpu, e->arg);
	task->cpu = e->cpu;
	return set_state(c, task, QUEUED) && may_run(c, task);
}

static bool on_affinity(struct trace_check *c, const struct trace_event *e)
{
	struct check_task *task =
		task_in(c, e->task, 1 << QUEUED | 1 << RUNNING | 1 << LEAVING | 1 << ASLEEP);

	if (!task)
		return false;
	if (e->arg >= c->config.nr_sets)
		return violate(c, "there is no set %u", e->arg);
	set_allowed(c, task, e->arg);
	return true;
}

static bool on_idle_enter(struct trace_check *c, const struct trace_event *e)
{
	struct check_cpu *cpu = &c->cpu[e->cpu];

	if (cpu->running != TASK_NONE)
		return violate(c, "task %u runs here", cpu->running);
	if (cpu->idle_state != UINT32_MAX)
		return violate(c, "the cpu is in idle state %u", cpu->idle_state);
	if (e->arg >= c->config.machine->costs.nr_idle_states)
		return violate(c, "there is no idle state %u", e->arg);
	cpu->idle_state = e->arg;
	return true;
}

static bool on_idle_exit(struct trace_check *c, const struct trace_event *e)
{
	struct check_cpu *cpu = &c->cpu[e->cpu];

	if (cpu->idle_state != e->arg)
		return violate(c, "the cpu is in idle state %d, not %d", (int)cpu->idle_state,
			       (int)e->arg);
	cpu->idle_state = UINT32_MAX;
	return true;
}

static bool on_ipi(struct trace_check *c, const struct trace_event *e)
{
	return e->arg < c->config.machine->nr_cpus || violate(c, "there is no cpu %u", e->arg);
}

static bool on_tick(struct trace_check *c, const struct trace_event *e)
{
	return e->task == c->cpu[e->cpu].running ||
	       violate(c, "task %d runs here, not %d", (int)c->cpu[e->cpu].running, (int)e->task);
}

static bool fine(struct trace_check *c, const struct trace_event *e)
{
	(void)c;
	(void)e;
	return true;
}

/* A cpu in the task's set that has had nothing to run since `since_ns`. */
static uint32_t idle_cpu_of(const struct trace_check *c, const struct check_task *task,
			    uint64_t since_ns)
{
	cpuset_for_each (cpu, &c->config.set[task->set])
		if (cpuset_has(&c->on, cpu) && c->cpu[cpu].running == TASK_NONE &&
		    c->cpu[cpu].idle_since_ns <= since_ns)
			return cpu;
	return CPU_NONE;
}

static bool on_cpu_leaves(struct trace_check *c, const struct trace_event *e)
{
	cpuset_del(&c->stays, e->cpu);
	for (uint32_t i = 0; i < c->config.max_tasks; i++)
		c->task[i].anywhere |=
			!cpuset_intersects(&c->config.set[c->task[i].set], &c->stays);
	return true;
}

/* Who is queued here was moved away before; who sleeps may be here still. */
static bool on_cpu_off(struct trace_check *c, const struct trace_event *e)
{
	struct check_cpu *cpu = &c->cpu[e->cpu];

	if (cpuset_has(&c->stays, e->cpu))
		return violate(c, "nobody said that it leaves");
	if (cpu->running != TASK_NONE)
		return violate(c, "task %u runs here", cpu->running);
	if (cpu->idle_state != UINT32_MAX)
		return violate(c, "the cpu is in idle state %u", cpu->idle_state);
	cpuset_del(&c->on, e->cpu);
	for (uint32_t i = 0; i < c->config.max_tasks; i++) {
		struct check_task *task = &c->task[i];

		if (task->state == QUEUED && task->cpu == e->cpu)
			return violate(c, "task %u is queued here", i);
	}
	return true;
}

static bool on_cpu_on(struct trace_check *c, const struct trace_event *e)
{
	cpuset_add(&c->on, e->cpu);
	cpuset_add(&c->stays, e->cpu);
	c->cpu[e->cpu].idle_since_ns = e->t_ns;
	return true;
}

static bool on_end(struct trace_check *c, const struct trace_event *e)
{
	c->ended = true;
	for (uint32_t i = 0; i < c->config.max_tasks; i++) {
		const struct check_task *task = &c->task[i];
		uint64_t limit_ns = e->t_ns - c->forgotten_ns;
		uint32_t cpu;

		if (task->state != QUEUED || c->forgotten_ns > e->t_ns || task->state_ns > limit_ns)
			continue;
		cpu = idle_cpu_of(c, task, limit_ns);
		if (cpu != CPU_NONE)
			return violate(c,
				       "task %u waits on cpu %u since %" PRIu64
				       " ns while cpu %u idles",
				       i, task->cpu, task->state_ns, cpu);
	}
	return true;
}

static bool (*const on_kind[NR_TRACE_KINDS])(struct trace_check *, const struct trace_event *) = {
	[TRACE_TASK_NEW] = on_new,
	[TRACE_TASK_EXIT] = on_task_exit,
	[TRACE_WAKING] = on_waking,
	[TRACE_WAKEUP] = on_wakeup,
	[TRACE_SWITCH] = on_switch,
	[TRACE_BLOCK] = on_block,
	[TRACE_MIGRATE] = on_migrate,
	[TRACE_AFFINITY] = on_affinity,
	[TRACE_IDLE_ENTER] = on_idle_enter,
	[TRACE_IDLE_EXIT] = on_idle_exit,
	[TRACE_IPI] = on_ipi,
	[TRACE_IRQ] = fine,
	[TRACE_TICK] = on_tick,
	[TRACE_MARK] = fine,
	[TRACE_END] = on_end,
	[TRACE_CPU_LEAVES] = on_cpu_leaves,
	[TRACE_CPU_OFF] = on_cpu_off,
	[TRACE_CPU_ON] = on_cpu_on,
};

static bool check_event(struct trace_check *c, const struct trace_event *e)
{
	struct check_cpu *cpu;

	if (e->kind >= NR_TRACE_KINDS)
		return violate(c, "unknown kind %u", e->kind);
	if (c->ended)
		return violate(c, "after the end");
	if (e->cpu >= c->config.machine->nr_cpus)
		return violate(c, "there is no such cpu");
	if (e->kind == TRACE_END)
		return on_end(c, e);
	if (cpuset_has(&c->on, e->cpu) == (e->kind == TRACE_CPU_ON))
		return violate(c, e->kind == TRACE_CPU_ON ? "the cpu is on" : "the cpu is offline");
	cpu = &c->cpu[e->cpu];
	if (e->t_ns < cpu->last_ns)
		return violate(c, "the cpu was at %" PRIu64 " ns before", cpu->last_ns);
	cpu->last_ns = e->t_ns;
	return on_kind[e->kind](c, e);
}

void trace_check_sink(void *context, const struct trace_event *event)
{
	struct trace_check *c = context;

	if (c->violated)
		return;
	c->event = event;
	check_event(c, event);
	c->event = NULL;
	c->nr_events++;
}

const char *trace_check_violation(const struct trace_check *c)
{
	return c->violated ? c->text : NULL;
}

bool trace_check_ended(const struct trace_check *c)
{
	return c->ended;
}

struct trace_check_times trace_check_times(const struct trace_check *c, uint32_t id)
{
	const struct check_task *task = &c->task[id];

	CHECK(id < c->config.max_tasks);
	return (struct trace_check_times){
		.run_ns =
			task->spent_ns[RUNNING] + task->spent_ns[LEAVING] + task->spent_ns[ENDING],
		.wait_ns = task->spent_ns[QUEUED],
		.sleep_ns = task->spent_ns[ASLEEP],
	};
}
