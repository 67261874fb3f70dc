/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files under /sys/devices/system that matter to a machine, from a dump, a directory or an
 * archive of one, and of /proc/cpuinfo beside them the maker.
 *
 * What is there is stored as text in slots: a fixed set for each cpu and node, named by the rows
 * of the tables in sysfs_source.c. Nothing is interpreted here.
 */
#ifndef MACHINE_SYSFS_SOURCE_H
#define MACHINE_SYSFS_SOURCE_H

#include "machine/machine.h"

enum sysfs_limits { SYSFS_CACHES = 8, SYSFS_IDLE_STATES = MACHINE_MAX_IDLE_STATES };

enum cpu_slot {
	CPU_CORE_LIST, /* …_LIST and …_MASK follow each other: a list, or the same as hex words */
	CPU_CORE_MASK,
	CPU_THREAD_LIST, /* the older name of the same */
	CPU_THREAD_MASK,
	CPU_CLUSTER_LIST,
	CPU_CLUSTER_MASK,
	CPU_DIE_LIST,
	CPU_DIE_MASK,
	CPU_PACKAGE_LIST,
	CPU_PACKAGE_MASK,
	CPU_SIBLINGS_LIST, /* older name of the package's */
	CPU_SIBLINGS_MASK,
	CPU_PACKAGE_ID,
	CPU_CAPACITY,
	CPU_BASE_KHZ,
	CPU_MAX_KHZ,
	CPU_CACHE,				 /* + 5 for each cache: CACHE_… */
	CPU_IDLE = CPU_CACHE + 5 * SYSFS_CACHES, /* + 3 for each state: IDLE_… */
	NR_CPU_SLOTS = CPU_IDLE + 3 * SYSFS_IDLE_STATES
};
enum cache_slot { CACHE_LIST, CACHE_MASK, CACHE_LEVEL, CACHE_TYPE, CACHE_SIZE };
enum idle_slot { IDLE_NAME, IDLE_LATENCY, IDLE_RESIDENCY };
enum node_slot { NODE_LIST, NODE_MASK, NODE_DISTANCE, NR_NODE_SLOTS };

struct sysfs_value {
	const char *text; /* NULL: not there */
	int line;	  /* in a dump; 0 in a tree */
};

struct sysfs {
	struct arena *arena;
	const char *name; /* the dump's or the tree's, for messages */
	const char *arch; /* NULL: not said */
	bool zen_vendor;  /* /proc/cpuinfo names a maker of AMD Zen, */
	uint32_t family;  /* and this cpu family; 0: not said */
	struct sysfs_value cpu_online, cpu_present, node_online, node_possible;
	struct sysfs_value *cpu[MACHINE_MAX_CPUS];   /* NULL or NR_CPU_SLOTS values */
	struct sysfs_value *node[MACHINE_MAX_NODES]; /* NULL or NR_NODE_SLOTS values */
};

bool sysfs_load_dump(struct sysfs *fs, struct arena *arena, const char *path, struct err *err);
bool sysfs_load_tree(struct sysfs *fs, struct arena *arena, const char *path, struct err *err);
bool sysfs_load_archive(struct sysfs *fs, struct arena *arena, const char *path, struct err *err);

/* "cpu3/topology/core_cpus_list" into out, for messages. */
const char *sysfs_cpu_path(uint32_t cpu, int slot, char *out, size_t size);
const char *sysfs_node_path(uint32_t node, int slot, char *out, size_t size);

#endif
