/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paying for what scheduler code does: instructions by path, lines by field.
 *
 * `instance` is the cpu, task, LLC or domain index of the field's scope, 0 for global ones. Time
 * advances s->t_ns at once, so that the next access happens later.
 */
#ifndef SCHED_TOUCH_H
#define SCHED_TOUCH_H

#include "memory/soon.h"
#include "sched/state.h"

static inline uint32_t touch_line(const struct sched *s, enum sched_field field, uint32_t instance)
{
	return s->field_line[field] + instance * s->field_stride[field];
}

/*
 * Tells the host's caches what a verb is about to use: its own state and the records of the memory
 * model. No result depends on it.
 */
static inline void touch_soon(const struct sched *s, enum sched_field first, uint32_t instance,
			      const void *state, uint32_t state_bytes)
{
	for (uint32_t at = 0; at < state_bytes; at += 64)
		__builtin_prefetch((const char *)state + at, 1);
	memory_soon(s->memory, s->cpu, touch_line(s, first, instance), s->field_stride[first]);
}

static inline void touch_task_soon(const struct sched *s, uint32_t task)
{
	touch_soon(s, FIELD_task_flags, task, &s->task[task], sizeof(struct sched_task));
}

static inline void touch_cpu_soon(const struct sched *s, uint32_t cpu)
{
	touch_soon(s, FIELD_rq_lock, cpu, &s->rq[cpu], sizeof(struct rq));
	memory_lock_soon(s->memory, touch_line(s, FIELD_rq_lock, cpu));
}

static inline void touch_path(struct sched *s, enum sched_path path, uint32_t times)
{
	s->path_times[path] += times;
	s->spent_ps += s->path_ps[path] * times;
	s->t_ns += s->spent_ps / 1000;
	s->spent_ps %= 1000;
}

/* Most accesses are hits and cost nothing. */
static inline void touch_pay(struct sched *s, uint64_t ns)
{
	if (!ns)
		return;
	s->t_ns += ns;
	s->counter[COUNT_line_ns] += ns;
}

static inline void touch_read(struct sched *s, enum sched_field field, uint32_t instance)
{
	touch_pay(s, memory_read(s->memory, s->cpu, touch_line(s, field, instance), s->t_ns));
}

/* One read of a scan whose reads do not depend on each other. */
static inline void touch_scan(struct sched *s, enum sched_field field, uint32_t instance)
{
	touch_pay(s, memory_read_scan(s->memory, s->cpu, touch_line(s, field, instance), s->t_ns));
}

static inline void touch_write(struct sched *s, enum sched_field field, uint32_t instance)
{
	touch_pay(s, memory_write(s->memory, s->cpu, touch_line(s, field, instance), s->t_ns));
}

static inline void touch_atomic(struct sched *s, enum sched_field field, uint32_t instance)
{
	touch_pay(s, memory_atomic(s->memory, s->cpu, touch_line(s, field, instance), s->t_ns));
}

/* A bit of a mask field: `bit` chooses the line among the instance's. */
static inline uint32_t touch_mask_line(const struct sched *s, enum sched_field field,
				       uint32_t instance, uint32_t bit)
{
	return touch_line(s, field, instance) + bit / 512;
}

static inline void touch_lock(struct sched *s, enum sched_field field, uint32_t instance)
{
	uint64_t ns = memory_lock(s->memory, s->cpu, touch_line(s, field, instance), s->t_ns);

	s->t_ns += ns;
	s->counter[COUNT_lock_ns] += ns;
}

static inline void touch_unlock(struct sched *s, enum sched_field field, uint32_t instance)
{
	s->t_ns += memory_unlock(s->memory, s->cpu, touch_line(s, field, instance), s->t_ns);
}

#endif
