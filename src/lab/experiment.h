/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An experiment: machine x workload (with swept arguments) x variants x seeds, and the published
 * table it is held against, if any. From a file (docs/experiment.schema.json) or from options.
 */
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>

enum experiment_limits {
	EXPERIMENT_MAX_VARIANTS = 16,
	EXPERIMENT_MAX_SEEDS = 10000,
	EXPERIMENT_MAX_WORDS = 64,
	EXPERIMENT_MAX_METRICS = 32,
	EXPERIMENT_MAX_SETS = 32,
	EXPERIMENT_MAX_ROWS = 256,
	EXPERIMENT_MAX_KERNELS = 8,
};

/* One published row: of a cell (args equal) or of a metric. NaN where nothing was printed. */
struct published_row {
	const char *key, *value; /* the swept option and its value, or NULL */
	const char *metric;	 /* NULL: the headline metric */
	double base, base_std_pct, other, other_std_pct;
};

struct published {
	const char *title, *url; /* the mail */
	uint32_t nr_rows;
	const struct published_row *row;
};

/* How a kernel that the variants name is made, told when it is not there. */
struct kernel_recipe {
	const char *name, *command;
};

struct experiment {
	const char *title; /* may be "" */
	const char *bench; /* a benchmark of this host instead of all below; NULL: none */
	const char *machine;
	const char *engine, *profile; /* of variants that name none; NULL: not given */
	uint32_t nr_sets;
	const char *set[EXPERIMENT_MAX_SETS]; /* changes of machine costs, see machine/read.h */
	uint32_t nr_variants;		      /* the base is the first; at least one */
	const char *variant[EXPERIMENT_MAX_VARIANTS];
	/*
	 * Which one each is compared with, itself for a base. A base and those compared with it
	 * make one table.
	 */
	uint32_t base_of[EXPERIMENT_MAX_VARIANTS];
	uint32_t nr_kernels;
	struct kernel_recipe kernel[EXPERIMENT_MAX_KERNELS];
	const char *hotplug; /* see lab/hotplug.h; NULL: no cpu goes off or comes */
	bool no_feedback;    /* counts without time: kernels that count only */
	uint32_t nr_seeds;   /* 0: not given: 10, or 1 without feedback */
	uint64_t first_seed;
	uint32_t nr_words;
	const char *word[EXPERIMENT_MAX_WORDS]; /* the workload's command line */
	uint32_t nr_metrics;			/* 0: the workload's headline metric */
	const char *metric[EXPERIMENT_MAX_METRICS];
	const char *note; /* for example what was scaled down, and why that is fair; may be "" */
	const struct published *published; /* NULL: none */
};

/* What holds unless a file or an option says otherwise: the base alone, seeds from 1. */
void experiment_init(struct experiment *experiment);

/*
 * Reads an experiment file, over what experiment_init() sets; a published table is read from
 * "../published/NAME" beside it. Everything is allocated in `arena`. False and err set when it is
 * wrong.
 */
bool experiment_read(struct experiment *experiment, struct arena *arena, const char *path,
		     struct err *err);

#endif
