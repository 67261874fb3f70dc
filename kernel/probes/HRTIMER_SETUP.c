/* SPDX-License-Identifier: GPL-2.0-only */
/* Timers are made by hrtimer_setup(). */
#include <linux/hrtimer.h>
void probe(struct hrtimer *t)
{
	hrtimer_setup(t, NULL, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}
