/* SPDX-License-Identifier: GPL-2.0-only */
/* What an image asks of schedlab: part of kernel/abi.h, which includes it. */
#ifndef KS_HOST_H
#define KS_HOST_H

#include "abi.h"

#define KS_STACK 16384ul /* bytes of a kernel stack */

enum ks_ipi { KS_IPI_RESCHED, KS_IPI_CALL };
enum ks_failure {
	KS_FAIL_PANIC,	/* text is the kernel's */
	KS_FAIL_SYMBOL, /* not emulated: text names it */
	KS_FAIL_LOCK,	/* a lock taken twice */
	KS_FAIL_SHIM,	/* the shim's own limits */
};

/* What the image asks of the host. Called on any stack, 8-byte aligned. */
struct ks_host {
	ks_u64 (*clock)(void);				      /* ns, KS_CLOCK_START included */
	void (*message)(const char *text);		      /* printk */
	void (*fail)(enum ks_failure kind, const char *text); /* does not return */
	/* Zeroed, on a cache line of its own; `what` names the kind of object, or NULL. */
	void *(*alloc)(ks_u64 bytes, const char *what);
	void (*free)(void *object);
	void *(*stack_alloc)(void); /* KS_STACK bytes; lowest address */
	void (*stack_free)(void *stack);
	/* next, prev: task, KS_NONE or KS_KTHREAD. Called while the runqueue lock is held. */
	void (*switch_to)(ks_u32 cpu, ks_u32 prev, ks_u32 next, int other_mm);
	void (*migrated)(ks_u32 task, ks_u32 from, ks_u32 to);
	void (*ipi)(ks_u32 from, ks_u32 to, enum ks_ipi ipi);
	void (*kick_poller)(ks_u32 cpu); /* its need_resched flag was set, no IPI is needed */
	void (*tick)(ks_u32 cpu, int on);
	void (*timer)(ks_u32 cpu, ks_u64 when); /* the cpu's next timer, ~0 for none */
	/* The idle state to enter; says whether the tick stops and whether the state polls. */
	ks_u32 (*idle_state)(ks_u32 cpu, int *stop_tick, int *polls);
	ks_u32 (*random)(void); /* for get_random_u32() and the like; a stream of the run's seed */

	/*
	 * Counted images only, once the boot is over: what is more than a count of the meter
	 * (meter.h). NULL: nobody asks.
	 */
	void (*read)(const void *p, ks_u64 bytes);
	void (*write)(const void *p, ks_u64 bytes);
	void (*atomic)(const void *p, ks_u64 bytes);
	void (*percpu)(const void *p, ks_u64 bytes, int write); /* its address in the template */
	void (*block)(void);		     /* a basic block; the return address says which */
	void (*enter)(void), (*leave)(void); /* a function; likewise */
	void (*lock)(const void *p), (*unlock)(const void *p);
};

#endif
