/* SPDX-License-Identifier: GPL-2.0-only */
/* From a configuration to a booted kernel, and back. */
#include "engine/kernel/boot.h"

#include "base/check.h"
#include "machine/machine.h"

#include <string.h>
#include <sys/auxv.h>

enum { HAS_FSGSBASE = 2, WORD = 64 };

struct engine *kernel_mapped;

static bool host_can(struct err *err)
{
#ifdef __x86_64__
	(void)err;
	return true;
#else
	return err_set(err, "kernel engines run on x86-64 hosts only");
#endif
}

typedef const struct ks_image *entry_function(void);

static const struct ks_image *enter_image(const struct image *image)
{
	union {
		uint64_t address;
		entry_function *function;
	} entry = { .address = image->entry };

	return entry.function();
}

static bool is_of_this_version(const struct engine *e, struct err *err)
{
	return e->ks->abi == KS_ABI_VERSION ||
	       err_set(err,
		       "%s was built for another schedlab: build the kernel again "
		       "(schedlab kernel build)",
		       e->image.path);
}

static bool machine_fits(const struct engine *e, const struct machine *m, struct err *err)
{
	if (m->nr_cpus > e->ks->max_cpus)
		return err_set(err,
			       "%s has %u cpus (allowed: up to %u, what the kernel is built for)",
			       m->name, m->nr_cpus, e->ks->max_cpus);
	if (m->nr_nodes > WORD)
		return err_set(err,
			       "%s has %u nodes (allowed: up to %u, what the kernel is built for)",
			       m->name, m->nr_nodes, WORD);
	cpuset_for_each (cpu, &m->present)
		if (m->cpu[cpu].capacity != CAPACITY_FULL)
			return err_set(err,
				       "%s has cpus of different capacity, which kernel "
				       "engines do not have",
				       m->name);
	return true;
}

static bool can_hotplug(const struct engine *e, struct err *err)
{
	return e->ks->cpu_down ||
	       err_set(err, "%s takes no cpu off or on: it is built without CONFIG_HOTPLUG_CPU",
		       e->image.path);
}

bool boot_map(struct engine *e, const struct engine_config *config, struct err *err)
{
	if (!config->image)
		return err_set(err, "a kernel engine needs a kernel image");
	if (kernel_mapped)
		return err_set(err, "a kernel is running in this process already");
	if (!host_can(err) || !image_read(&e->image, config->image, err) ||
	    !image_map(&e->image, err))
		return false;
	e->ks = enter_image(&e->image);
	if (is_of_this_version(e, err) && machine_fits(e, config->machine, err) &&
	    (!config->hotplug || can_hotplug(e, err)))
		return true;
	image_unmap(&e->image);
	return false;
}

/* ---- the machine ---- */

static bool is_x86(const struct machine *m)
{
	return strcmp(m->arch, "x86_64") == 0;
}

/* x86 ties no cpus of different nodes by a core, a cluster or a cache, whatever they share. */
static uint32_t tie(const struct machine *m, uint32_t id, uint32_t node)
{
	return is_x86(m) ? id * m->nr_nodes + node : id;
}

static void describe_cpus(struct ks_machine *to, const struct machine *m, struct arena *arena)
{
	uint32_t n = m->nr_cpus, threads = 0;
	uint8_t *state = ARENA_ARRAY(arena, uint8_t, n);
	enum { CORE, CLUSTER, LLC, PACKAGE, NODE, NR_IDS };
	uint32_t *id[NR_IDS];

	for (uint32_t i = 0; i < NR_IDS; i++)
		id[i] = ARENA_ARRAY(arena, uint32_t, n);
	cpuset_for_each (cpu, &m->present) {
		const struct machine_cpu *c = &m->cpu[cpu];
		uint32_t of[] = {
			[CORE] = tie(m, c->core, c->node),
			[CLUSTER] = tie(m, c->cluster, c->node),
			[LLC] = tie(m, c->llc, c->node),
			[PACKAGE] = c->package,
			[NODE] = c->node,
		};

		state[cpu] = cpuset_has(&m->online, cpu) ? KS_CPU_ONLINE : KS_CPU_OFFLINE;
		for (uint32_t i = 0; i < NR_IDS; i++)
			id[i][cpu] = of[i];
		threads += c->core == m->cpu[cpuset_first(&m->present)].core;
	}
	to->cpu_state = state;
	to->core = id[CORE];
	to->cluster = id[CLUSTER];
	to->llc = id[LLC];
	to->package = id[PACKAGE];
	to->node = id[NODE];
	to->threads_per_core = threads;
}

