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

/*
 * In the model's memory this is not: what counts must not be counted. The section's type is ours,
 * so that it takes no room in the file; # hides the compiler's own from the assembler.
 */
struct ks_meter ks_meter __attribute__((section(".meter,\"aw\",@nobits#")));

static void *hook(const void *of_host)
{
	return of_host ? (void *)of_host : NONE;
}

void ks_hooks_on(const struct ks_host *host)
{
	ks_hooks = (struct hooks){ hook(host->read),   hook(host->write), hook(host->atomic),
				   hook(host->percpu), hook(host->block), hook(host->enter),
				   hook(host->leave),  hook(host->lock),  hook(host->unlock) };
}

static void __used offsets(void)
{
#define OFFSET(name, member)                                                                       \
	asm volatile(".set ks_meter_" name                                                         \
		     ", ks_meter + %c0" ::"i"(offsetof(struct ks_meter, member)))
	OFFSET("seen", seen);
	OFFSET("epoch", epoch);
	OFFSET("accesses", accesses);
	OFFSET("instructions", instructions);
	OFFSET("blocks", blocks);
	OFFSET("calls", calls);
	/* What stands as a number below. */
	BUILD_BUG_ON(sizeof(struct ks_seen) != 32 || KS_SEEN != 512);
	BUILD_BUG_ON(offsetof(struct ks_seen, write) != 8 ||
		     offsetof(struct ks_seen, counts) != 16);
	BUILD_BUG_ON(KS_BLOCK_GRAIN != 4 || KS_BLOCK_ASK != 255);
	BUILD_BUG_ON(offsetof(struct hooks, block) != 8 * 4 ||
		     offsetof(struct hooks, enter) != 8 * 5);
}

/*
 * What is no more than a count ends here; all else goes on in the host. Each keeps the return
 * address of the kernel's call, which tells the host where it happened. Aligned accesses lie in
 * one line.
 */
#define JUMP(name, slot) ".globl " #name "\n" #name ": jmp *ks_hooks+8*" #slot "(%rip)\n"
#define SIZED(name, bytes, slot)                                                                   \
	".globl " #name "\n" #name ": mov $" #bytes ", %esi; jmp *ks_hooks+8*" #slot "(%rip)\n"
#define ALIGNED(name, bytes, slot)                                                                 \
	".balign 16; .globl " #name "\n" #name ": mov %rdi, %rax; shr $6, %rax\n"                  \
	"mov %eax, %ecx; and $511, %ecx; shl $5, %ecx\n"                                           \
	"add ks_meter_epoch(%rip), %rax\n"                                                         \
	"cmp %rax, ks_meter_seen+8*" #slot "(%rcx); jne 1f\n"                                      \
	"mov ks_meter_seen+16(%rcx), %rax\n"                                                       \
	"incq ks_meter_accesses(%rip); incq 8*" #slot "(%rax); ret\n"                              \
	"1: mov $" #bytes ", %esi; jmp *ks_hooks+8*" #slot "(%rip)\n"
#define READS(bytes)                                                                               \
	ALIGNED(__tsan_read##bytes, bytes, 0)                                                      \
	ALIGNED(__tsan_volatile_read##bytes, bytes, 0)                                             \
	SIZED(__tsan_unaligned_read##bytes, bytes, 0)                                              \
	SIZED(__tsan_unaligned_volatile_read##bytes, bytes, 0)
#define WRITES(bytes)                                                                              \
	ALIGNED(__tsan_write##bytes, bytes, 1)                                                     \
	ALIGNED(__tsan_volatile_write##bytes, bytes, 1)                                            \
	ALIGNED(__tsan_read_write##bytes, bytes, 1)                                                \
	SIZED(__tsan_unaligned_write##bytes, bytes, 1)                                             \
	SIZED(__tsan_unaligned_volatile_write##bytes, bytes, 1)                                    \
	SIZED(__tsan_unaligned_read_write##bytes, bytes, 1)
#define BOTH(bytes) READS(bytes) WRITES(bytes)

asm(".text\n" BOTH(1) BOTH(2) BOTH(4) BOTH(8) BOTH(16));
asm(".text\n" JUMP(__tsan_read_range, 0) JUMP(__tsan_write_range, 1) JUMP(ks_hook_percpu, 3)
	    JUMP(__tsan_func_exit, 6));
asm(".text; .balign 16; .globl __sanitizer_cov_trace_pc\n__sanitizer_cov_trace_pc:\n"
    "mov (%rsp), %rax; shr $2, %rax; movzbl ks_blocks_of_0(%rax), %eax\n"
    "cmp $255, %eax; je 1f\n"
    "add %rax, ks_meter_instructions(%rip); incq ks_meter_blocks(%rip); ret\n"
    "1: jmp *ks_hooks+8*4(%rip)\n"
    ".globl __tsan_func_entry\n__tsan_func_entry:\n"
    "incq ks_meter_calls(%rip); jmp *ks_hooks+8*5(%rip)\n"
    ".globl __tsan_init\n__tsan_init: ret\n"
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
