// SPDX-License-Identifier: GPL-2.0-only
/* Allocation and RCU. The host owns the heap; nothing sleeps for memory. */
#include "shim.h"

/* What an object is, told by its size where the allocator's caller does not say. */
static const struct {
	size_t size;
	const char *what;
} kinds[] = {
	{ sizeof(struct sched_domain) + BITS_TO_LONGS(NR_CPUS) * sizeof(long), "sched_domain" },
	{ sizeof(struct sched_domain_shared), "sched_domain_shared" },
	{ sizeof(struct sched_group) + BITS_TO_LONGS(NR_CPUS) * sizeof(long), "sched_group" },
	{ sizeof(struct sched_group_capacity) + BITS_TO_LONGS(NR_CPUS) * sizeof(long),
	  "sched_group_capacity" },
	{ sizeof(struct root_domain), "root_domain" },
	{ sizeof(struct cfs_rq), "cfs_rq" },
	{ sizeof(struct sched_entity), "sched_entity" },
	{ sizeof(struct task_group), "task_group" },
};

static void *allocate(size_t bytes)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].size == bytes)
			return ks_host->alloc(bytes, kinds[i].what);
	return ks_host->alloc(bytes, NULL);
}

/* Per-cpu memory: what was given back is given out again for the same size. */
static struct chunk {
	unsigned long at;
	size_t bytes;
	bool is_free;
} chunks[KS_PERCPU_DYN / 64];
static u32 nr_chunks;

static unsigned long reuse_chunk(size_t bytes, size_t align)
{
	int cpu;

	for (u32 i = 0; i < nr_chunks; i++) {
		struct chunk *c = &chunks[i];

		if (!c->is_free || c->bytes != bytes || !IS_ALIGNED(c->at, align))
			continue;
		c->is_free = false;
		for_each_possible_cpu(cpu)
			memset((void *)(c->at + __per_cpu_offset[cpu]), 0, bytes);
		return c->at;
	}
	return 0;
}

void __percpu *ks_percpu_alloc(size_t bytes, size_t align)
{
	extern char __per_cpu_end[];
	static unsigned long used;
	unsigned long at = reuse_chunk(bytes, align);

	if (at)
		return (void __percpu *)at;
	at = ALIGN((unsigned long)__per_cpu_end + used, align);
	used = at + bytes - (unsigned long)__per_cpu_end;
	if (used > KS_PERCPU_DYN)
		ks_fail(KS_FAIL_SHIM, "out of per-cpu memory");
	if (nr_chunks == ARRAY_SIZE(chunks))
		ks_fail(KS_FAIL_SHIM, "too many pieces of per-cpu memory");
	chunks[nr_chunks++] = (struct chunk){ at, bytes };
	return (void __percpu *)at;
}

void free_percpu(void __percpu *p)
{
	for (u32 i = 0; p && i < nr_chunks; i++)
		if (chunks[i].at == (unsigned long)p)
			chunks[i].is_free = true;
}

#if KS_HAVE_KMALLOC_NOPROF
kmem_buckets kmalloc_caches[NR_KMALLOC_TYPES];

void *__kmalloc_cache_noprof(struct kmem_cache *cache, gfp_t flags, size_t bytes)
{
	return allocate(bytes);
}

void *__kmalloc_cache_node_noprof(struct kmem_cache *cache, gfp_t flags, int node, size_t bytes)
{
	return allocate(bytes);
}

void *__kmalloc_noprof(size_t bytes, gfp_t flags)
{
	return allocate(bytes);
}

void *__kmalloc_node_noprof(DECL_BUCKET_PARAMS(bytes, buckets), gfp_t flags, int node)
{
	return allocate(bytes);
}

void __percpu *pcpu_alloc_noprof(size_t bytes, size_t align, bool reserved, gfp_t flags)
{
	return ks_percpu_alloc(bytes, align);
}
#else
struct kmem_cache *kmalloc_caches[NR_KMALLOC_TYPES][KMALLOC_SHIFT_HIGH + 1];

void *kmalloc_trace(struct kmem_cache *cache, gfp_t flags, size_t bytes)
{
	return allocate(bytes);
}

void *kmalloc_node_trace(struct kmem_cache *cache, gfp_t flags, int node, size_t bytes)
{
	return allocate(bytes);
}

void *__kmalloc(size_t bytes, gfp_t flags)
{
	return allocate(bytes);
}

void *__kmalloc_node(size_t bytes, gfp_t flags, int node)
{
	return allocate(bytes);
}

void __percpu *__alloc_percpu(size_t bytes, size_t align)
{
	return ks_percpu_alloc(bytes, align);
}
#endif

struct cache {
	const char *name;
	size_t bytes;
};

static struct kmem_cache *cache_new(const char *name, size_t bytes)
{
	struct cache *cache = ks_host->alloc(sizeof(*cache), "kmem_cache");

	*cache = (struct cache){ name, bytes };
	return (struct kmem_cache *)cache;
}

static void *cache_alloc(struct kmem_cache *kmem)
{
	struct cache *cache = (struct cache *)kmem;

	return ks_host->alloc(cache->bytes, cache->name);
}

#if KS_HAVE_CACHE_CREATE_ARGS
struct kmem_cache *__kmem_cache_create_args(const char *name, unsigned int bytes,
					    struct kmem_cache_args *args, slab_flags_t flags)
{
	return cache_new(name, bytes);
}
#else
struct kmem_cache *kmem_cache_create(const char *name, unsigned int bytes, unsigned int align,
				     slab_flags_t flags, void (*constructor)(void *))
{
	return cache_new(name, bytes);
}
#endif

#if KS_HAVE_KMALLOC_NOPROF
void *kmem_cache_alloc_noprof(struct kmem_cache *cache, gfp_t flags)
{
	return cache_alloc(cache);
}
#else
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t flags)
{
	return cache_alloc(cache);
}
#endif

void kmem_cache_free(struct kmem_cache *cache, void *object)
{
	ks_host->free(object);
}

void kfree(const void *object)
{
	if (!ZERO_OR_NULL_PTR(object))
		ks_host->free((void *)object);
}

/* ---- RCU: a callback runs at the end of the next interrupt, when nobody reads ---- */

static struct rcu_head *rcu_first, **rcu_last = &rcu_first;

void call_rcu(struct rcu_head *head, rcu_callback_t function)
{
	head->func = function;
	head->next = NULL;
	*rcu_last = head;
	rcu_last = &head->next;
}

void ks_run_rcu(void)
{
	while (rcu_first) {
		struct rcu_head *head = rcu_first;

		rcu_first = head->next;
		if (!rcu_first)
			rcu_last = &rcu_first;
		head->func(head);
	}
}

void synchronize_rcu(void)
{
}

void rcu_note_context_switch(bool preempt)
{
}

void rcu_all_qs(void)
{
}
