/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Removes the domains that add nothing, cpu by cpu in ascending order.
 *
 * A domain of one cpu, or of one group without anything to do, is removed; so is one that spans
 * what its child spans and has no flag beyond the child's. Flags that need groups do not count in
 * a domain of one group. The groups of the domain above tell the flags of the domain below, as far
 * as the version keeps that true: it sets the first group only, and groups are shared.
 */
#include "topology/builder.h"

/* Flags that mean nothing in a domain of one group. */
static uint32_t group_flags(const struct builder *b)
{
	uint32_t all = (1u << NR_SD_FLAGS) - 1;

	if (b->rules.every_flag_needs_groups)
		return all & ~(uint32_t)SD_WAKE_AFFINE;
	return SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_SHARE_CPUCAPACITY |
	       SD_SHARE_LLC | SD_ASYM_CPUCAPACITY | SD_PREFER_SIBLING |
	       (b->machine->nr_nodes == 1 ? SD_SERIALIZE : 0);
}

static bool has_one_group(const struct builder *b, const struct draft_domain *sd)
{
	if (sd->ring != RING_NONE)
		return b->ring[sd->ring].nr == 1;
	return b->group[sd->first_group].next == sd->first_group;
}

static void set_first_flags(struct builder *b, struct draft_domain *sd, uint32_t flags)
{
	if (sd->ring != RING_NONE)
		sd->first_flags = flags;
	else
		b->group[sd->first_group].flags = flags;
}

static bool is_degenerate(const struct builder *b, const struct draft_domain *sd)
{
	if (sd->weight == 1)
		return true;
	if (sd->flags & group_flags(b) && !has_one_group(b, sd))
		return false;
	return !(sd->flags & SD_WAKE_AFFINE);
}

static bool parent_is_degenerate(const struct builder *b, const struct draft_domain *sd,
				 const struct draft_domain *parent)
{
	uint32_t flags = parent->flags;

	if (is_degenerate(b, parent))
		return true;
	if (sd->span != parent->span)
		return false;
	if (has_one_group(b, parent))
		flags &= ~group_flags(b);
	return !(flags & ~sd->flags);
}

static void remove_parent(struct builder *b, uint32_t cpu, struct draft_domain *sd, uint32_t l)
{
	struct draft_domain *parent = draft_domain(b, cpu, sd->parent);

	sd->parent = parent->parent;
	if (parent->parent != DOMAIN_NONE) {
		struct draft_domain *above = draft_domain(b, cpu, parent->parent);

		above->child = l;
		if (b->rules.group_flags_follow)
			set_first_flags(b, above, sd->flags);
	}
	sd->flags |= parent->flags & SD_PREFER_SIBLING;
	parent->span = NULL;
}

/* The innermost domain goes last: then the group of its parent's is of a cpu, without flags. */
static void remove_base(struct builder *b, uint32_t cpu)
{
	struct draft_domain *base = draft_domain(b, cpu, 0);
	uint32_t up = base->parent;

	if (!is_degenerate(b, base))
		return;
	base->span = NULL;
	if (up == DOMAIN_NONE)
		return;
	draft_domain(b, cpu, up)->child = DOMAIN_NONE;
	if (b->rules.has_group_flags)
		set_first_flags(b, draft_domain(b, cpu, up), 0);
}

void attach_domains(struct builder *b, const struct cpuset *map)
{
	cpuset_for_each (cpu, map) {
		for (uint32_t l = 0; l != DOMAIN_NONE;) {
			struct draft_domain *sd = draft_domain(b, cpu, l);

			if (sd->parent == DOMAIN_NONE)
				break;
			if (parent_is_degenerate(b, sd, draft_domain(b, cpu, sd->parent)))
				remove_parent(b, cpu, sd, l);
			else
				l = sd->parent;
		}
		remove_base(b, cpu);
	}
}
