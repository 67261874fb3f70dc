/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of balancing share.
 *
 * One balance: a cpu of a domain (dst_cpu) takes tasks from another. balance.c says when a domain
 * is due, balance_domain.c runs one balance, balance_busiest.c (by classes, v5.5) or balance_load.c
 * (by load, before) finds the group that has too much and how much, balance_move.c moves tasks,
 * nohz.c balances for cpus without tick. The verb's cpu pays for it all, whoever dst_cpu is. No
 * runqueue lock is held between the steps.
 */
#ifndef SCHED_BALANCE_H
#define SCHED_BALANCE_H

#include "sched/group_class.h"

enum balance_idle { BALANCE_BUSY, BALANCE_IDLE, BALANCE_NEWIDLE };

/* What is to be moved, and what `imbalance` counts. */
enum balance_unit { MOVE_LOAD, MOVE_UTIL, MOVE_TASKS };

struct balance {
	uint32_t domain; /* of dst_cpu */
	const struct sched_domain *sd;
	struct domain_state *state;
	uint32_t dst_cpu, src_cpu;
	enum balance_idle idle;
	struct cpuset *cpus; /* of the domain; shrinks by cpus that turn out pinned */
	enum balance_unit unit;
	int64_t imbalance;
	uint32_t examined;  /* tasks looked at on src_cpu so far */
	uint32_t other_dst; /* a cpu of dst_cpu's group that may take what dst_cpu may not */
	bool all_pinned, some_pinned;
};

/* The domain's groups, as the search for the busiest sees them. */
struct domain_stats {
	const struct sched_group *busiest, *local;
	struct group_stats busiest_stats, local_stats;
	uint64_t total_load, total_capacity, avg_load, total_util;
	bool prefer_sibling;
};

/* ---- balance.c ---- */
/* All domains of cpu that are due; idle: what cpu does. Sets its next balance. */
void balance_domains(struct sched *s, uint32_t cpu, enum balance_idle idle);
/* Decays the averages of cpu up to now; takes its lock. */
void balance_update_averages(struct sched *s, uint32_t cpu);

/* ---- balance_domain.c ---- */
/*
 * One balance of a domain for cpu; returns tasks moved to it or to cpus of its group. *goes_on
 * becomes false when another cpu is the one to balance this domain.
 */
uint32_t balance_domain(struct sched *s, uint32_t cpu, uint32_t domain, enum balance_idle idle,
			bool *goes_on);

/* ---- balance_busiest.c, balance_load.c ---- */
/* The group to take from, with unit and imbalance of `b` set; NULL when balanced. */
const struct sched_group *find_busiest_by_class(struct sched *s, struct balance *b);
const struct sched_group *find_busiest_by_load(struct sched *s, struct balance *b);
/* The cpu of that group to take from, or CPU_NONE. */
uint32_t find_busiest_cpu(struct sched *s, const struct balance *b,
			  const struct sched_group *group);

/* ---- balance_stats.c ---- */
/* Statistics of one group, read and paid for. */
struct group_stats group_stats_of(struct sched *s, const struct balance *b,
				  const struct sched_group *group);
/* After all groups: what is remembered beyond this balance. */
void domain_stats_publish(struct sched *s, const struct balance *b,
			  const struct domain_stats *stats, bool overloaded);

/* ---- balance_move.c ---- */
/* Moves tasks from src_cpu to dst_cpu until the imbalance is gone; returns how many. */
uint32_t move_tasks(struct sched *s, struct balance *b);

#endif
