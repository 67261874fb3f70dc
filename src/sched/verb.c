/* SPDX-License-Identifier: GPL-2.0-only */
/* The verbs of sched.h but the wake-up: what each does on its cpu, in the order of its kernel path.
 */
#include "base/check.h"
#include "sched/fair.h"

void verb_begin(struct sched *s, uint64_t now_ns, uint32_t cpu)
{
	CHECK(cpu < s->nr_cpus);
	s->cpu = cpu;
	touch_cpu_soon(s, cpu);
	s->start_ns = s->t_ns = now_ns;
	s->nr_effects = 0;
}

uint64_t verb_end(struct sched *s)
{
	return s->t_ns - s->start_ns;
}

void sched_effect(struct sched *s, enum sched_effect_kind kind, uint32_t cpu, uint32_t task,
		  uint32_t arg)
{
	CHECK(s->nr_effects < s->max_effects);
	s->effect[s->nr_effects++] = (struct sched_effect){ s->t_ns, kind, cpu, task, arg };
}

const struct sched_effect *sched_effects(const struct sched *s, uint32_t *count)
{
	*count = s->nr_effects;
	return s->effect;
}

static uint64_t end_schedule(struct sched *s)
{
	uint64_t spent_ns = verb_end(s);

	s->counter[COUNT_schedule_ns] += spent_ns;
	return spent_ns;
}

/* What calls from other cpus asked for. */
static void run_calls(struct sched *s)
{
	const struct rq *rq = &s->rq[s->cpu];

	wake_list_run(s);
	if (rq->nohz_kicked)
		balance_nohz(s, s->cpu);
	if (rq->active_balance)
		balance_push(s, s->cpu);
}

static void init_task(struct sched *s, uint32_t cpu, const struct sched_new_task *new)
{
	struct sched_task *t = &s->task[new->task];

	CHECK(new->task < s->max_tasks &&new->set < s->nr_sets);
	CHECK(t->state == TASK_UNUSED || t->state == TASK_EXITED);
	*t = (struct sched_task){
		.cpu = cpu,
		.state = TASK_BLOCKED,
		.set = new->set,
		.nice = new->nice,
		.weight_wt = weight_of_nice(new->nice),
		.slice_ns = s->tunable[TUNABLE_base_slice_ns],
		.address_space = new->address_space,
		.recent_cpu = cpu,
		.last_wakee = TASK_NONE,
		.next_wake = TASK_NONE,
		.woken_from = cpu,
	};
}

/* A fork copies the parent, and nothing wipes whom it woke: a child begins with that. */
static void inherit_partners(struct sched_task *t, const struct sched_task *parent)
{
	t->wakee_flips = parent->wakee_flips;
	t->last_wakee = parent->last_wakee;
	t->wakee_decay_ns = parent->wakee_decay_ns;
}

/* sched_fork() on the parent's cpu, then wake_up_new_task() on the child's. */
uint64_t sched_task_new(struct sched *s, uint64_t now_ns, uint32_t cpu,
			const struct sched_new_task *new)
{
	uint32_t task = new->task, target;
	struct sched_task *t = &s->task[task];

	verb_begin(s, now_ns, cpu);
	touch_path(s, PATH_fork, 1);
	init_task(s, cpu, new);
	if (new->parent != TASK_NONE)
		inherit_partners(t, &s->task[new->parent]);
	rq_lock(s, cpu);
	rq_update(s, cpu);
	touch_write(s, FIELD_task_se, task);
	s->picker->fork(s, cpu, task);
	rq_unlock(s, cpu);
	touch_lock(s, FIELD_task_pi_lock, task);
	target = place_task(s, task, cpu, PLACE_FORK, false);
	CHECK(task_may_run_on(s, task, target));
	touch_write(s, FIELD_task_on_cpu, task);
	t->cpu = target;
	rq_lock(s, target);
	rq_update(s, target);
	pelt_init_task(s, task, target);
	rq_enqueue(s, target, task, QUEUE_NEW);
	touch_write(s, FIELD_task_state, task);
	rq_wakeup_preempt(s, target, task, QUEUE_NEW);
	rq_unlock(s, target);
	touch_unlock(s, FIELD_task_pi_lock, task);
	sched_effect(s, SCHED_WOKEN, target, task, cpu);
	return verb_end(s);
}

