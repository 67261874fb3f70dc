/* SPDX-License-Identifier: GPL-2.0-only */
/* Timers are made by hrtimer_init(). */
#include <linux/hrtimer.h>
void probe(struct hrtimer *t)
{
	hrtimer_init(t, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}
