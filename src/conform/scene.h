/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One run of a fact: a machine, a few programs, the simulation, and what came of it.
 *
 * Use: scene_open(), program_*() on scene.b, scene_run(), questions, scene_close(). A failure of
 * any step is kept in scene.err and makes the later ones do nothing.
 */
#ifndef CONFORM_SCENE_H
#define CONFORM_SCENE_H

#include "conform/conform.h"
#include "program/build.h"

struct scene {
	struct arena arena;
	struct err *err;
	struct machine *machine;
	struct program_builder *b;
	struct sim_config config;
	struct sim *sim;
	struct sim_result result;
	uint64_t wasted_ns; /* cpus idle while tasks that may run there waited */
	uint32_t group[64]; /* by task, when config.group is set */
};

/* `machine` as machine_read() takes it. */
bool scene_open(struct scene *scene, const struct conform_subject *subject, const char *machine,
		struct err *err);
/* Runs for at most max_ns; `ends` says whether the programs are expected to end. */
bool scene_run(struct scene *scene, uint64_t max_ns, bool ends);
void scene_close(struct scene *scene);

void scene_op(struct scene *scene, enum op_kind kind, uint64_t a, uint32_t resource);
/* A program of the start that computes for ever. Returns its program. */
uint32_t scene_burner(struct scene *scene);
/* The set of the cpus first … last. */
uint32_t scene_cpus(struct scene *scene, uint32_t first, uint32_t last);
uint64_t scene_user_ns(const struct scene *scene, uint32_t task);

/* Keeps the fact as violated unless low <= value <= high; returns whether it holds. */
bool scene_within(struct scene *scene, const char *what, uint64_t value, uint64_t low,
		  uint64_t high);

#endif
