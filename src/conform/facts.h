/* SPDX-License-Identifier: GPL-2.0-only */
/* The facts, a function each: false and err set when it does not hold. */
#ifndef CONFORM_FACTS_H
#define CONFORM_FACTS_H

#include "conform/conform.h"

#define FACT(name, kernel, option)                                                                 \
	bool fact_##name(const struct conform_subject *subject, struct err *err);
#include "conform/facts.def"
#undef FACT

#endif
