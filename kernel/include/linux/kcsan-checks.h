/* SPDX-License-Identifier: GPL-2.0-only */
/* Atomics and bit operations written in assembler announce themselves through this check. */
#include_next <linux/kcsan-checks.h>
#ifndef KS_KCSAN_CHECKS_H
#define KS_KCSAN_CHECKS_H
#ifdef __SANITIZE_THREAD__
extern void ks_hook_access(const volatile void *p, unsigned long bytes, int type);
#undef kcsan_check_access
#define kcsan_check_access(p, bytes, type) ks_hook_access(p, bytes, type)
#endif
#endif
