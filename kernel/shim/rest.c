// SPDX-License-Identifier: GPL-2.0-only
/* The rest of a kernel, as far as the scheduler asks: plain answers, a line each. */
#include "shim.h"

#include <linux/blkdev.h>
#include <linux/prandom.h>
#include <linux/random.h>

bool cpuhp_tasks_frozen;
bool static_key_initialized = true;
__attribute__((weak)) struct static_key paravirt_steal_enabled;
__attribute__((weak)) struct static_key paravirt_steal_rq_enabled;
struct workqueue_struct *system_wq;
/* The kernel's shared bounds of sysctl tables. */
const int sysctl_vals[] = { 0, 1, 2, 3, 4, 100, 200, 1000, 3000, INT_MAX, 65535, -1 };

bool capable(int capability)
{
	return true;
}

bool ns_capable(struct user_namespace *ns, int capability)
{
	return true;
}

void cpus_read_lock(void)
{
}

void cpus_read_unlock(void)
{
}

void cpus_write_lock(void)
{
}

void cpus_write_unlock(void)
{
}

bool set_kthread_struct(struct task_struct *p)
{
	return true;
}

void enter_lazy_tlb(struct mm_struct *mm, struct task_struct *p)
{
}

/* Only waits without end: there is no timer wheel. */
signed long schedule_timeout(signed long timeout)
{
	if (timeout != MAX_SCHEDULE_TIMEOUT)
		ks_fail(KS_FAIL_SYMBOL, "schedule_timeout with a timeout");
	schedule();
	return timeout;
}

/* ---- chance is the host's, by seed ---- */

u32 __get_random_u32_below(u32 ceiling)
{
	return (u64)ks_host->random() * ceiling >> 32;
}

u32 prandom_u32_state(struct rnd_state *state)
{
	return ks_host->random();
}

void get_random_bytes(void *to, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		((u8 *)to)[i] = ks_host->random();
}

/* ---- the string functions that the compiler calls ---- */

#undef memcpy
#undef memset
#undef memmove
void *memcpy(void *to, const void *from, size_t n)
{
	void *result = to;

	asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n)::"memory");
	return result;
}

void *memset(void *to, int value, size_t n)
{
	void *result = to;

	asm volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(value) : "memory");
	return result;
}

void *memmove(void *to, const void *from, size_t n)
{
	char *d = to;
	const char *s = from;

	if (d < s)
		return memcpy(to, from, n);
	while (n--)
		d[n] = s[n];
	return to;
}
