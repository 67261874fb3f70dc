/* SPDX-License-Identifier: GPL-2.0-only */
/* Softirq actions take no argument. */
#include <linux/interrupt.h>
static void action(void)
{
}
void probe(void)
{
	open_softirq(0, action);
}