static void describe_nodes(struct ks_machine *to, const struct machine *m, struct arena *arena)
{
	uint32_t n = m->nr_nodes;
	uint8_t *exists = ARENA_ARRAY(arena, uint8_t, n);
	uint8_t *distance = ARENA_ARRAY(arena, uint8_t, (size_t)n * n);

	for (uint32_t i = 0; i < n * n; i++)
		distance[i] = (uint8_t)(m->distance[i] < UINT8_MAX ? m->distance[i] : UINT8_MAX);
	cpuset_for_each (node, &m->nodes)
		exists[node] = 1;
	to->node_exists = exists;
	to->distance = distance;
}

static void describe_idle(struct ks_machine *to, const struct machine *m, struct arena *arena)
{
	_Static_assert(MACHINE_MAX_IDLE_STATES <= KS_IDLE_STATES, "images take all idle states");
	uint64_t *latency = ARENA_ARRAY(arena, uint64_t, m->costs.nr_idle_states);

	for (uint32_t i = 0; i < m->costs.nr_idle_states; i++)
		latency[i] = m->costs.idle_state[i].exit_latency_ns;
	to->nr_idle_states = m->costs.nr_idle_states;
	to->exit_latency_ns = latency;
}

static bool numa_in_package(const struct machine *m)
{
	cpuset_for_each (a, &m->online)
		cpuset_for_each (b, &m->online)
			if (m->cpu[a].package == m->cpu[b].package &&
			    m->cpu[a].node != m->cpu[b].node)
				return true;
	return false;
}

static void describe(struct engine *e, struct arena *arena)
{
	const struct machine *m = e->machine;

	e->ks_machine.nr_cpus = m->nr_cpus;
	e->ks_machine.nr_nodes = m->nr_nodes;
	e->ks_machine.has_clusters = m->has_clusters;
	e->ks_machine.reclaim_distance = m->reclaim_distance;
	describe_cpus(&e->ks_machine, m, arena);
	describe_nodes(&e->ks_machine, m, arena);
	e->ks_machine.gs_by_syscall = !(getauxval(AT_HWCAP2) & HAS_FSGSBASE);
	e->ks_machine.numa_in_package = is_x86(m) && numa_in_package(m);
	describe_idle(&e->ks_machine, m, arena);
}

/* ---- groups ---- */

static bool write_group(struct engine *e, void *group, const char *file, long value,
			struct err *err)
{
	int error = e->ks->group_write(group, file, value);

	return !error ||
	       err_set(err, "the kernel refuses %s = %ld: %s", file, value, strerror(-error));
}

static bool new_group(struct engine *e, uint32_t i, struct err *err)
{
	const struct engine_group *g = &e->config->group[i];

	e->group[i] = e->ks->group_new(g->parent == GROUP_ROOT ? NULL : e->group[g->parent]);
	if (!e->group[i])
		return err_set(err, "this kernel has no groups of tasks");
	if (!write_group(e, e->group[i], "shares", g->shares, err))
		return false;
	if (!g->quota_us)
		return true;
	return write_group(e, e->group[i], "cfs_period_us", g->period_us, err) &&
	       write_group(e, e->group[i], "cfs_quota_us", g->quota_us, err);
}

/* ---- open and close ---- */

static bool boot_and_group(struct engine *e, struct err *err)
{
	e->ks->boot(&e->ks_machine, &e->host);
	for (uint32_t i = 0; i < e->config->nr_groups; i++)
		if (!new_group(e, i, err))
			return false;
	return true;
}

static bool start(struct engine *e, struct err *err)
{
	bool good;

	if (sigsetjmp(e->failed, 0)) {
		e->running = 0;
		return err_set(err, "%s", failure_text(e));
	}
	e->running = 1;
	good = boot_and_group(e, err);
	e->running = 0;
	return good;
}

bool boot_open(struct engine *e, struct arena *arena, struct err *err)
{
	kernel_mapped = e;
	e->host = kernel_host();
	describe(e, arena);
	e->group = ARENA_ARRAY(arena, void *, e->config->nr_groups + 1);
	if (e->config->profile_lines && e->ks->counted)
		e->profile = profile_new(arena, heap_lines(e->ks, e->config),
					 (uint64_t)(uintptr_t)e->ks->text_start,
					 (uint64_t)(e->ks->text_end - e->ks->text_start));
	if (failure_watch(e, err) && heap_open(e, err) && costs_open(e, arena, err) &&
	    start(e, err))
		return true;
	boot_close(e);
	return false;
}

void boot_close(struct engine *e)
{
	failure_unwatch(e);
	heap_close(e);
	image_unmap(&e->image);
	kernel_mapped = NULL;
}
