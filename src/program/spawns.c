/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each task has at most one starter, so that a walk from the tasks of time 0 visits each once.
 */
#include "program/spawns.h"

#include "program/place.h"

struct starts {
	uint32_t *sharers; /* by program: tasks that run it */
	bool *started;	   /* by task: somebody starts it */
	uint32_t *queue;   /* tasks reached, in order */
	uint32_t nr_queued;
};

static bool claim(struct starts *s, const struct op *op, struct place at, struct err *err)
{
	const struct program_set *set = at.set;

	if (op->depth)
		return place_err(at, err, "stands in a loop and would start its tasks again");
	if (s->sharers[at.program] > 1)
		return place_err(at, err, "stands in a program of %u tasks (allowed: 1)",
				 s->sharers[at.program]);
	if (!op->b || op->a + op->b > set->nr_tasks)
		return place_err(at, err, "starts %llu tasks from %llu (there are %u)",
				 (unsigned long long)op->b, (unsigned long long)op->a,
				 set->nr_tasks);
	for (uint64_t task = op->a; task < op->a + op->b; task++) {
		if (s->started[task])
			return place_err(at, err, "starts task %llu, which was started already",
					 (unsigned long long)task);
		s->started[task] = true;
	}
	return true;
}

static bool claim_all(const struct program_set *set, struct starts *s, struct err *err)
{
	for (uint32_t task = 0; task < set->nr_tasks; task++)
		s->started[task] = set->task[task].at_start;
	for (uint32_t program = 0; program < set->nr_programs; program++) {
		const struct task_program *p = &set->program[program];

		for (uint32_t i = p->first_op; i < p->first_op + p->nr_ops; i++)
			if (set->op[i].kind == OP_SPAWN &&
			    !claim(s, &set->op[i], (struct place){ set, program, i }, err))
				return false;
	}
	return true;
}

static void reach_children(const struct program_set *set, struct starts *s, uint32_t task)
{
	const struct task_program *p = &set->program[set->task[task].program];

	for (uint32_t i = p->first_op; i < p->first_op + p->nr_ops; i++) {
		const struct op *op = &set->op[i];

		if (op->kind != OP_SPAWN)
			continue;
		for (uint32_t k = 0; k < op->b; k++)
			s->queue[s->nr_queued++] = (uint32_t)op->a + k;
	}
}

static bool reach_all(const struct program_set *set, struct starts *s, struct err *err)
{
	for (uint32_t task = 0; task < set->nr_tasks; task++) {
		if (!s->started[task])
			return err_set(err, "task %u (%s) is never started", task,
				       set->program[set->task[task].program].name);
		if (set->task[task].at_start)
			s->queue[s->nr_queued++] = task;
	}
	for (uint32_t at = 0; at < s->nr_queued; at++)
		if (s->sharers[set->task[s->queue[at]].program] == 1)
			reach_children(set, s, s->queue[at]);
	if (s->nr_queued < set->nr_tasks)
		return err_set(err, "%u tasks wait for each other to be started",
			       set->nr_tasks - s->nr_queued);
	return true;
}

bool program_check_spawns(const struct program_set *set, struct err *err)
{
	struct arena arena;
	struct starts s = { 0 };
	bool good;

	arena_init(&arena);
	s.sharers = ARENA_ARRAY(&arena, uint32_t, set->nr_programs);
	s.started = ARENA_ARRAY(&arena, bool, set->nr_tasks);
	s.queue = ARENA_ARRAY(&arena, uint32_t, set->nr_tasks);
	for (uint32_t task = 0; task < set->nr_tasks; task++)
		s.sharers[set->task[task].program]++;
	good = claim_all(set, &s, err) && reach_all(set, &s, err);
	arena_release(&arena);
	return good;
}
