/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program set as text, for explaining and for golden tests.
 *
 * Programs with their operations by number, one a line, indented by loop; then runs of equal
 * resources and of tasks that differ only in a base that grows by a fixed step; then cpu sets.
 * The set has passed program_check(). The text is for people: nothing reads it back.
 */
#ifndef PROGRAM_PRINT_H
#define PROGRAM_PRINT_H

#include "program/program.h"

#include <stdio.h>

void program_print(const struct program_set *set, FILE *out);

#endif
