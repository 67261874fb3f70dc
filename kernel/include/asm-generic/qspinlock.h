/* SPDX-License-Identifier: GPL-2.0-only */
/* In counted images the waiting for a lock is the simulation's: see kernel/shim/hooks.c. */
#include_next <asm-generic/qspinlock.h>
#ifndef KS_QSPINLOCK_H
#define KS_QSPINLOCK_H
#ifdef __SANITIZE_THREAD__
extern void ks_spin_lock(struct qspinlock *lock);
extern int ks_spin_trylock(struct qspinlock *lock);
extern void ks_spin_unlock(struct qspinlock *lock);
#undef arch_spin_lock
#undef arch_spin_trylock
#undef arch_spin_unlock
#define arch_spin_lock(l)    ks_spin_lock(l)
#define arch_spin_trylock(l) ks_spin_trylock(l)
#define arch_spin_unlock(l)  ks_spin_unlock(l)
#endif
#endif
