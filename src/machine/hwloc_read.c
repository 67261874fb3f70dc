/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From each processing unit the tree is walked upwards; what it passes gives the labels. hwloc's
 * own numbers (logical indexes) are labels and nothing more.
 */
#include "machine/hwloc_read.h"

#include "base/check.h"
#include "machine/draft.h"
#include "machine/file.h"
#include "machine/guarded.h"
#include "machine/sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <hwloc.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DISTANCE = 255, LOCAL_DISTANCE = 10, MAX_ARITY = 1024 };

/* Labels of what has no object of its own lie above all logical indexes. */
static const uint64_t OWN = 1ull << 32;

struct seen {
	bool no_core, no_llc, no_package;
	bool capacities; /* all cpus have one that the kernel states */
};

static bool is_data_cache(hwloc_obj_t obj)
{
	return hwloc_obj_type_is_dcache(obj->type);
}

static bool is_cluster(hwloc_obj_t obj)
{
	return obj->type == HWLOC_OBJ_GROUP && obj->subtype && !strcmp(obj->subtype, "Cluster");
}

/* The largest data cache around pu below its package; a private level 1 does not count. */
static hwloc_obj_t llc_of(hwloc_obj_t pu)
{
	hwloc_obj_t llc = NULL;

	for (hwloc_obj_t obj = pu->parent; obj && obj->type != HWLOC_OBJ_PACKAGE; obj = obj->parent)
		if (is_data_cache(obj) && obj->attr->cache.depth > 1)
			llc = obj;
	return llc;
}

static uint32_t cores_in(hwloc_topology_t topology, hwloc_obj_t obj)
{
	int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, obj->cpuset, HWLOC_OBJ_CORE);

	return cores > 0 ? (uint32_t)cores : 0;
}

/* A group the kernel calls a cluster, or an L2 of several cores inside a larger LLC. */
static hwloc_obj_t cluster_of(hwloc_topology_t topology, hwloc_obj_t pu)
{
	hwloc_obj_t llc = llc_of(pu);

	for (hwloc_obj_t obj = pu->parent; obj && obj->type != HWLOC_OBJ_PACKAGE;
	     obj = obj->parent) {
		if (is_cluster(obj))
			return obj;
		if (obj->type == HWLOC_OBJ_L2CACHE && obj != llc && cores_in(topology, obj) > 1)
			return obj;
	}
	return NULL;
}

static hwloc_obj_t above(hwloc_topology_t topology, hwloc_obj_t pu, hwloc_obj_type_t type)
{
	return hwloc_get_ancestor_obj_by_type(topology, type, pu);
}

static void label_pu(hwloc_topology_t topology, hwloc_obj_t pu, struct draft *d,
		     struct draft_cpu *cpu, struct seen *seen)
{
	hwloc_obj_t core = above(topology, pu, HWLOC_OBJ_CORE);
	hwloc_obj_t package = above(topology, pu, HWLOC_OBJ_PACKAGE);
	hwloc_obj_t die = above(topology, pu, HWLOC_OBJ_DIE);
	hwloc_obj_t llc = llc_of(pu), cluster = cluster_of(topology, pu);

	cpu->label[LABEL_CORE] = core ? core->logical_index : OWN + pu->logical_index;
	cpu->label[LABEL_PACKAGE] = package ? package->logical_index : OWN;
	cpu->label[LABEL_DIE] = die ? die->logical_index : OWN + cpu->label[LABEL_PACKAGE];
	if (llc)
		cpu->label[LABEL_LLC] = (uint64_t)llc->attr->cache.depth << 40 | llc->logical_index;
	else
		cpu->label[LABEL_LLC] = cpu->label[LABEL_PACKAGE] << 10 | cpu->node;
	if (cluster)
		cpu->label[LABEL_CLUSTER] = (uint64_t)cluster->type << 40 | cluster->logical_index;
	else
		cpu->label[LABEL_CLUSTER] = 1ull << 60 | cpu->label[LABEL_CORE];
	d->has_clusters |= cluster != NULL;
	seen->no_core |= !core;
	seen->no_llc |= !llc;
	seen->no_package |= !package;
}

