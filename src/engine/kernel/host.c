/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kernel code asks of us. Effects on the simulation are handed on at once, but two: who runs
 * on the verb's cpu (only the end matters, threads of the kernel are not shown) and who was moved
 * (told before the switch, so that a task is moved before it runs; the one that leaves the cpu is
 * moved after).
 */
#include "engine/kernel/internal.h"

#include <stdio.h>
#include <string.h>

/* What the machine's record says a thing costs, counted or not. */
static void pay(struct engine *e, uint64_t ns)
{
	e->spent_ps += ns * 1000;
	e->fixed_ps += ns * 1000;
}

static FROM_KERNEL ks_u64 host_clock(void)
{
	return kernel_time_ns(kernel_engine()) + KS_CLOCK_START;
}

/* printk is of no use to a run; what matters comes as WARN, BUG or panic. */
static FROM_KERNEL void host_message(const char *text)
{
	(void)text;
}

static FROM_KERNEL void host_fail(enum ks_failure kind, const char *text)
{
	static const char *const form[] = {
		[KS_FAIL_PANIC] = "kernel panic: %s",
		[KS_FAIL_SYMBOL] = "the kernel calls %s(), which is not emulated",
		[KS_FAIL_LOCK] = "kernel deadlock: %s",
		[KS_FAIL_SHIM] = "kernel engine: %s",
	};
	char line[FAILURE_BYTES];

	snprintf(line, sizeof(line), form[kind], text);
	line[strcspn(line, "\n")] = '\0';
	failure_leave(kernel_engine(), "%s", line);
}

static FROM_KERNEL void *host_alloc(ks_u64 bytes, const char *what)
{
	return heap_alloc(kernel_engine(), bytes, what);
}

static FROM_KERNEL void host_free(void *object)
{
	heap_free(kernel_engine(), object);
}

static FROM_KERNEL void *host_stack_alloc(void)
{
	return heap_stack_alloc(kernel_engine());
}

static FROM_KERNEL void host_stack_free(void *stack)
{
	heap_stack_free(kernel_engine(), stack);
}

static FROM_KERNEL void host_switch_to(ks_u32 cpu, ks_u32 prev, ks_u32 next, int other_mm)
{
	struct engine *e = kernel_engine();

	e->switches++;
	pay(e, e->switch_ns + (other_mm ? e->switch_mm_ns : 0));
	e->next = next;
}

static FROM_KERNEL void host_migrated(ks_u32 task, ks_u32 from, ks_u32 to)
{
	struct engine *e = kernel_engine();

	if (task == e->placing)
		return;
	if (e->nr_moved == MAX_MOVED)
		failure_leave(e, "one call of the kernel moves more than %d tasks", MAX_MOVED);
	e->moved[e->nr_moved++] = (struct moved_task){ task, from, to };
}

static FROM_KERNEL void host_ipi(ks_u32 from, ks_u32 to, enum ks_ipi ipi)
{
	struct engine *e = kernel_engine();

	e->ipis++;
	pay(e, e->ipi_ns);
	e->services->send_ipi(e->services->sim, kernel_time_ns(e), from, to,
			      ipi == KS_IPI_CALL ? ENGINE_IPI_CALL : ENGINE_IPI_RESCHED);
}

static FROM_KERNEL void host_kick_poller(ks_u32 cpu)
{
	struct engine *e = kernel_engine();

	e->services->kick_poller(e->services->sim, kernel_time_ns(e), e->at, cpu);
}

static FROM_KERNEL void host_tick(ks_u32 cpu, int on)
{
	struct engine *e = kernel_engine();

	e->cpu[cpu].tick_stopped = !on;
	if (on)
		e->services->tick_start(e->services->sim, kernel_time_ns(e), cpu);
	else
		e->services->tick_stop(e->services->sim, kernel_time_ns(e), cpu);
}

static FROM_KERNEL void host_timer(ks_u32 cpu, ks_u64 when)
{
	struct engine *e = kernel_engine();
	uint64_t when_ns = UINT64_MAX;

	if (when != UINT64_MAX)
		when_ns = when < KS_CLOCK_START ? 0 : when - KS_CLOCK_START;
	e->services->set_timer(e->services->sim, when_ns, cpu, 0);
}

static uint64_t time_left(uint64_t from_ns, uint64_t until_ns)
{
	return until_ns > from_ns ? until_ns - from_ns : 0;
}

static FROM_KERNEL ks_u32 host_idle_state(ks_u32 cpu, int *stop_tick, int *polls)
{
	struct engine *e = kernel_engine();
	struct kernel_cpu *mine = &e->cpu[cpu];
	struct idle_question question = {
		.elapsed_ns = time_left(mine->idle_since_ns, e->now_ns),
		.timer_ns = e->idle ? time_left(e->now_ns, e->idle->next_timer_ns) : UINT64_MAX,
		.tick_ns = e->tick_ns,
		.until_tick_ns = time_left(e->now_ns, mine->last_tick_ns + e->tick_ns),
		.tick_stopped = mine->tick_stopped,
	};
	bool stop;

	mine->idle_state = idle_past_choose(&mine->past, &e->machine->costs, &question, &stop);
	*stop_tick = stop;
	*polls = e->machine->costs.idle_state[mine->idle_state].polling;
	return mine->idle_state;
}

static FROM_KERNEL ks_u32 host_random(void)
{
	return (ks_u32)(random_next(&kernel_engine()->random) >> 32);
}

struct ks_host kernel_host(void)
{
	struct ks_host host = {
		.clock = host_clock,
		.message = host_message,
		.fail = host_fail,
		.alloc = host_alloc,
		.free = host_free,
		.stack_alloc = host_stack_alloc,
		.stack_free = host_stack_free,
		.switch_to = host_switch_to,
		.migrated = host_migrated,
		.ipi = host_ipi,
		.kick_poller = host_kick_poller,
		.tick = host_tick,
		.timer = host_timer,
		.idle_state = host_idle_state,
		.random = host_random,
	};

	costs_hooks(&host);
	return host;
}
