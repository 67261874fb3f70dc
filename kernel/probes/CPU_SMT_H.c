/* SPDX-License-Identifier: GPL-2.0-only */
/* The number of threads of a core is a variable. */
#include <linux/cpu_smt.h>
unsigned int probe(void)
{
	return cpu_smt_num_threads;
}
