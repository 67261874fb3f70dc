/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an ftrace line says of the past is kept here: who runs on each cpu, whether it has said that
 * it blocks or ends (the prev_state of the switch that follows), where each task was last.
 */
#include "trace/text.h"

#include "base/check.h"

#include <inttypes.h>

enum { PRIORITY = 120, NS_PER_S = 1000000000 };

struct trace_text {
	FILE *out;
	uint32_t nr_cpus, max_tasks;
	trace_task_name *name;
	void *context;
	uint32_t *running;  /* by cpu: task + 1, 0 idle */
	char *state;	    /* by cpu: 'S' or 'X' once said, else 0 */
	uint32_t *last_cpu; /* by task */
};

static const char *task_name(const struct trace_text *t, uint32_t task)
{
	if (task == TASK_NONE)
		return "<idle>";
	CHECK(task < t->max_tasks);
	return t->name ? t->name(t->context, task) : "task";
}

static uint32_t pid(uint32_t task)
{
	return task == TASK_NONE ? 0 : task + 1;
}

static void print_wake(struct trace_text *t, const char *what, const struct trace_event *e,
		       uint32_t target)
{
	fprintf(t->out, "%s: comm=%s pid=%u prio=%d target_cpu=%03u\n", what, task_name(t, e->task),
		pid(e->task), PRIORITY, target);
}

static void print_task_new(struct trace_text *t, const struct trace_event *e)
{
	print_wake(t, "sched_wakeup_new", e, e->cpu);
	t->last_cpu[e->task] = e->cpu;
}

static void print_task_exit(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "sched_process_exit: comm=%s pid=%u prio=%d\n", task_name(t, e->task),
		pid(e->task), PRIORITY);
	t->state[e->cpu] = 'X';
}

static void print_waking(struct trace_text *t, const struct trace_event *e)
{
	print_wake(t, "sched_waking", e, t->last_cpu[e->task]);
}

static void print_wakeup(struct trace_text *t, const struct trace_event *e)
{
	print_wake(t, "sched_wakeup", e, e->cpu);
	t->last_cpu[e->task] = e->cpu;
}

static void print_switch(struct trace_text *t, const struct trace_event *e)
{
	char state = t->state[e->cpu] ? t->state[e->cpu] : 'R';

	fprintf(t->out,
		"sched_switch: prev_comm=%s prev_pid=%u prev_prio=%d prev_state=%c ==> "
		"next_comm=%s next_pid=%u next_prio=%d\n",
		task_name(t, e->arg), pid(e->arg), PRIORITY, state, task_name(t, e->task),
		pid(e->task), PRIORITY);
	t->state[e->cpu] = 0;
	t->running[e->cpu] = pid(e->task);
}

static void print_block(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "block: pid=%u\n", pid(e->task));
	t->state[e->cpu] = 'S';
}

static void print_migrate(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "sched_migrate_task: comm=%s pid=%u prio=%d orig_cpu=%u dest_cpu=%u\n",
		task_name(t, e->task), pid(e->task), PRIORITY, e->arg, e->cpu);
	t->last_cpu[e->task] = e->cpu;
}

static void print_affinity(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "affinity: pid=%u set=%u\n", pid(e->task), e->arg);
}

static void print_idle_enter(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "cpu_idle: state=%u cpu_id=%u\n", e->arg, e->cpu);
}

static void print_idle_exit(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "cpu_idle: state=%" PRIu32 " cpu_id=%u\n", UINT32_MAX, e->cpu);
}

static void print_ipi(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "ipi_send_cpu: cpu=%u\n", e->arg);
}

static void print_irq(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "irq: kind=%u\n", e->arg);
}

static void print_tick(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "tick: pid=%u\n", pid(e->task));
}

static void print_mark(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "mark: pid=%u mark=%u\n", pid(e->task), e->arg);
}

static void print_end(struct trace_text *t, const struct trace_event *e)
{
	(void)e;
	fputs("end\n", t->out);
}

static void print_cpu_leaves(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "cpu_leaves: cpu_id=%u\n", e->cpu);
}

static void print_cpu_off(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "cpu_off: cpu_id=%u\n", e->cpu);
}

static void print_cpu_on(struct trace_text *t, const struct trace_event *e)
{
	fprintf(t->out, "cpu_on: cpu_id=%u\n", e->cpu);
}

static void (*const print_kind[NR_TRACE_KINDS])(struct trace_text *, const struct trace_event *) = {
	[TRACE_TASK_NEW] = print_task_new,
	[TRACE_TASK_EXIT] = print_task_exit,
	[TRACE_WAKING] = print_waking,
	[TRACE_WAKEUP] = print_wakeup,
	[TRACE_SWITCH] = print_switch,
	[TRACE_BLOCK] = print_block,
	[TRACE_MIGRATE] = print_migrate,
	[TRACE_AFFINITY] = print_affinity,
	[TRACE_IDLE_ENTER] = print_idle_enter,
	[TRACE_IDLE_EXIT] = print_idle_exit,
	[TRACE_IPI] = print_ipi,
	[TRACE_IRQ] = print_irq,
	[TRACE_TICK] = print_tick,
	[TRACE_MARK] = print_mark,
	[TRACE_END] = print_end,
	[TRACE_CPU_LEAVES] = print_cpu_leaves,
	[TRACE_CPU_OFF] = print_cpu_off,
	[TRACE_CPU_ON] = print_cpu_on,
};

struct trace_text *trace_text_new(struct arena *arena, FILE *out, uint32_t nr_cpus,
				  uint32_t max_tasks, trace_task_name *name, void *context)
{
	struct trace_text *t = ARENA_NEW(arena, struct trace_text);

	*t = (struct trace_text){ out, nr_cpus, max_tasks, name, context, NULL, NULL, NULL };
	t->running = ARENA_ARRAY(arena, uint32_t, nr_cpus);
	t->state = ARENA_ARRAY(arena, char, nr_cpus);
	t->last_cpu = ARENA_ARRAY(arena, uint32_t, max_tasks);
	fprintf(out,
		"# tracer: nop\n#\n# entries-in-buffer/entries-written: -/-   #P:%u\n#\n"
		"#           TASK-PID     CPU#  |||||   TIMESTAMP  FUNCTION\n"
		"#              | |         |   |||||      |         |\n",
		nr_cpus);
	return t;
}

void trace_print_text(void *context, const struct trace_event *event)
{
	struct trace_text *t = context;
	uint32_t task;

	CHECK(event->cpu < t->nr_cpus && event->kind < NR_TRACE_KINDS);
	CHECK(event->task == TASK_NONE || event->task < t->max_tasks);
	task = t->running[event->cpu] ? t->running[event->cpu] - 1 : TASK_NONE;
	fprintf(t->out, "%16s-%-7u [%03u] ..... %4" PRIu64 ".%09" PRIu64 ": ", task_name(t, task),
		pid(task), event->cpu, event->t_ns / NS_PER_S, event->t_ns % NS_PER_S);
	print_kind[event->kind](t, event);
}
