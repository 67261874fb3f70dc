/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A job: one machine, variant, command and seed, run to its end in this process.
 */
#ifndef LAB_JOB_H
#define LAB_JOB_H

#include "engine/kernel/profile.h"
#include "lab/hotplug.h"
#include "lab/variant.h"
#include "machine/machine.h"
#include "store/store.h"
#include "workload/workload.h"

struct job {
	const struct machine *machine;
	const struct variant *variant;
	const struct workload_command *command;
	const struct hotplug *hotplug; /* NULL: no cpu goes off or comes */
	uint64_t seed;
	bool no_feedback; /* what kernel code does is counted, yet takes no time */
	bool profile;	  /* of counted kernels: where their code spends its time */
	FILE *trace_out;  /* NULL: no trace */
};

enum { JOB_PROFILE_ROWS = 12 };

/* Where kernel code spent its time; no rows unless job.profile was set. */
struct job_profile {
	uint32_t nr_lines, nr_functions;
	struct kernel_profile_line line[JOB_PROFILE_ROWS];
	struct kernel_profile_function function[JOB_PROFILE_ROWS];
};

struct job_outcome {
	struct stored_result result;
	const struct workload *workload;
	struct workload_run run;
	struct job_profile profile;
	uint64_t nr_events, wall_ns;
};

/*
 * False and err set when the variant or command is wrong, the engine fails, or the run does not end
 * (deadlock, time limit). Everything in the outcome lives in `arena`.
 */
bool job_run(struct arena *arena, const struct job *job, struct job_outcome *outcome,
	     struct err *err);

/* What a job's result depends on, as a key of the results file. */
void job_key(const struct job *job, const char *machine_json, uint64_t key[2]);

/* "numactl -N 0 hackbench -p -g 4", in the arena. */
const char *job_command_text(struct arena *arena, const struct workload_command *command);

#endif
