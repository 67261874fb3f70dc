/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel code that goes wrong: BUG and WARN are illegal instructions, faults are faults, and a verb
 * that takes seconds of processor time is an endless loop. Each leaves the verb by a jump to where
 * it began; the run is over then.
 */
#include "engine/kernel/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { WATCH_S = 5, ALT_STACK = 64 << 10 };

static const int caught[] = { SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGVTALRM };
enum { NR_CAUGHT = sizeof(caught) / sizeof(caught[0]) };

/* What was there before us; the verb that the watchdog saw last. */
static struct {
	struct sigaction old[NR_CAUGHT];
	stack_t old_stack;
	struct itimerval old_timer;
	char *stack;
	uint64_t verb;
} watch;

void failure_leave(struct engine *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(e->failure, sizeof(e->failure), format, args);
	va_end(args);
	siglongjmp(e->failed, 1);
}

static uint64_t instruction_of(const void *context)
{
#ifdef __x86_64__
	return (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#else
	return 0;
#endif
}

static void watchdog(struct engine *e)
{
	if (e->running && e->verb == watch.verb)
		failure_leave(e, "kernel code has not come to an end after %d s (an endless loop)",
			      WATCH_S);
	watch.verb = e->verb;
}

/* A fault of our own code is not ours to explain: the signal's default follows. */
static void give_up(int signal_number)
{
	signal(signal_number, SIG_DFL);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	struct engine *e = kernel_engine();
	uint64_t at = instruction_of(context);
	const char *file = "?";
	ks_u32 line = 0;
	int bug;

	if (number == SIGVTALRM) {
		if (e)
			watchdog(e);
		return;
	}
	if (!e || !e->running || !image_contains(&e->image, at)) {
		give_up(number);
		return;
	}
	bug = number == SIGILL ? e->ks->bug_at(at, &file, &line) : 0;
	if (bug)
		failure_leave(e, "kernel %s at %s:%u", bug == 2 ? "WARN" : "BUG", file, line);
	failure_leave(e, "kernel code at 0x%llx: %s, address %p", (unsigned long long)at,
		      strsignal(number), info->si_addr);
}

static uint32_t watch_seconds(void)
{
	const char *text = getenv("SCHEDLAB_WATCHDOG_S");
	int seconds = text ? atoi(text) : 0;

	return seconds > 0 ? (uint32_t)seconds : WATCH_S;
}

void failure_watch(struct engine *e)
{
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	struct itimerval timer = { 0 };
	stack_t stack = { .ss_size = ALT_STACK };

	watch.stack = stack.ss_sp = malloc(ALT_STACK);
	watch.verb = UINT64_MAX;
	sigaltstack(&stack, &watch.old_stack);
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < NR_CAUGHT; i++)
		sigaction(caught[i], &action, &watch.old[i]);
	timer.it_value.tv_sec = timer.it_interval.tv_sec = watch_seconds();
	setitimer(ITIMER_VIRTUAL, &timer, &watch.old_timer);
	e->handles_signals = true;
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