/* Ids are the kernel's: they must be known and within bounds. */
static bool count_ids(hwloc_topology_t topology, hwloc_obj_type_t type, uint32_t limit,
		      const char *what, uint32_t *count, struct err *err)
{
	*count = 0;
	for (hwloc_obj_t obj = hwloc_get_next_obj_by_type(topology, type, NULL); obj;
	     obj = hwloc_get_next_obj_by_type(topology, type, obj)) {
		if (obj->os_index == HWLOC_UNKNOWN_INDEX)
			return err_set(err, "a %s has no os_index", what);
		if (obj->os_index >= limit)
			return err_set(err, "%s %u is beyond the last id, %u", what, obj->os_index,
				       limit - 1);
		*count = obj->os_index >= *count ? obj->os_index + 1 : *count;
	}
	return *count || err_set(err, "describes no %s", what);
}

static bool place(hwloc_topology_t topology, struct draft *d, struct arena *arena,
		  struct seen *seen, struct err *err)
{
	uint32_t nr_cpus, nr_nodes;
	hwloc_obj_t obj = NULL;

	if (!count_ids(topology, HWLOC_OBJ_PU, MACHINE_MAX_CPUS, "cpu", &nr_cpus, err) ||
	    !count_ids(topology, HWLOC_OBJ_NUMANODE, MACHINE_MAX_NODES, "node", &nr_nodes, err))
		return false;
	draft_init(d, arena, nr_cpus, nr_nodes);
	while ((obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, obj)))
		cpuset_add(&d->nodes, obj->os_index);
	while ((obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, obj))) {
		int node = obj->nodeset ? hwloc_bitmap_first(obj->nodeset) : -1;
		struct draft_cpu *cpu;

		if (node < 0)
			node = (int)cpuset_first(&d->nodes);
		if (node >= (int)nr_nodes || !cpuset_has(&d->nodes, (uint32_t)node))
			return err_set(err, "cpu %u is on node %d, which is not described",
				       obj->os_index, node);
		if (d->cpu[obj->os_index].present)
			return err_set(err, "cpu %u is described twice", obj->os_index);
		cpu = draft_cpu(d, obj->os_index, (uint32_t)node);
		label_pu(topology, obj, d, cpu, seen);
	}
	return true;
}

/* False when a figure is none that a kernel takes: the matrix is then not used. */
static bool copy_matrix(struct draft *d, const struct hwloc_distances_s *matrix)
{
	for (unsigned i = 0; i < matrix->nbobjs; i++) {
		for (unsigned j = 0; j < matrix->nbobjs; j++) {
			hwloc_uint64_t value = matrix->values[i * matrix->nbobjs + j];
			bool local = i == j;

			if (value > MAX_DISTANCE || (value == LOCAL_DISTANCE) != local ||
			    value < LOCAL_DISTANCE)
				return false;
			d->distance[matrix->objs[i]->os_index * d->nr_nodes +
				    matrix->objs[j]->os_index] = (uint32_t)value;
		}
	}
	return matrix->nbobjs == cpuset_weight(&d->nodes);
}

/* The kernel's capacity of a kind of cpus; 0 when it is not known. */
static uint32_t capacity_of(hwloc_topology_t topology, unsigned kind, hwloc_bitmap_t cpus)
{
	struct hwloc_info_s *infos;
	unsigned nr_infos;
	int efficiency;

	if (hwloc_cpukinds_get_info(topology, kind, cpus, &efficiency, &nr_infos, &infos, 0))
		return 0;
	for (unsigned i = 0; i < nr_infos; i++) {
		unsigned long capacity = strtoul(infos[i].value, NULL, 10);

		if (!strcmp(infos[i].name, "LinuxCapacity") && capacity <= CAPACITY_FULL)
			return (uint32_t)capacity;
	}
	return 0;
}

/* All cpus have a capacity from their kind, or none is used. */
static void read_capacities(hwloc_topology_t topology, struct draft *d, struct seen *seen)
{
	int nr_kinds = hwloc_cpukinds_get_nr(topology, 0);
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	uint32_t *capacity = ARENA_ARRAY(d->arena, uint32_t, d->nr_cpus);

	CHECK(cpus);
	for (int kind = 0; kind < nr_kinds; kind++) {
		uint32_t value = capacity_of(topology, (unsigned)kind, cpus);

		for (uint32_t cpu = 0; cpu < d->nr_cpus; cpu++)
			if (hwloc_bitmap_isset(cpus, cpu))
				capacity[cpu] = value;
	}
	hwloc_bitmap_free(cpus);
	seen->capacities = true;
	for (uint32_t cpu = 0; cpu < d->nr_cpus; cpu++)
		seen->capacities &= !d->cpu[cpu].present || capacity[cpu];
	for (uint32_t cpu = 0; seen->capacities && cpu < d->nr_cpus; cpu++)
		d->cpu[cpu].capacity = capacity[cpu];
}

