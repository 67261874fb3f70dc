/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of rules.def as structs; what depends on the architecture is resolved here. */
#include "topology/rules.h"

#include <stdio.h>
#include <string.h>

enum row_names { NAMES_OLD, NAMES_DIE, NAMES_PKG };
enum row_yes { ROW_NO, ROW_YES, ROW_X86, ROW_FOLLOW };
enum row_relax { RELAX_EXCLUSIVE, RELAX_INCLUSIVE };
enum row_reclaim { RECLAIM_FIXED, RECLAIM_MACHINE };

struct row {
	const char *version;
	enum row_names names;
	const char *llc;
	enum row_yes cls, flag, node, smt, fixed, needs, gflags, overlap, leaving;
	enum row_relax relax;
	enum numa_in_package_rule inpkg;
	enum numa_distance_rule distances;
	enum overlap_rule groups;
	enum weight_rule weight;
	enum asym_rule asym;
	enum imb_numa_rule imb;
	enum row_reclaim reclaim;
	enum boot_rule boot;
	uint32_t busy, pct;
};

static const struct row rows[] = {
#define RULES(version, names, llc, cls, flag, node, smt, fixed, needs, gflags, overlap, leaving,   \
	      relax, inpkg, distances, groups, weight, asym, imb, reclaim, boot, busy, pct)        \
	{ version,                                                                                 \
	  NAMES_##names,                                                                           \
	  llc,                                                                                     \
	  ROW_##cls,                                                                               \
	  ROW_##flag,                                                                              \
	  ROW_##node,                                                                              \
	  ROW_##smt,                                                                               \
	  ROW_##fixed,                                                                             \
	  ROW_##needs,                                                                             \
	  ROW_##gflags,                                                                            \
	  ROW_##overlap,                                                                           \
	  ROW_##leaving,                                                                           \
	  RELAX_##relax,                                                                           \
	  NUMA_IN_PACKAGE_##inpkg,                                                                 \
	  NUMA_DISTANCES_##distances,                                                              \
	  OVERLAP_##groups,                                                                        \
	  WEIGHT_##weight,                                                                         \
	  ASYM_##asym,                                                                             \
	  IMB_NUMA_##imb,                                                                          \
	  RECLAIM_##reclaim,                                                                       \
	  BOOT_BY_##boot,                                                                          \
	  busy,                                                                                    \
	  pct },
#include "topology/rules.def"
#undef RULES
};

enum { NR_ROWS = sizeof(rows) / sizeof(rows[0]) };

static const char *const level_names[][NR_LEVEL_KINDS] = {
	[NAMES_OLD] = { "SIBLING", "CLS", "MC", "CPU", "NODE", "NUMA" },
	[NAMES_DIE] = { "SMT", "CLS", "MC", "DIE", "NODE", "NUMA" },
	[NAMES_PKG] = { "SMT", "CLS", "MC", "PKG", "NODE", "NUMA" },
};

uint32_t topology_nr_rules(void)
{
	return NR_ROWS;
}

const char *topology_rules_name(uint32_t i)
{
	return rows[i].version;
}

static struct topology_rules from_row(const struct row *row, const char *arch)
{
	bool x86 = !strcmp(arch, "x86_64");
	bool arm64 = !strcmp(arch, "arm64");
	struct topology_rules rules = {
		.version = row->version,
		.masks = x86	 ? MASKS_X86
			 : arm64 ? MASKS_ARM64
				 : MASKS_PLAIN,
		.share_llc_name = row->llc,
		.has_cluster_level =
			(row->cls == ROW_YES && (x86 || arm64)) || (row->cls == ROW_X86 && x86),
		.has_cluster_flag = row->flag,
		.has_node_level = row->node,
		.smt_needs_threads = row->smt && x86,
		.static_intervals = row->fixed,
		.every_flag_needs_groups = row->needs,
		.has_group_flags = row->gflags != ROW_NO,
		.group_flags_follow = row->gflags == ROW_FOLLOW,
		.numa_shows_overlap = row->overlap,
		.masks_have_leaving_cpu = row->leaving,
		.relax_is_inclusive = row->relax == RELAX_INCLUSIVE,
		.numa_in_package = x86 ? row->inpkg : NUMA_IN_PACKAGE_KEEPS_PKG,
		.numa_distances = row->distances,
		.overlap = row->groups,
		.weight = row->weight,
		.asym = row->asym,
		.imb_numa = row->imb,
		.reclaim_distance = 30,
		.reclaim_by_machine = row->reclaim == RECLAIM_MACHINE,
		.boot = x86 ? row->boot : BOOT_BY_ID,
		.busy_factor = row->busy,
		.imbalance_pct = row->pct,
	};

	memcpy(rules.level_name, level_names[row->names], sizeof(rules.level_name));
	return rules;
}

bool topology_rules_for(const char *version, const char *arch, struct topology_rules *rules,
			struct err *err)
{
	char allowed[NR_ROWS * 16] = "";

	for (uint32_t i = 0; i < NR_ROWS; i++) {
		size_t at = strlen(allowed);

		if (!strcmp(rows[i].version, version)) {
			*rules = from_row(&rows[i], arch);
			return true;
		}
		snprintf(allowed + at, sizeof(allowed) - at, "%s%s", i ? ", " : "",
			 rows[i].version);
	}
	return err_set(err, "no topology rules for kernel '%s' (allowed: %s)", version, allowed);
}

struct topology_rules topology_rules_default(const char *arch)
{
	struct topology_rules rules = { 0 };

	topology_rules_for("v6.12", arch, &rules, NULL);
	return rules;
}