uint64_t sched_block(struct sched *s, uint64_t now_ns, uint32_t cpu)
{
	verb_begin(s, now_ns, cpu);
	CHECK(s->rq[cpu].curr != TASK_NONE);
	schedule_cpu(s, SCHEDULE_SLEEPS);
	return end_schedule(s);
}

uint64_t sched_exit(struct sched *s, uint64_t now_ns, uint32_t cpu)
{
	verb_begin(s, now_ns, cpu);
	CHECK(s->rq[cpu].curr != TASK_NONE);
	schedule_cpu(s, SCHEDULE_EXITS);
	return end_schedule(s);
}

uint64_t sched_yield_task(struct sched *s, uint64_t now_ns, uint32_t cpu)
{
	verb_begin(s, now_ns, cpu);
	CHECK(s->rq[cpu].curr != TASK_NONE);
	rq_lock(s, cpu);
	rq_update(s, cpu);
	touch_write(s, FIELD_task_se, s->rq[cpu].curr);
	s->picker->yield(s, &s->rq[cpu]);
	rq_unlock(s, cpu);
	schedule_cpu(s, SCHEDULE_PREEMPTED);
	return end_schedule(s);
}

/* Leaving the idle loop restarts the tick and runs what was left for a poller. */
uint64_t sched_schedule(struct sched *s, uint64_t now_ns, uint32_t cpu)
{
	verb_begin(s, now_ns, cpu);
	if (s->rq[cpu].curr == TASK_NONE) {
		idle_exit_tick(s, cpu);
		run_calls(s);
	}
	schedule_cpu(s, SCHEDULE_PREEMPTED);
	return end_schedule(s);
}

bool sched_need_resched(const struct sched *s, uint32_t cpu)
{
	return s->rq[cpu].need_resched;
}

/* The cpu that keeps the time writes jiffies; every other one reads them. */
static void touch_jiffies(struct sched *s, uint32_t cpu)
{
	if (cpu == s->tick_owner)
		touch_write(s, FIELD_jiffies, 0);
	else
		touch_read(s, FIELD_jiffies, 0);
}

uint64_t sched_tick(struct sched *s, uint64_t now_ns, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];

	verb_begin(s, now_ns, cpu);
	touch_path(s, PATH_tick, 1);
	touch_jiffies(s, cpu);
	rq_lock(s, cpu);
	rq_update(s, cpu);
	rq->last_tick_ns = s->t_ns;
	if (rq->curr != TASK_NONE) {
		pelt_update_task(s, rq->curr);
		if (s->picker->tick(s, rq))
			rq_resched(s, cpu);
	}
	rq_unlock(s, cpu);
	balance_tick(s, cpu);
	return verb_end(s);
}

/* Before 5.8 wake lists and kicks came by this interrupt too. */
uint64_t sched_ipi_resched(struct sched *s, uint64_t now_ns, uint32_t cpu)
{
	verb_begin(s, now_ns, cpu);
	run_calls(s);
	return verb_end(s);
}

uint64_t sched_ipi_call(struct sched *s, uint64_t now_ns, uint32_t cpu)
{
	verb_begin(s, now_ns, cpu);
	run_calls(s);
	return verb_end(s);
}

uint64_t sched_idle_enter(struct sched *s, uint64_t now_ns, uint32_t cpu, uint64_t next_timer_ns,
			  uint32_t *state)
{
	struct rq *rq = &s->rq[cpu];
	bool stop_tick;

	verb_begin(s, now_ns, cpu);
	CHECK(rq->curr == TASK_NONE);
	s->counter[COUNT_idle_enter]++;
	touch_path(s, PATH_idle_enter, 1);
	*state = idle_choose_state(s, cpu, next_timer_ns, &stop_tick);
	idle_enter_tick(s, cpu, stop_tick);
	touch_write(s, FIELD_idle_state, cpu);
	touch_write(s, FIELD_idle_flags, cpu);
	rq->idle_state = *state;
	rq->polling = s->machine->costs.idle_state[*state].polling;
	return verb_end(s);
}

uint64_t sched_idle_exit(struct sched *s, uint64_t now_ns, uint32_t cpu)
{
	struct rq *rq = &s->rq[cpu];

	verb_begin(s, now_ns, cpu);
	touch_path(s, PATH_idle_exit, 1);
	touch_write(s, FIELD_idle_state, cpu);
	touch_write(s, FIELD_idle_flags, cpu);
	rq->idle_state = IDLE_STATE_NONE;
	rq->polling = false;
	return verb_end(s);
}
