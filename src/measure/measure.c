/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A task waits from TASK_NEW, WAKEUP or the switch that takes it from its cpu while it can run,
 * until the SWITCH to it. A wake-up's latency begins at WAKING; a wake-up without one begins at
 * WAKEUP. A switch is voluntary when BLOCK or TASK_EXIT of the running task came before it. A cpu
 * is idle from the switch to no task to the switch to one: idle states are counted apart.
 */
#include "measure/state.h"

#include "base/check.h"
#include "base/fixed.h"

enum { PRECISION_BITS = 7 };

struct measure *measure_new(struct arena *arena, const struct measure_config *config)
{
	const struct machine *machine = config->machine;
	struct measure *m = ARENA_NEW(arena, struct measure);

	CHECK(config->nr_sets && config->set[0].bits == machine->nr_cpus);
	m->machine = machine;
	m->max_tasks = config->max_tasks;
	m->nr_sets = config->nr_sets;
	m->nr_cpus = machine->nr_cpus;
	m->nr_allowed = cpuset_weight(&config->set[0]);
	m->task_set = config->task_set;
	m->cpu = ARENA_LINES(arena, struct measure_cpu, m->nr_cpus);
	m->task = ARENA_LINES(arena, struct measure_task, m->max_tasks);
	m->run_delay = histogram_new(arena, PRECISION_BITS);
	m->wakeup_latency = histogram_new(arena, PRECISION_BITS);
	waste_init(&m->waste, arena, m->nr_cpus, m->nr_sets, config->set);
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		m->cpu[cpu].running = TASK_NONE;
		m->cpu[cpu].idle_state = UINT32_MAX;
		if (cpuset_has(&machine->online, cpu))
			waste_cpu_idles(&m->waste, cpu);
	}
	return m;
}

static struct measure_task *task_of(struct measure *m, uint32_t task)
{
	CHECK(task < m->max_tasks);
	return &m->task[task];
}

static void begin_wait(struct measure *m, struct measure_task *task, uint64_t t_ns, bool woken)
{
	if (task->waits)
		return;
	task->waits = true;
	task->woken = woken;
	task->since_ns = t_ns;
	waste_task_waits(&m->waste, task->set);
}

static void on_new(struct measure *m, const struct trace_event *e)
{
	struct measure_task *task = task_of(m, e->task);
	uint32_t set = m->task_set ? m->task_set[e->task] : 0;

	CHECK(set < m->nr_sets);
	*task = (struct measure_task){ .set = set, .waking_ns = UINT64_MAX };
	m->nr_tasks++;
	begin_wait(m, task, e->t_ns, false);
}

static void on_waking(struct measure *m, const struct trace_event *e)
{
	struct measure_task *task = task_of(m, e->task);

	task->waking_ns = e->t_ns;
	task->waker_cpu = e->cpu;
}

static void count_move(struct measure *m, uint32_t from, uint32_t to)
{
	if (from < m->nr_cpus && from != to)
		m->moves[machine_tie(m->machine, from, to)]++;
}

static void on_wakeup(struct measure *m, const struct trace_event *e)
{
	struct measure_task *task = task_of(m, e->task);
	struct measure_cpu *cpu = &m->cpu[e->cpu];

	m->wakeups++;
	count_move(m, e->arg, e->cpu);
	if (task->waking_ns == UINT64_MAX)
		task->waking_ns = e->t_ns;
	else
		m->wakeups_local += task->waker_cpu == e->cpu;
	if (cpu->running == e->task) /* woken before it had left its cpu */
		cpu->leaving = false;
	else
		begin_wait(m, task, e->t_ns, true);
}

static void leave_cpu(struct measure *m, struct measure_cpu *cpu, uint32_t next, uint64_t t_ns)
{
	struct measure_task *task = task_of(m, cpu->running);

	m->busy_ns += t_ns - cpu->since_ns;
	m->voluntary += cpu->leaving;
	m->involuntary += !cpu->leaving;
	if (!cpu->leaving) {
		m->preemptions += next != TASK_NONE;
		begin_wait(m, task, t_ns, false);
	}
	task->waking_ns = UINT64_MAX;
	cpu->leaving = false;
}

