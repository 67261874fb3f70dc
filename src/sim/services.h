/* SPDX-License-Identifier: GPL-2.0-only */
/* The services that the simulation offers an engine, see engine/engine.h. Internal to sim/. */
#ifndef SIM_SERVICES_H
#define SIM_SERVICES_H

#include "sim/state.h"

struct engine_services sim_services(struct sim *sim);

#endif
