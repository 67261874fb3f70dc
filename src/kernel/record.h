/* SPDX-License-Identifier: GPL-2.0-only */
/* The record of a finished kernel, as JSON in its folder `out`. Private to src/kernel. */
#ifndef KERNEL_RECORD_H
#define KERNEL_RECORD_H

#include "kernel/kernel.h"

/* Reads DIR/out/record.json of the kernel in DIR. */
bool record_read(struct arena *arena, const char *dir, const char *name,
		 struct kernel_record *record, struct err *err);
/*
 * Writes OUT/record.json for the image and tables in OUT, whose hash it takes, with what the script
 * has written there of release, compiler and options.
 */
bool record_write(struct arena *arena, const char *out, const struct kernel_request *request,
		  struct err *err);

#endif
