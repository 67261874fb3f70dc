/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/cmd_kernel_check.h"

#include "conform/conform.h"
#include "engine/kernel/kernel.h"

#include <string.h>

static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		putc(*name == '_' ? ' ' : *name, out);
}

static bool check_fact(uint32_t i, const struct conform_subject *subject, FILE *out)
{
	struct err err = { 0 };
	bool holds = conform_fact_holds(i, subject, &err);

	fputs(holds ? "ok    " : "NOT   ", out);
	print_name(out, conform_fact_name(i));
	fprintf(out, holds ? "\n" : ": %s\n", err.what);
	fflush(out);
	return holds;
}

bool kernel_check(const struct kernel_record *record, FILE *out)
{
	struct conform_subject subject = { engine_kernel(), record->release, record->image };
	uint32_t held = 0, nr = conform_nr_facts();

	for (uint32_t i = 0; i < nr; i++)
		held += check_fact(i, &subject, out);
	fprintf(out, "kernel:%s (%s): %u of %u facts hold, no warning of the kernel in those\n",
		record->name, record->release, held, nr);
	return held == nr;
}
