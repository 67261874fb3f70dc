/* SPDX-License-Identifier: GPL-2.0-only */
/* Caches are created with a structure of arguments. */
#include <linux/slab.h>
struct kmem_cache *probe(struct kmem_cache_args *args)
{
	return __kmem_cache_create_args("probe", args->align, args, 0);
}