static void enter_cpu(struct measure *m, uint32_t next, uint64_t t_ns)
{
	struct measure_task *task = task_of(m, next);

	if (!task->waits)
		return;
	task->waits = false;
	waste_task_leaves(&m->waste, task->set);
	histogram_add(&m->run_delay, t_ns - min_u64(task->since_ns, t_ns), 1);
	if (task->woken)
		histogram_add(&m->wakeup_latency, t_ns - min_u64(task->waking_ns, t_ns), 1);
}

static void on_switch(struct measure *m, const struct trace_event *e)
{
	struct measure_cpu *cpu = &m->cpu[e->cpu];
	bool was_idle = cpu->running == TASK_NONE, idles = e->task == TASK_NONE;

	m->switches++;
	if (!was_idle)
		leave_cpu(m, cpu, e->task, e->t_ns);
	if (!idles)
		enter_cpu(m, e->task, e->t_ns);
	if (was_idle && !idles)
		waste_cpu_runs(&m->waste, e->cpu);
	else if (!was_idle && idles)
		waste_cpu_idles(&m->waste, e->cpu);
	cpu->running = e->task;
	cpu->since_ns = e->t_ns;
}

static void on_affinity(struct measure *m, const struct trace_event *e)
{
	struct measure_task *task = task_of(m, e->task);

	CHECK(e->arg < m->nr_sets);
	if (task->waits)
		waste_task_leaves(&m->waste, task->set);
	task->set = e->arg;
	if (task->waits)
		waste_task_waits(&m->waste, task->set);
}

static void on_idle_exit(struct measure *m, const struct trace_event *e)
{
	struct measure_cpu *cpu = &m->cpu[e->cpu];

	if (cpu->idle_state < MACHINE_MAX_IDLE_STATES)
		m->idle_ns[cpu->idle_state] += e->t_ns - cpu->idle_since_ns;
	cpu->idle_state = UINT32_MAX;
}

static void on_idle_enter(struct measure *m, const struct trace_event *e)
{
	struct measure_cpu *cpu = &m->cpu[e->cpu];

	on_idle_exit(m, e); /* a change of state without an exit */
	CHECK(e->arg < MACHINE_MAX_IDLE_STATES);
	m->idle_usage[e->arg]++;
	cpu->idle_state = e->arg;
	cpu->idle_since_ns = e->t_ns;
}

void measure_sink(void *context, const struct trace_event *e)
{
	struct measure *m = context;

	if (m->ended)
		return;
	CHECK(e->cpu < m->nr_cpus);
	waste_advance(&m->waste, e->t_ns);
	m->last_ns = max_u64(m->last_ns, e->t_ns);
	switch ((enum trace_kind)e->kind) {
	case TRACE_TASK_NEW: on_new(m, e); break;
	case TRACE_TASK_EXIT:
	case TRACE_BLOCK: m->cpu[e->cpu].leaving = true; break;
	case TRACE_WAKING: on_waking(m, e); break;
	case TRACE_WAKEUP: on_wakeup(m, e); break;
	case TRACE_SWITCH: on_switch(m, e); break;
	case TRACE_MIGRATE:
		m->balance_moves++;
		count_move(m, e->arg, e->cpu);
		break;
	case TRACE_AFFINITY: on_affinity(m, e); break;
	case TRACE_IDLE_ENTER: on_idle_enter(m, e); break;
	case TRACE_IDLE_EXIT: on_idle_exit(m, e); break;
	case TRACE_IPI: m->ipis++; break;
	case TRACE_IRQ:
	case TRACE_TICK: m->interrupts++; break;
	case TRACE_CPU_LEAVES:
	case TRACE_MARK: break;
	case TRACE_END: m->ended = true; break;
	case TRACE_CPU_OFF: waste_cpu_runs(&m->waste, e->cpu); break;
	case TRACE_CPU_ON: waste_cpu_idles(&m->waste, e->cpu); break;
	case NR_TRACE_KINDS: CHECK(false);
	}
}

const struct histogram *measure_run_delay(const struct measure *m)
{
	return &m->run_delay;
}

const struct histogram *measure_wakeup_latency(const struct measure *m)
{
	return &m->wakeup_latency;
}
