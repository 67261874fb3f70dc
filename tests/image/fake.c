/* SPDX-License-Identifier: GPL-2.0-only */
/* Compiled as images are: for low addresses, without a C library, ks_entry() as its entry point. */
#include "fake.h"

enum { PAGE = 4096 };

static struct {
	char percpu[PAGE], data[PAGE];
} __attribute__((aligned(PAGE))) area;

static struct fake_image fake;
static const struct ks_host *host;

extern char __executable_start[], etext[], fake_warn[], fake_bug[];

static __attribute__((noinline)) int recurse(int depth)
{
	volatile char page[PAGE];

	page[0] = (char)depth;
	return depth ? recurse(depth - 1) + page[0] : page[0];
}

static void jump_nowhere(void)
{
	((void (*)(void))(ks_u64)FAKE_NOWHERE)();
}

static void loop(void)
{
	for (;;)
		asm volatile("pause");
}

static void fail(void)
{
	switch (fake.failure) {
	case FAKE_FINE: return;
	case FAKE_WARN: asm volatile("fake_warn: ud2"); return;
	case FAKE_BUG: asm volatile("fake_bug: ud2"); return;
	case FAKE_PANIC: host->fail(KS_FAIL_PANIC, "out of ideas\n"); return;
	case FAKE_SYMBOL: host->fail(KS_FAIL_SYMBOL, "do_magic"); return;
	case FAKE_FAULT: *(volatile int *)16 = 0; return;
	case FAKE_JUMP: jump_nowhere(); return;
	case FAKE_LOOP: loop(); return;
	case FAKE_OVERFLOW: recurse(KS_STACK / PAGE + 1); return;
	}
}

static void on_stack(void (*function)(void), char *top)
{
	asm volatile("mov %%rsp, %%rbx; mov %0, %%rsp; call *%1; mov %%rbx, %%rsp" ::"r"(top),
		     "r"(function)
		     : "rbx", "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
		       "r11");
}

static void boot(const struct ks_machine *machine, const struct ks_host *given)
{
	host = given;
}

static void tick(ks_u32 cpu)
{
	char *stack = host->stack_alloc();

	on_stack(fail, stack + KS_STACK);
	host->stack_free(stack);
	fake.ticks++;
}

static int need_resched(ks_u32 cpu)
{
	return 0;
}

static int bug_at(ks_u64 address, const char **file, ks_u32 *line)
{
	*file = "fake.c";
	*line = address == (ks_u64)fake_warn ? 7 : 8;
	if (address == (ks_u64)fake_warn)
		return 2;
	return address == (ks_u64)fake_bug;
}

const struct ks_image *ks_entry(void);
const struct ks_image *ks_entry(void)
{
	fake.image = (struct ks_image){
		.abi = KS_ABI_VERSION,
		.hz = 250,
		.max_cpus = 64,
		.mask_words = 1,
		.task_bytes = 1024,
		.release = "0.1",
		.percpu_start = area.percpu,
		.percpu_size = sizeof(area.percpu),
		.rq_start = area.percpu,
		.rq_bytes = 512,
		.data_start = area.data,
		.data_end = area.data + sizeof(area.data),
		.text_start = __executable_start,
		.text_end = etext,
		.boot = boot,
		.tick = tick,
		.need_resched = need_resched,
		.bug_at = bug_at,
	};
	return &fake.image;
}
