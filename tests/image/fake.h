/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An image that is no kernel: its tick goes wrong in the way that a test asks for, on a kernel
 * stack as kernel code would. All other calls but boot, bug_at and need_resched are missing.
 */
#ifndef TESTS_IMAGE_FAKE_H
#define TESTS_IMAGE_FAKE_H

#include "../kernel/abi.h"

enum fake_failure {
	FAKE_FINE,
	FAKE_WARN, /* at fake.c:7 */
	FAKE_BUG,  /* at fake.c:8 */
	FAKE_PANIC,
	FAKE_SYMBOL,
	FAKE_FAULT,
	FAKE_JUMP, /* to FAKE_NOWHERE */
	FAKE_LOOP,
	FAKE_OVERFLOW,
};

enum { FAKE_NOWHERE = 0x7000 };

struct fake_image {
	struct ks_image image; /* what the entry point returns */
	enum fake_failure failure;
	ks_u32 ticks; /* that came to their end */
};

#endif