static void read_distances(hwloc_topology_t topology, struct draft *d)
{
	struct hwloc_distances_s *matrix[4];
	unsigned nr = 4;
	bool found = false, unusable = false;

	if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &nr, matrix,
					HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0))
		return;
	nr = nr < 4 ? nr : 4;
	for (unsigned i = 0; i < nr; i++) {
		if (!found) {
			draft_distances(d);
			found = copy_matrix(d, matrix[i]);
			unusable |= !found;
		}
		hwloc_distances_release(topology, matrix[i]);
	}
	if (!found)
		d->distance = NULL;
	if (!found && unusable)
		draft_assume(d,
			     "the distances given are none that a kernel takes: they are left out");
}

/* hwloc names architectures as uname does. */
static const char *arch_of(hwloc_topology_t topology, struct arena *arena)
{
	const char *arch = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "Architecture");

	if (arch && !strcmp(arch, "aarch64"))
		return "arm64";
	return arch ? arena_strdup(arena, arch) : NULL;
}

static const char *model_of(hwloc_topology_t topology, struct arena *arena, const char *otherwise)
{
	hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
	const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;

	return arena_strdup(arena, model && *model ? model : otherwise);
}

static void say_assumed(hwloc_topology_t topology, struct draft *d, const struct seen *seen)
{
	hwloc_const_bitmap_t all = hwloc_topology_get_complete_cpuset(topology);
	hwloc_const_bitmap_t here = hwloc_topology_get_topology_cpuset(topology);
	int away = hwloc_bitmap_weight(all) - hwloc_bitmap_weight(here);

	if (seen->no_core)
		draft_assume(d, "cpus without a core are cores");
	if (seen->no_llc)
		draft_assume(
			d, "cpus without a cache above level 1 share one LLC per package and node");
	if (seen->no_package)
		draft_assume(d, "cpus without a package are in one package");
	if (!seen->capacities && hwloc_cpukinds_get_nr(topology, 0) > 1)
		draft_assume(d, "the cpus are of %d kinds: all are taken at full capacity",
			     hwloc_cpukinds_get_nr(topology, 0));
	if (away > 0)
		draft_assume(d, "%d offline cpus are not described and left out", away);
}

/* As hwloc names the maker and family of the first package. */
static uint32_t reclaim_distance_of(hwloc_topology_t topology)
{
	hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
	const char *vendor = package ? hwloc_obj_get_info_by_name(package, "CPUVendor") : NULL;
	const char *family =
		package ? hwloc_obj_get_info_by_name(package, "CPUFamilyNumber") : NULL;

	if (!vendor || !family)
		return 0;
	return draft_zen_reclaim(!strcmp(vendor, "AuthenticAMD") || !strcmp(vendor, "HygonGenuine"),
				 (uint32_t)strtoul(family, NULL, 10));
}

static bool read_topology(hwloc_topology_t topology, struct draft *d, struct arena *arena,
			  struct err *err)
{
	struct seen seen = { 0 };

	if (!place(topology, d, arena, &seen, err))
		return false;
	read_distances(topology, d);
	read_capacities(topology, d, &seen);
	say_assumed(topology, d, &seen);
	d->arch = arch_of(topology, arena);
	d->reclaim_distance = reclaim_distance_of(topology);
	return true;
}

/* A topology ready for a source: instruction caches and devices left out, nothing disallowed. */
static hwloc_topology_t new_topology(void)
{
	hwloc_topology_t topology;

	CHECK(!hwloc_topology_init(&topology));
	hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(topology, HWLOC_OBJ_L2CACHE, HWLOC_TYPE_FILTER_KEEP_ALL);
	return topology;
}

/*
 * hwloc drops levels that repeat another one, such as clusters that are LLCs, and the kernel's
 * hierarchy depends on them: what /sys describes is read from there.
 */
static struct machine *read_own_sysfs(struct arena *arena)
{
	struct err ignored = { 0 };

	if (access("/sys/devices/system/cpu/cpu0/topology/thread_siblings", R_OK))
		return NULL;
	return sysfs_read_tree(arena, "/", &ignored);
}

static struct machine *read_own_topology(hwloc_topology_t topology, struct arena *arena,
					 struct err *err)
{
	struct draft d;

	if (!read_topology(topology, &d, arena, err))
		return NULL;
	d.name = "host";
	sysfs_add_costs(&d, "/sys/devices/system");
	return draft_finish(&d, err);
}

struct machine *hwloc_read_host(struct arena *arena, struct err *err)
{
	hwloc_topology_t topology = new_topology();
	struct machine *m = read_own_sysfs(arena);
	bool loaded = !hwloc_topology_load(topology);

