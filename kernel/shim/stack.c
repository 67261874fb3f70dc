// SPDX-License-Identifier: GPL-2.0-only
/* Kernel stacks: a task parks on its own, the host runs on its own, and each resumes the other. */
#include "shim.h"

#include <linux/magic.h>
#include <linux/sched/task_stack.h>

static unsigned long host_sp;
void ks_swap(unsigned long *save, unsigned long sp);
void ks_thread_start(void);
void ks_thread_end(void);
struct task_struct *ks_switch_done(struct task_struct *prev, struct task_struct *next);

/* A frame is the six callee-saved registers and a return address. */
enum { FRAME_R12 = 3, FRAME_RBX = 4, FRAME_RETURN = 6, FRAME_WORDS = 7 };

static void __used offsets(void)
{
	asm volatile(".globl ks_sp_offset\n.set ks_sp_offset, %c0" ::"i"(
		offsetof(struct task_struct, thread.sp)));
}

#define PUSH_ALL "push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
#define POP_ALL	 "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp\n"

asm(".text\n"
    ".globl __switch_to_asm\n__switch_to_asm:\n" PUSH_ALL "movq %rsp, ks_sp_offset(%rdi)\n"
    "movq ks_sp_offset(%rsi), %rsp\n" POP_ALL "jmp ks_switch_done\n"
    ".globl ks_swap\nks_swap:\n" PUSH_ALL "movq %rsp, (%rdi)\n"
    "movq %rsi, %rsp\n" POP_ALL "ret\n"
    /* First run of a thread: %rbx its function, %r12 the argument, %rax the task before it. */
    ".globl ks_thread_start\nks_thread_start:\n"
    "mov %rax, %rdi; call schedule_tail\n"
    "mov %r12, %rdi; call *%rbx\n"
    "call ks_thread_end; ud2\n"
    ".globl ks_thread_enter\nks_thread_enter:\n"
    "mov %r12, %rdi; call *%rbx\n"
    "call ks_thread_end; ud2\n");
void ks_thread_enter(void);

__visible void ks_thread_end(void)
{
	preempt_disable();
	do_task_dead();
}

void ks_stack_new(struct task_struct *p)
{
	p->stack = ks_host->stack_alloc();
	*end_of_stack(p) = STACK_END_MAGIC;
}

void ks_stack_prepare(struct task_struct *p, void (*fn)(void *), void *arg, bool scheduled)
{
	unsigned long *top = (unsigned long *)((char *)p->stack + KS_STACK) - 8;
	unsigned long *frame = top - FRAME_WORDS;

	memset(frame, 0, FRAME_WORDS * sizeof(*frame));
	frame[FRAME_RBX] = (unsigned long)fn;
	frame[FRAME_R12] = (unsigned long)arg;
	frame[FRAME_RETURN] = (unsigned long)(scheduled ? ks_thread_start : ks_thread_enter);
	p->thread.sp = (unsigned long)frame;
}

void ks_park(void)
{
	ks_swap(&current->thread.sp, host_sp);
}

void ks_resume(void)
{
	ks_irq_flag = X86_EFLAGS_IF;
	ks_swap(&host_sp, ks_current()->thread.sp);
}

static bool other_mm;

/* Between runqueue lock and finish_task_switch(), on the stack of `next`. */
__visible struct task_struct *ks_switch_done(struct task_struct *prev, struct task_struct *next)
{
	raw_cpu_write(KS_CURRENT, next);
	if (!ks_booting)
		(ks_host->switch_to)(ks_cpu, ks_task_id(prev), ks_task_id(next), other_mm);
	other_mm = false;
	return prev;
}

/* A cpu keeps the page tables it has while kernel threads and the idle loop run. */
static struct mm_struct *loaded_mm[NR_CPUS];

void switch_mm_irqs_off(struct mm_struct *prev, struct mm_struct *next, struct task_struct *p)
{
	other_mm = loaded_mm[ks_cpu] && loaded_mm[ks_cpu] != next;
	loaded_mm[ks_cpu] = next;
}

void switch_mm(struct mm_struct *prev, struct mm_struct *next, struct task_struct *p)
{
	switch_mm_irqs_off(prev, next, p);
}

#ifdef CONFIG_PREEMPTION
#define SAVE                                                                                       \
	"push %rdi; push %rsi; push %rdx; push %rcx; push %rax; push %r8; push %r9; push %r10; "   \
	"push %r11\n"
#define BACK                                                                                       \
	"pop %r11; pop %r10; pop %r9; pop %r8; pop %rax; pop %rcx; pop %rdx; pop %rsi; pop %rdi\n"
asm(".text\n.globl preempt_schedule_thunk\npreempt_schedule_thunk:\n"
    "push %rbp; mov %rsp, %rbp\n" SAVE "call preempt_schedule\n" BACK "pop %rbp; ret\n"
    ".globl preempt_schedule_notrace_thunk\n"
    ".set preempt_schedule_notrace_thunk, preempt_schedule_thunk\n");
#endif
