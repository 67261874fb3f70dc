/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A running simulation, shared by the modules of sim/ and by nobody else. All arrays are sized in
 * sim_new(); ids index them.
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "base/calendar.h"
#include "sim/counters.h"
#include "sim/draw.h"
#include "sim/record.h"

#include <setjmp.h>

enum { SIM_FAILURE_BYTES = 600 };

struct sim {
	uint64_t now_ns;
	struct calendar queue;
	const struct engine_ops *ops;
	struct engine *engine;
	struct memory *memory;
	struct trace trace;
	struct sim_cpu *cpu;
	struct sim_task *task;
	struct sim_resource *resource;
	struct sim_slot *slot;
	uint8_t *core_busy; /* by core: busy cpus */
	const struct program_set *programs;
	const struct machine *machine;
	struct sim_costs costs;
	struct draw_table draws;
	struct sim_config config;
	const struct sim_paths *paths;
	uint64_t nr_events, timer_order;
	uint32_t nr_plugged;			  /* hotplug events that have ended */
	uint32_t nr_alive, nr_waiting, nr_unborn; /* unborn: tasks to be started by a timer */
	bool over;
	struct sim_result result;
	uint64_t counter[NR_SIM_COUNTERS];
	struct sim_cpu_times *times; /* by cpu */
	struct engine_services services;
	struct engine_config engine_config;
	jmp_buf engine_failed; /* where sim_run() goes on when the engine cannot */
	char failure[SIM_FAILURE_BYTES];
};

#endif
