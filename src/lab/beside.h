/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The changes that several tables of one experiment show, beside each other and beside the
 * published one: does the model agree with the kernel, and do both agree with the mail?
 */
#ifndef LAB_BESIDE_H
#define LAB_BESIDE_H

#include "report/model.h"

#include <stdio.h>

/* Of each report the first variant against its base. All have the same rows. */
void beside_print(const struct report *const *report, uint32_t count, FILE *out);

#endif
