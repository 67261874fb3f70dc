/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel code that goes wrong: BUG and WARN are illegal instructions, faults are faults, and a verb
 * that takes seconds of processor time is an endless loop. Each leaves the verb by a jump to where
 * it began; the run is over then. A jump to where there is no code is the kernel's, too: its fault
 * is at the address that was to be executed. Other faults outside kernel code are our own bugs.
 */
#include "engine/kernel/internal.h"
#include "engine/kernel/tables.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { WATCH_S = 5, MAX_WATCH_S = 86400, ALT_STACK = 64 << 10 };

static const int caught[] = { SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGVTALRM };
enum { NR_CAUGHT = sizeof(caught) / sizeof(caught[0]) };

/* What was there before us; the verb that the watchdog saw last. */
static struct {
	struct sigaction old[NR_CAUGHT];
	stack_t old_stack;
	struct itimerval old_timer;
	char *stack;
	uint64_t verb;
	uint32_t seconds;
} watch;

void failure_leave(struct engine *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(e->failure, sizeof(e->failure), format, args);
	va_end(args);
	siglongjmp(e->failed, 1);
}

/* Where a signal came, and the word on top of the stack: after a call, where it came from. */
struct place {
	uint64_t at, stack;
};

static struct place place_of(const void *context)
{
#ifdef __x86_64__
	const greg_t *reg = ((const ucontext_t *)context)->uc_mcontext.gregs;

	return (struct place){ (uint64_t)reg[REG_RIP], (uint64_t)reg[REG_RSP] };
#else
	return (struct place){ 0 };
#endif
}

static void watchdog(struct engine *e, uint64_t at)
{
	if (e->running && e->verb == watch.verb) {
		e->failed_at = image_contains(&e->image, at) ? at : 0;
		failure_leave(e, "kernel code has not come to an end after %u s (an endless loop)",
			      watch.seconds);
	}
	watch.verb = e->verb;
}

/* A fault of our own code is not ours to explain: whoever was there before us sees it again. */
static void give_up(int number)
{
	for (int i = 0; i < NR_CAUGHT; i++)
		if (caught[i] == number)
			sigaction(number, &watch.old[i], NULL);
}

static void leave_bug(struct engine *e, uint64_t at)
{
	const char *file = "?";
	ks_u32 line = 0;
	int bug = e->ks->bug_at(at, &file, &line);

	if (bug)
		failure_leave(e, "kernel %s at %s:%u", bug == 2 ? "WARN" : "BUG", file, line);
}

static void leave_jump(struct engine *e, const struct place *place)
{
	uint64_t from = 0;

	if (heap_is_stack(&e->heap, place->stack))
		from = *(const uint64_t *)(uintptr_t)place->stack;
	e->failed_at = image_contains(&e->image, from) ? from : 0;
	failure_leave(e, "kernel code jumps to 0x%llx, where there is none",
		      (unsigned long long)place->at);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	struct engine *e = kernel_engine();
	struct place place = place_of(context);
	uint64_t address = (uint64_t)(uintptr_t)info->si_addr;

	if (number == SIGVTALRM) {
		if (e)
			watchdog(e, place.at);
		return;
	}
	if (!e || !e->running) {
		give_up(number);
		return;
	}
	if (!image_contains(&e->image, place.at)) {
		if (address == place.at)
			leave_jump(e, &place);
		give_up(number);
		return;
	}
	e->failed_at = place.at;
	if (number == SIGILL)
		leave_bug(e, place.at);
	if (number == SIGSEGV && heap_is_stack(&e->heap, address))
		failure_leave(e, "a kernel stack overflows (%lu bytes)", KS_STACK);
	failure_leave(e, "kernel code at 0x%llx: %s, address 0x%llx", (unsigned long long)place.at,
		      strsignal(number), (unsigned long long)address);
}

const char *failure_text(struct engine *e)
{
	const struct image_symbol *symbol;
	struct image_tables tables;
	size_t length = strlen(e->failure);
	struct arena arena;

	if (!e->failed_at)
		return e->failure;
	arena_init(&arena);
	image_tables_read(&tables, &arena, e->image.path);
	symbol = image_symbol_at(&tables, e->failed_at);
	if (symbol)
		snprintf(e->failure + length, sizeof(e->failure) - length, ", in %s()",
			 symbol->name);
	arena_release(&arena);
	return e->failure;
}

static bool read_seconds(uint32_t *seconds, struct err *err)
{
	const char *text = getenv("SCHEDLAB_WATCHDOG_S");
	unsigned long value = WATCH_S;
	char *end = NULL;

	if (text && *text >= '0' && *text <= '9')
		value = strtoul(text, &end, 10);
	if (text && (!end || *end || !value || value > MAX_WATCH_S))
		return err_set_at(err, "SCHEDLAB_WATCHDOG_S", 0, 0,
				  "found '%s' (allowed: 1 to %d seconds)", text, MAX_WATCH_S);
	*seconds = (uint32_t)value;
	return true;
}

bool failure_watch(struct engine *e, struct err *err)
{
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	struct itimerval timer = { 0 };
	stack_t stack = { .ss_size = ALT_STACK };

	if (!read_seconds(&watch.seconds, err))
		return false;
	watch.stack = stack.ss_sp = malloc(ALT_STACK);
	watch.verb = UINT64_MAX;
	sigaltstack(&stack, &watch.old_stack);
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < NR_CAUGHT; i++)
		sigaction(caught[i], &action, &watch.old[i]);
	timer.it_value.tv_sec = timer.it_interval.tv_sec = watch.seconds;
	setitimer(ITIMER_VIRTUAL, &timer, &watch.old_timer);
	e->handles_signals = true;
	return true;
}

void failure_unwatch(struct engine *e)
{
	if (!e->handles_signals)
		return;
	setitimer(ITIMER_VIRTUAL, &watch.old_timer, NULL);
	for (int i = 0; i < NR_CAUGHT; i++)
		sigaction(caught[i], &watch.old[i], NULL);
	sigaltstack(&watch.old_stack, NULL);
	free(watch.stack);
	e->handles_signals = false;
}
