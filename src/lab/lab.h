/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The laboratory: an experiment's jobs, run in worker processes or found among stored results, and
 * the report made of them.
 */
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include "lab/experiment.h"
#include "lab/hotplug.h"
#include "lab/variant.h"
#include "machine/machine.h"
#include "report/model.h"
#include "store/store.h"
#include "workload/workload.h"

struct lab_options {
	uint32_t nr_workers; /* 0: as many as cpus */
	bool aa;	     /* the base once more, with the seeds after the others */
	bool explain;
	struct store *store; /* NULL: none */
	/* Called after each job; may be NULL. */
	void (*progress)(void *context, uint32_t done, uint32_t total);
	void *context;
};

enum lab_end { LAB_FINISHED, LAB_INTERRUPTED, LAB_WRONG };

/* One job's slot: cell by cell, variant by variant, seed by seed. */
struct lab_slot {
	bool done;
	const char *failure; /* NULL: it went well */
	struct stored_result result;
};

enum lab_limits { LAB_MAX_NOTES = 8 };

struct lab {
	const struct experiment *experiment;
	struct lab_options options;
	const struct machine *machine;
	const char *machine_json; /* the record as text: part of every key */
	struct hotplug hotplug;
	const struct workload_commands *commands;
	uint32_t nr_notes;
	const char *note[LAB_MAX_NOTES]; /* what is done otherwise than a reader may think */
	uint32_t nr_variants;		 /* the A/A variant included */
	struct variant *variant;	 /* of the experiment, resolved */
	uint32_t nr_seeds;
	uint32_t nr_jobs, nr_reused, nr_run, nr_failed;
	struct lab_slot *slot;
	const char *store_failure; /* the first result that could not be stored, or NULL */
	struct arena *arena;
};

/*
 * Checks everything before the first job runs (machine, variants, each command) and runs what is
 * not stored. LAB_WRONG with err set for wrong input; LAB_INTERRUPTED leaves what was done in the
 * store.
 */
enum lab_end lab_run(struct lab *lab, struct arena *arena, const struct experiment *experiment,
		     const struct lab_options *options, struct err *err);

/*
 * The table of `base` and what is compared with it, of a finished run, analysed. NULL and err set
 * when a metric does not exist.
 */
struct report *lab_report(const struct lab *lab, uint32_t base, struct err *err);

/* The index of the next base from `variant` on; nr_variants when there is none. */
uint32_t lab_next_base(const struct lab *lab, uint32_t variant);

/* What the runs of a variant failed with first, when all of them failed; else NULL. */
const char *lab_variant_failure(const struct lab *lab, uint32_t variant);

static inline struct lab_slot *lab_slot(const struct lab *lab, uint32_t cell, uint32_t variant,
					uint32_t seed)
{
	uint32_t n = lab->nr_seeds;

	return &lab->slot[(cell * lab->nr_variants + variant) * n + seed];
}

#endif
