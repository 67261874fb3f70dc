/* SPDX-License-Identifier: GPL-2.0-only */
/* Ids of the rows of sim/counters.def. */
#ifndef SIM_COUNTERS_H
#define SIM_COUNTERS_H

enum sim_counter_id {
#define COUNTER(id, name, phrase) SIM_##id,
#include "sim/counters.def"
#undef COUNTER
	NR_SIM_COUNTERS
};

#endif
