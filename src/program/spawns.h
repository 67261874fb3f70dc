/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One of program_check()'s parts: every task is started exactly once.
 *
 * Tasks start at time 0 or by one SPAWN. A SPAWN stands outside loops in a program that one task
 * runs, and following SPAWNs from the tasks of time 0 reaches every task, so they form no cycle.
 */
#ifndef PROGRAM_SPAWNS_H
#define PROGRAM_SPAWNS_H

#include "program/program.h"

/* Programs, depths and arguments of operations are checked already. */
bool program_check_spawns(const struct program_set *set, struct err *err);

#endif
