/* SPDX-License-Identifier: GPL-2.0-only */
/* The tick is called sched_tick(). */
#include <linux/sched.h>
void probe(void)
{
	sched_tick();
}
