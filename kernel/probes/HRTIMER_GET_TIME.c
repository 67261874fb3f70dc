/* SPDX-License-Identifier: GPL-2.0-only */
/* A clock base has a function that reads its clock. */
#include <linux/hrtimer.h>
ktime_t probe(struct hrtimer_clock_base *base)
{
	return base->get_time();
}
