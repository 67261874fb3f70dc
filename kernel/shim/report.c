// SPDX-License-Identifier: GPL-2.0-only
/* printk, panic, BUG and WARN, and the domains as the kernel built them. */
#include "shim.h"

#include <linux/bug.h>
#include <linux/ratelimit.h>

int oops_in_progress;

void ks_fail(enum ks_failure kind, const char *text)
{
	ks_host->fail(kind, text);
	__builtin_unreachable();
}

/* Called by what replaces a symbol that nobody emulates. */
void ks_missing_symbol(const char *name)
{
	ks_fail(KS_FAIL_SYMBOL, name);
}

static void message(const char *format, va_list args)
{
	static char text[512];

	vscnprintf(text, sizeof(text), format, args);
	ks_host->message(printk_skip_level(text));
}

#define MESSAGE(format)                                                                            \
	do {                                                                                       \
		va_list args;                                                                      \
		va_start(args, format);                                                            \
		message(format, args);                                                             \
		va_end(args);                                                                      \
	} while (0)

int _printk(const char *format, ...)
{
	MESSAGE(format);
	return 0;
}

int _printk_deferred(const char *format, ...)
{
	MESSAGE(format);
	return 0;
}

void __warn_printk(const char *format, ...)
{
	MESSAGE(format);
}

void panic(const char *format, ...)
{
	static char text[256];
	va_list args;

	va_start(args, format);
	vscnprintf(text, sizeof(text), format, args);
	va_end(args);
	ks_fail(KS_FAIL_PANIC, text);
}

int __printk_ratelimit(const char *function)
{
	return 1;
}

int ___ratelimit(struct ratelimit_state *state, const char *function)
{
	return 1;
}

void dump_stack(void)
{
}

void add_taint(unsigned int flag, enum lockdep_ok lockdep)
{
}

int ks_bug_at(ks_u64 address, const char **file, ks_u32 *line)
{
	extern struct bug_entry ks_bug_start[], ks_bug_end[];

	for (struct bug_entry *b = ks_bug_start; b < ks_bug_end; b++) {
		if ((unsigned long)&b->bug_addr_disp + b->bug_addr_disp != address)
			continue;
#ifdef CONFIG_DEBUG_BUGVERBOSE
		*file = (const char *)&b->file_disp + b->file_disp;
		*line = b->line;
#endif
		return b->flags & BUGFLAG_WARNING ? 2 : 1;
	}
	return 0;
}

/* ---- domains ---- */

static struct sched_domain *domain_at(u32 cpu, u32 i)
{
	struct sched_domain *sd = rcu_dereference_raw(cpu_rq(cpu)->sd);

	while (sd && i--)
		sd = sd->parent;
	return sd;
}

static u32 count_groups(const struct sched_domain *sd)
{
	const struct sched_group *g = sd->groups;
	u32 n = 0;

	if (!g)
		return 0;
	do {
		n++;
		g = g->next;
	} while (g != sd->groups);
	return n;
}

int ks_domain(u32 cpu, u32 i, struct ks_domain *out)
{
	struct sched_domain *sd = domain_at(cpu, i);

	if (!sd)
		return 0;
	*out = (struct ks_domain){
		.name = sd->name,
		.level = sd->level,
		.span = cpumask_bits(sched_domain_span(sd)),
		.flags = sd->flags,
		.weight = sd->span_weight,
		.imbalance_pct = sd->imbalance_pct,
		.imb_numa_nr = sd->imb_numa_nr,
		.cache_nice_tries = sd->cache_nice_tries,
		.busy_factor = sd->busy_factor,
		.min_interval = sd->min_interval,
		.max_interval = sd->max_interval,
		.nr_groups = count_groups(sd),
	};
	return 1;
}

int ks_group(u32 cpu, u32 i, u32 g, struct ks_group *out)
{
	struct sched_domain *sd = domain_at(cpu, i);
	struct sched_group *group;

	if (!sd || g >= count_groups(sd))
		return 0;
	group = sd->groups;
	while (g--)
		group = group->next;
	*out = (struct ks_group){
		.span = cpumask_bits(sched_group_span(group)),
		.mask = cpumask_bits(group_balance_mask(group)),
		.id = group->sgc->id,
		.capacity = group->sgc->capacity,
		.min_capacity = group->sgc->min_capacity,
		.max_capacity = group->sgc->max_capacity,
		.weight = group->group_weight,
		.flags = group->flags,
	};
	return 1;
}
