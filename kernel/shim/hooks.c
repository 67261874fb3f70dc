// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counted images: the compiler's calls at every access, block and function, and the override
 * headers' for what is written in assembler, go to the host. This file is not instrumented.
 */
#include "shim.h"

struct hooks {
	void *read, *write, *atomic, *percpu, *block, *enter, *leave, *lock, *unlock;
};

void ks_pv_nothing(void);
#define NONE ((void *)ks_pv_nothing)
__visible struct hooks ks_hooks = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE };

void ks_hooks_on(const struct ks_host *host)
{
	ks_hooks =
		(struct hooks){ host->read,  host->write, host->atomic, host->percpu, host->block,
				host->enter, host->leave, host->lock,	host->unlock };
}

/* Each keeps the return address of the kernel's call, which tells the host where it happened. */
#define JUMP(name, slot) ".globl " #name "\n" #name ": jmp *ks_hooks+8*" #slot "(%rip)\n"
#define SIZED(name, bytes, slot)                                                                   \
	".globl " #name "\n" #name ": mov $" #bytes ", %esi; jmp *ks_hooks+8*" #slot "(%rip)\n"
#define READS(bytes)                                                                               \
	SIZED(__tsan_read##bytes, bytes, 0)                                                        \
	SIZED(__tsan_unaligned_read##bytes, bytes, 0)                                              \
	SIZED(__tsan_volatile_read##bytes, bytes, 0)                                               \
	SIZED(__tsan_unaligned_volatile_read##bytes, bytes, 0)
#define WRITES(bytes)                                                                              \
	SIZED(__tsan_write##bytes, bytes, 1)                                                       \
	SIZED(__tsan_unaligned_write##bytes, bytes, 1)                                             \
	SIZED(__tsan_volatile_write##bytes, bytes, 1)                                              \
	SIZED(__tsan_unaligned_volatile_write##bytes, bytes, 1)                                    \
	SIZED(__tsan_read_write##bytes, bytes, 1)                                                  \
	SIZED(__tsan_unaligned_read_write##bytes, bytes, 1)
#define BOTH(bytes) READS(bytes) WRITES(bytes)

asm(".text\n" BOTH(1) BOTH(2) BOTH(4) BOTH(8) BOTH(16) JUMP(__tsan_read_range, 0)
	    JUMP(__tsan_write_range, 1) JUMP(ks_hook_percpu, 3) JUMP(__sanitizer_cov_trace_pc,
								     4) JUMP(__tsan_func_entry, 5)
		    JUMP(__tsan_func_exit, 6) ".globl __tsan_init\n__tsan_init: ret\n"
					      ".globl __tsan_vptr_update\n__tsan_vptr_update: ret\n"
					      ".globl __tsan_vptr_read\n__tsan_vptr_read: ret\n");

/* Goes on in the host's hook by a jump: what that sees as its caller is kernel code. */
#define JUMPS __attribute__((optimize("optimize-sibling-calls", "omit-frame-pointer")))

/* KCSAN's access types: write 1, compound 2, atomic 4, assertion 8. */
JUMPS void ks_hook_access(const volatile void *p, unsigned long bytes, int type)
{
	void (*hook)(const volatile void *, unsigned long) = ks_hooks.read;

	if (type & 8)
		return;
	if ((type & 5) == 5)
		hook = ks_hooks.atomic;
	else if (type & 1)
		hook = ks_hooks.write;
	hook(p, bytes);
}

/*
 * Calls are atomic in simulated time, so a lock is always free here; how long the cpu would have
 * waited is the host's to say. A lock that is taken all the same is taken twice by one call.
 */
JUMPS void ks_spin_lock(struct qspinlock *lock)
{
	void (*hook)(const void *) = ks_hooks.lock;

	if (lock->val.counter)
		ks_fail(KS_FAIL_LOCK, "a spinlock is taken twice");
	lock->val.counter = _Q_LOCKED_VAL;
	hook(lock);
}

int ks_spin_trylock(struct qspinlock *lock)
{
	if (lock->val.counter)
		return 0;
	ks_spin_lock(lock);
	return 1;
}

JUMPS void ks_spin_unlock(struct qspinlock *lock)
{
	void (*hook)(const void *) = ks_hooks.unlock;

	lock->val.counter = 0;
	hook(lock);
}

/* Bare images and assembler: the slow path is reached only when a lock is taken twice. */
void queued_spin_lock_slowpath(struct qspinlock *lock, u32 val)
{
	ks_fail(KS_FAIL_LOCK, "a spinlock is taken twice");
}
