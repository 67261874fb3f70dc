/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every engine has to do, whatever it is made of: facts, each asked through the simulation
 * alone. The test suite asks the model, `schedlab kernel check` asks a user's kernel.
 *
 * Every run is also held against the trace checker (measure/check.h): no task on two cpus, no lost
 * wake-up, nobody runs where he may not.
 */
#ifndef CONFORM_CONFORM_H
#define CONFORM_CONFORM_H

#include "sim/sim.h"

struct conform_subject {
	const struct engine_ops *engine;
	const char *profile, *image; /* as in struct sim_config */
};

uint32_t conform_nr_facts(void);
/* "forks_spread_over_all_cores": the fact as a sentence with underscores. */
const char *conform_fact_name(uint32_t i);
/* The option without which it holds for no kernel ("CFS_BANDWIDTH"), or NULL. */
const char *conform_fact_option(uint32_t i);
/* False: the engine has no such thing (groups), and the fact is not asked. */
bool conform_fact_applies(uint32_t i, const struct conform_subject *subject);
/* False and err set, with what was seen and what was allowed, when it does not hold. */
bool conform_fact_holds(uint32_t i, const struct conform_subject *subject, struct err *err);

#endif
