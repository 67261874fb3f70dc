/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace as text, in the form of the kernel's ftrace, one line an event:
 *
 *	          sender-12    [003] .....    0.000123456: sched_wakeup: comm=receiver pid=8 …
 *
 * Task n has pid n + 1; idle is <idle>-0. Times have nanoseconds. Events that ftrace does not know
 * keep their name in small letters ("tick", "mark"). Reading the lines back is not offered; the
 * binary form is trace/file.h.
 */
#ifndef TRACE_TEXT_H
#define TRACE_TEXT_H

#include "base/arena.h"
#include "trace/trace.h"

#include <stdio.h>

struct trace_text;

/* The name of a task, never NULL. */
typedef const char *trace_task_name(void *context, uint32_t task);

/* Writes the head to `out`, which stays the caller's. name NULL: every task is called "task". */
struct trace_text *trace_text_new(struct arena *arena, FILE *out, uint32_t nr_cpus,
				  uint32_t max_tasks, trace_task_name *name, void *context);

/* A trace_sink; the context is the text. Cpus and tasks are within what was told. */
void trace_print_text(void *text, const struct trace_event *event);

#endif
