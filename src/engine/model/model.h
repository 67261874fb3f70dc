/* SPDX-License-Identifier: GPL-2.0-only */
/* The model scheduler (sched/) behind the engine port. */
#ifndef ENGINE_MODEL_MODEL_H
#define ENGINE_MODEL_MODEL_H

#include "engine/engine.h"

const struct engine_ops *engine_model(void);

#endif