	if (!m && loaded)
		m = read_own_topology(topology, arena, err);
	else if (!m)
		err_set(err, "hwloc cannot read this machine: %s", strerror(errno));
	if (m)
		m->name = "host";
	if (m && loaded)
		m->title = model_of(topology, arena, "this machine");
	err_locate(err, "host");
	hwloc_topology_destroy(topology);
	return m;
}

/*
 * Exports of hwloc 3 say version 3.0, which hwloc 2 refuses although what is used here has not
 * changed; the number is all that is rewritten. *newer tells.
 */
static void lower_version(char *text, bool *newer)
{
	static const char wanted[] = "<topology version=\"3.";
	char *at = strstr(text, wanted);

	*newer = at != NULL;
	if (at)
		at[strlen(wanted) - 2] = '2';
}

static struct machine *read_xml(struct arena *arena, const char *path, struct err *err)
{
	hwloc_topology_t topology;
	struct machine *m = NULL;
	struct draft d;
	bool newer;
	size_t size;
	char *text = file_read(arena, path, &size, err);

	if (!text)
		return NULL;
	lower_version(text, &newer);
	topology = new_topology();
	if (size >= INT_MAX || hwloc_topology_set_xmlbuffer(topology, text, (int)size + 1) ||
	    hwloc_topology_load(topology)) {
		err_set(err, "hwloc finds no topology in it (allowed: an XML export of lstopo)");
	} else if (read_topology(topology, &d, arena, err)) {
		if (newer)
			draft_assume(&d, "XML version 3 means what version 2 does");
		d.name = arena_strdup(arena, path);
		d.title = model_of(topology, arena, path);
		m = draft_finish(&d, err);
	}
	err_locate(err, path);
	hwloc_topology_destroy(topology);
	return m;
}

/*
 * hwloc builds whatever it is told, however large. This finds the counts in the text, skipping
 * attributes, and refuses a zero or a product beyond the limit before hwloc sees it. Its time grows
 * with the cube of a level's width: 8192 in one level take it half a minute, 1024 some seconds.
 */
static bool bounded(const char *text, struct err *err)
{
	uint64_t cpus = 1;
	int depth = 0;

	for (const char *at = text; *at; at++) {
		char *end;
		uint64_t count;

		depth += *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
		if (depth || !isdigit((unsigned char)*at) ||
		    !(at == text || at[-1] == ':' || at[-1] == ' '))
			continue;
		errno = 0;
		count = strtoull(at, &end, 10);
		if (!count)
			return err_set(
				err, "a count of 0 makes a machine without cpus (allowed: from 1)");
		if (errno || count > MACHINE_MAX_CPUS ||
		    (cpus *= count) > (uint64_t)MACHINE_MAX_CPUS)
			return err_set(err, "makes too many cpus (allowed: %d)", MACHINE_MAX_CPUS);
		if (count > MAX_ARITY)
			return err_set(err,
				       "%llu in one level take hwloc too long (allowed: %d; "
				       "1x%llux1 does without hwloc)",
				       (unsigned long long)count, MAX_ARITY,
				       (unsigned long long)count);
		at = end - 1;
	}
	return true;
}

static const char synthetic_help[] =
	"is no hwloc synthetic machine (allowed: levels from outside in, such as \"pack:2 numa:2 "
	"l3:1 core:8 pu:2\"; types pack, die, numa, l5 to l1, group, core, pu)";

static struct machine *read_synthetic(struct arena *arena, const char *text, struct err *err)
{
	hwloc_topology_t topology;
	struct machine *m = NULL;
	struct draft d;

	topology = new_topology();
	if (hwloc_topology_set_synthetic(topology, text) || hwloc_topology_load(topology)) {
		err_set(err, "%s", synthetic_help);
	} else if (read_topology(topology, &d, arena, err)) {
		d.name = arena_strdup(arena, text);
		d.title = arena_printf(arena, "synthetic machine %s", text);
		d.arch = NULL; /* hwloc states the host's */
		m = draft_finish(&d, err);
	}
	err_locate(err, text);
	hwloc_topology_destroy(topology);
	return m;
}

struct machine *hwloc_read_xml(struct arena *arena, const char *path, struct err *err)
{
	return guarded_read(arena, path, read_xml, err);
}

struct machine *hwloc_read_synthetic(struct arena *arena, const char *text, struct err *err)
{
	if (bounded(text, err))
		return guarded_read(arena, text, read_synthetic, err);
	err_locate(err, text);
	return NULL;
}
