/* SPDX-License-Identifier: GPL-2.0-only */
/* What must hold of every machine that a reader lets through. */
#ifndef FUZZ_MACHINE_H
#define FUZZ_MACHINE_H

#include "fuzz.h"

#include "machine/json_read.h"
#include "machine/read.h"
#include "topology/rules.h"
#include "topology/topology.h"

enum { FUZZ_TOPOLOGY_CPUS = 64 };

/* The record is sound, survives the way through JSON, and has a hierarchy of domains. */
static inline void fuzz_machine(struct arena *arena, const struct machine *m)
{
	struct topology_rules rules;
	struct err err = { 0 };
	struct machine *back;
	struct topology *t;
	char *text;

	CHECK(machine_check(m, &err));
	text = machine_to_json(arena, m);
	back = json_read_machine(arena, "json", "json", text, strlen(text), &err);
	CHECK(back && !strcmp(text, machine_to_json(arena, back)));
	if (m->nr_cpus > FUZZ_TOPOLOGY_CPUS)
		return;
	CHECK(topology_rules_for("v6.1", m->arch, &rules, &err));
	t = topology_build(arena, m, &rules, NULL, &err);
	CHECK(t && topology_check(t, &err));
}

#endif
