/* SPDX-License-Identifier: GPL-2.0-only */
/* The model scheduler (sched/) behind the engine port. */
#ifndef ENGINE_MODEL_MODEL_H
#define ENGINE_MODEL_MODEL_H

#include "engine/engine.h"

const struct engine_ops *engine_model(void);

/* What an engine of this kind is made of, for tests and explanations. */
struct sched;
struct topology;
const struct sched *engine_model_sched(const struct engine *engine);
const struct topology *engine_model_topology(const struct engine *engine);

#endif
