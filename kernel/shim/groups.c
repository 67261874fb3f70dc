// SPDX-License-Identifier: GPL-2.0-only
/* Groups through the cpu controller's own operations. */
#include "shim.h"

#ifdef CONFIG_CGROUP_SCHED
struct group {
	struct css_set cset;
	struct cgroup_subsys_state *css;
};

static struct group root;

void ks_groups_init(void)
{
	root_task_group.css.ss = &cpu_cgrp_subsys;
	refcount_set(&root.cset.refcount, INT_MAX / 2);
	cpu_cgrp_subsys.css_alloc(NULL);
	root.css = &root_task_group.css;
	root.cset.subsys[cpu_cgrp_id] = root.css;
	root.cset.dfl_cgrp = ks_host->alloc(sizeof(struct cgroup), "cgroup");
	init_task.cgroups = &root.cset;
}

struct css_set *ks_root_css_set(void)
{
	return &root.cset;
}

void *ks_group_new(void *parent)
{
	struct group *g = ks_host->alloc(sizeof(*g), "cgroup"), *p = parent ?: &root;

	g->css = cpu_cgrp_subsys.css_alloc(p->css);
	if (IS_ERR(g->css))
		return NULL;
	g->css->parent = p->css;
	g->css->ss = &cpu_cgrp_subsys;
	g->css->cgroup = ks_host->alloc(sizeof(struct cgroup), "cgroup");
	g->cset.subsys[cpu_cgrp_id] = g->css;
	g->cset.dfl_cgrp = root.cset.dfl_cgrp;
	refcount_set(&g->cset.refcount, INT_MAX / 2);
	return cpu_cgrp_subsys.css_online(g->css) ? NULL : g;
}

static int write_in(struct cftype *files, struct group *g, const char *file, long value)
{
	for (struct cftype *f = files; f && f->name[0]; f++) {
		if (strcmp(f->name, file))
			continue;
		if (f->write_s64)
			return f->write_s64(g->css, f, value);
		return f->write_u64 ? f->write_u64(g->css, f, value) : -EINVAL;
	}
	return -ENOENT;
}

int ks_group_write(void *group, const char *file, long value)
{
	int error;

	ks_irq_enter(cpumask_first(cpu_online_mask));
	error = write_in(cpu_cgrp_subsys.legacy_cftypes, group, file, value);
	if (error == -ENOENT)
		error = write_in(cpu_cgrp_subsys.dfl_cftypes, group, file, value);
	ks_irq_exit();
	return error;
}

void ks_group_move(struct task_struct *p, void *group)
{
	struct group *g = group ?: &root;

	p->cgroups = &g->cset;
#if KS_HAVE_MOVE_TASK_AUTOGROUP
	sched_move_task(p, false);
#else
	sched_move_task(p);
#endif
}
#else
void ks_groups_init(void)
{
}

struct css_set *ks_root_css_set(void)
{
	return NULL;
}

void *ks_group_new(void *parent)
{
	return NULL;
}

int ks_group_write(void *group, const char *file, long value)
{
	return -ENOENT;
}

void ks_group_move(struct task_struct *p, void *group)
{
	ks_fail(KS_FAIL_SHIM, "this kernel was built without groups");
}
#endif
