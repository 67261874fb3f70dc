/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocation functions are wrapped for profiling. */
#include <linux/slab.h>
void *probe(void)
{
	return __kmalloc_noprof(8, GFP_KERNEL);
}
