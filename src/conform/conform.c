/* SPDX-License-Identifier: GPL-2.0-only */
#include "conform/conform.h"

#include "conform/facts.h"
#include "engine/model/model.h"

struct fact {
	const char *name;
	bool needs_kernel;
	const char *option;
	bool (*holds)(const struct conform_subject *subject, struct err *err);
};

static const struct fact fact[] = {
#define FACT(name, kernel, option) { #name, kernel, option, fact_##name },
#include "conform/facts.def"
#undef FACT
};

uint32_t conform_nr_facts(void)
{
	return sizeof(fact) / sizeof(fact[0]);
}

const char *conform_fact_name(uint32_t i)
{
	return fact[i].name;
}

const char *conform_fact_option(uint32_t i)
{
	return fact[i].option;
}

bool conform_fact_applies(uint32_t i, const struct conform_subject *subject)
{
	return !fact[i].needs_kernel || subject->engine != engine_model();
}

bool conform_fact_holds(uint32_t i, const struct conform_subject *subject, struct err *err)
{
	return fact[i].holds(subject, err);
}
